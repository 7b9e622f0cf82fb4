package builtin_test

import (
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/op"
)

const maxTasks = 6 // main included

// drawer draws a world. It does what the tasks do as they do it, and knows what is then.
type drawer struct {
	*world
	t     *rapid.T
	place op.Place // of the last operation: each has its own
}

func drawWorld(t *rapid.T) *world {
	d := &drawer{&world{left: op.NoTask, found: map[op.Task]op.Source{}}, t, 100}
	d.makeThings()
	d.startTasks()
	d.act(8, d.canAct)
	d.takeLocks()
	d.settle()
	d.act(3, func(m *member) bool { return m.fate == goesOn })
	d.signal()
	d.chooseEnd()
	d.look()
	d.leave()
	return d.world
}

func (d *drawer) one(label string, in int) bool { return rapid.IntRange(0, in-1).Draw(d.t, label) == 0 }

func (d *drawer) number(label string, from, to int) int {
	return rapid.IntRange(from, to).Draw(d.t, label)
}

func (d *drawer) do(o op.Op) {
	if o.At == 0 {
		d.place++
		o.At = d.place
	}
	d.ops = append(d.ops, o)
}

func (d *drawer) used(by op.Task, kind op.Kind, on op.Object) {
	d.uses = append(d.uses, use{want{kind, on}, by})
}

func (d *drawer) makeThings() {
	for range d.number("things", 1, maxThings) {
		th := &thing{sort: sort(d.number("sort", 0, int(sorts)-1)), global: d.one("global", 4)}
		if th.sort == channel {
			th.cap = d.number("capacity", 0, 2)
		}
		d.things = append(d.things, th)
	}
}

// startTasks starts tasks, some before main has initialised all packages.
func (d *drawer) startTasks() {
	d.tasks = []*member{{has: d.references(2)}}
	begun := false
	begin := func() {
		begun = true
		d.do(op.Op{Kind: op.Main})
		for i, th := range d.things {
			if th.sort == channel {
				d.do(op.Op{Kind: op.MakeChan, Object: op.Object(i + 1), Arg: int64(th.cap)})
			}
		}
	}
	for i := range d.number("tasks", 1, maxTasks-1) {
		m := &member{daemon: !begun && d.one("daemon", 8), at: op.Place(d.number("started at", 1, 5))}
		m.has = d.references(2)
		if !m.daemon && !begun {
			begin()
		}
		if !m.daemon {
			m.by = rapid.SampledFrom(d.where(d.canAct)).Draw(d.t, "by")
			m.fate = []fate{goesOn, goesOn, goesOn, goesOn, pending, stopped}[d.number("by a timer", 0, 5)]
		}
		d.tasks = append(d.tasks, m)
		d.do(op.Op{Kind: op.Go, Task: m.by, Other: op.Task(i + 1)})
		if m.fate == stopped {
			d.do(op.Op{Kind: op.Stop, Task: m.by, Object: timerOf(op.Task(i + 1))})
			m.has = nil
		}
	}
	if !begun {
		begin()
	}
	for i, th := range d.things {
		if th.sort == channel && d.one("source", 6) {
			th.source = true
			o := op.Op{Kind: op.Outside, Object: op.Object(i + 1)}
			if d.one("ticker", 2) {
				o.Kind, o.Arg = op.Arm, 1
			}
			d.do(o)
		}
	}
}

// timerOf is the timer that starts a task.
func timerOf(t op.Task) op.Object { return 100 + op.Object(t) }

// references draws what a stack leads to.
func (d *drawer) references(most int) map[op.Object]bool {
	has := map[op.Object]bool{}
	for range d.number("references", 0, most) {
		has[op.Object(d.number("reference", 1, len(d.things)))] = true
	}
	return has
}

// canAct reports whether a task runs.
func (d *drawer) canAct(m *member) bool { return m.fate == goesOn }

// where returns the tasks that a condition holds of. Main is always one before it leaves.
func (d *drawer) where(is func(*member) bool) []op.Task {
	var all []op.Task
	for i, m := range d.tasks {
		if is(m) {
			all = append(all, op.Task(i))
		}
	}
	return all
}

// act lets tasks use things, at most so many times.
func (d *drawer) act(most int, may func(*member) bool) {
	for range d.number("steps", 0, most) {
		tasks := d.where(may)
		if len(tasks) == 0 {
			return
		}
		d.step(rapid.SampledFrom(tasks).Draw(d.t, "task"), op.Object(d.number("on", 1, len(d.things))))
	}
}

// step lets a task use a thing in a way that does not make it wait.
func (d *drawer) step(t op.Task, o op.Object) {
	th := d.thing(o)
	switch th.sort {
	case channel:
		d.useChannel(t, o, th)
	case mutex, rwMutex:
		d.useLock(t, o, th)
	case group:
		d.useGroup(t, o, th)
	case cond:
		d.do(op.Op{Kind: op.Signal, Task: t, Object: o, Arg: 1}) // unheard
		d.used(t, op.Signal, o)
	case once:
		if th.writer == 0 {
			d.do(op.Op{Kind: op.Lock, Task: t, Object: o})
			d.do(op.Op{Kind: op.Unlock, Task: t, Object: o})
			d.used(t, op.Lock, o)
		}
	}
}

func (d *drawer) useChannel(t op.Task, o op.Object, th *thing) {
	switch d.number("channel", 0, 5) {
	case 0, 1:
		d.send(t, o, th)
	case 2:
		if th.len > 0 {
			th.len--
			d.do(op.Op{Kind: op.Recv, Task: t, Object: o})
			d.used(t, op.Recv, o)
		}
	case 3:
		if !th.closed && d.one("closes", 3) {
			th.closed = true
			d.do(op.Op{Kind: op.Close, Task: t, Object: o})
			d.used(t, op.Close, o)
		}
	default: // would have sent or received, if it had not taken its default
		sends := d.one("sends", 2)
		d.do(op.Op{Kind: op.Select, Task: t, Cases: []op.Case{{Object: o, Send: sends}}, Arg: op.TookDefault})
		d.used(t, map[bool]op.Kind{true: wouldSend, false: wouldReceive}[sends], o)
	}
}

func (d *drawer) send(t op.Task, o op.Object, th *thing) {
	if th.closed {
		return
	}
	if th.cap > 0 {
		if th.len < th.cap {
			th.len++
			d.do(op.Op{Kind: op.Send, Task: t, Object: o})
			d.used(t, op.Send, o)
		}
		return
	}
	others := d.where(func(m *member) bool { return d.canAct(m) && m != d.tasks[t] })
	if len(others) > 0 {
		to := rapid.SampledFrom(others).Draw(d.t, "to")
		d.place++
		d.do(op.Op{Kind: op.Handoff, Task: t, Other: to, Object: o, OtherAt: d.place})
		d.used(t, op.Send, o)
		d.used(to, op.Recv, o)
	}
}

// useLock lets a task lock and unlock, or unlock what another one has locked.
func (d *drawer) useLock(t op.Task, o op.Object, th *thing) {
	switch by := t; {
	case th.writer != 0:
		if d.one("unlocks", 3) {
			d.do(op.Op{Kind: op.Unlock, Task: t, Object: o})
			th.lent = th.lent || th.writer != int(t)+1
			th.writer = 0
		}
	case th.readers.has(t):
		d.do(op.Op{Kind: op.RUnlock, Task: t, Object: o})
		th.readers &^= setOf(t)
	case th.readers != 0:
	case th.sort == rwMutex && d.one("reads", 2):
		d.do(op.Op{Kind: op.RLock, Task: t, Object: o})
		d.do(op.Op{Kind: op.RUnlock, Task: t, Object: o})
		d.used(t, op.RLock, o)
	default:
		if d.one("lends", 6) {
			by = rapid.SampledFrom(d.where(d.canAct)).Draw(d.t, "unlocked by")
		}
		d.do(op.Op{Kind: op.Lock, Task: t, Object: o})
		d.do(op.Op{Kind: op.Unlock, Task: by, Object: o})
		d.used(t, op.Lock, o)
		th.lent = th.lent || by != t
	}
}

func (d *drawer) useGroup(t op.Task, o op.Object, th *thing) {
	if th.len > 0 && d.one("done", 2) {
		th.len--
		d.do(op.Op{Kind: op.Done, Task: t, Object: o, Arg: -1})
		d.used(t, op.Done, o)
		return
	}
	if th.len < 2 {
		th.len++
		d.do(op.Op{Kind: op.Add, Task: t, Object: o, Arg: 1})
		d.used(t, op.Add, o)
	}
}

// takeLocks lets tasks come into sections that they do not leave.
func (d *drawer) takeLocks() {
	for i, th := range d.things {
		o, isLock := op.Object(i+1), th.sort == mutex || th.sort == rwMutex || th.sort == once
		if !isLock || th.writer != 0 || !d.one("held", 2) {
			continue
		}
		t := rapid.SampledFrom(d.where(d.canAct)).Draw(d.t, "holder")
		kind := op.Lock
		if th.sort == rwMutex && d.one("reads", 2) {
			kind = op.RLock
			th.readers |= setOf(t)
		} else {
			th.writer = int(t) + 1
		}
		d.do(op.Op{Kind: kind, Task: t, Object: o})
		d.used(t, kind, o)
		if th.sort == once || d.one("holder leads there", 2) {
			d.tasks[t].has[o] = true
		}
	}
}

// settle lets tasks end or wait. Others go on.
func (d *drawer) settle() {
	order := rapid.Permutation(d.where(d.canAct)).Draw(d.t, "order")
	for _, t := range order {
		switch d.number("fate", 0, 5) {
		case 0:
			d.end(t)
		case 1:
		default:
			d.wait(t)
		}
	}
}

// end ends a task, unless it is main or runs the function of a Once.
func (d *drawer) end(t op.Task) {
	isRunBy := func(th *thing) bool { return th.sort == once && th.writer == int(t)+1 }
	runs := slices.ContainsFunc(d.things, isRunBy)
	if t != 0 && !runs {
		d.tasks[t].fate, d.tasks[t].has = ended, nil
		d.do(op.Op{Kind: op.End, Task: t})
	}
}

// wait lets a task wait for something, unless that is there.
func (d *drawer) wait(t op.Task) {
	m, o := d.tasks[t], op.Object(d.number("waits for", 1, len(d.things)))
	block := op.Op{Kind: op.Block, Task: t, Object: o}
	switch th := d.thing(o); th.sort {
	case channel:
		if d.one("nil", 12) {
			o, block.Object = 0, 0
		}
		block.Want = []op.Kind{op.Recv, op.Send, op.Select}[d.number("how", 0, 2)]
		if block.Want == op.Select {
			block.Object = 0
			block.Cases, m.waits = d.cases(o)
		}
	case rwMutex:
		block.Want = []op.Kind{op.Lock, op.RLock}[d.number("how", 0, 1)]
	default:
		block.Want = map[sort]op.Kind{mutex: op.Lock, group: op.Wait, cond: op.CondWait, once: op.Once}[th.sort]
	}
	if block.Object != 0 {
		m.waits = []want{{block.Want, block.Object}}
	}
	m.want = block.Want
	now := d.now()
	goesOnAtOnce := func(x want) bool {
		lacks := d.checked && !m.has[x.on] && !d.thing(x.on).global
		return lacks || d.isThere(&now, t, x) || d.meetsOther(x)
	}
	if slices.ContainsFunc(m.waits, goesOnAtOnce) {
		m.waits = nil
		return
	}
	m.fate, m.late, m.idle = waits, d.checked, block.Want == op.Select && len(block.Cases) == 0
	if m.has == nil {
		m.has = map[op.Object]bool{}
	}
	for _, x := range m.waits {
		m.has[x.on] = true
	}
	d.do(block)
	for _, x := range m.waits {
		if block.Want == op.Select {
			d.used(t, map[bool]op.Kind{true: wouldSend, false: wouldReceive}[x.kind == op.Send], x.on)
		}
	}
}

// meetsOther reports whether a task waits at the other side of a channel.
func (d *drawer) meetsOther(x want) bool {
	other := map[op.Kind]op.Kind{op.Send: op.Recv, op.Recv: op.Send}[x.kind]
	for _, m := range d.waiting() {
		if other != op.None && slices.Contains(m.waits, want{other, x.on}) {
			return true
		}
	}
	return false
}

// now is the present moment, in which no task that waits is awake.
func (d *drawer) now() (m moment) {
	for i, th := range d.things {
		m.things[i] = th.condition
	}
	return m
}

// cases draws the cases of a select statement, the first one with this channel.
func (d *drawer) cases(first op.Object) (all []op.Case, of []want) {
	channels := []op.Object{0}
	for i, th := range d.things {
		if th.sort == channel {
			channels = append(channels, op.Object(i+1))
		}
	}
	for i := range d.number("cases", 0, 3) {
		o := first
		if i > 0 {
			o = rapid.SampledFrom(channels).Draw(d.t, "case")
		}
		c := op.Case{Object: o, Send: d.one("sends", 2)}
		all = append(all, c)
		if o != 0 {
			of = append(of, want{map[bool]op.Kind{true: op.Send, false: op.Recv}[c.Send], o})
		}
	}
	return all, of
}

// signal lets a task that goes on wake the first one that waits for a Cond, and finds those that
// wait for what has come since.
func (d *drawer) signal() {
	for i, th := range d.things {
		o := op.Object(i + 1)
		able := d.where(d.canAct)
		if th.sort != cond || len(able) == 0 || !d.one("signals", 6) {
			continue
		}
		waitsForIt := func(x op.Op) bool { return x.Want == op.CondWait && x.Object == o }
		if first := slices.IndexFunc(d.ops, waitsForIt); first >= 0 {
			by := rapid.SampledFrom(able).Draw(d.t, "signals")
			d.do(op.Op{Kind: op.Signal, Task: by, Object: o})
			d.used(by, op.Signal, o)
			d.tasks[d.ops[first].Task].ready = true
		}
	}
}

// chooseEnd draws what ends the program, if it is not ended from outside.
func (d *drawer) chooseEnd() {
	able := d.where(d.canAct)
	switch {
	case len(able) > 0 && d.one("exits", 4):
		d.left, d.exits = rapid.SampledFrom(able).Draw(d.t, "exits"), true
	case d.tasks[0].fate == goesOn && !d.one("is ended from outside", 4):
		d.left = 0
	}
}

// look lets the program look for what leads to what tasks wait for. Some begin to wait later.
func (d *drawer) look() {
	d.noteReady()
	if d.one("does not look", 5) {
		return
	}
	if d.one("misses", 8) {
		d.outcome = []op.Outcome{op.Missed, op.NoPreemption}[d.number("how", 0, 1)]
	}
	if d.outcome == op.Complete {
		with, without := d.reached(true), d.reached(false)
		for t := range d.waiting() {
			switch {
			case !with.has(t):
				d.found[t] = op.FromNothing
			case !without.has(t):
				d.found[t] = op.FromGlobals
			}
		}
		for _, t := range slices.Sorted(maps.Keys(d.found)) {
			d.do(op.Op{Kind: op.CutOff, Task: op.NoTask, Other: t, Arg: int64(d.found[t])})
		}
	}
	d.do(op.Op{Kind: op.Checked, Task: op.NoTask, Arg: int64(d.outcome)})
	d.checked = true
	for _, t := range d.where(d.canAct) {
		if t != d.left && d.one("waits late", 8) {
			d.wait(t)
		}
	}
}

// noteReady notes which tasks wait for what is there.
func (d *drawer) noteReady() {
	now := d.now()
	for t, m := range d.waiting() {
		m.ready = m.ready || slices.ContainsFunc(m.waits, func(x want) bool { return d.isThere(&now, t, x) })
	}
}

// leave ends the program.
func (d *drawer) leave() {
	if d.left == op.NoTask {
		return
	}
	o := op.Op{Kind: op.Left, Task: d.left}
	if !d.exits {
		o.Arg = 1
	}
	d.do(o)
}
