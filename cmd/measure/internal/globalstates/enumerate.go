package globalstates

import (
	"iter"

	"github.com/antichain-go/antichain/san"
)

// Enumerate yields every slice of the net once, as the number of events of each task, in lexical
// order from the initial slice on. The result is valid until the next iteration and must not be
// changed.
//
// It is the lexical traversal of Garg, "Enumerating Global States of a Distributed Computation",
// 2003, with the tests hoisted: once the positions of the first tasks are chosen, each further task
// has an interval of positions, and every position in it belongs to some ideal. Therefore the
// search has no dead ends, the innermost loop counts, and slices need no allocation. The intervals
// are in tables of events × tasks, which suits nets that can be enumerated.
func Enumerate(net *san.Net) iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		e := newEnumeration(net)
		if e.tasks == 0 {
			yield(nil)
			return
		}
		e.visit(0, yield)
	}
}

// enumeration is the state of a traversal.
type enumeration struct {
	tasks  int
	counts []int32 // the present slice

	// lo and hi are indexed by the number of chosen tasks, then by task: the interval that is left
	// to it.
	lo, hi [][]int32
	// down is indexed by task, position k, and task: the events in ↓(t,k). outside is the events
	// neither equal to nor after (t,k+1).
	down, outside [][]int32
}

func newEnumeration(net *san.Net) *enumeration {
	n := net.Tasks()
	e := &enumeration{
		tasks: n, counts: make([]int32, n),
		lo: rows(n+1, n), hi: rows(n+1, n), down: make([][]int32, n), outside: make([][]int32, n),
	}
	for t := range n {
		e.hi[0][t] = int32(net.Len(san.Task(t)))
	}
	for t := range n {
		length := net.Len(san.Task(t))
		e.down[t], e.outside[t] = make([]int32, (length+1)*n), make([]int32, (length+1)*n)
		for k := range length {
			a := san.Action{Task: san.Task(t), K: int32(k + 1)}
			net.Down(a, e.down[t][(k+1)*n:(k+2)*n])
			net.NotAbove(a, e.outside[t][k*n:(k+1)*n])
		}
		copy(e.outside[t][length*n:], e.hi[0])
	}
	return e
}

func rows(n, m int) [][]int32 {
	all := make([]int32, n*m)
	rows := make([][]int32, n)
	for i := range rows {
		rows[i] = all[i*m : (i+1)*m]
	}
	return rows
}

// visit chooses positions for task t and those after it. It returns false to stop.
func (e *enumeration) visit(t int, yield func([]int32) bool) bool {
	lo, hi := e.lo[t][t], e.hi[t][t]
	if t == e.tasks-1 {
		for k := lo; k <= hi; k++ {
			e.counts[t] = k
			if !yield(e.counts) {
				return false
			}
		}
		return true
	}
	for k := lo; k <= hi; k++ {
		e.counts[t] = k
		e.narrow(t, int(k))
		if !e.visit(t+1, yield) {
			return false
		}
	}
	return true
}

// narrow computes the intervals that position k of task t leaves to the tasks after it.
func (e *enumeration) narrow(t, k int) {
	from, to := k*e.tasks, (k+1)*e.tasks
	down, outside := e.down[t][from:to], e.outside[t][from:to]
	lo, hi, newLo, newHi := e.lo[t], e.hi[t], e.lo[t+1], e.hi[t+1]
	for u := t + 1; u < e.tasks; u++ {
		newLo[u] = max(lo[u], down[u])
		newHi[u] = min(hi[u], outside[u])
	}
}
