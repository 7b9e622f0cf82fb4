package onthefly

import (
	"fmt"
	stdslices "slices"
	"strings"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// Memory says what the memory of a checker grows with, for a property.
type Memory struct {
	// Unbounded are the subformulas of the negated property, as text, that need the whole run: they
	// can become true later in slices any number of steps back.
	Unbounded []string

	// ConjunctionJoin is the number of goroutines whose local states the join of a conjunction
	// keeps in one combination; 0 without a join.
	ConjunctionJoin int

	// Apart reports that local states are examined one at a time, so it does not matter which
	// goroutine knows which events. It holds for several properties together if it holds for each.
	Apart bool

	// Condenses reports that events which some goroutine does not know are reduced to those that
	// can still matter. It holds for several properties together if it holds for each.
	Condenses bool

	// Pending are the subformulas that wait in the slices that satisfy the formulas beside them, as
	// long as they may become true.
	Pending []string

	// Callers reports that goroutines that have ended are kept, because conditions ask which
	// goroutine started which.
	Callers bool
}

// MemoryOf returns what the memory grows with for a property that can be checked on-the-fly.
func MemoryOf(p *spec.Property, logic lsl.Logic) Memory {
	f := formula.Compile(p, logic)
	b := newBuilder(f.Set)
	b.root(f)
	m := Memory{Apart: true, Condenses: true}
	for _, s := range b.stages {
		switch n := s.node.(type) {
		case *conjunctionJoin:
			m.ConjunctionJoin = max(m.ConjunctionJoin, len(n.slots)-1)
		case *conjunction:
			m.ConjunctionJoin = max(m.ConjunctionJoin, 1)
			if len(n.left.last) > 0 {
				m.Pending = append(m.Pending, s.text())
			}
		case *guardedUntil, *guardedNext, *wideUntil:
			m.Pending = append(m.Pending, s.text())
		case *conditionNode:
			m.Callers = m.Callers || n.callers()
		}
		m.Apart = m.Apart && s.singleStates()
		m.Condenses = m.Condenses && s.condenses()
		if !s.bounded() {
			m.Unbounded = append(m.Unbounded, s.text())
		}
	}
	return m
}

// String describes it in a line, for people.
func (m Memory) String() string {
	if len(m.Unbounded) > 0 {
		return fmt.Sprintf("grows with the run, which is kept because of %s", quoted(m.Unbounded))
	}
	text := "does not grow with the run, but with the goroutines that live at a time"
	if m.ConjunctionJoin > 1 {
		text = fmt.Sprintf("does not grow with the run, "+
			"but with the ways to choose %d of the goroutines that live at a time", m.ConjunctionJoin)
	}
	switch {
	case m.Apart:
		text += " (and by some 20 bytes for each that has ended)"
	case m.Condenses:
		text += " (and by some 20 bytes for each that has ended, 80 if one of them has not heard of that)"
	default:
		text += ", and with the events that one of them has not heard of (and by some 20 bytes for each that has ended)"
	}
	if len(m.Pending) > 0 {
		text += "; and as long as something waits for " + quoted(m.Pending)
	}
	if m.Callers {
		text += "; and with those that have ended, as conditions ask who started them"
	}
	return text
}

func quoted(texts []string) string {
	var all []string
	for _, t := range texts {
		all = append(all, fmt.Sprintf("%q", t))
	}
	return strings.Join(all, ", ")
}

func (n *conditionNode) callers() bool {
	return stdslices.ContainsFunc(n.conds, func(c formula.Cond) bool { return c.Caller })
}

// Retention describes what a checker kept when it last tried to forget.
type Retention struct {
	Events int // of the net

	// Task is the goroutine that knows least of the others, and UnknownEvents how many of their
	// events it does not know: while it may act, its future states can depend on these. Task is
	// empty if the run is kept for other reasons.
	Task          string
	UnknownEvents int

	// Formula is the subformula of the negated property that keeps most, and OpenIntervals how many
	// open intervals it keeps.
	Formula       string
	OpenIntervals int

	Gone int // tasks that have ended and are forgotten, at a cost of some 20 bytes each
}

// Retention returns what was kept at the last attempt to forget. It is safe for concurrent use.
func (c *Checker) Retention() Retention {
	if kept := c.retention.Load(); kept != nil {
		return *kept
	}
	return Retention{}
}

// String describes it in a line, for people.
func (kept Retention) String() string {
	text := fmt.Sprintf("%d events are kept", kept.Events)
	if kept.Task != "" {
		text += fmt.Sprintf(", of which %s has not heard of %d", kept.Task, kept.UnknownEvents)
	}
	switch {
	case kept.OpenIntervals == 1:
		text += fmt.Sprintf("; one set of slices for %q", kept.Formula)
	case kept.OpenIntervals > 1:
		text += fmt.Sprintf("; %d sets of slices for %q", kept.OpenIntervals, kept.Formula)
	}
	if kept.Gone > 0 {
		text += fmt.Sprintf("; the names of %d goroutines that have ended", kept.Gone)
	}
	return text
}

// recordRetention records what is kept.
func (c *Checker) recordRetention() {
	kept := &Retention{Events: c.net.Events(), Gone: c.builder.ForgottenTasks()}
	if c.bounded && !c.singleStates {
		kept.Task, kept.UnknownEvents = c.leastInformed()
	}
	for _, s := range c.stages {
		if n, ok := s.node.(forgetter); ok {
			if size := n.size(); size > kept.OpenIntervals {
				kept.Formula, kept.OpenIntervals = s.text(), size
			}
		}
	}
	for _, r := range c.roots {
		if size := r.size(); size > kept.OpenIntervals {
			kept.Formula, kept.OpenIntervals = spec.FormatProperty(r.property), size
		}
	}
	c.retention.Store(kept)
}

// leastInformed returns the task that has not ended and knows the fewest events, and how many it
// does not know.
func (c *Checker) leastInformed() (name string, unknown int) {
	known := make([]int32, c.net.Tasks())
	for t := range san.Task(c.net.Tasks()) {
		if c.net.Ended(t) {
			continue
		}
		clear(known)
		if c.net.Len(t) > 0 {
			c.net.Down(san.Action{Task: t, K: int32(c.net.Len(t))}, known)
		} else if a, ok := c.net.SpawnedBy(t); ok {
			c.net.Down(a, known)
		}
		n := c.net.Events()
		for _, k := range known {
			n -= int(k)
		}
		if n > unknown {
			name, unknown = c.net.Name(t), n
		}
	}
	return name, unknown
}
