package main

import (
	"context"
	"errors"
	"fmt"
	stdslices "slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/stream"
)

// errFirst ends the verb at the first violation.
var errFirst = errors.New("ended at the first violation; --keep-going goes on")

// monitored is a run that is being checked.
type monitored struct {
	*onthefly.Checker
	monitor *monitor
	name    string
	open    []*spec.Property // checked on-the-fly, without a verdict so far
	late    []*spec.Property // checked when the run is over
	told    map[string]bool  // expressions of which it was said that they were undefined
	lost    bool             // the checker is still at work on what was given up
	held    onthefly.Holding // what the checker kept when it was given up
}

// Begin begins with a run.
func (m *monitor) Begin(name string, h *event.Header) (stream.Sink, error) {
	r, err := m.begin(name, h)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// begin decides which properties can be checked on the run.
func (m *monitor) begin(name string, h *event.Header) (*monitored, error) {
	if useless := untraced(h); useless != "" {
		for _, p := range m.properties {
			m.tell(name, &report.Violation{Property: p, Result: &tlcheck.Result{Property: p, Covered: useless}})
		}
		return nil, exit.Code(exit.Unknown)
	}
	k := m.kinds(h, m.properties)
	err := k.err()
	if len(k.open)+len(k.late) == 0 {
		return nil, err
	}
	if err != nil {
		m.Fail(err)
	}
	r := &monitored{monitor: m, name: name, told: map[string]bool{}, open: k.open, late: k.late}
	if r.Checker, err = onthefly.New(h, r.open, m.options.Logic); err != nil {
		return nil, err
	}
	if len(r.late) > 0 {
		r.Remember()
	}
	return r, nil
}

// propertyKinds are properties by when they can be checked on a run.
type propertyKinds struct {
	open    []*spec.Property // while it goes on
	late    []*spec.Property // when it is over
	refused []refusal
}

// refusal is a property that cannot be checked on a run.
type refusal struct {
	property *spec.Property
	why      error
}

// err is why properties are refused, nil if none is.
func (k *propertyKinds) err() error {
	var mistakes []error
	for _, r := range k.refused {
		mistakes = append(mistakes, r.why)
	}
	return errors.Join(mistakes...)
}

// kinds decides which properties can be checked on a run with that header, and when.
func (m *monitor) kinds(h *event.Header, all []*spec.Property) *propertyKinds {
	k := &propertyKinds{}
	for _, p := range all {
		late, err := m.kind(h, p)
		switch {
		case err != nil:
			k.refused = append(k.refused, refusal{p, err})
		case late:
			k.late = append(k.late, p)
		default:
			k.open = append(k.open, p)
		}
	}
	return k
}

// split is kinds for a run of many: a property that cannot be checked on one has no verdict there.
func (m *monitor) split(h *event.Header) (open, late []*spec.Property, refused []onthefly.Settled) {
	if useless := untraced(h); useless != "" {
		for _, p := range m.properties {
			refused = append(refused, onthefly.Settled{Property: p, Covered: useless})
		}
		return nil, nil, refused
	}
	k := m.kinds(h, m.properties)
	for _, r := range k.refused {
		line, _, _ := strings.Cut(r.why.Error(), "\n") // the rest shows the specification
		refused = append(refused, onthefly.Settled{Property: r.property, Covered: line})
	}
	return k.open, k.late, refused
}

// kind decides whether a property can be checked on a run with that header only when it is
// over.
func (m *monitor) kind(h *event.Header, p *spec.Property) (late bool, err error) {
	resolved, err := tlcheck.Resolve(h, p)
	if err == nil && h.Sparse {
		err = tlcheck.Sparse(h, resolved, m.options.Logic)
	}
	if err != nil {
		return false, err
	}
	var shared []string
	for _, s := range h.Shared {
		shared = append(shared, s.Name)
	}
	err = m.onTheFly(resolved, shared)
	if err != nil && m.postpone {
		return true, nil
	}
	return false, err
}

// Step reports what is violated by now.
func (r *monitored) Step() error {
	violations, err := r.step()
	if err != nil {
		return err
	}
	for _, v := range violations {
		r.violated(r.Net(), v)
	}
	if len(violations) > 0 && !r.monitor.keepGoing {
		return errFirst
	}
	return nil
}

// step returns what is violated since the last call.
func (r *monitored) step() (violations []*onthefly.Violation, err error) {
	if !r.within(func() { violations = r.Checker.Step() }) {
		r.held = r.Holding()
		return nil, context.Cause(r.monitor.ctx)
	}
	for _, v := range violations {
		r.open = stdslices.DeleteFunc(r.open, func(p *spec.Property) bool { return p == v.Property })
	}
	return violations, nil
}

// violated reports a violation, and returns what it has reported; nil if that was a mistake.
func (r *monitored) violated(net *san.Net, v *onthefly.Violation) *report.Violation {
	m := r.monitor
	result, err := tlcheck.Found(m.ctx, net, v.Property, v.Actions, v.TIVA, m.options)
	if err != nil {
		m.fail(err)
		return nil
	}
	for _, t := range result.Troubles {
		r.told[t.Expr] = true
	}
	told := &report.Violation{Net: net, Property: v.Property, Result: result}
	m.tell(r.name, told)
	return told
}

// Close reports the verdicts on the other properties, now that the run is over, with cut for why if it
// is not known how some of its tasks would have gone on.
func (r *monitored) Close(cut error) error {
	var memory *budget.MemoryError
	if r.lost || errors.Is(cut, errFirst) || errors.As(cut, &memory) {
		r.giveUp(cut)
		return nil
	}
	if err := r.Step(); err != nil {
		r.giveUp(err)
		return err
	}
	stuck := r.Stuck()
	if stuck != nil && cut == nil {
		r.monitor.fail(stuck)
		cut = stuck
	}
	var settled []onthefly.Settled
	var net *san.Net
	if !r.within(func() { settled, net = r.Settle(cutOf(cut)) }) {
		r.giveUp(context.Cause(r.monitor.ctx))
		return nil
	}
	violated := false
	for _, s := range settled {
		if s.Violation != nil {
			r.violated(net, s.Violation)
			violated = true
			continue
		}
		result := &tlcheck.Result{Property: s.Property, Verdict: s.Verdict, Covered: s.Covered}
		r.monitor.tell(r.name, &report.Violation{Net: net, Property: s.Property, Result: result})
	}
	for _, p := range r.late {
		if r.check(net, p, cut) {
			violated = true
		}
	}
	r.sayUndefined()
	if violated && !r.monitor.keepGoing {
		return errFirst
	}
	return nil
}

// giveUp reports that the other properties have no verdict. The verb is about to end, and the
// checker, to close which could take any time, with it.
func (r *monitored) giveUp(why error) {
	text := why.Error() + limits.Remedy(why)
	var memory *budget.MemoryError
	if errors.As(why, &memory) {
		if r.Checker != nil {
			r.held = r.Holding()
		}
		if r.held.Events > 0 {
			text += ". " + r.held.String()
		}
	}
	if errors.Is(why, interrupt.Err) {
		text += " before it was decided"
	}
	for _, p := range append(r.open, r.late...) {
		r.unknown(p, text)
	}
}

// within does what may take any time and returns true, or false if the monitor's context ended
// before that.
func (r *monitored) within(do func()) bool {
	r.lost = !interrupt.Do(r.monitor.ctx, do)
	return !r.lost
}

// cutOf says how a run ended that was cut off by an error.
func cutOf(cut error) onthefly.Cut {
	var signal *signalError
	switch {
	case cut == nil:
		return ""
	case errors.Is(cut, interrupt.Err), errors.Is(cut, errDetached), errors.As(cut, &signal):
		return onthefly.Cut(cut.Error())
	}
	return "cut off"
}

// check reports the verdict on a property that was put off.
func (r *monitored) check(net *san.Net, p *spec.Property, cut error) (violated bool) {
	m := r.monitor
	ctx := m.reading
	if ctx.Err() != nil { // the interrupt has ended the run, not this; a second one ends all
		ctx = context.WithoutCancel(ctx)
	}
	result, err := tlcheck.Check(ctx, net, p, m.options)
	if err != nil {
		m.fail(err)
		return false
	}
	result.Covered += limits.Remedy(result.Stopped)
	switch {
	case result.Verdict == tlcheck.Violated && cut != nil:
		r.unknown(p, cutOf(cut).Undecided())
		return false
	case result.Verdict == tlcheck.Holds:
		result.Covered = cutOf(cut).SoFar()
	}
	m.tell(r.name, &report.Violation{Net: net, Property: p, Result: result})
	return result.Verdict == tlcheck.Violated
}

func (r *monitored) unknown(p *spec.Property, why string) {
	r.monitor.tell(r.name, &report.Violation{Property: p, Result: &tlcheck.Result{Property: p, Covered: why}})
}

// sayUndefined says which expressions of properties without a violation could not be evaluated. The
// properties share them.
func (r *monitored) sayUndefined() {
	m := r.monitor
	for _, t := range r.Log().Troubles() {
		if r.told[t.Expr] {
			continue
		}
		fmt.Fprintf(m.err, "antichain: %s%s is undefined in %s: %s\n", m.prefix,
			event.Printable(report.Excerpt(t.Expr)), report.Plural(t.Count, "local state"), event.Printable(t.Reason))
	}
}
