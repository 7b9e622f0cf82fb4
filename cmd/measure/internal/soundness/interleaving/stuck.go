package interleaving

import (
	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/program"
)

// Stuck reports whether there is a state in which goroutines stand at these statements, each at one
// of them, and none of them ever does anything any more.
func (r *Reached) Stuck(at []*program.Stmt) bool {
	r.findMoves()
	for i, s := range r.all {
		if r.standStuck(i, s, at) {
			return true
		}
	}
	return false
}

// standStuck reports whether that is so in one state.
func (r *Reached) standStuck(i int, s state, at []*program.Stmt) bool {
	for _, want := range at {
		found := false
		for t := range r.m.tasks {
			in := &r.m.tasks[t][*of(s, t, pc)]
			if in.s == want && *of(s, t, ph) != absent && r.moves[i]&(1<<t) == 0 {
				found = true
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// findMoves finds out, for each state, which goroutines can do something in it or later.
func (r *Reached) findMoves() {
	if r.moves != nil {
		return
	}
	r.moves = make([]uint64, len(r.all))
	for changed := true; changed; {
		changed = false
		for i := len(r.all) - 1; i >= 0; i-- {
			moves := r.moves[i]
			for _, e := range r.edges[i] {
				moves |= e.movers | r.moves[e.to]
			}
			changed = changed || moves != r.moves[i]
			r.moves[i] = moves
		}
	}
}

// AddMeetsWait reports whether there is a state in which one goroutine is about to add to a
// WaitGroup with a counter of zero, at the one statement, and another one about to wait for it, at
// the other.
func (r *Reached) AddMeetsWait(add, wait *program.Stmt) bool {
	for _, s := range r.all {
		if *r.m.at(s, wait.Object, 0) == 0 && r.stands(s, add) && r.stands(s, wait) {
			return true
		}
	}
	return false
}

// stands reports whether a goroutine is about to execute a statement.
func (r *Reached) stands(s state, at *program.Stmt) bool {
	for t := range r.m.tasks {
		if *of(s, t, ph) == running && r.m.tasks[t][*of(s, t, pc)].s == at {
			return true
		}
	}
	return false
}
