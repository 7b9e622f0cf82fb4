package deadlock

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Monitors. A task that signals a Cond has changed in a section what others wait for. One that has
// come later found it changed, and went on. If its section comes first it waits instead. What they
// read is not recorded, so a deadlock that needs this is only possible.
//
// A Signal that wakes no task is reported once at least for each task and Cond, so the sections of
// one place are taken to signal if one of them does.

const (
	maxMonitors   = 1 << 10 // locks
	maxSignalling = 8       // places, of one lock
)

// enabling is a section that was needed in the run, as far as is known, for what a task did behind
// a later one.
type enabling struct {
	lock          op.Object
	before, after reorder.Acquisition
}

// noteSignal notes that a task signals a Cond: in sections, or behind the one that it has left
// last.
func (d *Detector) noteSignal(a *actor) {
	inSection := false
	for i := range a.held {
		if h := &a.held[i]; h.isOfMutex() {
			inSection = true
			d.noteSignalling(h)
		}
	}
	if !inSection && a.freed.lock != nil {
		d.noteSignalling(&a.freed)
	}
}

// isOfMutex reports whether it is of a Mutex or RWMutex, and not of a channel.
func (a *acquisition) isOfMutex() bool { return a.Kind == op.Lock || a.Kind == op.RLock }

// noteSignalling notes that sections which begin where this one did signal a Cond.
func (d *Detector) noteSignalling(a *acquisition) {
	l := a.lock
	if len(l.signalling) == maxSignalling || slices.Contains(l.signalling, a.At) {
		return
	}
	if len(l.signalling) == 0 {
		if len(d.monitors) == maxMonitors {
			return
		}
		d.monitors = append(d.monitors, l)
	}
	l.signalling = append(l.signalling, a.At)
}

// noteEnabling notes what a cycle lacks, if accesses to memory do not show it.
func (d *Detector) noteEnabling(c *cycle) {
	if !c.exact && c.enabled == nil && c.ideal != nil && !d.history.Remembers() {
		c.enabled = d.enabling(c.ideal)
	}
}

// enabling returns a section that signals, does not belong to an ideal, and came before one that
// does; nil if there is none.
func (d *Detector) enabling(ideal *clock.Clock) *enabling {
	for _, l := range d.monitors {
		signals := func(a *reorder.Acquisition) bool { return slices.Contains(l.signalling, a.At) }
		if before, after, found := l.Overtaken(ideal, signals); found {
			return &enabling{l.object, before, after}
		}
	}
	return nil
}
