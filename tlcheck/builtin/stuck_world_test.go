package builtin_test

import (
	"iter"
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
)

// world is a program at its end: tasks with what each of them leads to, and things that they
// synchronise on. Task 0 is main. All that could still happen is small enough to be enumerated:
// see wakes.
type world struct {
	tasks  []*member
	things []*thing // object i+1 is things[i]
	ops    []op.Op  // that have led here
	uses   []use    // among these what could end a wait

	left    op.Task // ended the program; NoTask if it was ended from outside
	exits   bool    // by os.Exit
	checked bool    // the program has looked for what leads to what tasks wait for
	outcome op.Outcome
	found   map[op.Task]op.Source // what it says
}

// member is a task.
type member struct {
	fate   fate
	by     op.Task  // that has started it
	at     op.Place // where
	daemon bool     // before main had initialised all packages
	has    map[op.Object]bool
	waits  []want  // what it waits for, where its fate is to wait; nil channels left out
	want   op.Kind // as in Block
	idle   bool    // it waits in a select statement without cases
	late   bool    // it began to wait after the program had looked
	ready  bool    // what it waits for was there already at the end
}

// fate is what a task does at the end.
type fate int

const (
	goesOn fate = iota // a ticker, a server that waits for input, a sleeper
	waits
	ended
	pending // a timer will start it
	stopped // a timer would have
)

// want is what a task would do with an object.
type want struct {
	kind op.Kind
	on   op.Object
}

// use is what a task has done, or would have done in a select statement.
type use struct {
	want
	by op.Task
}

// Uses that are no operations.
const (
	wouldSend = op.KindCount + iota
	wouldReceive
)

// sort is what a thing is.
type sort int

const (
	channel sort = iota
	mutex
	rwMutex
	group
	cond
	once
	sorts
)

// thing is an object.
type thing struct {
	sort
	global bool // a package variable has it
	source bool // a timer or something outside the program sends on the channel
	cap    int
	lent   bool // a task has unlocked what another one had locked
	condition
}

// condition is what changes of a thing.
type condition struct {
	len    int // of the buffer; of a group its counter
	closed bool
	// number of the task plus 1, 0 if there is none; of a Once the one that runs its function
	writer  int
	readers taskSet
}

type taskSet uint16

func setOf(t op.Task) taskSet { return 1 << t }

func (s taskSet) has(t op.Task) bool { return s&setOf(t) != 0 }

func (w *world) thing(o op.Object) *thing { return w.things[o-1] }

// waiting yields the tasks that wait at the end.
func (w *world) waiting() iter.Seq2[op.Task, *member] {
	return func(yield func(op.Task, *member) bool) {
		for i, m := range w.tasks {
			if m.fate == waits && op.Task(i) != w.left && !yield(op.Task(i), m) {
				return
			}
		}
	}
}

// isSource reports whether a timer or something outside the program will wake a task.
func (w *world) isSource(m *member) bool {
	return slices.ContainsFunc(m.waits, func(x want) bool { return x.kind == op.Recv && w.thing(x.on).source })
}

// awaitsExit reports whether a task may wait for what has ended the program.
func (w *world) awaitsExit(t op.Task) bool {
	if !w.exits || w.left == 0 {
		return false
	}
	for by := w.left; by > 0; by = w.tasks[by].by {
		if by == t {
			return true
		}
	}
	return t == 0
}

// isIdleMain reports whether a task is main in a select statement without cases, where it lets
// others work.
func (w *world) isIdleMain(t op.Task) bool {
	return t == 0 && w.tasks[0].fate == waits && w.tasks[0].idle
}

// moment is what can change after the end.
type moment struct {
	awake  taskSet
	things [maxThings]condition
}

const maxThings = 4

// liberty is what tasks may do with what they have.
type liberty struct {
	foreign bool // unlock what others have locked, also where no task has done so
	spread  bool // have all objects, but not those that are known to be cut off from them
}

// wakes returns the tasks that go on, or are woken in some continuation. It tries all that the
// tasks can do, one after the other: a task that goes on does anything to whatever it has.
func (w *world) wakes(l liberty) taskSet {
	start := moment{}
	for i, m := range w.tasks {
		t := op.Task(i)
		switch {
		case t == w.left:
			if w.exits && !l.spread && w.knowsAll() {
				start.awake |= setOf(t) // it may have been about to do more
			}
		case l.spread && w.exits && m.fate == waits && w.isKnownReached(t) && !isLock(m.want) && m.want != op.Once:
			start.awake |= setOf(t)
		case m.fate == goesOn, m.fate == pending, m.fate == waits && (w.isSource(m) || m.ready),
			l.spread && m.fate == waits && w.awaitsExit(t) && !isLock(m.want):
			start.awake |= setOf(t)
		}
	}
	for i, th := range w.things {
		start.things[i] = th.condition
	}
	everyone := start.awake
	for t := range w.waiting() {
		everyone |= setOf(t)
	}
	x := explorer{world: w, liberty: l, seen: map[moment]bool{}}
	x.visit(start)
	for len(x.todo) > 0 && x.all != everyone {
		m := x.todo[len(x.todo)-1]
		x.todo = x.todo[:len(x.todo)-1]
		x.expand(m)
	}
	return x.all
}

func isLock(k op.Kind) bool { return k == op.Lock || k == op.RLock }

// explorer enumerates moments.
type explorer struct {
	*world
	liberty
	seen map[moment]bool
	todo []moment
	all  taskSet // awake in one of them
}

func (x *explorer) visit(m moment) {
	if !x.seen[m] {
		x.seen[m] = true
		x.all |= m.awake
		x.todo = append(x.todo, m)
	}
}

// expand visits the moments that one step of a task leads to.
func (x *explorer) expand(m moment) {
	for t, task := range x.waiting() {
		if !m.awake.has(t) {
			x.resume(m, t, task)
		}
	}
	for i, task := range x.tasks {
		for o := range x.things {
			t, o := op.Task(i), op.Object(o+1)
			switch {
			case !task.has[o] && !(x.thing(o).global && t != x.left) && !x.spread:
			case m.awake.has(t):
				x.use(m, t, o)
			case x.exits && t == x.left:
				x.unlock(m, t, o, false) // it may have been about to
			}
		}
	}
}

// resume lets a task that waits go on, if what it waits for is there.
func (x *explorer) resume(m moment, t op.Task, task *member) {
	if x.spread && x.isIdleMain(t) && m.awake != 0 {
		x.wake(m, t)
	}
	for _, w := range task.waits {
		if after := m; x.isThere(&m, t, w) {
			c := &after.things[w.on-1]
			switch {
			case w.kind == op.Lock || w.kind == op.Once:
				c.writer = int(t) + 1
			case w.kind == op.RLock:
				c.readers |= setOf(t)
			case w.kind == op.Recv && c.len > 0:
				c.len--
			case w.kind == op.Send && !c.closed:
				c.len++
			}
			x.wake(after, t)
		}
	}
}

func (x *explorer) wake(m moment, t op.Task) {
	if !x.spread || x.mayBeReached(t) {
		m.awake |= setOf(t)
		x.visit(m)
	}
}

// isThere reports whether what a task waits for is there.
func (w *world) isThere(m *moment, t op.Task, x want) bool {
	c := &m.things[x.on-1]
	switch x.kind {
	case op.Recv:
		return c.len > 0 || c.closed
	case op.Send:
		return c.len < w.thing(x.on).cap || c.closed
	case op.Lock, op.Once:
		return c.writer == 0 && c.readers == 0
	case op.RLock:
		for other, o := range w.waiting() {
			if !m.awake.has(other) && slices.Contains(o.waits, want{op.Lock, x.on}) {
				return false // a writer keeps readers out
			}
		}
		return c.writer == 0
	case op.Wait:
		return c.len == 0
	}
	return false // a Cond wakes those that wait at once
}

// use lets a task that is awake do all to an object that may end a wait, then or later.
func (x *explorer) use(m moment, t op.Task, o op.Object) {
	th, c := x.thing(o), &m.things[o-1]
	switch th.sort {
	case channel:
		x.communicate(m, o)
	case mutex, rwMutex, once:
		x.unlock(m, t, o, (x.foreign || th.lent) && th.sort != once && t != x.left)
	case group:
		if after := m; c.len > 0 {
			after.things[o-1].len--
			x.visit(after)
		}
	case cond:
		x.meet(m, want{op.CondWait, o})
	}
}

// meet lets each of those that wait for something go on, one of them at a time.
func (x *explorer) meet(m moment, w want) {
	for t, task := range x.waiting() {
		if !m.awake.has(t) && slices.Contains(task.waits, w) {
			x.wake(m, t)
		}
	}
}

func (x *explorer) communicate(m moment, o op.Object) {
	th, c := x.thing(o), &m.things[o-1]
	if after := m; c.len > 0 {
		after.things[o-1].len--
		x.visit(after)
	}
	if c.closed {
		return
	}
	x.meet(m, want{op.Recv, o})
	x.meet(m, want{op.Send, o})
	if after := m; c.len < th.cap {
		after.things[o-1].len++
		x.visit(after)
	}
	after := m
	after.things[o-1].closed = true
	x.visit(after)
}

// unlock lets a task unlock a lock, also what others have locked if it lends.
func (x *explorer) unlock(m moment, t op.Task, o op.Object, lends bool) {
	c := &m.things[o-1]
	if after := m; c.writer == int(t)+1 || c.writer != 0 && lends {
		after.things[o-1].writer = 0
		x.visit(after)
		x.letReadersIn(after, o)
	}
	for reader := range x.tasks {
		if after := m; c.readers.has(op.Task(reader)) && (op.Task(reader) == t || lends) {
			after.things[o-1].readers &^= setOf(op.Task(reader))
			x.visit(after)
		}
	}
}

// letReadersIn wakes all that wait to read: they come before the next writer.
func (x *explorer) letReadersIn(m moment, o op.Object) {
	for t, task := range x.waiting() {
		if !m.awake.has(t) && slices.Contains(task.waits, want{op.RLock, o}) && (!x.spread || x.mayBeReached(t)) {
			m.awake |= setOf(t)
			m.things[o-1].readers |= setOf(t)
		}
	}
	x.visit(m)
}

// reached returns the tasks that go on, and those that wait for what something leads to that can go
// on, or a task that is reached. The garbage collector finds these.
func (w *world) reached(globals bool) taskSet {
	var all taskSet
	marked := map[op.Object]bool{}
	for i, m := range w.tasks {
		t := op.Task(i)
		isRoot := m.fate == goesOn || m.fate == pending || m.fate == waits && (m.ready || w.isSource(m))
		if t == w.left {
			isRoot = w.exits
		}
		if isRoot {
			all |= setOf(t)
		}
	}
	for i, th := range w.things {
		if o := op.Object(i + 1); globals && th.global || th.source {
			marked[o] = true
		}
	}
	for again := true; again; {
		again = false
		for i, m := range w.tasks {
			t := op.Task(i)
			if m.fate == waits && !all.has(t) && t != w.left &&
				slices.ContainsFunc(m.waits, func(x want) bool { return marked[x.on] }) {
				all |= setOf(t)
			}
			for o := range m.has {
				if all.has(t) && !marked[o] {
					marked[o], again = true, true
				}
			}
		}
	}
	return all
}

// knowsAll reports whether it was found out what leads to what each task waits for.
func (w *world) knowsAll() bool {
	isLate := func(m *member) bool { return m.fate == waits && m.late }
	return w.checked && w.outcome == op.Complete && !slices.ContainsFunc(w.tasks, isLate)
}

// isKnownReached reports whether it was found out that something leads to what a task waits for.
func (w *world) isKnownReached(t op.Task) bool {
	_, isFound := w.found[t]
	return w.isKnown(t) && !isFound
}

// mayBeReached reports whether something may lead to what a task waits for, for all that is known.
func (w *world) mayBeReached(t op.Task) bool {
	source, isFound := w.found[t]
	return !isFound || source != op.FromNothing || w.isIdleMain(t)
}
