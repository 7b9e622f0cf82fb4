package steps

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/temporaltest"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// trial is a system, a formula and what steps there are by definition.
type trial struct {
	*rapid.T
	x       *structure
	sys     kripke.System
	f       *temporal.Formula
	limit   int
	satisfy map[string][]kripke.State // all sequences of at most limit states that satisfy f
}

func newTrial(t *rapid.T) *trial {
	x := drawStructure(t)
	tr := &trial{T: t, x: x, sys: x.system(t), limit: rapid.IntRange(1, 6).Draw(t, "limit"),
		satisfy: map[string][]kripke.State{}}
	tr.f = temporaltest.Formula(temporal.FiniteLTL, temporaltest.Atoms("a", "b"), 3).Draw(t, "formula")
	tr.collect([]kripke.State{0})
	return tr
}

func key(states []kripke.State) string { return fmt.Sprint(states) }

// collect finds what satisfies the formula among the continuations of a sequence.
func (tr *trial) collect(states []kripke.State) {
	if tr.holds(states) {
		tr.satisfy[key(states)] = slices.Clone(states)
	}
	if len(states) < tr.limit {
		for _, to := range tr.x.Succ[states[len(states)-1]] {
			tr.collect(append(slices.Clone(states), kripke.State(to)))
		}
	}
}

func (tr *trial) holds(states []kripke.State) bool {
	var w ltl.Word
	for _, s := range states {
		w = append(w, tr.x.Labels[s])
	}
	holds, err := ltl.Holds(context.Background(), tr.f, w)
	if err != nil {
		tr.Fatal(err)
	}
	return holds
}

// minimal returns the sequences without a proper prefix that satisfies the formula.
func (tr *trial) minimal() map[string][]kripke.State {
	m := map[string][]kripke.State{}
	for k, states := range tr.satisfy {
		if !slices.ContainsFunc(slices.Collect(maps.Values(tr.satisfy)), func(other []kripke.State) bool {
			return len(other) < len(states) && slices.Equal(other, states[:len(other)])
		}) {
			m[k] = states
		}
	}
	return m
}

func (tr *trial) shortest() map[string][]kripke.State {
	least := tr.limit + 1
	for _, states := range tr.satisfy {
		least = min(least, len(states))
	}
	m := maps.Clone(tr.satisfy)
	maps.DeleteFunc(m, func(_ string, states []kripke.State) bool { return len(states) > least })
	return m
}

func (tr *trial) maximal() map[string][]kripke.State {
	m := maps.Clone(tr.satisfy)
	maps.DeleteFunc(m, func(_ string, states []kripke.State) bool { return tr.extendable(states) })
	return m
}

// extendable reports whether a longer sequence satisfies the formula, by a search in the product
// with the automaton that guesses.
func (tr *trial) extendable(states []kripke.State) bool {
	a := ltl.New(tr.f)
	read := func(q int, s int) []int {
		to, err := a.Successors(context.Background(), q, func(atom int) bool {
			return slices.Contains(tr.x.Labels[s], a.Atoms()[atom])
		})
		if err != nil {
			tr.Fatal(err)
		}
		return to
	}
	now := []int{a.Initial()}
	for _, s := range states {
		var next []int
		for _, q := range now {
			next = append(next, read(q, int(s))...)
		}
		now = next
	}
	type at struct{ state, q int }
	seen := map[at]bool{}
	var queue []at
	for _, q := range now {
		queue = append(queue, at{int(states[len(states)-1]), q})
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, s := range tr.x.Succ[n.state] {
			for _, q := range read(n.q, s) {
				if a.Accepting(q) {
					return true
				}
				if to := (at{s, q}); !seen[to] {
					seen[to] = true
					queue = append(queue, to)
				}
			}
		}
	}
	return false
}

// find returns what a search finds, each sequence once.
func (tr *trial) find(opt Options) (steps []*Step) {
	opt.Limit = tr.limit
	s, err := New(tr.sys, tr.f, 0, opt)
	if err != nil {
		tr.Fatal(err)
	}
	defer s.Close()
	seen := map[string]bool{}
	for {
		step, err := s.Next(context.Background())
		if err != nil {
			tr.Fatal(err)
		}
		if step == nil {
			return steps
		}
		if k := key(step.States); seen[k] && !opt.Repeat {
			tr.Fatalf("%s: %s comes twice", tr.f, k)
		} else {
			seen[k] = true
		}
		if len(step.States) > tr.limit {
			tr.Fatalf("%s: %v has more than %d states", tr.f, step.States, tr.limit)
		}
		steps = append(steps, step)
	}
}

// compare fails unless the steps are those wanted; or some of them, but one if there is any, unless
// all were asked for.
func (tr *trial) compare(opt Options, want map[string][]kripke.State) {
	var got []string
	for _, step := range tr.find(opt) {
		if step.Cycle >= 0 {
			tr.checkCycle(step)
			continue
		}
		k := key(step.States)
		if want[k] == nil {
			tr.Fatalf("%s, %+v: %s is none of %v\n%+v", tr.f, opt, k, slices.Sorted(maps.Keys(want)), tr.x)
		}
		got = append(got, k)
	}
	if all := opt.AllPaths || opt.Memoryless && opt.Mode == Minimal; all && len(got) < len(want) ||
		len(got) == 0 && len(want) > 0 {
		tr.Fatalf("%s, %+v: %v, not %v\n%+v", tr.f, opt, got, slices.Sorted(maps.Keys(want)), tr.x)
	}
}

// checkCycle fails unless the formula holds after each round.
func (tr *trial) checkCycle(step *Step) {
	states := step.States[:step.Cycle+1]
	round := append(slices.Clone(step.States[step.Cycle+1:]), step.States[step.Cycle])
	for range 4 {
		if !tr.holds(states) {
			tr.Fatalf("%s does not hold after %v, in a cycle %+v", tr.f, states, step)
		}
		for i, s := range round {
			if from := slices.Concat(states, round)[len(states)+i-1]; !slices.Contains(tr.x.Succ[from], int(s)) {
				tr.Fatalf("no move from %d to %d: %+v", from, s, step)
			}
		}
		states = slices.Concat(states, round)
	}
}

// visitedState is a state with that of the deterministic automaton that has read it.
type visitedState struct {
	state     int
	automaton int
}

// cyclic reports whether a way, continued by a state, comes back with at most limit states to where
// it satisfied the formula.
func (tr *trial) cyclic(a *ltl.Subsets, way []visitedState, s int) bool {
	q := a.Initial()
	if n := len(way); n > 0 {
		q = way[n-1].automaton
	}
	q, err := a.Next(context.Background(), q, func(atom int) bool {
		return slices.Contains(tr.x.Labels[s], a.Atoms()[atom])
	})
	if err != nil {
		tr.Fatal(err)
	}
	here := visitedState{s, q}
	switch {
	case slices.Contains(way, here) && a.Accepting(q):
		return true
	case len(way) == tr.limit:
		return false
	}
	way = append(slices.Clone(way), here)
	return slices.ContainsFunc(tr.x.Succ[s], func(to int) bool { return tr.cyclic(a, way, to) })
}
