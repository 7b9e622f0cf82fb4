package monitor

import (
	"context"
	"errors"
	"fmt"
	stdslices "slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/onthefly/builtins"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/stream"
)

// ErrFirst ends the verb at the first violation.
var ErrFirst = errors.New("ended at the first violation; --keep-going continues")

// Run is a run that is being checked.
type Run struct {
	*onthefly.Checker
	Monitor           *Monitor
	name              string
	OnTheFly          []*spec.Property // checked on-the-fly, without a verdict so far
	Postponed         []*spec.Property // checked when the run is over
	builtins          builtins.Run[*event.Header]
	reportedUndefined map[string]bool    // expressions reported as undefined
	lost              bool               // the checker has ended, or was abandoned at work
	retained          onthefly.Retention // memory of the abandoned checker
}

// Begin begins a run.
func (m *Monitor) Begin(name string, h *event.Header) (stream.Sink, error) {
	m.recordQuestions(name)
	r, err := m.BeginRun(name, h)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// BeginRun decides which properties can be checked on the run.
func (m *Monitor) BeginRun(name string, h *event.Header) (*Run, error) {
	if useless := h.Untraced(); useless != "" {
		m.Refuse(name, useless)
		return nil, exit.Code(exit.Unknown)
	}
	k := m.Kinds(h, m.Properties)
	err := k.Err()
	for _, result := range k.results() {
		m.ReportVerdict(name, result)
	}
	if err != nil {
		if len(k.OnTheFly)+len(k.Postponed)+len(m.Builtins.Properties) == 0 {
			return nil, err
		}
		m.Fail(err)
	}
	r := &Run{Monitor: m, name: name, reportedUndefined: map[string]bool{}, OnTheFly: k.OnTheFly,
		Postponed: k.Postponed, builtins: builtins.Run[*event.Header]{Config: m.Builtins}}
	if r.Checker, err = onthefly.New(h, r.OnTheFly, m.Options.Logic); err != nil {
		return nil, err
	}
	if len(r.Postponed) > 0 {
		r.Remember()
	}
	return r, nil
}

// propertyKinds groups properties by when they can be checked on a run.
type propertyKinds struct {
	OnTheFly  []*spec.Property // during the run
	Postponed []*spec.Property // after the run
	refused   []refusal
}

// refusal is a property that cannot be checked on a run.
type refusal struct {
	property *spec.Property
	why      error
}

// Err returns, joined, why properties cannot be checked; nil if all can.
func (k *propertyKinds) Err() error {
	var mistakes []error
	for _, r := range k.refused {
		mistakes = append(mistakes, r.why)
	}
	return errors.Join(mistakes...)
}

// results returns unknown verdicts for refused properties.
func (k *propertyKinds) results() []*tlcheck.Result {
	var results []*tlcheck.Result
	for _, r := range k.refused {
		line, _, _ := strings.Cut(r.why.Error(), "\n") // the rest shows the specification
		results = append(results, &tlcheck.Result{Property: r.property, Covered: line})
	}
	return results
}

// Kinds decides which properties can be checked on a run with this header, and when.
func (m *Monitor) Kinds(h *event.Header, all []*spec.Property) *propertyKinds {
	k := &propertyKinds{}
	for _, p := range all {
		late, err := m.mustWait(h, p)
		switch {
		case err != nil:
			k.refused = append(k.refused, refusal{p, err})
		case late:
			k.Postponed = append(k.Postponed, p)
		default:
			k.OnTheFly = append(k.OnTheFly, p)
		}
	}
	return k
}

// Split is Kinds for one of many runs: a property that cannot be checked on it has no verdict
// there.
func (m *Monitor) Split(h *event.Header) (open, late []*spec.Property, refused []*tlcheck.Result) {
	if useless := h.Untraced(); useless != "" {
		for _, p := range m.Properties {
			refused = append(refused, &tlcheck.Result{Property: p, Covered: useless})
		}
		return nil, nil, refused
	}
	k := m.Kinds(h, m.Properties)
	return k.OnTheFly, k.Postponed, k.results()
}

// mustWait decides whether a property must wait for the end of a run with this header.
func (m *Monitor) mustWait(h *event.Header, p *spec.Property) (late bool, err error) {
	resolved, err := tlcheck.Resolve(h, p)
	if err == nil && h.Sparse {
		err = tlcheck.DecidableOnSparse(h, resolved, m.Options.Logic)
	}
	if err != nil {
		return false, err
	}
	var shared []string
	for _, s := range h.Shared {
		shared = append(shared, s.Name)
	}
	err = m.Admits(resolved, shared)
	if err != nil && m.Postpone {
		return true, nil
	}
	return false, err
}

// Step reports new violations.
func (r *Run) Step() error {
	violations, err := r.NewViolations()
	if err != nil {
		return err
	}
	for _, v := range violations {
		r.ReportViolation(v.Result(r.Net()))
	}
	if r.reportBuiltins(r.builtins.Certain()) || len(violations) > 0 {
		return r.Monitor.firstViolation()
	}
	return nil
}

// reportBuiltins reports results for built-in properties. It returns true for a violation.
func (r *Run) reportBuiltins(results []*tlcheck.Result) (violated bool) {
	for _, result := range results {
		r.Monitor.ReportVerdict(r.name, result)
		violated = violated || result.Verdict == tlcheck.Violated
	}
	return violated
}

// firstViolation is ErrFirst unless the verb continues after a violation.
func (m *Monitor) firstViolation() error {
	if m.KeepGoing {
		return nil
	}
	return ErrFirst
}

// NewViolations returns the violations since the last call.
func (r *Run) NewViolations() ([]*onthefly.Violation, error) {
	var violations []*onthefly.Violation
	err := r.Do(func() (err error) {
		violations, err = r.Checker.Step(r.Monitor.Checking)
		return err
	})
	if err != nil {
		r.retained = r.Retention()
		return nil, err
	}
	for _, v := range violations {
		r.OnTheFly = stdslices.DeleteFunc(r.OnTheFly, func(p *spec.Property) bool { return p == v.Property })
	}
	return violations, nil
}

// ReportViolation explains a violation and reports it. It returns false if that failed, which it
// reports instead.
func (r *Run) ReportViolation(result *tlcheck.Result) bool {
	m := r.Monitor
	if err := tlcheck.ExplainViolation(m.Checking, result, m.Options); err != nil {
		m.ReportError(err)
		r.unknown(result.Property, err.Error())
		return false
	}
	for _, t := range result.EvalErrors {
		r.reportedUndefined[t.Expr] = true
	}
	m.ReportVerdict(r.name, result)
	return true
}

// Close reports the verdicts on the other properties at the end of the run. cut is the reason if it
// is unknown how some of its tasks would have continued.
func (r *Run) Close(cut error) error {
	var memory *budget.MemoryError
	if r.lost || errors.Is(cut, ErrFirst) || errors.As(cut, &memory) {
		r.GiveUp(cut)
		return nil
	}
	if err := r.Step(); err != nil {
		r.GiveUp(err)
		return err
	}
	stuck := r.PendingError()
	if stuck != nil && cut == nil {
		r.Monitor.ReportError(stuck)
		cut = stuck
	}
	var settled []*tlcheck.Result
	var net *san.Net
	err := r.Do(func() (err error) {
		settled, net, err = r.Settle(r.Monitor.Checking, CutOf(cut))
		return err
	})
	if err != nil {
		r.GiveUp(err)
		return nil
	}
	violated := false
	for _, result := range settled {
		if result.Verdict == tlcheck.Violated {
			r.ReportViolation(result)
			violated = true
			continue
		}
		r.Monitor.ReportVerdict(r.name, result)
	}
	violated = r.reportBuiltins(r.builtins.Results(CutOf(cut).Undecided())) || violated
	for _, p := range r.Postponed {
		if r.check(net, p, cut) {
			violated = true
		}
	}
	r.sayUndefined()
	if violated {
		return r.Monitor.firstViolation()
	}
	return nil
}

// GiveUp reports that the other properties have no verdict. It abandons the checker, which could
// take any time to close, since the verb is about to end.
func (r *Run) GiveUp(why error) {
	text := why.Error() + limits.Remedy(why)
	var memory *budget.MemoryError
	if errors.As(why, &memory) {
		if r.Checker != nil {
			r.retained = r.Retention()
		}
		if r.retained.Events > 0 {
			text += ". " + r.retained.String()
		}
	}
	if errors.Is(why, interrupt.Err) {
		text += " before it was decided"
	}
	for _, p := range append(r.OnTheFly, r.Postponed...) {
		r.unknown(p, text)
	}
	r.builtins.Lose(text)
	r.reportBuiltins(r.builtins.Results(""))
}

// Do calls a function that may take any time, and returns its error, or the cause if the monitor's
// context ends first.
func (r *Run) Do(do func() error) error {
	done := make(chan error, 1)
	var err error
	if interrupt.Do(r.Monitor.Checking, func() { done <- do() }) {
		err = <-done
	} else {
		err = context.Cause(r.Monitor.Checking)
	}
	r.lost = err != nil
	return err
}

// CutOf returns the truncation of a run that an error cut off.
func CutOf(cut error) tlcheck.Truncation {
	var signal *SignalError
	switch {
	case cut == nil:
		return ""
	case errors.Is(cut, interrupt.Err), errors.Is(cut, ErrDetached), errors.As(cut, &signal):
		return tlcheck.Truncation(cut.Error())
	}
	return "cut off"
}

// check reports the verdict on a postponed property.
func (r *Run) check(net *san.Net, p *spec.Property, cut error) (violated bool) {
	m := r.Monitor
	ctx := m.Reading
	// an interrupt has ended the run, not this check; a second one ends everything
	if ctx.Err() != nil {
		ctx = context.WithoutCancel(ctx)
	}
	result, err := tlcheck.Check(ctx, net, p, m.Options)
	if err != nil {
		m.ReportError(err)
		r.unknown(p, err.Error())
		return false
	}
	result.Truncate(CutOf(cut))
	m.ReportVerdict(r.name, result)
	return result.Verdict == tlcheck.Violated
}

func (r *Run) unknown(p *spec.Property, why string) {
	r.Monitor.ReportVerdict(r.name, &tlcheck.Result{Property: p, Covered: why})
}

// sayUndefined reports the expressions of properties without a violation that could not be
// evaluated. The properties share them.
func (r *Run) sayUndefined() {
	m := r.Monitor
	for _, t := range r.EvalErrors() {
		if r.reportedUndefined[t.Expr] {
			continue
		}
		fmt.Fprintf(m.Stderr, "antichain: %s%s is undefined in %s: %s\n", m.Prefix,
			event.Printable(wording.Excerpt(t.Expr)), wording.Plural(t.Count, "local state"), event.Printable(t.Reason))
	}
}

// Enter begins a source.
func (r *Run) Enter(h *event.Header, at string) { r.builtins.Enter(h, at, h) }

// Operation adds an operation of the source with this header.
func (r *Run) Operation(from *event.Header, e *event.Event) { r.builtins.Add(from, e) }
