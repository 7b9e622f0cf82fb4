package interleaving

import (
	"slices"

	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/program"
)

// group adds the steps of a WaitGroup and a Cond.
func (m *machine) group(s state, t int, in *instr) {
	o := in.s.Object
	switch in.op {
	case program.Add:
		m.count(s, t, in, in.s.N)
	case program.Done:
		m.count(s, t, in, -1)
	case program.Wait:
		if *m.at(s, o, 0) == 0 {
			m.then(s, t, in.next, nil)
		} else {
			m.wait(s, t, waiting, nil)
		}
	case program.CondWait:
		m.wait(s, t, ticket, nil)
	case program.Broadcast:
		m.then(s, t, in.next, func(n state) {
			for _, u := range m.inPhase(s, o, ticket, parked) {
				wake(n, u)
			}
		})
	case program.Signal:
		sleepers := m.inPhase(s, o, ticket, parked)
		for _, u := range sleepers {
			m.then(s, t, in.next, func(n state) { wake(n, u) })
		}
		if len(sleepers) == 0 {
			m.then(s, t, in.next, nil)
		}
	}
}

// count adds the step that changes the counter of a WaitGroup. Who brings it to zero while others
// wait looks once more whether nobody has changed it since, and releases them.
func (m *machine) count(s state, t int, in *instr, by int) {
	o := in.s.Object
	counter := int(*m.at(s, o, 0)) + by
	switch {
	case counter < 0:
		m.fail(NegativeCounter, in.s)
		m.failWith(s, o)
	case m.isLeaving(s, o) && by > 0:
		m.fail(Reuse, in.s)
		m.failWith(s, o)
	case counter == 0 && len(m.inPhase(s, o, waiting)) > 0:
		m.wait(s, t, releases, func(n state) { *m.at(n, o, 0) = 0 })
	default:
		m.then(s, t, in.next, func(n state) { *m.at(n, o, 0) = byte(counter) })
	}
}

// isLeaving reports whether somebody is about to release those that wait for a WaitGroup.
func (m *machine) isLeaving(s state, o int) bool { return len(m.inPhase(s, o, releases)) > 0 }

// failWith notes that others fail, too, if they see a change of the counter first: those that have
// been released, and who releases them.
func (m *machine) failWith(s state, o int) {
	for _, u := range m.inPhase(s, o, released, releases) {
		m.fail(Reuse, m.tasks[u][*of(s, u, pc)].s)
	}
}

// wake lets a goroutine in Cond.Wait go on as soon as it can have the lock.
func wake(s state, task int) {
	if *of(s, task, ph) == ticket {
		*of(s, task, ph) = called
	} else {
		*of(s, task, ph) = woken
	}
}

// leaveLock adds the step in which Cond.Wait unlocks.
func (m *machine) leaveLock(s state, t int, in *instr, phase phase) {
	lock := m.p.Objects[in.s.Object].Of
	if *m.at(s, lock, 0) == 0 {
		m.fail(UnlockUnlocked, in.s)
		return
	}
	n := slices.Clone(s)
	*m.at(n, lock, 0) = 0
	*of(n, t, ph) = parked
	if phase == called {
		*of(n, t, ph) = woken
	}
	m.add(n, t)
}
