// Package explicit evaluates the temporal logic by enumeration, line by line from the table that
// defines it. It is slow and simple on purpose: it is the oracle for package tlcheck, and makes
// tables of small nets. It shares only the evaluation of local formulas with tlcheck.
package explicit

import (
	"context"
	"fmt"

	"github.com/bits-and-blooms/bitset"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// LimitError reports that a net has too many slices to enumerate.
type LimitError struct{ Limit int }

func (e *LimitError) Error() string {
	return fmt.Sprintf("the net has more than %d slices, too many to list", e.Limit)
}

// Evaluator holds the slices of a net and values of formulas in them.
type Evaluator struct {
	net    *san.Net
	logic  lsl.Logic
	slices [][]int32 // number of events of each task; a slice precedes its successors
	after  [][]int   // immediate successors
	above  []*bitset.BitSet
	below  []*bitset.BitSet
	locals map[spec.Local][][]lsl.Truth // by task and local state
	log    lsl.Log
}

// New enumerates the slices of the net. The error for more than limit slices is a *LimitError.
func New(ctx context.Context, net *san.Net, logic lsl.Logic, limit int) (*Evaluator, error) {
	if net.Actions() >= limit { // each action leads to a new slice
		return nil, &LimitError{limit}
	}
	e := &Evaluator{net: net, logic: logic, locals: map[spec.Local][][]lsl.Truth{}}
	if err := e.enumerate(ctx, limit); err != nil {
		return nil, err
	}
	return e, e.relate(ctx)
}

// Len returns the number of slices.
func (e *Evaluator) Len() int { return len(e.slices) }

// Slice returns the number of events of each task in slice i; slice 0 is the initial one. The
// caller must not change it.
func (e *Evaluator) Slice(i int) []int32 { return e.slices[i] }

// Created reports whether the task has a local state in slice i.
func (e *Evaluator) Created(i int, t san.Task) bool {
	a, spawned := e.net.SpawnedBy(t)
	return !spawned || e.slices[i][a.Task] >= a.K
}

// Log returns the errors of evaluations so far.
func (e *Evaluator) Log() *lsl.Log { return &e.log }

// enumerate finds the slices by firing actions from the initial slice on.
func (e *Evaluator) enumerate(ctx context.Context, limit int) error {
	index := map[string]int{}
	add := func(s []int32) int {
		key := fmt.Sprint(s)
		i, ok := index[key]
		if !ok {
			i = len(e.slices)
			index[key] = i
			e.slices = append(e.slices, s)
			e.after = append(e.after, nil)
		}
		return i
	}
	add(make([]int32, e.net.Tasks()))
	for i := 0; i < len(e.slices); i++ {
		if len(e.slices) > limit {
			return &LimitError{limit}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		for t := range san.Task(e.net.Tasks()) {
			if next, ok := e.fire(e.slices[i], t); ok {
				e.after[i] = append(e.after[i], add(next))
			}
		}
	}
	return nil
}

// fire adds the next event of t to slice s, with the other sides of its action. Only its first task
// fires a joint action.
func (e *Evaluator) fire(s []int32, t san.Task) ([]int32, bool) {
	if int(s[t]) == e.net.Len(t) {
		return nil, false
	}
	a := san.Action{Task: t, K: s[t] + 1}
	sides := e.net.Sides(a)
	if sides[0] != a {
		return nil, false
	}
	next := append([]int32(nil), s...)
	for _, side := range sides {
		next[side.Task]++
	}
	for u := range san.Task(e.net.Tasks()) {
		if int(next[u]) < e.net.Known(a, u) {
			return nil, false // a predecessor of a is missing
		}
	}
	for _, side := range sides {
		if next[side.Task] != side.K {
			return nil, false
		}
	}
	return next, true
}

// relate computes the order of slices.
func (e *Evaluator) relate(ctx context.Context) error {
	n := uint(len(e.slices))
	e.above = make([]*bitset.BitSet, n)
	e.below = make([]*bitset.BitSet, n)
	for i := range e.slices {
		e.above[i], e.below[i] = bitset.New(n), bitset.New(n)
	}
	for i := len(e.slices) - 1; i >= 0; i-- {
		for _, j := range e.after[i] {
			e.above[i].Set(uint(j))
			e.above[i].InPlaceUnion(e.above[j])
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	for i := range e.slices {
		for j, ok := e.above[i].NextSet(0); ok; j, ok = e.above[i].NextSet(j + 1) {
			e.below[j].Set(uint(i))
		}
	}
	return ctx.Err()
}

// local returns the values of a local formula, by task and local state.
func (e *Evaluator) local(l spec.Local) [][]lsl.Truth {
	if v, ok := e.locals[l]; ok {
		return v
	}
	f := lsl.Compile(e.net, l, e.logic)
	v := make([][]lsl.Truth, e.net.Tasks())
	for t := range san.Task(e.net.Tasks()) {
		w := e.net.Walk(t)
		for ok := true; ok; ok = w.Next() {
			v[t] = append(v[t], f.Eval(w.State(), &e.log))
		}
	}
	e.locals[l] = v
	return v
}
