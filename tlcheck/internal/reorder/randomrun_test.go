package reorder

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Run is a run of a program.
type Run struct {
	Program Program
	Events  []Event
	Of      [][]int // events of each task
}

// Event is an instruction of a run. Events are numbered from 0.
type Event struct {
	Instr
	Task  int
	Index int // in the code of the task
	// number among the operations of the task; of an access, number of operations before it
	K       int32
	Section int // the event that began the section that the event begins or ends, else -1
	Writer  int // of a read: the event whose value it reads, or -1

	// Predecessors of the event in the orders of package op.
	Full, Free, Data Bits
}

// Bits is a set of events.
type Bits uint64

// Has reports whether an event is in the set.
func (b Bits) Has(i int) bool { return b>>i&1 != 0 }

const maxEvents = 60

// interpreter is the state of a program.
type interpreter struct {
	*Run
	started map[int]int     // the go statement of each task; -1 for the first one
	closed  map[int]int     // the event that closed each channel
	open    map[Instr][]int // sections by their first instruction
	ended   map[Instr][]int // their ends
	written map[int]int     // the last event that wrote each variable
	added   []int           // to the WaitGroup, and not done
	done    []int           // so far
}

// Execute runs a program in some order until no task can go on. An Unlock of an unlocked lock
// waits.
func Execute(t *rapid.T, p Program) *Run {
	x := &interpreter{
		Run:     &Run{Program: p, Of: make([][]int, len(p))},
		started: map[int]int{0: -1}, closed: map[int]int{}, open: map[Instr][]int{}, ended: map[Instr][]int{},
		written: map[int]int{},
	}
	for len(x.Events) < maxEvents {
		var can []int
		for task := range p {
			if x.can(task) {
				can = append(can, task)
			}
		}
		if len(can) == 0 {
			break
		}
		x.do(rapid.SampledFrom(can).Draw(t, "next"))
	}
	return x.Run
}

// begins returns the instruction that begins the section that i ends.
func (i Instr) begins() Instr {
	if i.Kind == op.RUnlock {
		return Instr{op.RLock, i.Obj}
	}
	return Instr{op.Lock, i.Obj}
}

func (x *interpreter) can(task int) bool {
	if _, started := x.started[task]; !started || len(x.Of[task]) == len(x.Program[task]) {
		return false
	}
	switch i := x.Program[task][len(x.Of[task])]; i.Kind {
	case op.Lock:
		return len(x.open[i]) == 0 && len(x.open[Instr{op.RLock, i.Obj}]) == 0
	case op.RLock:
		return len(x.open[Instr{op.Lock, i.Obj}]) == 0
	case op.Unlock, op.RUnlock:
		return len(x.open[i.begins()]) > 0
	case op.RecvClosed:
		_, closed := x.closed[i.Obj]
		return closed
	case op.Send:
		_, closed := x.closed[i.Obj]
		return !closed
	case op.Done:
		return len(x.added) > 0
	case op.Wait:
		return len(x.added) == 0
	}
	return true
}

func (x *interpreter) do(task int) {
	n := len(x.Events)
	e := Event{Instr: x.Program[task][len(x.Of[task])], Task: task, Index: len(x.Of[task]), Section: -1, Writer: -1}
	if own := x.Of[task]; len(own) > 0 {
		last := own[len(own)-1]
		x.after(&e, last)
		e.K = x.Events[last].K
	} else {
		x.after(&e, x.started[task])
	}
	if !e.IsAccess() {
		e.K++
	}
	switch e.Kind {
	case op.Go:
		x.started[e.Obj] = n
	case op.Close:
		if _, again := x.closed[e.Obj]; !again {
			x.closed[e.Obj] = n
		}
	case op.RecvClosed:
		x.after(&e, x.closed[e.Obj])
	case op.Lock, op.RLock:
		x.begin(&e, n)
	case op.Unlock, op.RUnlock:
		x.end(&e, n)
	case op.Add:
		x.added = append(x.added, n)
	case op.Done:
		x.after(&e, x.added[0])
		x.added, x.done = x.added[1:], append(x.done, n)
	case op.Wait:
		for _, i := range x.done {
			x.after(&e, i)
		}
	case op.Read:
		if w, written := x.written[e.Obj]; written {
			e.Writer = w
			e.Data |= x.Events[w].Data | 1<<w
		}
	case op.Write:
		x.written[e.Obj] = n
	}
	x.Events = append(x.Events, e)
	x.Of[task] = append(x.Of[task], n)
}

// after orders an event after another one in all orders.
func (x *interpreter) after(e *Event, i int) {
	if i < 0 {
		return
	}
	o := &x.Events[i]
	e.Full, e.Free, e.Data = e.Full|o.Full|1<<i, e.Free|o.Free|1<<i, e.Data|o.Data|1<<i
}

// begin begins a section. In the full order it comes after all sections that exclude it.
func (x *interpreter) begin(e *Event, n int) {
	e.Section = n
	x.open[e.Instr] = append(x.open[e.Instr], n)
	before := slices.Clone(x.ended[Instr{op.Lock, e.Obj}])
	if e.Kind == op.Lock {
		before = append(before, x.ended[Instr{op.RLock, e.Obj}]...)
	}
	for _, i := range before {
		e.Full |= x.Events[i].Full | 1<<i
	}
}

// end ends the last open section that the task began, otherwise the first one of another task.
func (x *interpreter) end(e *Event, n int) {
	key, at := e.begins(), 0
	for i, s := range x.open[key] {
		if x.Events[s].Task == e.Task {
			at = i
		}
	}
	e.Section = x.open[key][at]
	x.open[key] = slices.Delete(x.open[key], at, at+1)
	x.ended[key] = append(x.ended[key], n)
	x.after(e, e.Section)
}

// Clock returns the operations in a set as a clock.
func (r *Run) Clock(b Bits) *clock.Clock {
	var c *clock.Clock
	for i := range r.Events {
		if e := &r.Events[i]; b.Has(i) && e.K > 0 {
			c = c.With(int32(e.Task), e.K)
		}
	}
	return c
}

// Before returns the predecessors of the point directly before an event, in all three orders.
func (r *Run) Before(i int) (full, free, data Bits) {
	e := &r.Events[i]
	last := slices.IndexFunc(r.Events, func(o Event) bool { return o.Instr == Instr{op.Go, e.Task} })
	if e.Index > 0 {
		last = r.Of[e.Task][e.Index-1]
	}
	if last < 0 {
		return 0, 0, 0
	}
	o := &r.Events[last]
	return o.Full | 1<<last, o.Free | 1<<last, o.Data | 1<<last
}

// Ops returns the operations reported for an event; for an access, the write that it reads, and the
// earlier accesses with which it conflicts. The place of event i is i+1.
func (r *Run) Ops(i int) []op.Op {
	before := make([]int, i)
	for j := range before {
		before[j] = j
	}
	return r.ops(i, before)
}

// ops is Ops with conflicts restricted to some earlier events.
func (r *Run) ops(i int, before []int) []op.Op {
	e := &r.Events[i]
	full, free, data := r.Before(i)
	o := op.Op{Task: op.Task(e.Task), Other: op.NoTask, At: op.Place(i + 1), Full: r.Clock(e.Full),
		Free: r.Clock(e.Free), Data: r.Clock(e.Data)}
	if !e.IsAccess() {
		o.Kind, o.K, o.Object, o.Begin = e.Kind, e.K, op.Object(e.Obj+1), r.Clock(full)
		switch e.Kind {
		case op.Go:
			o.Object, o.Other = 0, op.Task(e.Obj)
		case op.Close, op.RecvClosed, op.Send:
			o.Object += 100
			o.Before, o.BeforeData = r.Clock(free), r.Clock(data)
		case op.Add, op.Done, op.Wait:
			o.Object, o.Arg = group, r.Delta(i)
			o.Before, o.BeforeData = r.Clock(free), r.Clock(data)
		}
		return []op.Op{o}
	}
	o.Full, o.Free, o.Data, o.Moment, o.Address, o.Arg = r.Clock(full), r.Clock(free), r.Clock(data), e.K,
		uint64(e.Obj+1)*8, 8
	var all []op.Op
	if e.Writer >= 0 && r.Events[e.Writer].Task != e.Task {
		all = append(all, r.with(o, op.ReadFrom, e.Writer))
	}
	for _, j := range before {
		a := &r.Events[j]
		if a.Obj != e.Obj || !a.IsAccess() || a.Task == e.Task || a.Kind == op.Read && e.Kind == op.Read ||
			data.Has(j) && full.Has(j) {
			continue
		}
		c := r.with(o, op.Conflict, j)
		c.Want, c.OtherWant, c.OtherAlone, c.Sectioned = e.Kind, a.Kind, true, full.Has(j)
		all = append(all, c)
	}
	if read := r.readBefore(i); read != nil && read.Writer >= 0 && r.Events[read.Writer].Task != e.Task {
		all = append(all, r.with(o, op.Rewrite, read.Writer))
	}
	return all
}

// group is the WaitGroup.
const group op.Object = 200

// Delta is what an event adds to the counter of the WaitGroup.
func (r *Run) Delta(i int) int64 {
	switch r.Events[i].Kind {
	case op.Add:
		return 1
	case op.Done:
		return -1
	}
	return 0
}

// readBefore returns the read of a variable right before a write of the same one, nil if there is
// none.
func (r *Run) readBefore(i int) *Event {
	e := &r.Events[i]
	if e.Kind != op.Write || e.Index == 0 {
		return nil
	}
	before := &r.Events[r.Of[e.Task][e.Index-1]]
	if before.Instr != (Instr{op.Read, e.Obj}) {
		return nil
	}
	return before
}

// Ends returns the ends of the tasks that have performed all their instructions.
func (r *Run) Ends() []op.Op {
	var ends []op.Op
	for task, own := range r.Of {
		if len(own) == 0 || len(own) < len(r.Program[task]) {
			continue
		}
		last := own[len(own)-1]
		e := &r.Events[last]
		ends = append(ends, op.Op{
			Kind: op.End, Task: op.Task(task), K: e.K + 1, Other: op.NoTask,
			Full: r.Clock(e.Full | 1<<last), Free: r.Clock(e.Free | 1<<last), Data: r.Clock(e.Data | 1<<last),
		})
	}
	return ends
}

// with makes o an operation related to an earlier access.
func (r *Run) with(o op.Op, kind op.Kind, access int) op.Op {
	_, _, data := r.Before(access)
	a := &r.Events[access]
	o.Kind, o.Other, o.OtherAt, o.OtherMoment, o.OtherData = kind, op.Task(a.Task), op.Place(access+1), a.K,
		r.Clock(data)
	return o
}
