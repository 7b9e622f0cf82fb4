package running

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/control"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// guide says who is held on the way of a step, stage by stage.
//
// Who is held may own what the others need for their parts. So a task is held at one local state after the other of those
// at which it should be: it goes on to the next when nobody else can do anything, or when half of the time that was left is over.
type guide struct {
	stage
	end   time.Time            // of the step
	until map[string]time.Time // tasks that should be held: for how long where they are
	past  map[string]bool      // tasks that were held long enough where they are
}

func newGuide(f *temporal.Formula, end time.Time) *guide {
	return &guide{newStage(f), end, map[string]time.Time{}, map[string]bool{}}
}

// read takes the next state: what is true in it, and who has taken an event to it.
func (g *guide) read(atom, took func(string) bool) {
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

// hold returns who is held in the state that was read last, in which these atoms are true.
func (g *guide) hold(now time.Time, atom func(string) bool) (held []string) {
	for _, task := range g.stage.held(atom) {
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

// look is told what all goroutines do that are not held, when nothing has happened for some time. If they wait for each other, or for
// those that are held, the one that was held for longest goes on.
func (g *guide) look(quiet time.Duration, others []control.Task) {
	if slices.ContainsFunc(others, func(t control.Task) bool { return len(t.Stack) > 0 && !g.waits(quiet, t) }) {
		return
	}
	waiting := slices.DeleteFunc(slices.Sorted(maps.Keys(g.until)), func(task string) bool { return g.past[task] })
	if len(waiting) > 0 {
		g.past[slices.MinFunc(waiting, func(a, b string) int { return g.until[a].Compare(g.until[b]) })] = true
	}
}

// waits reports whether a goroutine waits for another one. What is received may be a tick of a clock, which is not told
// from other messages: whoever waits for that is given a fifth of the time.
func (g *guide) waits(quiet time.Duration, t control.Task) bool {
	if t.State != control.Waiting {
		return false
	}
	begins := func(prefix string) bool { return strings.HasPrefix(t.Reason, prefix) }
	if begins("chan receive") || begins("select") {
		return quiet > time.Until(g.end)/5
	}
	return begins("sync.") || begins("semacquire") || begins("chan send")
}
