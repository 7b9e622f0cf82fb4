package interleaving

import (
	"slices"

	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/program"
)

// keys is how many keys a sync.Map has: a byte for each, 0 if it is not there, else its value plus
// 1.
const keys = 2

// keyed adds the step of an operation on a sync.Map.
func (m *machine) keyed(s state, t int, in *instr) {
	st := in.s
	if in.op == program.MapRange {
		m.wait(s, t, ranging, nil)
		return
	}
	m.then(s, t, in.next, func(n state) {
		at := m.at(n, st.Object, st.N)
		old, now := *at, value(s, t, st.Value)+1
		switch in.op {
		case program.MapLoad:
			set(n, t, st.Dst, old-1) // -1 if it is not there
		case program.MapStore:
			*at = now
		case program.MapLoadOrStore:
			if old == 0 {
				*at = now
			}
			set(n, t, st.Dst, flag(old != 0))
		case program.MapLoadAndDelete:
			*at = 0
			set(n, t, st.Dst, old-1)
		case program.MapSwap:
			*at = now
			set(n, t, st.Dst, old-1)
		case program.MapCompareAndSwap:
			same := old == byte(st.Old+1)
			if same {
				*at = now
			}
			set(n, t, st.Dst, flag(same))
		}
	})
}

// visit adds the steps of Range: it looks at each key once, in any order, and others go on
// meanwhile.
func (m *machine) visit(s state, t int, in *instr) {
	visited := *of(s, t, extra)
	for k := range keys {
		if visited&(1<<k) != 0 {
			continue
		}
		sum := *of(s, t, extraSum)
		if v := *m.at(s, in.s.Object, k); v != 0 {
			sum += 10 + v - 1
		}
		now := visited | 1<<k
		if now == 1<<keys-1 {
			m.then(s, t, in.next, func(n state) { set(n, t, in.s.Dst, sum) })
			continue
		}
		n := slices.Clone(s)
		*of(n, t, extra), *of(n, t, extraSum) = now, sum
		m.add(n, t)
	}
}

// pool adds the steps of a sync.Pool, whose byte has a bit for each value. Get may always find
// nothing.
func (m *machine) pool(s state, t int, in *instr) {
	o := in.s.Object
	if in.op == program.Put {
		m.then(s, t, in.next, func(n state) { *m.at(n, o, 0) |= 1 << value(s, t, in.s.Value) })
		return
	}
	m.then(s, t, in.next, func(n state) { set(n, t, in.s.Dst, 0) })
	for v := byte(1); v < 8; v++ {
		if *m.at(s, o, 0)&(1<<v) != 0 {
			m.then(s, t, in.next, func(n state) {
				*m.at(n, o, 0) &^= 1 << v
				set(n, t, in.s.Dst, v)
			})
		}
	}
}
