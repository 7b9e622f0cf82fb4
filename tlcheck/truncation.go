package tlcheck

import (
	"fmt"
	"slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// Truncation says what ended a run before its tasks had ended: it was "cut off". It is empty for a
// run that is over.
type Truncation string

// Undecided says why a verdict that depends on whether the run has ended is unknown.
func (t Truncation) Undecided() string {
	if t == "" {
		return ""
	}
	return fmt.Sprintf("the run was %s, and the verdict rests on what would have come next", string(t))
}

// soFar says why a property is unknown although nothing has violated it yet.
func (t Truncation) soFar() string {
	return fmt.Sprintf("the run was %s; the property holds in what came before, "+
		"and what would have come next may violate it", string(t))
}

// Truncate turns the verdict on the beginning of a run into the verdict on the whole run: it
// becomes unknown if the missing end of the run could change it.
func (r *Result) Truncate(t Truncation) {
	if t == "" || r.Net == nil || allEnded(r.Net) {
		return
	}
	if _, ok := r.Property.Formula.(*spec.Linearizable); ok {
		if r.Verdict == Holds { // what cannot be explained stays so
			r.Verdict, r.Covered, r.Vacuous = Unknown, t.soFar(), ""
		}
		return
	}
	if r.compiled == nil {
		return
	}
	switch {
	case r.Verdict == Holds && !holdsForGood(r.compiled):
		r.Verdict, r.Covered, r.Stopped, r.Vacuous = Unknown, t.soFar(), nil, ""
	case r.Verdict == Violated && !isViolatedForGood(r.compiled, r.Net):
		r.Verdict, r.Covered, r.Stopped, r.Witness = Unknown, t.Undecided(), nil, nil
	}
}

// allEnded reports whether no task of a run can have further events.
func allEnded(net *san.Net) bool {
	for t := range san.Task(net.Tasks()) {
		if !net.Ended(t) {
			return false
		}
	}
	return true
}

// holdsForGood reports whether a property that holds in the beginning of a run holds in the whole
// run: only the local state of a task before all events counts. A task created later counts too if
// the property is false where all of its atoms are undefined.
func holdsForGood(f *formula.Formula) bool {
	return f.Property.Initially && f.Violated.Local && !f.Violated.Holds(make([]lsl.Truth, len(f.Set.Locals)))
}

// isViolatedForGood reports whether a slice that violates a property does so however the run
// continues. A property that can be checked on-the-fly may still require that no successor of a
// slice has something, and further successors may follow.
func isViolatedForGood(f *formula.Formula, net *san.Net) bool {
	rests := slices.ContainsFunc(f.Nodes, func(n *formula.Node) bool { return n.Complement })
	return !rests && Monitorable(f.Property, f.Set.Logic, sharedNames(net)) == nil
}
