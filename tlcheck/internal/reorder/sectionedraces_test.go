package reorder_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/builtin/race"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
)

// placeNames names tasks, objects and places of random runs by their numbers.
type placeNames struct{}

func (placeNames) Task(t op.Task) op.Origin  { return op.Origin{Name: fmt.Sprint("main.", t)} }
func (placeNames) Object(o op.Object) string { return fmt.Sprint("object ", o) }
func (placeNames) Place(p op.Place) op.Location {
	return op.Location{At: fmt.Sprint("x.go:", p), Called: true}
}

// The races of random runs can all happen, with each read seeing what it saw. Whatever package
// reorder finds of a conflict is reported, and what is open is not predicted for certain.
func TestSectionedRacesOfRandomRuns(t *testing.T) {
	count := map[rule.Certainty]int{}
	enough := func() bool { return testing.Short() || count[rule.Predicted] > 0 && count[rule.Reordered] > 0 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		for range 10 { // few runs have any
			r := sectionedRun{Run: reorder.Execute(t, reorder.DrawProgram(t)), wanted: map[[2]op.Place]bool{},
				readsLast: rapid.Bool().Draw(t, "reads last")}
			found := r.races()
			reached := r.Reached()
			for _, f := range found {
				count[f.How]++
				r.check(t, &f, reached)
			}
			if len(r.wanted) > 0 {
				t.Fatalf("%v\n%v: not reported", r.Program, r.wanted)
			}
		}
	})
	if !enough() {
		t.Errorf("found: %v", count)
	}
}

// sectionedRun is a run with what is wanted of it.
type sectionedRun struct {
	*reorder.Run
	open   reorder.Bits         // accesses that leave open what a read sees
	wanted map[[2]op.Place]bool // races that are not found yet

	readsLast bool // what a read has seen is reported after its conflicts
}

// races returns the races that sections hide.
func (r *sectionedRun) races() []rule.Finding {
	c, h := builtin.NewChecker(race.Rule), reorder.New()
	for i := range r.Events {
		ops := r.Ops(i)
		if r.readsLast && len(ops) > 0 && ops[0].Kind == op.ReadFrom {
			ops = append(ops[1:], ops[0])
		}
		for _, o := range ops {
			h.Op(&o)
			c.Op(&o)
			if o.Kind == op.Conflict {
				r.conflict(h, &o)
			}
		}
	}
	return slices.DeleteFunc(c.Findings(placeNames{}), func(f rule.Finding) bool { return !f.Sectioned })
}

func (r *sectionedRun) conflict(h *reorder.History, o *op.Op) {
	if o.Sectioned {
		now := reorder.Point{Task: o.Task, Done: o.Moment, Data: o.Data}
		before := reorder.Point{Task: o.Other, Done: o.OtherMoment, Data: o.OtherData}
		if h.AnyPrefix(now, before) != nil {
			r.wanted[[2]op.Place{o.At, o.OtherAt}] = true
		}
		return
	}
	for _, at := range []op.Place{o.At, o.OtherAt} {
		if i := int(at) - 1; r.Events[i].Kind == op.Read || o.Want == o.OtherWant {
			r.open |= 1 << i
		}
	}
}

// check checks a finding by enumeration.
func (r *sectionedRun) check(t *rapid.T, f *rule.Finding, reached map[reorder.Bits]bool) {
	key := [2]op.Place{f.Parties[0].At, f.Parties[1].At}
	if !r.wanted[key] {
		t.Fatalf("%v\n%s: no prefix leads there", r.Program, f.Text)
	}
	delete(r.wanted, key)
	real, least := false, ^reorder.Bits(0)
	r.Cuts(func(c reorder.Cut) {
		if in := r.Bits(c); r.AtPoints(c, int(key[0])-1, int(key[1])-1) {
			real = real || reached[in]
			if r.IsCorrectPrefix(in) {
				least &= in
			}
		}
	})
	if !real {
		t.Fatalf("%v\n%s: no order leads there", r.Program, f.Text)
	}
	if f.How == rule.Predicted && least&r.open != 0 {
		t.Fatalf("%v\n%s: of %b reads are open", r.Program, f.Text, least&r.open)
	}
}
