package interleaving

import (
	"slices"

	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/program"
)

// cancel adds the step of a cancel function. The context has ended at once, its children and
// functions follow one by one. A second call waits until they have.
func (m *machine) cancel(s state, t int, in *instr) {
	o := in.s.Object
	if *m.at(s, o, ended) != 0 {
		if *m.at(s, o, spreading) == 0 {
			m.then(s, t, in.next, nil)
		}
		return
	}
	n := slices.Clone(s)
	*m.at(n, o, ended) = 1
	*of(n, t, mark), *of(n, t, markValue) = 0, 0
	if len(m.heirs(n, o)) == 0 {
		m.moveOn(n, t, in.next)
	} else {
		*m.at(n, o, spreading) = 1
		*of(n, t, ph) = cancels
	}
	m.add(n, t)
}

// heirs are the contexts that end and the functions that start because a context has ended.
func (m *machine) heirs(s state, context int) []int {
	var all []int
	for i, o := range m.p.Objects {
		switch {
		case o.Kind == program.Context && o.Of == context+1 && *m.at(s, i, ended) == 0,
			o.Kind == program.ContextFunc && o.Of == context && *m.at(s, i, 0) == armedNever:
			all = append(all, i)
		case o.Kind == program.Context && o.Of == context+1:
			all = append(all, m.heirs(s, i)...)
		}
	}
	return all
}

// spread adds the steps in which one of the heirs follows.
func (m *machine) spread(s state, t int, in *instr) {
	o := in.s.Object
	for _, heir := range m.heirs(s, o) {
		n := slices.Clone(s)
		if m.p.Objects[heir].Kind == program.Context {
			*m.at(n, heir, ended) = 1
		} else {
			*m.at(n, heir, 0) = spent
			m.startOnce(n, m.funcs[heir])
		}
		if len(m.heirs(n, o)) == 0 {
			*m.at(n, o, spreading) = 0
			m.moveOn(n, t, in.next)
		}
		m.add(n, t)
	}
	if len(m.heirs(s, o)) == 0 { // others have done it, or stopped the functions
		m.then(s, t, in.next, func(n state) { *m.at(n, o, spreading) = 0 })
	}
}

// afterFunc adds the step that makes a Func or ContextFunc.
func (m *machine) afterFunc(s state, t int, in *instr) {
	o := in.s.Object
	if *m.at(s, o, 0) != unmade {
		m.refuse("a timer is made twice")
		return
	}
	kind, of := m.p.Objects[o].Kind, m.p.Objects[o].Of
	m.then(s, t, in.next, func(n state) {
		switch {
		case kind == program.Func:
			*m.at(n, o, 0) = armed(in.s.N)
		case *m.at(n, of, ended) != 0:
			*m.at(n, o, 0) = spent
			m.startOnce(n, in.task)
		default:
			*m.at(n, o, 0) = armedNever
		}
	})
}
