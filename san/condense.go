package san

import (
	"fmt"
	stdslices "slices"
	"sort"

	"github.com/antichain-go/antichain/tracer/event"
)

// A task that receives nothing for long keeps all events of other tasks from being forgotten: its
// next event may come after any of them. But the users of the net may only ask whether certain
// actions, the named ones, precede others. Let N be the set of these and of all future actions. Of
// any other event x, only N ∩ ↓x matters. Along a task that set only grows. So the events of a task
// between two events in N fall into stretches within which the set is constant. A condensed net has
// one event for each stretch, a jump: whatever comes after an event of the stretch comes after the
// jump, and the jump comes after whatever the first event of the stretch comes after.
//
// By induction over the recorded order, N ∩ ↓x is unchanged for every x in N, and the jump has the
// N ∩ ↓x of each event of its stretch. So all questions about N keep their answers.
//
// Some order between jumps is lost: not every slice of a condensed net is one of the run. But a
// slice D that contains each jump whose causes it contains is one, if the jump stands for all
// events of its stretch. For let x be in D, y precede x, and Y be the event that stands for y. If y
// is in N, it is in D, since it precedes the event that stands for x. Else N ∩ ↓Y ⊆ N ∩ ↓x ⊆ D.
// Suppose that some jump J with N ∩ ↓J ⊆ D is not in D, and let J be the first such jump in the
// recorded order. Each direct cause of J is in N, and so in D, or is a jump that was recorded
// earlier, and so in D. So J is in D after all.
//
// A task is absorbed by its creator if it has ended, none of its events x is in N, and for each of
// them N ∩ ↓x equals that of the event that created the task. The net keeps only that event, the
// stand-in: whatever comes after some x, now or later, comes after the stand-in. The argument about
// jumps holds for events of absorbed tasks, too. They are in no slice of the condensed net, but
// those x with N ∩ ↓x ⊆ D can be added to D.

// jump is an event that stands for a stretch of events of its task. Of the stretch, only the state
// after its last event is kept.
type jump struct {
	moment
	k    int32
	last int64 // number of the last event of the stretch in the trace
}

// stretch is a run of consecutive events of a task that become one jump, or a single event that is
// a jump already.
type stretch struct {
	first, last int32
	dropped     int32 // events of the task that became part of earlier jumps
}

// Condense is Forget that also condenses the remaining ones among the first events of the recorded
// order, except for the named actions. An event that creates a task becomes a jump of its own,
// unless that task is absorbed. Tasks for which keep returns true are not absorbed.
func (b *Builder) Condense(base []int32, keep func(Task) bool, named []Action, events int) *Renaming {
	c := b.n.newCondenser(base, named, events)
	c.find(keep)
	return b.forget(c.base, keep, c.stretches, c.standIns())
}

// IsCondensed reports whether the net has jumps or absorbed tasks.
func (n *Net) IsCondensed() bool {
	return stdslices.ContainsFunc(n.tasks, func(t *task) bool { return len(t.jumps) > 0 })
}

func (t *task) jumpAt(k int32) *jump {
	if i := t.jumpsTo(k); i > 0 && t.jumps[i-1].k == k {
		return &t.jumps[i-1]
	}
	return nil
}

// jumpsTo returns the number of jumps up to event k.
func (t *task) jumpsTo(k int32) int {
	if len(t.jumps) == 0 {
		return 0
	}
	return sort.Search(len(t.jumps), func(i int) bool { return t.jumps[i].k > k })
}

// number returns the trace's number of event k; for a jump, that of the last event that it stands
// for.
func (t *task) number(k int32) int64 {
	if i := t.jumpsTo(k); i > 0 {
		return t.jumps[i-1].last + int64(k-t.jumps[i-1].k)
	}
	if t.start != nil {
		return t.start.skipped + int64(k)
	}
	return int64(k)
}

// event returns the event that has that number in the trace, or stands for it; 0 or less if it is
// forgotten.
func (t *task) event(number int64) int64 {
	i := sort.Search(len(t.jumps), func(i int) bool { return t.jumps[i].last >= number })
	if i < len(t.jumps) && number > t.number(t.jumps[i].k-1) {
		return int64(t.jumps[i].k)
	}
	if i > 0 {
		return int64(t.jumps[i-1].k) + number - t.jumps[i-1].last
	}
	return number - t.number(0)
}

// jumps returns the stretches of a net that is not condensed further: its existing jumps.
func (n *Net) jumps(base []int32) [][]stretch {
	all := make([][]stretch, len(n.tasks))
	for t, task := range n.tasks {
		for _, j := range task.jumps {
			if j.k > base[t] {
				all[t] = append(all[t], stretch{first: j.k, last: j.k})
			}
		}
	}
	return all
}

// condenser finds the stretches, and the tasks to absorb.
type condenser struct {
	n          *Net
	named      [][]int32   // by task, sorted; may repeat an event
	namedTasks []Task      // the tasks with named actions
	base, end  []int32     // by task: the events between these are condensed
	stretches  [][]stretch // by task
	absorbed   []bool      // by task
}

// newCondenser returns a condenser for the first events of the recorded order.
func (n *Net) newCondenser(base []int32, named []Action, events int) *condenser {
	tasks := len(n.tasks)
	c := &condenser{n: n, named: make([][]int32, tasks), base: make([]int32, tasks), end: make([]int32, tasks),
		stretches: make([][]stretch, tasks),
		absorbed:  make([]bool, tasks)}
	copy(c.base, base)
	for _, a := range named {
		for _, s := range n.Sides(a) {
			c.named[s.Task] = append(c.named[s.Task], s.K)
		}
	}
	for t, ks := range c.named {
		if len(ks) > 0 {
			stdslices.Sort(ks)
			c.namedTasks = append(c.namedTasks, Task(t))
		}
	}
	for _, t := range n.order[:events] {
		c.end[t]++
	}
	return c
}

// find finds absorbed tasks and stretches. It begins with the tasks created last, because a task
// with a child that stays cannot be absorbed.
func (c *condenser) find(keep func(Task) bool) {
	needed := make([]bool, len(c.absorbed)) // by task: some child of it stays
	for t := Task(len(c.absorbed) - 1); t >= 0; t-- {
		c.stretches[t] = c.task(t)
		if c.absorbed[t] = !needed[t] && c.isAbsorbable(t) && !keep(t); c.absorbed[t] {
			c.base[t], c.stretches[t] = int32(len(c.n.tasks[t].records)), nil
		} else if by, ok := c.n.SpawnedBy(t); ok {
			needed[by.Task] = true
		}
	}
}

// isAbsorbable reports whether a task has ended, has no named events after the base, and its events
// know the same named actions as its creation.
func (c *condenser) isAbsorbable(t Task) bool {
	if !c.n.Ended(t) || int(c.end[t]) < len(c.n.tasks[t].records) || len(c.named[t]) > 0 {
		return false
	}
	switch first := c.base[t] + 1; len(c.stretches[t]) {
	case 0:
		return true
	case 1:
		return !c.learns(t, first)
	}
	return false
}

// standIns returns the events that stand for those of absorbed tasks; every task knows one with k
// 0.
func (c *condenser) standIns() map[Task]ref {
	refs := map[Task]ref{}
	for t, absorbed := range c.absorbed {
		if !absorbed {
			continue
		}
		by := c.n.tasks[t].spawner
		if c.n.tasks[t].initial {
			by = ref{}
		} else if parent := c.n.handles[by.h].rank; c.absorbed[parent] {
			by = refs[parent]
		} else if by.k <= c.base[parent] {
			by = ref{}
		}
		refs[Task(t)] = by
	}
	return refs
}

// task returns the stretches of a task after the base.
func (c *condenser) task(t Task) []stretch {
	var all []stretch
	dropped, going := int32(0), false // the stretch continues
	for k := c.base[t] + 1; k <= c.end[t]; k++ {
		if _, is := stdslices.BinarySearch(c.named[t], k); is {
			going = false
			continue
		}
		child, creates := c.n.Spawns(Action{t, k}) // no event creates two tasks
		alone := creates && !c.absorbed[child]
		if going && !alone && !c.learns(t, k) {
			all[len(all)-1].last = k
			dropped++
			continue
		}
		all = append(all, stretch{k, k, dropped})
		going = !alone
	}
	for _, j := range c.n.tasks[t].jumps {
		if j.k > max(c.base[t], c.end[t]) {
			all = append(all, stretch{j.k, j.k, dropped})
		}
	}
	return all
}

// learns reports whether event k of a task knows a named action that the event before it does not
// know.
func (c *condenser) learns(t Task, k int32) bool {
	before, now := c.n.tasks[t].before(k).clock, c.n.tasks[t].records[k-1].clock
	if before == now {
		return false
	}
	return stdslices.ContainsFunc(c.namedTasks, func(u Task) bool {
		known, named := c.n.clocks.at(now, u), c.named[u]
		if u == t || known < named[0] {
			return false
		}
		first := c.n.clocks.at(before, u) + 1
		i, _ := stdslices.BinarySearch(named, first)
		return i < len(named) && named[i] <= known
	})
}

// stretchesUpTo returns how many stretches of a task begin at or before event k.
func stretchesUpTo(stretches []stretch, k int32) int {
	return sort.Search(len(stretches), func(i int) bool { return stretches[i].first > k })
}

// jump reads the event that a stretch becomes.
func (b *Builder) jump(old *Builder, h handle, s stretch, r *Renaming) {
	t := old.n.handles[h]
	x := ref{h, s.first}
	e := old.event(x, r)
	if s.first < s.last {
		e = &event.Event{Task: t.name, Op: fmt.Sprintf("%d events", t.number(s.last)-t.number(s.first-1)),
			At: old.n.Place(t.rank, int(s.last))}
	}
	e.After, e.With = old.references(old.n.causesOf(x), x, r), nil
	e.Set, e.Global, e.Write = nil, nil, nil // the state has them
	if err := b.read(e); err != nil {
		if b.err == nil {
			b.err = err
		}
		return
	}
	j := jump{last: t.number(s.last)}
	w := r.walkers[t.rank]
	if w == nil {
		w = old.n.Walk(t.rank)
		r.walkers[t.rank] = w
	}
	w.Seek(int(s.last))
	j.moment = b.n.momentOf(old.n, w)
	now := b.task(t.name)
	j.k = int32(len(b.n.handles[now].records))
	b.n.handles[now].jumps = append(b.n.handles[now].jumps, j)
	b.readers[now].resume(j.frames)
}

// causesOf returns events that come before x or another side of its joint action. Every other event
// that does comes before one of them or of its task.
func (n *Net) causesOf(x ref) []ref {
	sides := []ref{x}
	if id, ok := n.handles[x.h].jointOf(x.k); ok {
		sides = n.sidesOf(id)
	}
	var causes []ref
	for _, s := range sides {
		t := n.handles[s.h]
		p := t.parts(&t.records[s.k-1])
		causes = stdslices.AppendSeq(causes, p.refs)
		switch {
		case s == x:
		case s.k > 1:
			causes = append(causes, ref{s.h, s.k - 1})
		case t.spawner.k > 0:
			causes = append(causes, t.spawner)
		}
	}
	return causes
}

// momentOf returns the state of a walker in another net, as the state in which this net continues.
func (n *Net) momentOf(old *Net, w *Walker) moment {
	m := moment{content: n.contentOf(old, w.State())}
	if n.looksBack {
		if previous := w.State().Previous(); previous != nil {
			earlier := n.contentOf(old, previous)
			m.earlier = &earlier
		}
	}
	return m
}

func (n *Net) contentOf(old *Net, s *State) (c content) {
	for _, f := range s.frames {
		c.frames = append(c.frames, frame{n.str(old.strs.strs[f.function]), f.phase, f.vars.clone()})
	}
	c.own = s.own.clone()
	return c
}

// resume sets the reader to the state in which a task continues.
func (r *reader) resume(frames []frame) {
	r.stack = r.stack[:0]
	for _, f := range frames {
		r.stack = append(r.stack, call{f.function, f.phase})
	}
}

// Settle adds to a slice, given by the number of each task's events in it, the jumps whose causes
// it contains. The result is a slice of the run, as far as condensed events are concerned.
func (n *Net) Settle(slice []int32) {
	for more := true; more; {
		more = false
		for t := range n.tasks {
			for n.canJump(slice, Action{Task(t), slice[t] + 1}) {
				slice[t]++
				more = true
			}
		}
	}
}

// canJump reports whether an event is a jump whose causes are in the slice.
func (n *Net) canJump(slice []int32, a Action) bool {
	t := n.tasks[a.Task]
	if t.jumpAt(a.K) == nil {
		return false
	}
	has := func(x ref) bool { return slice[n.handles[x.h].rank] >= x.k }
	if !t.initial && !has(t.spawner) {
		return false
	}
	p := t.parts(&t.records[a.K-1])
	for c := range p.refs {
		if !has(c) {
			return false
		}
	}
	return true
}
