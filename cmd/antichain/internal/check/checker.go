// Package check checks properties on recorded runs and reports each verdict as text or JSON.
package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/known"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/reports"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/onthefly/builtins"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// Checker checks properties on nets and reports on each.
type Checker struct {
	Settings
	Stdout, Stderr io.Writer // reports, mistakes
	Properties     []*spec.Property
	Functions      specfile.Functions
	Prefix         string // in front of each verdict

	// Cut says why the run is not over whose beginning is checked. It is empty if the run is over.
	Cut tlcheck.Truncation

	// Confirm, if it is not nil, tries to make a violation happen, and returns the outcome.
	Confirm func(context.Context, *tlcheck.Result) (*tlcheck.Confirmation, error)

	// Take, if it is not nil, takes each result, which is not printed then.
	Take func(*tlcheck.Assessment)

	Known   *known.Recogniser   // which evidence is known; nil: none is
	Reports *reports.Collection // receives what is reported; nil if there are no reports

	exit.Ledger // of what was asked
}

// AskAll adds a question for each property of the specification, about a run.
func (c *Checker) AskAll(run string) {
	for _, p := range c.Properties {
		c.Ask(run, nameOf(p))
	}
}

// nameOf names a property in the ledger, as its results do.
func nameOf(p *spec.Property) string { return (&tlcheck.Result{Property: p}).Name() }

// AskBuiltins adds a question for each of these built-in properties, about a run.
func (c *Checker) AskBuiltins(run string, on []builtin.Property) {
	for _, p := range on {
		c.Ask(run, string(p))
	}
}

// Finish returns the exit code of a verb that has no more to judge, nil for 0. A question without
// an answer is a bug.
func (c *Checker) Finish() error {
	c.NoteOpen()
	return c.Err()
}

// NoteOpen reports the questions without an answer.
func (c *Checker) NoteOpen() {
	for _, q := range c.Open() {
		c.Bug = true
		fmt.Fprintf(c.Stderr, "antichain: internal error: %s: there is no verdict on %s. This is a bug in antichain. Please report it: %s\n",
			event.Printable(q.Run), event.Printable(q.Property), exit.IssuesURL)
	}
}

// ReportError reports a mistake and goes on.
func (c *Checker) ReportError(err error) {
	c.Failed = true
	fmt.Fprintln(c.Stderr, "antichain:", err)
}

// whyUnjudged returns, in one line, why a property has no verdict after an error. The error is
// reported in full beside it.
func whyUnjudged(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n") // the rest shows the specification
	return line
}

// Unread says why a run was not read to its end, "" if it was. A net that is incomplete may support
// a verdict all the same.
func Unread(r *input.Reading) string {
	if r.Err == nil {
		return ""
	}
	return whyUnjudged(withPartial(r.Err))
}

// CheckReading checks what was read. If orders is not nil it returns the nets of the run without
// the order of critical sections. Every property gets a verdict.
func (c *Checker) CheckReading(ctx context.Context, r *input.Reading, orders func() Orders) {
	c.AskAll(r.Name)
	var stopped *limits.ReadStoppedError
	isStopped := errors.As(r.Err, &stopped)
	c.Cut = ""
	if r.Err != nil && !isStopped {
		c.Cut = "cut off"
		c.ReportError(withPartial(r.Err))
	}
	switch {
	case isStopped, r.Net == nil && r.Err != nil:
		c.Refuse(r.Name, Unread(r))
	case r.Net == nil: // no property needs it
	case r.Useless != "":
		c.Refuse(r.Name, r.Useless)
	case orders != nil:
		o := orders()
		o.Run = r.Net
		c.CheckOrders(ctx, r.Name, o)
	default:
		c.CheckNet(ctx, r.Name, r.Net)
	}
}

// IsCut reports whether an error is that a trace was cut off: what stands before the cut is right.
func IsCut(err error) bool {
	var mistake *event.Error
	return errors.As(err, &mistake) && mistake.Remedy == event.RemedyCut
}

// withPartial names the flag for a trace that was cut off.
func withPartial(err error) error {
	mistake, ok := err.(*event.Error)
	if !ok || !IsCut(err) {
		return err
	}
	cut := *mistake
	cut.Remedy = "the trace was cut off; the events before the cut can be checked with --partial"
	return &cut
}

// CheckNet checks all properties on the net of one trace.
func (c *Checker) CheckNet(ctx context.Context, name string, net *san.Net) {
	c.Reports.Draw(name, net, c.Style.Source)
	c.checkAll(ctx, name, func(ctx context.Context, p *spec.Property, opt tlcheck.Options) (*tlcheck.Result, error) {
		return tlcheck.Check(ctx, net, p, opt)
	}, nil)
}

// Orders are the nets of a run in which critical sections have several orders.
type Orders struct {
	Run  *san.Net // the ordinary net
	Free *san.Net // the net in which critical sections order nothing; nil if there is none
	// as Free, and reads come after the writes that they have seen; nil if accesses to memory are
	// not recorded
	Data *san.Net
	// Open says why events may read other values in another order than in the run; see
	// tlcheck.Options.
	Open    string
	Missing error // why there is no Free

	// Leads is as Free, but whoever tests and sets something need not come after who has set it
	// before. The program may get into a state that only Leads has if it finds something else there
	// than in the run: that has to be tried. It is nil if it is not known, or the same.
	Leads *san.Net
}

// otherReads is why events may see something else in states that only Orders.Free has.
const otherReads = "there some goroutine reads what is not yet what it has read in the run"

// CheckOrders checks all properties on a run. Properties that cannot be checked without the order
// of critical sections are checked with it, and the result says so. If that is so only since there
// is no net without it, a property that holds then has no verdict.
func (c *Checker) CheckOrders(ctx context.Context, name string, o Orders) {
	c.Reports.Draw(name, o.Run, c.Style.Source)
	c.checkAll(ctx, name, o.check, o.checkLeads)
}

func (o *Orders) check(ctx context.Context, p *spec.Property, opt tlcheck.Options) (*tlcheck.Result, error) {
	state, kept := tlcheck.Reorderable(p)
	if kept == nil && len(o.Run.Header().Shared) > 0 {
		kept = tlcheck.ErrShared
	}
	if kept != nil || o.Free == nil {
		r, err := tlcheck.Check(ctx, o.Run, p, opt)
		switch {
		case err != nil || r.Verdict != tlcheck.Holds:
		case kept != nil:
			r.Covered = fmt.Sprintf("%s: %v", inRunOrder, kept)
		default:
			r.Verdict, r.Vacuous, r.Covered = tlcheck.Unknown, "", fmt.Sprintf("it holds %s, and others are not known: %v", inRunOrder, o.Missing)
		}
		return r, err
	}
	r, err := o.checkState(ctx, state, opt)
	if err == nil {
		r.Property = p
	}
	return r, err
}

// checkState checks a property without temporal operators, in the time that there is for all nets
// together. What is certain comes first: the states that the order of the run leads to, whether or
// not Free has them.
func (o *Orders) checkState(ctx context.Context, p *spec.Property, opt tlcheck.Options) (*tlcheck.Result, error) {
	ctx, cancel := budget.Bound(ctx, opt.Time, 0)
	defer cancel()
	opt.Time = 0
	r, err := tlcheck.Check(ctx, o.Run, p, opt)
	if sparse := new(tlcheck.UnsupportedError); errors.As(err, &sparse) {
		r, err = &tlcheck.Result{Verdict: tlcheck.Holds}, nil // the others are not sparse
	}
	opt.Sections, opt.Open = true, o.Open
	if o.Data != nil && err == nil && r.Verdict == tlcheck.Holds {
		r, err = tlcheck.Check(ctx, o.Data, p, opt)
		opt.Open = otherReads
	}
	if err != nil || r.Verdict != tlcheck.Holds {
		return r, err
	}
	return tlcheck.Check(ctx, o.Free, p, opt)
}

// checkLeads looks for a violation in states that only Leads has. Without such states the verdict
// is unknown.
func (o *Orders) checkLeads(ctx context.Context, p *spec.Property, opt tlcheck.Options) (*tlcheck.Result, error) {
	state, kept := tlcheck.Reorderable(p)
	if o.Leads == nil || kept != nil || len(o.Run.Header().Shared) > 0 {
		return new(tlcheck.Result), nil
	}
	opt.Sections, opt.Open = true, otherReads
	r, err := tlcheck.Check(ctx, o.Leads, state, opt)
	if err == nil {
		r.Property = p
	}
	return r, err
}

// inRunOrder says which orders a property was checked in that keeps the order of the run's critical
// sections.
const inRunOrder = "in all orders in which critical sections come as in the run"

// checkAll decides all properties, and reports on them in order. lead, which may be nil, looks for
// violations that must be tried, since they may be impossible.
func (c *Checker) checkAll(ctx context.Context, name string, decide, lead decide) {
	all := decideAll(ctx, c.Properties, decide, c.Options)
	if c.Confirm != nil { // a program that runs again is to have the machine for itself
		for i, p := range c.Properties {
			all.await(c, i, p)
		}
	}
	for i, p := range c.Properties {
		made := all.await(c, i, p)
		if made.err != nil {
			c.ReportError(made.err)
			made.result = &tlcheck.Result{Property: p, Covered: whyUnjudged(made.err)}
		}
		result := made.result
		var confirmation *tlcheck.Confirmation
		if lead != nil && c.Confirm != nil && result.Verdict == tlcheck.Holds {
			result, confirmation = c.follow(ctx, result, lead)
		}
		c.judge(ctx, name, result, confirmation, made.took)
	}
}

// follow tries a state that violates a property which holds in all states that are predicted. If it
// happens the property is violated.
func (c *Checker) follow(ctx context.Context, holds *tlcheck.Result, lead decide) (*tlcheck.Result, *tlcheck.Confirmation) {
	var confirmation *tlcheck.Confirmation
	found, err := lead(ctx, holds.Property, c.Options)
	if err == nil && found.Verdict == tlcheck.Violated {
		confirmation, err = c.Confirm(ctx, found)
	}
	switch {
	case err != nil:
		c.ReportError(err)
	case confirmation.IsConfirmed():
		return found, confirmation
	}
	return holds, nil
}

// judge reports on a property that was decided in the time it took. confirmation is not nil if the
// violation has been confirmed already.
func (c *Checker) judge(ctx context.Context, name string, result *tlcheck.Result, confirmation *tlcheck.Confirmation, took time.Duration) {
	result.Truncate(c.Cut)
	a := c.Assess(result)
	a.Confirmation = confirmation
	var err error
	if a.Violations, err = c.CountViolations(ctx, result, took); err != nil {
		c.ReportError(err)
	}
	if c.Confirm != nil && confirmation == nil && a.IsNews() {
		if a.Confirmation, err = c.Confirm(ctx, result); err != nil {
			c.ReportError(err)
		}
	}
	if err := c.Report(name, a); err != nil {
		c.ReportError(err)
	}
}

// Assess returns a result with the reason why its evidence is known, if it is, and with advice
// against an unknown verdict.
func (c *Checker) Assess(r *tlcheck.Result) *tlcheck.Assessment {
	a := &tlcheck.Assessment{Result: r, Known: c.Known.Reason(r), Remedy: limits.Remedy(r.Stopped)}
	if r.Covered == builtins.NoOperations || r.Covered == builtins.NoAccesses {
		a.Remedy = fmt.Sprintf(": record the run with --builtin %s", r.Builtin)
	}
	return a
}

// SparseSuffices reports whether a sparse trace with that header is enough for all properties.
func (c *Checker) SparseSuffices(h *event.Header) bool {
	for _, p := range c.Properties {
		p, err := tlcheck.Resolve(h, p)
		if err != nil || c.ViolationFlags.Given() || tlcheck.DecidableOnSparse(h, p, c.Options.Logic) != nil {
			return false
		}
	}
	return true
}

// Refuse gives every property the verdict unknown and says why.
func (c *Checker) Refuse(name, why string) {
	for _, p := range c.Properties {
		if err := c.Report(name, c.Assess(&tlcheck.Result{Property: p, Covered: why})); err != nil {
			c.ReportError(err)
		}
	}
}

// ReportUndefined says where expressions of a property could not be evaluated.
func ReportUndefined(w io.Writer, prefix string, p *spec.Property, troubles []lsl.EvalError) {
	for _, t := range troubles {
		fmt.Fprintf(w, "antichain: %s%s: in %s, %s is undefined in %s: %s\n", prefix, event.Printable(p.Place(t.Pos)),
			p.Name, event.Printable(wording.Excerpt(t.Expr)), wording.Plural(t.Count, "local state"), event.Printable(t.Reason))
	}
}

// NoteResult answers a question about a run. Known evidence counts as no violation.
func (c *Checker) NoteResult(run string, r *tlcheck.Assessment) {
	a := exit.Answer{Verdict: tlcheck.Holds}
	if r.IsNews() {
		a = exit.Answer{Verdict: r.Verdict, Builtin: r.Builtin != "", Vacuous: c.Strict && r.Vacuous != ""}
	}
	c.Answer(run, r.Name(), a)
	if r.Finding == nil || r.Verdict == tlcheck.Unknown {
		return
	}
	for i := range r.Finding.Also {
		c.NoteResult(run, r.Also(i))
	}
}

// Report prints the verdict on one property.
func (c *Checker) Report(trace string, r *tlcheck.Assessment) error {
	c.NoteResult(trace, r)
	c.addViolationCount(r)
	if c.Take != nil {
		c.Take(r)
		return nil
	}
	r.Again = report.Again(r, c.Style)
	if err := c.Reports.Add(trace, r, c.Style); err != nil {
		return err
	}
	ReportUndefined(c.Stderr, c.Prefix, r.Property, r.EvalErrors)
	if c.JSON {
		return report.WriteJSON(c.Stdout, trace, r, c.Style.Source)
	}
	if !r.IsNews() {
		return nil
	}
	return c.WriteText(r)
}

// WriteText prints the verdict as text.
func (c *Checker) WriteText(r *tlcheck.Assessment) error {
	if _, err := io.WriteString(c.Stdout, c.Prefix); err != nil {
		return err
	}
	return report.WriteText(c.Stdout, r, c.Style)
}

// CountViolations finds all violations of a property that has been checked, if that is asked for.
// It has what the check has left of the time for a property.
func (c *Checker) CountViolations(ctx context.Context, r *tlcheck.Result, took time.Duration) (*tlcheck.Violations, error) {
	if !c.ViolationFlags.Given() || r.Verdict != tlcheck.Violated {
		return nil, nil
	}
	find := tlcheck.Count
	if c.All {
		find = tlcheck.All
	}
	options := c.Options
	if options.Time > 0 {
		options.Time = max(options.Time-took, 1)
	}
	counting := terminal.Working(c.Stderr, "counting violations of "+event.Printable(r.Property.Name))
	all, err := find(ctx, r.Net, r.Property, counting.Watched(options))
	counting.Done()
	if errors.Is(err, tlcheck.ErrSparse) {
		err = fmt.Errorf("%w; record the run again with --count or --all", err)
	}
	if err != nil {
		return nil, err
	}
	all.Covered += limits.Remedy(all.Stopped)
	if all.Stopped != nil && all.Number.Min.Sign() == 0 {
		all.Number.Min.SetInt64(1) // the witness
	}
	return all, nil
}

// addViolationCount says of a property that is not violated how many violations it has, if that is
// asked for.
func (c *Checker) addViolationCount(r *tlcheck.Assessment) {
	if !c.ViolationFlags.Given() || r.Verdict == tlcheck.Violated {
		return
	}
	r.Violations = &tlcheck.Violations{Number: tlcheck.Number{Min: new(big.Int)}, Grouped: c.All}
	if r.Verdict == tlcheck.Holds {
		r.Violations.Number.Max = new(big.Int)
	}
}
