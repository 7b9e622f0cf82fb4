package deadlock

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
	"pgregory.net/rapid"
)

// Numbers of objects in operations.
func lockObject(i int) op.Object { return op.Object(1 + i) }
func chanObject(i int) op.Object { return op.Object(11 + i) }

const counterObject = 21

func placeOf(task, pc int) op.Place { return op.Place(1 + task*100 + pc) }

// observer reports a run as operations, with clocks computed in the simplest way.
type observer struct {
	*program
	to    op.Watcher
	k     []int32
	knows []knowledge
	slots map[[3]int]knowledge // channel, slot, 0 for what was sent and 1 for what was received
	last  map[int][2]int       // of a channel: how many were sent and received
	rest  map[string]knowledge // what is closed, done or stored
	locks map[int]*chanLock    // channels that are used as locks so far
	// of a lock: what those knew in the full order who have locked it last, and who have for
	// reading
	taken map[[2]int]knowledge
	// of a lock: what those know in the full order who have unlocked it, and who have for reading
	left map[[2]int]knowledge

	clocks map[string]*clock.Clock
}

// chanLock is a channel that is used as a lock so far: who has sent, and what those knew who
// received.
type chanLock struct {
	holder int
	left   knowledge
}

// knowledge is for each task the number of its last operation that is known, and for a task inFull
// later of its last one in the full order.
type knowledge map[op.Task]int32

const inFull = 10

func (a knowledge) with(b knowledge) knowledge {
	c := knowledge{}
	for t, k := range a {
		c[t] = k
	}
	for t, k := range b {
		c[t] = max(c[t], k)
	}
	return c
}

// inFull returns what is known in the full order.
func (a knowledge) inFull() knowledge {
	c := knowledge{}
	for t, k := range a {
		if t >= inFull {
			c[t] = k
		}
	}
	return c
}

// clock returns what task but knows of the others: the same clock as long as it learns nothing.
func (o *observer) clock(a knowledge, but op.Task) *clock.Clock { return o.clockOf(a, but, 0) }

// fullClock is clock in the full order.
func (o *observer) fullClock(a knowledge, but op.Task) *clock.Clock { return o.clockOf(a, but, inFull) }

func (o *observer) clockOf(a knowledge, but, from op.Task) *clock.Clock {
	var key strings.Builder
	for t := range op.Task(inFull) {
		if t != but {
			fmt.Fprint(&key, t, a[from+t], " ")
		}
	}
	if c := o.clocks[key.String()]; c != nil {
		return c
	}
	w := clock.NewWriter(nil)
	for t := range op.Task(inFull) {
		if k := a[from+t]; k > 0 && t != but {
			w.Set(int32(t), k)
		}
	}
	o.clocks[key.String()] = w.Clock()
	return o.clocks[key.String()]
}

// run draws a run of the program, if possible one in which all tasks end.
func (p *program) run(t *rapid.T) []move {
	rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	var run []move
	for range 10 {
		run = run[:0]
		s := p.start()
		for {
			moves := slices.DeleteFunc(p.moves(s), func(m move) bool { return m.announce })
			if len(moves) == 0 {
				break
			}
			m := moves[rnd.IntN(len(moves))]
			run = append(run, m)
			p.do(s, m)
		}
		if len(p.blocked(s)) == 0 {
			break
		}
	}
	return run
}

// observe reports a run of the program.
func (p *program) observe(to op.Watcher, run []move) {
	o := &observer{p, to, make([]int32, len(p.tasks)), make([]knowledge, len(p.tasks)), map[[3]int]knowledge{}, map[int][2]int{}, map[string]knowledge{}, map[int]*chanLock{}, map[[2]int]knowledge{}, map[[2]int]knowledge{}, map[string]*clock.Clock{}}
	for c, n := range p.caps {
		if n == 1 {
			o.locks[c] = &chanLock{}
		}
		if slices.ContainsFunc(p.tasks, func(code []instr) bool { return slices.Contains(code, instr{op.MakeChan, c}) }) {
			continue
		}
		o.step(0)
		to.Op(&op.Op{Kind: op.MakeChan, Task: 0, K: o.k[0], Object: chanObject(c), Arg: int64(n), Other: op.NoTask})
	}
	s := p.start()
	if s.counter > 0 {
		o.step(0)
		to.Op(&op.Op{Kind: op.Add, Task: 0, K: o.k[0], Object: counterObject, Arg: int64(s.counter), Other: op.NoTask})
	}
	for _, m := range run {
		o.tell(s, m)
		p.do(s, m)
		for _, t := range []int{m.task, m.partner} {
			if t >= 0 && s.pc[t] == len(p.tasks[t]) {
				o.step(t)
				to.Op(&op.Op{Kind: op.End, Task: op.Task(t), K: o.k[t], Other: op.NoTask, Free: o.clock(o.knows[t], op.Task(t)), Full: o.fullClock(o.knows[t], op.Task(t))})
			}
		}
	}
	for t := range p.tasks {
		i, ok := p.next(s, t)
		if !ok {
			continue
		}
		o.step(t)
		b := o.op(s, t, i)
		b.Kind, b.Want = op.Block, i.kind
		to.Op(b)
	}
}

// step numbers an operation of t, which it knows itself.
func (o *observer) step(t int) {
	o.k[t]++
	o.knows[t] = o.knows[t].with(knowledge{op.Task(t): o.k[t], inFull + op.Task(t): o.k[t]})
}

func (o *observer) op(s *globalState, t int, i instr) *op.Op {
	x := &op.Op{Kind: i.kind, Task: op.Task(t), K: o.k[t], At: placeOf(t, s.pc[t]), Other: op.NoTask}
	switch i.kind {
	case op.Lock, op.RLock, op.Unlock, op.RUnlock:
		x.Object = lockObject(i.obj)
	case op.Send, op.Recv, op.Close:
		x.Object = chanObject(i.obj)
	case op.MakeChan:
		x.Object, x.Arg = chanObject(i.obj), int64(o.caps[i.obj])
	case op.Add, op.Done, op.Wait:
		x.Object = counterObject
	case op.Once, ran:
		x.Object = onceObject
	}
	x.Free, x.Full = o.clock(o.knows[t], x.Task), o.fullClock(o.knows[t], x.Task)
	x.Before, x.Begin = x.Free, x.Full
	return x
}

func (o *observer) tell(s *globalState, m move) {
	i, _ := o.next(s, m.task)
	t := m.task
	if i.kind == op.Once || i.kind == ran {
		o.tellOnce(s, t, i)
		return
	}
	o.step(t)
	x := o.op(s, t, i)
	learn := func(k knowledge) { o.knows[t] = o.knows[t].with(k) }
	const writing, reading = 0, 1
	switch i.kind {
	case op.Lock:
		learn(o.left[[2]int{i.obj, writing}].with(o.left[[2]int{i.obj, reading}]))
		o.taken[[2]int{i.obj, writing}] = o.knows[t].inFull()
	case op.RLock:
		learn(o.left[[2]int{i.obj, writing}])
		was := [2]int{i.obj, reading}
		o.taken[was] = o.taken[was].with(o.knows[t].inFull())
	case op.Unlock:
		if s.writer[i.obj] != t {
			learn(o.taken[[2]int{i.obj, writing}])
		}
		o.left[[2]int{i.obj, writing}] = o.knows[t].inFull()
	case op.RUnlock:
		was := [2]int{i.obj, reading}
		if s.readers[i.obj][t] == 0 {
			learn(o.taken[was])
		}
		o.left[was] = o.left[was].with(o.knows[t].inFull())
	case op.Go:
		x.Other = op.Task(i.obj)
		o.knows[i.obj] = o.knows[t]
	case op.Send:
		if m.partner >= 0 {
			u := m.partner
			o.step(u)
			x.Kind, x.Other, x.OtherK, x.OtherAt = op.Handoff, op.Task(u), o.k[u], placeOf(u, s.pc[u])
			x.OtherBefore = o.clock(o.knows[u], x.Other)
			learn(o.knows[u])
			o.knows[u] = o.knows[t]
			break
		}
		n := o.last[i.obj]
		slot := n[0] % o.caps[i.obj]
		x.Arg = int64(slot)
		if lock := o.locks[i.obj]; lock != nil {
			lock.holder = t
			x.Locking = true
		} else {
			learn(o.slots[[3]int{i.obj, slot, 1}])
		}
		o.slots[[3]int{i.obj, slot, 0}] = o.knows[t]
		o.last[i.obj] = [2]int{n[0] + 1, n[1]}
	case op.Recv:
		if s.fill[i.obj] == 0 {
			x.Kind = op.RecvClosed
			learn(o.rest[fmt.Sprint("closed", i.obj)])
			break
		}
		n := o.last[i.obj]
		slot := n[1] % o.caps[i.obj]
		x.Arg = int64(slot)
		learn(o.slots[[3]int{i.obj, slot, 0}])
		if lock := o.locks[i.obj]; lock != nil && lock.holder == t {
			lock.left = lock.left.with(o.knows[t])
			x.Locking = true
		} else if lock != nil {
			learn(lock.left)
			delete(o.locks, i.obj)
		}
		o.slots[[3]int{i.obj, slot, 1}] = o.knows[t]
		o.last[i.obj] = [2]int{n[0], n[1] + 1}
	case op.Close:
		o.rest[fmt.Sprint("closed", i.obj)] = o.knows[t]
	case op.Add:
		x.Arg = 1
	case op.Done:
		x.Arg = -1
		o.rest["done"] = o.rest["done"].with(o.knows[t])
	case op.Wait:
		learn(o.rest["done"])
	case op.AtomicStore:
		name := fmt.Sprint("variable", i.obj)
		learn(o.rest[name].with(o.rest[name+" loaded"]))
		o.rest[name] = o.knows[t]
	case op.AtomicLoad:
		name := fmt.Sprint("variable", i.obj)
		learn(o.rest[name])
		o.rest[name+" loaded"] = o.rest[name+" loaded"].with(o.knows[t])
	}
	x.Free, x.Full = o.clock(o.knows[t], x.Task), o.fullClock(o.knows[t], x.Task)
	o.to.Op(x)
}
