// Package race looks for data races. Two accesses to the same memory conflict if one of them writes
// and not both are atomic; they race if nothing orders them: in some slices both are about to
// happen. In the run one came first. The operations are such pairs already, since a program
// accesses memory too often to record all of it. This package reports each pair of places once. For
// pairs that only critical sections order, see sectionedRaces.
package race

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
)

// Rule reports accesses to the same memory that nothing orders.
var Rule = &rule.Rule{
	Name:          "race",
	Doc:           "reports accesses to the same memory that nothing orders",
	Kinds:         []op.Kind{op.Conflict},
	NeedsAccesses: true,
	New:           func() rule.Detector { return new(detector) },
}

// maxRaces bounds the pairs of places that are kept.
const maxRaces = 1 << 12

// detector collects conflicts by the places of both sides.
type detector struct {
	found     []rule.Finding
	ways      []*way                   // that lead to each of found
	seen      map[racePlaces]int       // index in found
	racing    map[op.Task]racingAccess // the first of each task
	sectioned sectionedRaces

	reported, sectionedReported int // of found and sectioned.found, by Certain
}

// racePlaces is where two accesses are.
type racePlaces struct {
	at, otherAt     op.Place
	want, otherWant op.Kind
}

func (r *detector) Reorders(h *reorder.History) {
	r.sectioned.history, r.sectioned.steps = h, firstSteps
}

func (r *detector) Op(o *op.Op) {
	key := racePlaces{o.At, o.OtherAt, o.Want, o.OtherWant}
	if i, ok := r.seen[key]; ok {
		r.found[i].Count++
		if !o.Sectioned {
			r.noteRacing(o, i)
		}
		return
	}
	if o.Sectioned {
		r.sectioned.noteConflict(o, key)
		return
	}
	if len(r.found) == maxRaces {
		return
	}
	if r.seen == nil {
		r.seen = map[racePlaces]int{}
	}
	r.seen[key] = len(r.found)
	r.ways = append(r.ways, r.wayTo(o))
	r.noteRacing(o, len(r.found))
	r.found = append(r.found, newRace(o))
}

// newRace returns a race of the two accesses of a conflict.
func newRace(o *op.Op) rule.Finding {
	return rule.Finding{
		How: rule.Predicted, Count: 1, Scope: rule.Everywhere,
		Parties: []rule.Party{
			{Task: o.Task, Kind: o.Want, At: o.At, Does: accesses(o.Want)},
			{Task: o.Other, Kind: o.OtherWant, At: o.OtherAt, Does: accesses(o.OtherWant)},
		},
		Schedule: []op.Step{
			{Task: o.Task, Other: op.NoTask, Kind: o.Want, At: o.At},
			{Task: o.Other, Other: op.NoTask, Kind: o.OtherWant, At: o.OtherAt},
		},
	}
}

func (r *detector) Findings(names op.Names) []rule.Finding {
	found := withText(slices.Concat(r.findingsAfter(0, names), r.sectioned.findingsAfter(0, names)), names)
	if note := r.sectioned.undecidedText(); note != "" && len(found) > 0 {
		last := &found[len(found)-1]
		last.Notes = append(last.Notes, note)
	}
	return found
}

func (r *detector) Certain(names op.Names) []rule.Finding {
	sectioned := r.sectioned.findingsAfter(r.sectionedReported, names)
	for i := range sectioned {
		sectioned[i].How = rule.Reordered // a read behind a section can turn out to race
	}
	fresh := slices.Concat(r.findingsAfter(r.reported, names), sectioned)
	r.reported, r.sectionedReported = len(r.found), len(r.sectioned.found)
	return withText(fresh, names)
}

// findingsAfter returns the races after the first n, with the races known so far that decide what
// is read on the way to them.
func (r *detector) findingsAfter(n int, names op.Names) []rule.Finding {
	found := slices.Clone(r.found[n:])
	for i := range found {
		f := &found[i]
		switch behind := r.decidingRace(n + i); {
		case behind >= 0:
			f.How = rule.Following
			f.Notes = append(f.Notes, decidedBy(&r.found[behind], names))
		case r.isLost(n + i):
			f.How = rule.Following
			f.Notes = append(f.Notes, notDecided)
		}
	}
	return found
}
