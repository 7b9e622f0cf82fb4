package interleaving

import (
	"slices"

	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/program"
)

// lock adds the steps of locks.
func (m *machine) lock(s state, t int, in *instr) {
	o, st := in.s.Object, in.s
	if m.p.Objects[o].Kind == program.RWMutex {
		m.readWrite(s, t, in)
		return
	}
	free := *m.at(s, o, 0) == 0
	switch in.op {
	case program.Lock:
		if free {
			m.then(s, t, in.next, func(n state) { *m.at(n, o, 0) = 1 })
		}
	case program.TryLock:
		m.then(s, t, in.next, func(n state) {
			*m.at(n, o, 0) = 1
			set(n, t, st.Dst, flag(free))
		})
	case program.Unlock:
		if free {
			m.fail(UnlockUnlocked, st)
			return
		}
		m.then(s, t, in.next, func(n state) { *m.at(n, o, 0) = 0 })
	}
}

// readWrite adds the steps of an RWMutex. A writer that waits keeps new readers out.
func (m *machine) readWrite(s state, t int, in *instr) {
	o, st := in.s.Object, in.s
	held, sharing := *m.at(s, o, writer), *m.at(s, o, readers)
	switch in.op {
	case program.Lock:
		switch {
		case held == noWriter && sharing == 0:
			m.then(s, t, in.next, func(n state) { *m.at(n, o, writer) = writerHolds })
		case held == noWriter:
			m.wait(s, t, pending, func(n state) { *m.at(n, o, writer) = writerPending })
		}
	case program.TryLock:
		free := held == noWriter && sharing == 0
		m.then(s, t, in.next, func(n state) {
			if free {
				*m.at(n, o, writer) = writerHolds
			}
			set(n, t, st.Dst, flag(free))
		})
	case program.Unlock:
		m.unlockWriter(s, t, in, held)
	case program.RLock:
		if held != noWriter {
			m.wait(s, t, reader, nil)
			return
		}
		m.then(s, t, in.next, func(n state) { *m.at(n, o, readers)++ })
	case program.TryRLock:
		m.then(s, t, in.next, func(n state) {
			if held == noWriter {
				*m.at(n, o, readers)++
			}
			set(n, t, st.Dst, flag(held == noWriter))
		})
	case program.RUnlock:
		if sharing == 0 {
			if len(m.inPhase(s, o, reader)) > 0 {
				m.refuse("a reader unlocks what others wait for")
			}
			m.fail(UnlockUnlocked, st)
			return
		}
		m.then(s, t, in.next, func(n state) { *m.at(n, o, readers)-- })
	}
}

// unlockWriter adds the step of Unlock. All readers that wait have the lock then, before the next
// writer.
func (m *machine) unlockWriter(s state, t int, in *instr, held byte) {
	o := in.s.Object
	switch held {
	case noWriter:
		m.fail(UnlockUnlocked, in.s)
		return
	case writerPending:
		m.refuse("somebody unlocks what a writer waits for")
		return
	}
	n := slices.Clone(s)
	*m.at(n, o, writer) = noWriter
	movers := []int{t}
	for _, u := range m.inPhase(s, o, reader) {
		*m.at(n, o, readers)++
		m.moveOn(n, u, m.tasks[u][*of(s, u, pc)].next)
		movers = append(movers, u)
	}
	m.moveOn(n, t, in.next)
	m.add(n, movers...)
}

// inPhase returns the goroutines that wait in one of these phases in an operation on the object.
func (m *machine) inPhase(s state, object int, phases ...phase) []int {
	var all []int
	for u := range m.tasks {
		if slices.Contains(phases, *of(s, u, ph)) && m.tasks[u][*of(s, u, pc)].s.Object == object {
			all = append(all, u)
		}
	}
	return all
}
