package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// checkFlags are the flags that say how to check.
type checkFlags struct {
	budgetFlags        // --timeout is for each property, and for reading
	logic       string // --logic
	json        bool   // --json
	witness     string // --witness
	tallyFlags         // of check, run and test
}

// The values of --witness.
const (
	firstWitness = "first"
	lastWitness  = "last"
)

func (f *checkFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.logic, "logic", lsl.L3.String(), "`DIALECT` of the logic: l3 or frey96")
	f.budgetFlags.register(flags, 10*time.Minute, "a property, or on reading a trace,")
	flags.BoolVar(&f.json, "json", false, "print one JSON object for each property")
	flags.StringVar(&f.witness, "witness", firstWitness, "`WHICH` violation to show: the first one, with the fewest actions, or the last, with the most")
}

// options translates the flags.
func (f *checkFlags) options() (tlcheck.Options, error) {
	logic, ok := lsl.ParseLogic(f.logic)
	if !ok {
		return tlcheck.Options{}, fmt.Errorf("--logic %s: the dialects are l3 or frey96", f.logic)
	}
	if err := f.validate(); err != nil {
		return tlcheck.Options{}, err
	}
	if f.witness != "" && f.witness != firstWitness && f.witness != lastWitness {
		return tlcheck.Options{}, fmt.Errorf("--witness %s: it is %s or %s", f.witness, firstWitness, lastWitness)
	}
	return tlcheck.Options{Logic: logic, Time: f.Timeout, Memory: int64(f.Memory), Last: f.witness == lastWitness}, nil
}

func newCheck(s terminal.Streams) *cobra.Command {
	var specs specFlags
	var how checkFlags
	var input inputFlags
	var partial bool
	cmd := &cobra.Command{
		Use:   "check [--spec FILE] [-e FORMULA] [--logic l3|frey96] [--json] TRACE...",
		Short: "check a specification on recorded traces",
		Long: `check decides for every property whether it is false in any global state that the traced
program passes through in any order of the trace's events that its synchronisation allows.
TRACE is a file in the text or the binary form, or - for standard input; with --format a log in
another format. Each run of a file with several is reported as FILE:RUN.

Of all violations the one with the fewest actions is shown, or with --witness last the one with
the most; then the first goroutines as TIVs, in the order of the trace, and then the first local
states in that order.

With --all every bug is shown: violations in which the goroutines of the TIVs stand at the same
places, by source position and function, make a group, and the first one of each is shown
with their number. Where the property says the same of some TIVs, as of t1 and t2 in
not (t1:(in.f) and t2:(in.f)) if t1 != t2, the violations that differ only by which is which are
in one group, and each of them counts. --count prints how many violations there are, pairs of a global
state and goroutines for the TIVs. They are counted without being enumerated, and --timeout begins
anew for that; where it or --memory does not suffice, and where global states cannot be counted
exactly, bounds are printed.

A property that --timeout or --memory does not suffice for has the verdict unknown; it says what
was covered. So does an interrupt (ctrl-C); a second one ends antichain at once.

With --json each property is one object: "trace", "property", "formula", "verdict" (holds,
violated or unknown), "witness" (null unless violated) with the goroutine of each TIV in "tiva",
the local state of each goroutine in "slice" and an order of events that leads there in
"schedule", and "happened": whether the run came through that slice. "covered" is there if a budget
ran out, and says what is certain; "caveat" is what the verdict rests on if a log shows less than
what happened. "reason" is a tree that gives the value of every part of the
formula in the witness: "formula", "value", "tiva"; "parts" is what the value rests on, for a
temporal operator in a later "slice" to which "path" leads from there; "now" are the values that
the parts of a temporal operator have in the witness itself; "local" is the local state that an
atom looks at, with the values of its variables. --count adds "count", which is null if only
"count_bounds" are known (at least, at most; null if there is no bound), and "uncounted" if
the search ended early. --all adds also "groups", each with the "places" of the TIVs, its count,
witness, happened and reason, "further_groups", the number of those beyond the first 100, and
"exchangeable", the TIVs of which the property says the same.

Exit codes: 0 all hold, 1 one is violated, 2 usage, specification or trace error, 3 unknown.`,
		RunE: func(cmd *cobra.Command, traces []string) error {
			return check(cmd.Context(), s, &specs, &how, &input, traces, partial)
		},
	}
	specs.register(cmd.Flags())
	how.register(cmd.Flags())
	how.tallyFlags.register(cmd.Flags())
	input.register(cmd.Flags())
	cmd.Flags().BoolVar(&partial, "partial", false, "report also on what was read before a mistake in a trace")
	return cmd
}

func check(ctx context.Context, s terminal.Streams, specs *specFlags, how *checkFlags, input *inputFlags, traces []string, partial bool) error {
	if len(traces) == 0 {
		return errors.New("no TRACE given: name a trace file, or - for standard input")
	}
	if !specs.given() {
		return errors.New("nothing to check: give a specification with --spec FILE or -e FORMULA")
	}
	if err := input.validate(); err != nil {
		return err
	}
	files, err := specs.load()
	if err != nil {
		return err
	}
	opt, err := how.options()
	if err != nil {
		return err
	}
	c := &checker{
		out: s.Out, err: s.Err, json: how.json, options: opt, tallyFlags: how.tallyFlags,
		style: terminal.StyleOf(s.Out), properties: properties(files),
	}
	c.style.Source = report.Source{Dirs: sourceDirs(specs.files)}
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	for _, path := range traces {
		for r := range readTraces(ctx, &how.Limits, path, s, input, partial) {
			c.prefix = ""
			if len(traces) > 1 || r.run != "" {
				c.prefix = event.Printable(r.name) + ": "
			}
			c.style.Again = againCheck(specs, how, input, path, r.run)
			c.reading(ctx, r)
		}
	}
	return c.Outcomes.Err()
}

// checker checks properties on nets and reports on each.
type checker struct {
	out, err   io.Writer // reports, mistakes
	json       bool
	options    tlcheck.Options
	properties []*spec.Property
	functions  named
	style      report.Style
	prefix     string // in front of each verdict
	tallyFlags

	exit.Outcomes
}

// fail reports a mistake and goes on.
func (c *checker) fail(err error) {
	c.Failed = true
	fmt.Fprintln(c.err, "antichain:", err)
}

// reading checks what was read.
func (c *checker) reading(ctx context.Context, r *reading) {
	var unread *limits.UnreadError
	switch {
	case errors.As(r.err, &unread):
		c.refuse(r.name, r.err.Error())
		return
	case r.err != nil:
		c.fail(r.err)
	}
	switch {
	case r.net == nil:
	case r.useless != "":
		c.refuse(r.name, r.useless)
	default:
		c.trace(ctx, r.name, r.net)
	}
}

// trace checks all properties on the net of one trace.
func (c *checker) trace(ctx context.Context, name string, net *san.Net) {
	for _, p := range c.properties {
		checking := terminal.Working(c.err, "checking "+event.Printable(p.Name))
		result, err := tlcheck.Check(ctx, net, p, checking.Watched(c.options))
		checking.Done()
		if err != nil {
			c.fail(err)
			continue
		}
		result.Covered += limits.Remedy(result.Stopped)
		v := &report.Violation{Net: net, Property: p, Result: result}
		if err := c.tally(ctx, v); err != nil {
			c.fail(err)
		}
		if err := c.report(name, v); err != nil {
			c.fail(err)
		}
	}
}

// sparse reports whether a sparse trace with that header is enough for all properties.
func (c *checker) sparse(h *event.Header) bool {
	for _, p := range c.properties {
		p, err := tlcheck.Resolve(h, p)
		if err != nil || c.tallyFlags.given() || tlcheck.Sparse(h, p, c.options.Logic) != nil {
			return false
		}
	}
	return true
}

// refuse gives every property the verdict unknown and says why.
func (c *checker) refuse(name, why string) {
	for _, p := range c.properties {
		v := &report.Violation{Property: p, Result: &tlcheck.Result{Property: p, Covered: why}}
		if err := c.report(name, v); err != nil {
			c.fail(err)
		}
	}
}

// sayUndefined says where expressions of a property could not be evaluated.
func sayUndefined(w io.Writer, prefix string, p *spec.Property, troubles []lsl.Trouble) {
	for _, t := range troubles {
		fmt.Fprintf(w, "antichain: %s%s:%d:%d: in %s, %s is undefined in %s: %s\n", prefix, event.Printable(p.File),
			t.Pos.Line, t.Pos.Col, p.Name, event.Printable(report.Excerpt(t.Expr)), report.Plural(t.Count, "local state"), event.Printable(t.Reason))
	}
}

// report prints the verdict on one property.
func (c *checker) report(trace string, v *report.Violation) error {
	r := v.Result
	c.Note(r.Verdict)
	c.tallied(v)
	sayUndefined(c.err, c.prefix, v.Property, r.Troubles)
	if c.json {
		return report.WriteJSON(c.out, v.Object(trace))
	}
	return c.inWords(v)
}

// inWords prints the verdict as text.
func (c *checker) inWords(v *report.Violation) error {
	head := fmt.Sprintf("%s%s: %s\n", c.prefix, v.Property.Name, c.style.Verdict(v.Result))
	if caveat := v.Caveat(); caveat != "" {
		head += fmt.Sprintf("    Mind: %s.\n", event.Printable(caveat))
	}
	if _, err := io.WriteString(c.out, head); err != nil || v.Result.Verdict != tlcheck.Violated {
		return err
	}
	write := v.Write
	if v.All != nil && len(v.All.Groups) > 0 {
		write = v.WriteAll
	}
	if err := write(c.out, c.style); err != nil {
		return err
	}
	_, err := fmt.Fprintln(c.out)
	return err
}
