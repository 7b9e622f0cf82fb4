package running

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/control"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// guide selects the tasks to hold during a step, stage by stage.
//
// A held task may own what the others need for their parts. Therefore it is held at each local
// state of its target in turn: it continues to the next one when no other task can run, or when
// half of the remaining time is over.
type guide struct {
	stage
	end   time.Time            // of the step
	until map[string]time.Time // end of the hold for each held task in its present local state
	past  map[string]bool      // tasks whose hold in the present local state is over
}

func newGuide(f *temporal.Formula, end time.Time) *guide {
	return &guide{newStage(f), end, map[string]time.Time{}, map[string]bool{}}
}

// takeState reads the next state: took reports the tasks that have an event in the action to it.
func (g *guide) takeState(atom, took func(string) bool) {
	maps.DeleteFunc(g.until, func(task string, _ time.Time) bool { return took(task) })
	maps.DeleteFunc(g.past, func(task string, _ bool) bool { return took(task) })
	for g.goal != nil && isTrue(g.goal, atom) {
		later := g.later
		g.stage = newStage(g.next)
		clear(g.until)
		clear(g.past)
		if later {
			return
		}
	}
}

// tasksToHold returns the tasks to hold in the state that was read last.
func (g *guide) tasksToHold(now time.Time, atom func(string) bool) (held []string) {
	for _, task := range g.stage.heldTasks(atom) {
		until, ok := g.until[task]
		if !ok {
			until = now.Add(g.end.Sub(now) / 2)
			g.until[task] = until
		}
		if g.past[task] = g.past[task] || now.After(until); !g.past[task] {
			held = append(held, task)
		}
	}
	return held
}

// look receives the states of all goroutines that are not held, after some time without events. If
// they all wait for each other or for held ones, it releases the goroutine that was held longest.
func (g *guide) look(quiet time.Duration, others []control.Task) {
	runs := func(t control.Task) bool { return len(t.Stack) > 0 && !g.waitsForOther(quiet, t) }
	if slices.ContainsFunc(others, runs) {
		return
	}
	waiting := slices.DeleteFunc(slices.Sorted(maps.Keys(g.until)), func(task string) bool { return g.past[task] })
	if len(waiting) > 0 {
		g.past[slices.MinFunc(waiting, func(a, b string) int { return g.until[a].Compare(g.until[b]) })] = true
	}
}

// waitsForOther reports whether a goroutine waits for another one. A receive may be of a tick of a
// clock, which cannot be distinguished from other messages, so it counts only after a fifth of the
// time.
func (g *guide) waitsForOther(quiet time.Duration, t control.Task) bool {
	if t.State != control.Waiting {
		return false
	}
	begins := func(prefix string) bool { return strings.HasPrefix(t.Reason, prefix) }
	if begins("chan receive") || begins("select") {
		return quiet > time.Until(g.end)/5
	}
	return begins("sync.") || begins("semacquire") || begins("chan send")
}
