package locktest

import (
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
)

// Shadow is what a tracer remembers of memory that has no room for all accesses: of each variable the last write, and of each task
// the last read since. So a write hides what was before it.
type Shadow struct {
	kept [variables][]int // accesses to each variable, the first one first
}

// Ops is Run.Ops, of the next event, as far as the shadow remembers what it conflicts with.
func (s *Shadow) Ops(r *Run, i int) []op.Op {
	e := &r.Events[i]
	if !e.IsAccess() {
		return r.Ops(i)
	}
	told := r.ops(i, s.kept[e.Obj])
	for j := range told {
		told[j].OtherAlone = false
	}
	s.keep(r, i)
	return told
}

// keep puts an access in the place of those for which it stands.
func (s *Shadow) keep(r *Run, i int) {
	e := &r.Events[i]
	kept := &s.kept[e.Obj]
	*kept = slices.DeleteFunc(*kept, func(j int) bool {
		return e.Kind == op.Write || r.Events[j].Instr == e.Instr && r.Events[j].Task == e.Task
	})
	*kept = append(*kept, i)
}
