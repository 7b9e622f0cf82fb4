package builtin

import (
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// netRun is a run of at most 63 operations, with what comes before each of them as a set: the dumb
// way to know it.
type netRun struct {
	ops    []op.Op
	before []bits // of each operation, all that come before it
	begin  []bits // of a Wait, what its task knew; else as before
	know   map[op.Task]bits
	k      map[op.Task]int32
	held   map[op.Object]bits // what an object hands on
}

type bits uint64

func (b bits) has(i int) bool { return b>>i&1 != 0 }

func newNetRun() *netRun {
	return &netRun{know: map[op.Task]bits{}, k: map[op.Task]int32{}, held: map[op.Object]bits{}}
}

// do appends an operation, whose task learns what others knew, and returns what it knows then. Each
// operation has a place of its own.
func (r *netRun) do(o op.Op, learnt bits) bits {
	begin := r.know[o.Task]
	o.Begin = r.clock(begin, o.Task)
	o.Before = o.Begin
	if o.Kind == op.Handoff {
		o.OtherBegin = r.clock(r.know[o.Other], o.Other)
		o.OtherBefore = o.OtherBegin
		begin |= r.know[o.Other]
	}
	knows := begin | learnt
	i := len(r.ops)
	r.before, r.begin = append(r.before, knows), append(r.begin, begin)
	r.k[o.Task]++
	o.K, o.At = r.k[o.Task], op.Place(i+1)
	if o.Kind == op.Handoff {
		r.k[o.Other]++
		o.OtherK, o.OtherAt = r.k[o.Other], op.Place(i+1)
	}
	o.Full = r.clock(knows, o.Task)
	o.Free = o.Full
	r.ops = append(r.ops, o)
	knows |= 1 << i
	r.know[o.Task] = knows
	if o.Kind == op.Handoff {
		r.know[o.Other] = knows
	}
	if o.Kind == op.Go {
		r.know[o.Other] = knows
	}
	return knows
}

// clock returns what a task knows of others. As in the run of a program, it need not have what the
// task has done itself.
func (r *netRun) clock(b bits, of op.Task) *clock.Clock {
	known := map[int32]int32{}
	for i, o := range r.ops {
		if !b.has(i) {
			continue
		}
		known[int32(o.Task)] = max(known[int32(o.Task)], o.K)
		if o.Kind == op.Handoff {
			known[int32(o.Other)] = max(known[int32(o.Other)], o.OtherK)
		}
	}
	delete(known, int32(of))
	var c *clock.Clock
	for t, k := range known {
		c = c.With(t, k)
	}
	return c
}

// findings returns what a detector finds in the run.
func (r *netRun) findings(properties ...Property) []Finding {
	c := checkerOf(properties...)
	for i := range r.ops {
		o := r.ops[i]
		c.Op(&o)
	}
	return c.Findings(testNames{})
}

// slices calls visit with each downward closed set of operations.
func (r *netRun) slices(visit func(in bits)) {
	seen := map[bits]bool{0: true}
	for queue := []bits{0}; len(queue) > 0; queue = queue[1:] {
		in := queue[0]
		visit(in)
		for i := range r.ops {
			if next := in | 1<<i; r.next(in, i) && !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
}

// next reports whether operation i can come next in a slice.
func (r *netRun) next(in bits, i int) bool { return !in.has(i) && r.before[i]&^in == 0 }

// places lists the places of the parties of findings, sorted.
func placesOf(all []Finding) [][]op.Place {
	var places [][]op.Place
	for _, f := range all {
		var ps []op.Place
		for _, p := range f.Parties {
			ps = append(ps, p.At)
		}
		places = append(places, ps)
	}
	slices.SortFunc(places, slices.Compare)
	return places
}

// moves are what the tasks of a random run can do next: each either does it, if it can, or reports
// that it cannot.
type moves map[string]func(t *rapid.T, task op.Task) bool

// random runs moves of random tasks, which hear of what others did on ways that are not recorded.
func (r *netRun) random(t *rapid.T, tasks int, m moves) {
	names := slices.Sorted(maps.Keys(m))
	for range rapid.IntRange(7, 14).Draw(t, "steps") {
		task := op.Task(rapid.IntRange(0, tasks-1).Draw(t, "task"))
		if n := len(r.ops); n > 0 && rapid.Bool().Draw(t, "hears") {
			heard := rapid.IntRange(0, n-1).Draw(t, "of")
			r.know[task] |= r.before[heard] | 1<<heard
		}
		for _, i := range rapid.Permutation(names).Draw(t, "moves") {
			if m[i](t, task) {
				break
			}
		}
	}
}
