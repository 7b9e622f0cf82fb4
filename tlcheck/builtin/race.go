package builtin

import (
	"fmt"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/reorder"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// raceRule reports accesses to the same memory that nothing orders.
var raceRule = &rule.Rule{
	Name:          Race,
	Doc:           "reports accesses to the same memory that nothing orders",
	Kinds:         []op.Kind{op.Conflict},
	NeedsAccesses: true,
	New:           func() rule.Detector { return new(race) },
}

// Data races. Two accesses to the same memory conflict if one of them writes and not both are
// atomic; they race if nothing orders them, so that there are slices in which both are about to
// happen. In the run one came first. The operations are such pairs already, as what a program does
// with its memory is too much to be told: what is left is to name each pair of places once. Where only critical sections order the two,
// see sectionedRaces.

// maxRaces bounds the pairs of places that are kept.
const maxRaces = 1 << 12

// race collects conflicts by the places of both sides.
type race struct {
	found     []Finding
	ways      []*way                   // that lead to each of found
	seen      map[racePlaces]int       // index in found
	racing    map[op.Task]racingAccess // the first of each task
	sectioned sectionedRaces

	told, sectionedTold int // of found and sectioned.found, by certain
}

// racePlaces is where two accesses are.
type racePlaces struct {
	at, otherAt     op.Place
	want, otherWant op.Kind
}

func (r *race) Reorders(h *reorder.History) {
	r.sectioned.history, r.sectioned.steps = h, firstRaceSteps
}

func (r *race) Op(o *op.Op) {
	key := racePlaces{o.At, o.OtherAt, o.Want, o.OtherWant}
	if i, ok := r.seen[key]; ok {
		r.found[i].Count++
		if !o.Sectioned {
			r.noteRacing(o, i)
		}
		return
	}
	if o.Sectioned {
		r.sectioned.op(o, key)
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
func newRace(o *op.Op) Finding {
	return Finding{
		Property: Race, How: Predicted, Count: 1, Scope: rule.Everywhere,
		Parties: []Party{
			{Task: o.Task, Kind: o.Want, At: o.At, Does: accesses(o.Want)},
			{Task: o.Other, Kind: o.OtherWant, At: o.OtherAt, Does: accesses(o.OtherWant)},
		},
		Schedule: []Step{
			{Task: o.Task, Other: op.NoTask, Kind: o.Want, At: o.At},
			{Task: o.Other, Other: op.NoTask, Kind: o.OtherWant, At: o.OtherAt},
		},
	}
}

func (r *race) Findings(names op.Names) []Finding {
	found := tellRaces(slices.Concat(r.since(0, names), r.sectioned.since(0, names)), names)
	if note := r.sectioned.undecided(); note != "" && len(found) > 0 {
		last := &found[len(found)-1]
		last.Notes = append(last.Notes, note)
	}
	return found
}

func (r *race) Certain(names op.Names) []Finding {
	sectioned := r.sectioned.since(r.sectionedTold, names)
	for i := range sectioned {
		sectioned[i].How = Reordered // a read behind a section can turn out to race
	}
	fresh := slices.Concat(r.since(r.told, names), sectioned)
	r.told, r.sectionedTold = len(r.found), len(r.sectioned.found)
	return tellRaces(fresh, names)
}

// since returns the races after the first n, by what is known now of races that decide what is read on the way to them.
func (r *race) since(n int, names op.Names) []Finding {
	found := slices.Clone(r.found[n:])
	for i := range found {
		f := &found[i]
		switch behind := r.behind(n + i); {
		case behind >= 0:
			f.How = Following
			f.Notes = append(f.Notes, "on the way to this race a value is read that another race decides, in which "+
				RaceText(&r.found[behind], names, "the memory that")+"; in the order that is shown it may be another one")
		case r.isLost(n + i):
			f.How = Following
			f.Notes = append(f.Notes, "too much happened before to say whether every read still sees what it has seen in the run")
		}
	}
	return found
}

// tellRaces says in words what was found.
func tellRaces(found []Finding, names op.Names) []Finding {
	for i := range found {
		f := &found[i]
		f.Text = RaceText(f, names, "the memory that")
		first := candidate.Words{Names: names}.TaskName(f.Parties[1].Task)
		if f.Sectioned {
			f.Notes = append(f.Notes, fmt.Sprintf("in this run critical sections ordered the two, and %s came first; if they come in the order that is shown, either can come first, or both at once", first))
			continue
		}
		can := "either can, or both at once"
		if f.How == Following {
			can = "nothing keeps the other from it"
		}
		f.Notes = append([]string{fmt.Sprintf("in this run %s came first; %s", first, can)}, f.Notes...)
	}
	return found
}

// RaceText says in a sentence what a race is. Who knows what the program calls the memory says so: "counts, which".
func RaceText(f *Finding, names op.Names, memory string) string {
	w := candidate.Words{Names: names}
	now, before := &f.Parties[0], &f.Parties[1]
	orders := "nothing orders the two"
	if f.Sectioned {
		orders = "nothing orders the two but critical sections, which can come in another order"
	}
	return fmt.Sprintf("%s %s%s %s %s %s%s, and %s",
		w.TaskName(now.Task), now.Does, w.At(now.At), memory, w.TaskName(before.Task), before.Does, w.At(before.At), orders)
}

// accesses says what an access does.
func accesses(want op.Kind) string {
	return map[op.Kind]string{
		op.Read: "reads", op.Write: "writes", op.AtomicLoad: "atomically reads", op.AtomicStore: "atomically writes",
	}[want]
}
