package state

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
)

// numbered gives tasks numbers and nothing else.
type numbered struct{}

func (numbered) Task(op.Task) op.Origin     { return op.Origin{} }
func (numbered) Object(op.Object) string    { return "" }
func (numbered) Place(op.Place) op.Location { return op.Location{} }

const (
	mutex op.Object = 1 + iota
	channel
	group
)

func lock(t op.Task, k int32) op.Op   { return op.Op{Kind: op.Lock, Task: t, K: k, Object: mutex} }
func unlock(t op.Task, k int32) op.Op { return op.Op{Kind: op.Unlock, Task: t, K: k, Object: mutex} }
func rlock(t op.Task, k int32) op.Op  { return op.Op{Kind: op.RLock, Task: t, K: k, Object: mutex} }

func runlock(t op.Task, k int32) op.Op {
	return op.Op{Kind: op.RUnlock, Task: t, K: k, Object: mutex}
}

func waits(t op.Task, k int32, want op.Kind, o op.Object) op.Op {
	return op.Op{Kind: op.Block, Task: t, K: k, Want: want, Object: o}
}

// After each operation it is known which tasks are in sections, and which section was left.
func TestSections(t *testing.T) {
	for name, c := range map[string]struct {
		run      []op.Op
		released op.Task // of the section that the last operation ended, or NoTask
		inside   []op.Task
		lent     bool
	}{
		"a writer leaves":           {[]op.Op{lock(0, 1), unlock(0, 2)}, 0, nil, false},
		"another task unlocks":      {[]op.Op{lock(0, 1), unlock(1, 1)}, 0, nil, true},
		"a reader leaves its own":   {[]op.Op{rlock(0, 1), rlock(1, 1), runlock(0, 2)}, 0, []op.Task{1}, false},
		"a reader leaves another's": {[]op.Op{rlock(0, 1), rlock(1, 1), runlock(2, 1)}, 1, []op.Task{0}, true},
		"nothing to unlock":         {[]op.Op{unlock(0, 1)}, op.NoTask, nil, false},
		"a new lock at the address": {[]op.Op{lock(0, 1), lock(1, 1)}, op.NoTask, []op.Task{1}, false},
	} {
		r := New()
		for i := range c.run {
			r.Op(&c.run[i])
		}
		released := op.NoTask
		if r.Released.Kind != op.None {
			released = r.Released.Task
		}
		o := r.Objects.Ensure(mutex)
		var inside []op.Task
		for _, s := range o.Sections() {
			inside = append(inside, s.Task)
		}
		if released != c.released || !slices.Equal(inside, c.inside) || o.Lent != c.lent {
			t.Errorf("%s: task %d left, %v inside, lent: %v", name, released, inside, o.Lent)
		}
		for task, x := range r.Tasks() {
			if slices.Contains(inside, task) != (len(x.Held) > 0) {
				t.Errorf("%s: task %d holds %v", name, task, x.Held)
			}
		}
	}
}

// Tasks wait for ever if nothing is there that they wait for, and none can go on.
func TestStuck(t *testing.T) {
	buffered := op.Op{Kind: op.MakeChan, K: 1, Object: channel, Arg: 1}
	ends := op.Op{Kind: op.End, Task: 1, K: 9}
	for name, c := range map[string]struct {
		run   []op.Op
		stuck bool // task 0
	}{
		"a lock of a task that has ended": {[]op.Op{lock(1, 1), ends, waits(0, 1, op.Lock, mutex)}, true},
		"a lock of a task that goes on":   {[]op.Op{lock(1, 1), waits(0, 1, op.Lock, mutex)}, false},
		"a free lock":                     {[]op.Op{lock(1, 1), unlock(1, 2), ends, waits(0, 1, op.Lock, mutex)}, false},
		"an empty channel":                {[]op.Op{buffered, waits(0, 2, op.Recv, channel)}, true},
		"room in a channel":               {[]op.Op{buffered, waits(0, 2, op.Send, channel)}, false},
		"a full channel": {[]op.Op{buffered, {Kind: op.Send, K: 2, Object: channel},
			waits(0, 3, op.Send, channel)}, true},
		"a timer":   {[]op.Op{buffered, {Kind: op.Arm, K: 2, Object: channel}, waits(0, 3, op.Recv, channel)}, false},
		"a counter": {[]op.Op{{Kind: op.Add, K: 1, Object: group, Arg: 1}, waits(0, 2, op.Wait, group)}, true},
		"a counter of zero": {[]op.Op{{Kind: op.Add, K: 1, Object: group, Arg: 1},
			{Kind: op.Done, Task: 1, K: 1, Object: group, Arg: -1}, ends, waits(0, 2, op.Wait, group)}, false},
	} {
		r := New()
		for i := range c.run {
			r.Op(&c.run[i])
		}
		if got := r.Stuck(numbered{}, Question{}).Stuck[0]; got != c.stuck {
			t.Errorf("%s: stuck: %v", name, got)
		}
	}
}

// Each check says all that is known of what leads to waits, but that nothing does stays so.
func TestRepeatedChecks(t *testing.T) {
	found := func(task op.Task, s op.Source) op.Op {
		return op.Op{Kind: op.CutOff, Task: op.NoTask, Other: task, Arg: int64(s)}
	}
	checked := op.Op{Kind: op.Checked, Task: op.NoTask, Other: op.NoTask}
	r := New()
	do := func(all ...op.Op) {
		for i := range all {
			r.Op(&all[i])
		}
	}
	do(waits(1, 1, op.Recv, channel), waits(2, 1, op.Recv, channel), waits(3, 1, op.Recv, channel))
	do(found(1, op.FromNothing), found(2, op.FromGlobals), checked)
	if !r.IsCutOff(1) || !r.IsFound(2, op.FromGlobals) || !r.IsReached(3) {
		t.Error("the first check is not taken into account")
	}
	do(waits(4, 1, op.Recv, channel))
	if r.IsReached(4) {
		t.Error("a later wait was not looked at")
	}
	do(found(3, op.FromGlobals), checked)
	if !r.IsCutOff(1) || r.IsFound(2, op.FromGlobals) || !r.IsReached(2) ||
		!r.IsFound(3, op.FromGlobals) || !r.IsReached(4) {
		t.Error("the second check does not replace the first one")
	}
	do(waits(3, 3, op.Recv, channel))
	if r.IsFound(3, op.FromGlobals) || r.IsReached(3) {
		t.Error("a new wait is taken for the one before")
	}
}

// A task that is cut off waits for ever, whatever others do, unless the run shows that the program
// has ways that the garbage collector does not see.
func TestCutOff(t *testing.T) {
	cutOff := func(t op.Task) op.Op { return op.Op{Kind: op.CutOff, Task: op.NoTask, Other: t} }
	goesOn := op.Op{Kind: op.AtomicLoad, Task: 2, K: 1}
	for name, c := range map[string]struct {
		run   []op.Op
		stuck bool // task 1
	}{
		"others go on":  {[]op.Op{waits(1, 1, op.Recv, channel), goesOn}, false},
		"it is cut off": {[]op.Op{waits(1, 1, op.Recv, channel), goesOn, cutOff(1)}, true},
		"it goes on": {[]op.Op{waits(1, 1, op.Recv, channel), cutOff(1),
			{Kind: op.Recv, Task: 1, K: 2, Object: channel}, goesOn, waits(1, 3, op.Recv, channel)}, false},
		"another did so": {[]op.Op{waits(1, 1, op.Recv, channel), waits(2, 1, op.Recv, channel), cutOff(1), cutOff(2),
			{Kind: op.Recv, Task: 2, K: 2, Object: channel}}, false},
		"it does not wait": {[]op.Op{goesOn, cutOff(2), waits(1, 1, op.Recv, channel)}, false},
	} {
		r := New()
		for i := range c.run {
			r.Op(&c.run[i])
		}
		if got := r.Stuck(numbered{}, Question{}).Stuck[1]; got != c.stuck {
			t.Errorf("%s: stuck: %v", name, got)
		}
	}
	r := New()
	run := []op.Op{waits(0, 1, op.Select, 0), waits(1, 1, op.Recv, channel), goesOn, cutOff(0), cutOff(1)}
	for _, o := range run {
		r.Op(&o)
	}
	if got := r.Stuck(numbered{}, Question{}).Stuck; got[0] || !got[1] {
		t.Errorf("main is to let others work, in an empty select: %v", got)
	}
}

// started is where each task is started: 2 and 3 by one go statement.
type started struct{ numbered }

func (started) Task(t op.Task) op.Origin { return op.Origin{At: []op.Place{0, 7, 8, 8, 9}[t]} }

// A task may continue if it goes on, or if one that may has ended such a wait before, or was
// started where one that has was.
func TestMayContinue(t *testing.T) {
	const other = channel + 10
	met := func(from, to op.Task, k int32, c op.Object) op.Op {
		return op.Op{Kind: op.Handoff, Task: from, K: k, Other: to, OtherK: k, Object: c}
	}
	for name, c := range map[string]struct {
		run []op.Op
		may []op.Task
	}{
		"nobody goes on":             {[]op.Op{waits(1, 1, op.Recv, channel), waits(2, 1, op.Recv, other)}, nil},
		"who goes on has not met it": {[]op.Op{waits(1, 1, op.Recv, channel), lock(4, 1)}, []op.Task{4}},
		"who goes on has met it":     {[]op.Op{met(4, 1, 1, channel), waits(1, 2, op.Recv, channel)}, []op.Task{1, 4}},
		"who has met it waits": {[]op.Op{met(2, 1, 1, channel), waits(1, 2, op.Recv, channel),
			waits(2, 2, op.Recv, other)}, nil},
		"and is woken by a third one": {[]op.Op{met(2, 1, 1, channel), met(4, 2, 2, other),
			waits(1, 2, op.Recv, channel), waits(2, 3, op.Recv, other)}, []op.Task{1, 2, 4}},
		"one started like it goes on": {[]op.Op{met(2, 1, 1, channel), waits(1, 2, op.Recv, channel),
			waits(2, 2, op.Recv, other), lock(3, 1)}, []op.Task{1, 3}},
		"a timer": {[]op.Op{{Kind: op.Arm, Task: 1, K: 1, Object: channel},
			waits(1, 2, op.Recv, channel)}, []op.Task{1}},
		"a timer that sends, too": {[]op.Op{{Kind: op.Arm, Task: 1, K: 1, Object: channel, Arg: 1},
			waits(1, 2, op.Send, channel), lock(4, 1)}, []op.Task{4}},
		"it is the other direction": {[]op.Op{met(1, 4, 1, channel), waits(1, 2, op.Recv, channel)}, []op.Task{4}},
		"it is cut off": {[]op.Op{met(4, 1, 1, channel), waits(1, 2, op.Recv, channel),
			{Kind: op.CutOff, Task: op.NoTask, Other: 1}}, []op.Task{4}},
	} {
		r := New()
		for i := range c.run {
			r.Op(&c.run[i])
		}
		if got := slices.Sorted(maps.Keys(r.Judge(started{}).May)); !slices.Equal(got, c.may) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A task whose channel only package variables have may wait for ever, unless one that may go on has
// sent there. All others are open.
func TestJudge(t *testing.T) {
	found := func(t op.Task, s op.Source) op.Op {
		return op.Op{Kind: op.CutOff, Task: op.NoTask, Other: t, Arg: int64(s)}
	}
	checked := func(o op.Outcome) op.Op { return op.Op{Kind: op.Checked, Task: op.NoTask, Arg: int64(o)} }
	complete, kept := checked(op.Complete), found(1, op.FromGlobals)
	goesOn := lock(4, 1)
	sent := op.Op{Kind: op.Handoff, Task: 4, K: 2, Other: 1, OtherK: 1, Object: channel}
	waiting := waits(1, 2, op.Recv, channel)
	added := op.Op{Kind: op.Add, K: 1, Object: channel, Arg: 1}
	made, full := op.Op{Kind: op.MakeChan, Task: 3, K: 1, Object: channel, Arg: 1}, waits(1, 2, op.Send, channel)
	filled := func(by op.Task) op.Op { return op.Op{Kind: op.Send, Task: by, K: 1, Object: channel} }
	started := func(t op.Task) op.Op { return op.Op{Kind: op.Go, K: 2, Other: t} }
	for name, c := range map[string]struct {
		run      []op.Op
		possible []op.Task
		open     []op.Task
		why      string // task 1 is undecided
	}{
		"without a check": {[]op.Op{goesOn, waiting}, nil, []op.Task{1}, ""},
		"reached":         {[]op.Op{goesOn, waiting, complete}, nil, []op.Task{1}, ""},
		"cut off":         {[]op.Op{goesOn, waiting, found(1, op.FromNothing), complete}, nil, nil, ""},
		"a variable":      {[]op.Op{goesOn, waiting, kept, complete}, []op.Task{1}, nil, ""},
		"and it was used": {[]op.Op{goesOn, sent, waiting, kept, complete}, nil, []op.Task{1}, ""},
		"nobody goes on":  {[]op.Op{waiting, kept, complete}, nil, nil, ""},
		"a full buffer": {[]op.Op{made, filled(2), {Kind: op.End, Task: 2, K: 2}, goesOn, full, kept},
			[]op.Task{1}, nil, ""},
		"a semaphore": {[]op.Op{made, filled(4), goesOn, full, kept}, nil, []op.Task{1}, ""},
		"a group": {[]op.Op{goesOn, {Kind: op.Add, Task: 2, K: 1, Object: channel, Arg: 1}, {Kind: op.End, Task: 2,
			K: 2}, waits(1, 2, op.Wait, channel), kept}, []op.Task{1}, nil, ""},
		"one is to be done": {[]op.Op{added, started(4), goesOn, waits(1, 2, op.Wait, channel), kept}, nil,
			[]op.Task{1}, ""},
		"not found out": {[]op.Op{goesOn, waiting, found(1, op.FromUnknown), checked(op.TookTooLong)}, nil,
			[]op.Task{1}, "too long"},
		"not looked for": {[]op.Op{goesOn, waiting, checked(op.NoPreemption)}, nil, []op.Task{1}, "asyncpreemptoff"},
		"missed": {[]op.Op{goesOn, waiting, checked(op.Missed)}, nil, []op.Task{1},
			"before the program ended"},
		"profiled": {[]op.Op{goesOn, waiting, found(1, op.FromUnknown), checked(op.Profiled)}, nil,
			[]op.Task{1}, "profile"},
		"refuted": {[]op.Op{goesOn, waiting, waits(2, 1, op.Recv, channel), kept, found(2, op.FromNothing),
			complete, {Kind: op.Recv, Task: 2, K: 2, Object: channel}}, nil, []op.Task{1}, "gone on"},
	} {
		r := New()
		for i := range c.run {
			r.Op(&c.run[i])
		}
		j := r.Judge(numbered{})
		if !slices.Equal(j.Possible, c.possible) || !slices.Equal(j.Open, c.open) {
			t.Errorf("%s: possible %v, open %v", name, j.Possible, j.Open)
		}
		if got := r.IsUndecided(1); got != (c.why != "") || got && !strings.Contains(r.WhyUndecided(), c.why) {
			t.Errorf("%s: undecided: %t, %s", name, got, r.WhyUndecided())
		}
	}
}

// A task or an object that ends is there until the next operation.
func TestEnded(t *testing.T) {
	r := New()
	for _, o := range []op.Op{lock(1, 1), {Kind: op.End, Task: 1, K: 2}} {
		r.Op(&o)
	}
	if r.Task(1) != nil || r.Ended == nil || r.EndedTask != 1 || len(r.Ended.Held) != 1 {
		t.Errorf("task 1 has ended: %v %v", r.Task(1), r.Ended)
	}
	r.Op(&op.Op{Kind: op.Free, Task: op.NoTask, Object: mutex})
	if r.Ended != nil || r.Objects.At(mutex) != nil || r.Freed == nil || r.Freed.Writer.Task != 1 {
		t.Errorf("the mutex was freed: %v %v", r.Objects.At(mutex), r.Freed)
	}
}
