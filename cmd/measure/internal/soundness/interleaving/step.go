package interleaving

import (
	"fmt"
	"slices"

	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/program"
)

// successors returns what can happen next in a state. The result is valid until the next call.
func (m *machine) successors(s state) []step {
	m.steps = m.steps[:0]
	for t := range m.tasks {
		if *of(s, t, ph) != absent {
			m.task(s, t)
		}
	}
	for i, o := range m.p.Objects {
		if (o.Kind == program.Timer || o.Kind == program.Func) && *m.at(s, i, 0) == armedSoon {
			m.fire(s, i, o.Kind)
		}
	}
	return m.steps
}

// add adds a step to a state.
func (m *machine) add(to state, movers ...int) {
	st := step{to: to}
	for _, t := range movers {
		st.movers |= 1 << t
	}
	m.steps = append(m.steps, st)
}

// fire lets a timer do what it was made for.
func (m *machine) fire(s state, timer int, kind program.Kind) {
	n := slices.Clone(s)
	*m.at(n, timer, 0) = spent
	if kind == program.Func {
		m.startOnce(n, m.funcs[timer])
	}
	m.add(n)
}

// startOnce starts the goroutine of a function that is given away. A second one would need a state
// of its own.
func (m *machine) startOnce(s state, task int) {
	if *of(s, task, ph) != absent {
		m.refuse("a function is started twice")
		return
	}
	m.start(s, task)
}

// task adds the steps of a goroutine.
func (m *machine) task(s state, t int) {
	in := &m.tasks[t][*of(s, t, pc)]
	if phase := *of(s, t, ph); phase != running {
		m.resume(s, t, in, phase)
		return
	}
	switch in.op {
	case end:
	case program.Mark, program.Go, program.Do, onceEnd:
		m.local(s, t, in)
	case program.Select:
		m.choose(s, t, in)
	case program.Close, program.Len:
		m.channel(s, t, in)
	case program.Lock, program.Unlock, program.TryLock, program.RLock, program.RUnlock, program.TryRLock:
		m.lock(s, t, in)
	case program.Add, program.Done, program.Wait, program.CondWait, program.Signal, program.Broadcast:
		m.group(s, t, in)
	case program.MapLoad, program.MapStore, program.MapLoadOrStore, program.MapLoadAndDelete, program.MapSwap,
		program.MapCompareAndSwap, program.MapRange:
		m.keyed(s, t, in)
	case program.Put, program.Get:
		m.pool(s, t, in)
	case program.Cancel:
		m.cancel(s, t, in)
	case program.StreamWrite, program.StreamRead, program.StreamClose:
		m.stream(s, t, in)
	case program.AfterFunc:
		m.afterFunc(s, t, in)
	default:
		m.simple(s, t, in)
	}
}

// then adds the step that changes the state and lets the goroutine go on.
func (m *machine) then(s state, t, target int, change func(n state)) {
	n := slices.Clone(s)
	if change != nil {
		change(n)
	}
	m.moveOn(n, t, target)
	m.add(n, t)
}

// wait adds the step after which the goroutine waits in that phase. It is still in its place until
// it goes on. But that others see only of a writer, which keeps them out; of the rest the place is
// forgotten, as they could have been there before.
func (m *machine) wait(s state, t int, in phase, change func(n state)) {
	n := slices.Clone(s)
	*of(n, t, ph) = in
	if in != pending {
		*of(n, t, mark), *of(n, t, markValue) = 0, 0
	}
	if change != nil {
		change(n)
	}
	m.add(n, t)
}

// resume adds the steps of a goroutine that has begun its operation.
func (m *machine) resume(s state, t int, in *instr, phase phase) {
	o := in.s.Object
	switch phase {
	case pending:
		if *m.at(s, o, readers) == 0 {
			m.then(s, t, in.next, func(n state) { *m.at(n, o, writer) = writerHolds })
		}
	case waiting: // Somebody who was released has not gone on yet. What would wake that one may wake this one instead.
		if len(m.inPhase(s, o, released)) > 0 {
			m.fail(Reuse, in.s)
		}
	case released:
		if *m.at(s, o, 0) != 0 {
			m.fail(Reuse, in.s)
			return
		}
		m.then(s, t, in.next, nil)
	case releases:
		m.then(s, t, in.next, func(n state) {
			for _, u := range m.inPhase(s, o, waiting) {
				*of(n, u, ph) = released
			}
		})
	case ticket, called:
		m.leaveLock(s, t, in, phase)
	case woken:
		if lock := m.p.Objects[o].Of; *m.at(s, lock, 0) == 0 {
			m.then(s, t, in.next, func(n state) { *m.at(n, lock, 0) = 1 })
		}
	case cancels:
		m.spread(s, t, in)
	case ranging:
		m.visit(s, t, in)
	}
}

// local adds the steps of Mark, Go and Once.
func (m *machine) local(s state, t int, in *instr) {
	switch o := in.s.Object; in.op {
	case program.Mark: // leaves the place before
		n := slices.Clone(s)
		*of(n, t, mark) = 0
		m.settle(n, t)
		m.add(n, t)
	case program.Go:
		if o >= 0 && m.isLeaving(s, o) {
			m.fail(Reuse, in.s)
			m.failWith(s, o)
			return
		}
		m.then(s, t, in.next, func(n state) {
			if o >= 0 {
				*m.at(n, o, 0)++
			}
			m.start(n, in.task)
		})
	case program.Do:
		switch *m.at(s, o, 0) {
		case 0:
			m.then(s, t, in.next, func(n state) { *m.at(n, o, 0) = 1 })
		case 2:
			m.then(s, t, in.els, nil)
		}
	case onceEnd:
		m.then(s, t, in.next, func(n state) { *m.at(n, o, 0) = 2 })
	}
}

// simple adds the step of an operation that neither waits nor fails.
func (m *machine) simple(s state, t int, in *instr) {
	o, st := in.s.Object, in.s
	m.then(s, t, in.next, func(n state) {
		at := m.at(n, o, 0)
		old := *at
		switch in.op {
		case program.Load:
			set(n, t, st.Dst, old)
		case program.Store:
			*at = value(s, t, st.Value)
		case program.Inc:
			*at = old + byte(int8(st.N))
			set(n, t, st.Dst, *at)
		case program.Swap:
			*at = value(s, t, st.Value)
			set(n, t, st.Dst, old)
		case program.CompareAndSwap:
			if old == byte(int8(st.Old)) {
				*at = value(s, t, st.Value)
			}
			set(n, t, st.Dst, flag(old == byte(int8(st.Old))))
		case program.Stop:
			set(n, t, st.Dst, flag(m.stop(at, o)))
		case program.Reset:
			active := m.stop(at, o)
			*at = armed(st.N)
			set(n, t, st.Dst, flag(active))
		case program.Err:
			set(n, t, st.Dst, old)
		default:
			panic(fmt.Sprintf("operation %d is not known", in.op))
		}
	})
}

// stop disarms a timer and reports whether it was armed. A time that was not received yet is as one
// that has not come.
func (m *machine) stop(at *byte, object int) bool {
	old := *at
	switch kind := m.p.Objects[object].Kind; {
	case kind == program.Timer:
		*at = unmade
		return old != unmade
	case old == unmade:
		m.refuse("a timer is stopped before it is made")
		return false
	}
	*at = spent
	return old != spent
}
