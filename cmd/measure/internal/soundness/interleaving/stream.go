package interleaving

import "github.com/antichain-go/antichain/cmd/measure/internal/soundness/program"

// stream adds the steps of an operation on a pipe or connection, which has room for all bytes. A
// read may get fewer bytes than there are, but not none.
func (m *machine) stream(s state, t int, in *instr) {
	o := in.s.Object
	count := int(*m.at(s, o, length))
	isClosed := *m.at(s, o, closed) != 0
	switch in.op {
	case program.StreamWrite:
		m.then(s, t, in.next, func(n state) {
			if !isClosed {
				*m.at(n, o, items+count) = value(s, t, in.s.Value)
				*m.at(n, o, length)++
			}
		})
	case program.StreamClose:
		m.then(s, t, in.next, func(n state) { *m.at(n, o, closed) = 1 })
	case program.StreamRead:
		for got := 1; got <= min(count, in.s.N); got++ {
			m.then(s, t, in.next, func(n state) {
				set(n, t, in.s.Dst, *m.at(n, o, items+got-1))
				room := n[m.offset[o]+items:][:program.MostBytes]
				clear(room[copy(room, room[got:]):])
				*m.at(n, o, length) -= byte(got)
			})
		}
		if count == 0 && isClosed {
			m.then(s, t, in.next, func(n state) { set(n, t, in.s.Dst, 0) })
		}
	}
}
