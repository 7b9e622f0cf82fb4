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

// Memory says what the memory grows with that a checker needs for a property.
type Memory struct {
	// Unbounded are the subformulas of the negated property, as text, for which the whole run is
	// kept: what becomes true of them later can be so in slices that lie back any number of steps.
	Unbounded []string

	// ConjunctionJoin is of how many goroutines the join of a conjunction keeps local states in one
	// combination; 0 if of none.
	ConjunctionJoin int

	// Apart reports that local states are looked at one at a time, so that it is no matter who has
	// heard of which events. That holds for several properties together if it does for each.
	Apart bool

	// Condenses reports that of events which some goroutine has not heard of only those are kept
	// that can still matter. That holds for several properties together if it does for each.
	Condenses bool

	// Pending are the subformulas that wait, in slices that fulfil what stands beside them, for
	// something to come: as long as it may.
	Pending []string

	// Callers reports that goroutines which have ended are kept, as conditions ask who started
	// whom.
	Callers bool
}

// MemoryOf says what the memory grows with that is needed for a property that can be checked
// on-the-fly.
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
		m.Apart = m.Apart && s.apart()
		m.Condenses = m.Condenses && s.condenses()
		if !s.bounded() {
			m.Unbounded = append(m.Unbounded, s.text())
		}
	}
	return m
}

// String says it in a line, for people.
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

// Retention says what a checker kept when it last looked.
type Retention struct {
	Events int // of the net

	// Task is the goroutine that knows least of what the others do, and UnknownEvents how many of
	// their events that is without: while it may act, these can be part of what it comes to. It is
	// empty if the run is kept for other reasons.
	Task          string
	UnknownEvents int

	// Formula is the subformula of the negated property that keeps most, and OpenIntervals how many
	// sets of slices.
	Formula       string
	OpenIntervals int

	Gone int // tasks that have ended and are forgotten, but for some 20 bytes each
}

// Retention returns what was kept when it was last tried to forget something. It may be called at
// any time.
func (c *Checker) Retention() Retention {
	if kept := c.retention.Load(); kept != nil {
		return *kept
	}
	return Retention{}
}

// String says it in a line, for people.
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

// look notes what is kept.
func (c *Checker) look() {
	kept := &Retention{Events: c.net.Events(), Gone: c.builder.Gone()}
	if c.bounded && !c.apart {
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
