package interleaving

import (
	"slices"

	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/program"
)

// channel adds the step of Close and Len.
func (m *machine) channel(s state, t int, in *instr) {
	o := in.s.Object
	switch {
	case in.op == program.Len:
		m.then(s, t, in.next, func(n state) { set(n, t, in.s.Dst, *m.at(n, o, length)) })
	case *m.at(s, o, closed) != 0:
		m.fail(CloseClosed, in.s)
	default:
		m.then(s, t, in.next, func(n state) { *m.at(n, o, closed) = 1 })
	}
}

// choose adds the steps of a goroutine at a select statement, or at an operation on a channel. That
// an unbuffered channel is ready depends on whether the other goroutine waits already, which is not
// part of a state: default can always come first.
func (m *machine) choose(s state, t int, in *instr) {
	ready := false
	for i := range in.arms {
		a := &in.arms[i]
		if a.Send {
			ready = m.send(s, t, in, a) || ready
		} else {
			ready = m.receive(s, t, in, a) || ready
		}
	}
	if in.s.Default && !ready {
		m.then(s, t, in.els, nil)
	}
}

// isUnbuffered reports whether the object is a channel without room.
func (m *machine) isUnbuffered(object int) bool {
	o := m.p.Objects[object]
	return o.Kind == program.Chan && o.N == 0
}

// send adds the steps of a send, and reports whether it need not wait for another goroutine.
func (m *machine) send(s state, t int, in *instr, a *arm) bool {
	switch {
	case *m.at(s, a.Object, closed) != 0 && in.s.Op == program.SendRecovered:
		m.fail(SendClosed, in.s)
		m.then(s, t, a.next, func(n state) { set(n, t, in.s.Dst, 0) })
		return true
	case *m.at(s, a.Object, closed) != 0:
		m.fail(SendClosed, in.s)
		return true
	case m.isUnbuffered(a.Object):
		m.handOver(s, t, in, a)
		return false
	case int(*m.at(s, a.Object, length)) == m.p.Objects[a.Object].N:
		return false
	}
	m.then(s, t, a.next, func(n state) {
		count := m.at(n, a.Object, length)
		*m.at(n, a.Object, items+int(*count)) = value(s, t, a.Value)
		*count++
		set(n, t, sentTo(in), 1)
	})
	return true
}

// handOver adds the steps in which somebody receives what is sent over an unbuffered channel. Of
// two that both have a default neither waits for the other.
func (m *machine) handOver(s state, t int, in *instr, a *arm) {
	for u := range m.tasks {
		other := &m.tasks[u][*of(s, u, pc)]
		if u == t || *of(s, u, ph) != running || other.op != program.Select || other.s.Default && in.s.Default {
			continue
		}
		for i := range other.arms {
			b := &other.arms[i]
			if b.Send || b.Object != a.Object {
				continue
			}
			n := slices.Clone(s)
			set(n, u, b.Dst, value(s, t, a.Value))
			set(n, t, sentTo(in), 1)
			m.moveOn(n, t, a.next)
			m.moveOn(n, u, b.next)
			m.add(n, t, u)
		}
	}
}

// receive adds the steps of a receive that needs no other goroutine at that moment, and reports
// whether there is one.
func (m *machine) receive(s state, t int, in *instr, a *arm) bool {
	switch kind := m.p.Objects[a.Object].Kind; {
	case kind == program.Timer:
		if *m.at(s, a.Object, 0) != spent {
			return false
		}
		m.then(s, t, a.next, func(n state) { *m.at(n, a.Object, 0) = unmade })
	case kind == program.Context:
		if *m.at(s, a.Object, ended) == 0 {
			return false
		}
		m.then(s, t, a.next, nil)
	case !m.isUnbuffered(a.Object) && *m.at(s, a.Object, length) > 0:
		m.then(s, t, a.next, func(n state) {
			set(n, t, a.Dst, *m.at(n, a.Object, items))
			from, room := m.offset[a.Object]+items, m.p.Objects[a.Object].N
			copy(n[from:from+room], n[from+1:from+room])
			n[from+room-1] = 0
			*m.at(n, a.Object, length)--
		})
	case *m.at(s, a.Object, closed) != 0:
		m.then(s, t, a.next, func(n state) { set(n, t, a.Dst, 0) })
	default:
		return false
	}
	return true
}

// sentTo is the variable that says whether something was sent, if there is one.
func sentTo(in *instr) program.Var {
	if in.s.Op == program.SendRecovered {
		return in.s.Dst
	}
	return program.NoVar
}
