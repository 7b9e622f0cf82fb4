package reorder

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// summarized is a summary with what a detector keeps of a run beside it.
type summarized struct {
	Summary
	run     *Run
	clocks  map[Bits]*clock.Clock
	locks   map[int]*Users
	holders map[int]*Holder
	held    map[int][]Acquisition
	stands  map[int]Stand // before events that begin sections
}

// clock returns what a task knows of others: the same clock as long as it learns nothing.
func (s *summarized) clock(free Bits, task int) *clock.Clock {
	for _, i := range s.run.Of[task] {
		free &^= 1 << i
	}
	if s.clocks[free] == nil {
		s.clocks[free] = s.run.Clock(free)
	}
	return s.clocks[free]
}

// add adds the next event of the run.
func (s *summarized) add(i int) {
	e := &s.run.Events[i]
	h := s.holders[e.Task]
	if h == nil {
		h = new(Holder)
		s.holders[e.Task] = h
	}
	if s.locks[e.Obj] == nil {
		s.locks[e.Obj] = new(Users)
	}
	_, free, _ := s.run.Before(i)
	a := Acquisition{
		Lock: s.locks[e.Obj], Free: s.clock(free, e.Task),
		Seq: int64(i + 1), Task: op.Task(e.Task), K: e.K, Kind: e.Kind,
	}
	held := s.held[e.Task]
	h.Step(e.K, e.Section < 0)
	switch {
	case e.Section < 0:
	case e.Section == i:
		s.stands[i] = Stand{
			Task: a.Task, K: a.K, Free: a.Free,
			Held: slices.Clone(held), Since: h.Since, Left: slices.Clone(h.Left),
		}
		if len(held) == 0 {
			h.Begin(&a)
		}
		s.held[e.Task] = append(held, a)
		a.Lock.Add(&a)
	default:
		of := s.run.Events[e.Section].Task
		held := s.held[of]
		begun := int64(e.Section + 1)
		at := slices.IndexFunc(held, func(a Acquisition) bool { return a.Seq == begun })
		ended := Span{Acquisition: held[at], By: a.Task, ByK: a.K, ByFree: s.clock(e.Free, e.Task)}
		s.held[of] = slices.Delete(held, at, at+1)
		s.holders[of].End(&ended, len(s.held[of]) > 0)
	}
}

// reach asks whether tasks can come to where events are next.
func (s *summarized) reach(events ...int) bool {
	var stands []Stand
	for _, i := range events {
		stands = append(stands, s.stands[i])
	}
	open := func(yield func(*Acquisition) bool) {
		for _, held := range s.held {
			for i := range held {
				if !yield(&held[i]) {
					return
				}
			}
		}
	}
	return s.Reach(stands, maps.Values(s.holders), open).Found()
}

// excluded reports whether tasks are in sections there that exclude each other.
func (s *summarized) excluded(a, b int) bool {
	for _, x := range s.stands[a].Held {
		for _, y := range s.stands[b].Held {
			if x.Excludes(&y) {
				return true
			}
		}
	}
	return false
}

// reached counts what is found, and what is not.
type reached struct {
	preserved int // found, and there is an order with all sections in the order of the run
	reversed  int // found, and there is no such order
	lost      int // not found, although there is
	missed    int // not found, although there is another correct order
}

// What is found is reached by a correct order. What an order reaches that has all sections in the
// order of the run is found, unless tasks end sections of others.
func TestReach(t *testing.T) {
	var n reached
	rapid.Check(t, func(t *rapid.T) {
		for range 20 { // few runs have sections that must come in another order
			program := DrawProgram(t)
			for i := range program {
				program[i] = slices.DeleteFunc(program[i], Instr.IsAccess)
			}
			n.compare(t, Execute(t, program))
		}
	})
	t.Logf("%+v", n)
	if (n.preserved == 0 || n.reversed == 0) && !testing.Short() {
		t.Error("too few of a kind")
	}
}

// compare compares what is found in a run with all of its orders.
func (n *reached) compare(t *rapid.T, r *Run) {
	s := &summarized{
		run: r, clocks: map[Bits]*clock.Clock{}, locks: map[int]*Users{},
		holders: map[int]*Holder{}, held: map[int][]Acquisition{}, stands: map[int]Stand{},
	}
	for i := range r.Events {
		s.add(i)
	}
	handsOver := slices.ContainsFunc(r.Events, func(e Event) bool {
		return e.Section >= 0 && r.Events[e.Section].Task != e.Task
	})
	all := r.Reached()
	for now := range s.stands {
		for before := range s.stands {
			x, y := r.Events[before], r.Events[now]
			if before >= now || x.Task == y.Task || s.excluded(before, now) {
				continue
			}
			real, preserving := false, false
			r.Cuts(func(c Cut) {
				if in := r.Bits(c); r.AtPoints(c, before, now) {
					real = real || all[in]
					preserving = preserving || r.IsCorrectPrefix(in)
				}
			})
			switch found := s.reach(before, now); {
			case found && !real:
				t.Fatalf("%v\n%v and %v: no order leads there", r.Program, x, y)
			case !found && preserving && !handsOver:
				t.Fatalf("%v\n%v and %v: there is a correct prefix", r.Program, x, y)
			case found && preserving:
				n.preserved++
			case found:
				n.reversed++
			case preserving:
				n.lost++
			case real:
				n.missed++
			}
		}
	}
}
