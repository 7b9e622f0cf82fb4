package reorder

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// A history that remembers little answers less, but nothing that is not so.
func TestPrefixesOfWhatIsRemembered(t *testing.T) {
	found, lost := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r := Execute(t, DrawProgram(t))
		reached := r.Reached()
		h, all := newHistory(rapid.IntRange(1, 8).Draw(t, "size")), New()
		for now := range r.Events {
			tell(h, r, now)
			tell(all, r, now)
			if h.log.count > h.size {
				t.Fatalf("%d entries", h.log.count)
			}
			for before := range now {
				if r.Events[now].Task == r.Events[before].Task || r.Events[now].IsAccess() {
					continue
				}
				prefix := h.Prefix(pointBefore(r, before), pointBefore(r, now))
				if prefix == nil {
					if all.Prefix(pointBefore(r, before), pointBefore(r, now)) != nil {
						lost++
					}
					continue
				}
				found++
				if err := prefix.Verify(); err != nil {
					t.Fatalf("%v\n%v and %v: %v", r.Program, r.Events[before], r.Events[now], err)
				}
				real := false
				r.Cuts(func(c Cut) { real = real || r.AtPoints(c, before, now) && reached[r.Bits(c)] })
				if !real {
					t.Fatalf("%v\n%v and %v: no order leads there", r.Program, r.Events[before], r.Events[now])
				}
			}
		}
	})
	if (found == 0 || lost == 0) && !testing.Short() {
		t.Errorf("%d found, %d lost", found, lost)
	}
}

// What is dropped is in every prefix, with all that comes before it: as if each operation were
// joined with that.
func TestDropped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHistory(rapid.IntRange(1, 300).Draw(t, "size"))
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		tasks := rapid.SampledFrom([]int{3, 100, 10_000}).Draw(t, "tasks")
		var known [8]*clock.Clock          // by chains of tasks
		last := map[op.Task]*clock.Clock{} // what each task knew then
		done := map[op.Task]int32{}
		var all []*clock.Clock // of the operations that are not dropped
		var want *clock.Clock
		for range 1000 {
			w, task := rng.IntN(len(known)), op.Task(rng.IntN(tasks))
			if rng.IntN(4) == 0 {
				known[w] = clock.Join(known[w], known[rng.IntN(len(known))])
			}
			data, before := clock.Join(known[w], last[task]), h.seq
			k := done[task] + 1
			if other := op.Task(rng.IntN(tasks)); rng.IntN(3) == 0 && other != task {
				from := known[rng.IntN(len(known))]
				moment := rng.Int32N(5)
				h.Op(&op.Op{
					Kind: op.ReadFrom, Task: task, Data: data, Other: other,
					Access: op.Access{Moment: k - 1, OtherMoment: moment, OtherData: from},
				})
				data, k = clock.Join(data, from).With(int32(other), moment), k-1
			} else {
				kind := []op.Kind{op.Lock, op.Send}[rng.IntN(2)] // the second is not remembered
				h.Op(&op.Op{Kind: kind, Task: task, K: k, Object: op.Object(1 + rng.IntN(5)), Data: data})
				known[w] = data.With(int32(task), k)
			}
			last[task], done[task] = data, k
			if h.seq > before {
				all = append(all, data.With(int32(task), k))
			}
			if len(all) == h.log.count {
				continue
			}
			for ; len(all) > h.log.count; all = all[1:] {
				want = clock.Join(want, all[0])
			}
			for task := range int32(tasks) {
				if is := h.dropped.At(task); is != want.At(task) {
					t.Fatalf("%d operations of task %d, want %d", is, task, want.At(task))
				}
			}
		}
	})
}

// A history keeps nothing of tasks, locks and reads that are out of its log.
func TestHistoryForgets(t *testing.T) {
	const size, ops = 64, 20000
	h := newHistory(size)
	k := map[op.Task]int32{}
	tell := func(o op.Op) {
		if o.Kind != op.ReadFrom {
			k[o.Task]++
			o.K = k[o.Task]
		}
		o.Data = o.Data.With(0, 1)
		h.Op(&o)
	}
	for i := range ops {
		task, lock := op.Task(i), op.Object(i+1)
		tell(op.Op{Kind: op.Go, Task: 0, Other: task + 1})
		tell(op.Op{Kind: op.Lock, Task: task, Object: lock})
		tell(op.Op{Kind: op.RLock, Task: task, Object: lock + ops}) // hand over hand
		tell(op.Op{Kind: op.Unlock, Task: task, Object: lock})
		tell(op.Op{Kind: op.ReadFrom, Task: task, Other: task + 1, Access: op.Access{Moment: k[task], OtherMoment: 0}})
		tell(op.Op{Kind: op.RUnlock, Task: task, Object: lock + ops})
		tell(op.Op{Kind: op.Free, Task: op.NoTask, Object: lock})
		tell(op.Op{Kind: op.Free, Task: op.NoTask, Object: lock + ops})
	}
	if n := max(len(h.tasks), len(h.list), h.log.count, len(h.reads), len(h.first)); n > 3*size {
		t.Errorf("%d tasks, %d entries and %d reads", len(h.tasks), h.log.count, len(h.reads))
	}
	if n := len(h.log.segments) + h.log.spare.Len(); n > 2 {
		t.Errorf("%d segments of entries", n)
	}
	for _, x := range h.list {
		if n := max(len(x.uses), len(x.by), len(x.begun.items)); n > 2*size {
			t.Errorf("task %d has %d uses", x.id, n)
		}
	}
}

// Without clocks of the order Data a history remembers nothing and answers nothing.
func TestNoData(t *testing.T) {
	h := New()
	free := new(clock.Clock).With(0, 1)
	h.Op(&op.Op{Kind: op.Go, Task: 0, K: 1, Other: 1})
	h.Op(&op.Op{Kind: op.Lock, Task: 1, K: 1, Object: 1, Free: free})
	h.Op(&op.Op{Kind: op.Unlock, Task: 1, K: 2, Object: 1, Free: free})
	if h.Prefix(Point{Task: 0, Done: 1}, Point{Task: 1, Done: 1}) != nil || h.log.count > 0 {
		t.Error("it does")
	}
	h = New()
	for k := range int32(10 * firstLog) { // no other task is there
		h.Op(&op.Op{Kind: op.Lock, Task: 0, K: 2*k + 1, Object: 1})
		h.Op(&op.Op{Kind: op.Unlock, Task: 0, K: 2*k + 2, Object: 1})
	}
	if n := segmentSize * len(h.log.segments); n > 2*firstLog {
		t.Errorf("%d entries", n)
	}
}

// Whatever the operations say, nothing fails, and what is found can be verified or is refused.
func TestAnyOperations(t *testing.T) {
	refused := 0
	rapid.Check(t, func(t *rapid.T) {
		h := newHistory(rapid.IntRange(1, 40).Draw(t, "size"))
		number := rapid.Int32Range(0, 9)
		tasks := rapid.IntRange(-1, 3)
		data := func() *clock.Clock {
			var c *clock.Clock
			for range rapid.IntRange(0, 2).Draw(t, "knows") {
				c = c.With(int32(rapid.IntRange(0, 3).Draw(t, "of")), number.Draw(t, "k"))
			}
			return c
		}
		point := func() Point {
			return Point{Task: op.Task(rapid.IntRange(0, 3).Draw(t, "point")), Done: number.Draw(t, "done"), Data: data()}
		}
		for range rapid.IntRange(1, 60).Draw(t, "ops") {
			o := op.Op{
				Kind: rapid.SampledFrom(h.Kinds()).Draw(t, "kind"), Task: op.Task(tasks.Draw(t, "task")), Other: op.Task(tasks.Draw(t, "other")),
				K: number.Draw(t, "k"), Object: op.Object(rapid.IntRange(0, 2).Draw(t, "object")), Locking: rapid.Bool().Draw(t, "locking"), Data: data(),
				Access: op.Access{Moment: number.Draw(t, "moment"), OtherMoment: number.Draw(t, "other moment")},
			}
			h.Op(&o)
			a, b := point(), point()
			h.Excluded(a, b)
			if p := h.Prefix(a, b); p != nil {
				p.Schedule()
				if p.IsOpen(); p.Verify() != nil {
					refused++
				}
			}
		}
	})
	if refused == 0 && !testing.Short() {
		t.Error("everything could be verified")
	}
}

// Of a schedule that is not one something is refused.
func TestVerify(t *testing.T) {
	wrong := map[error]int{}
	kinds := []error{nil, errOrder, errBefore}
	enough := func() bool {
		return testing.Short() || !slices.ContainsFunc(kinds, func(e error) bool { return wrong[e] == 0 })
	}
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		r := Execute(t, DrawProgram(t))
		h, events := New(), []int{}
		for i := range r.Events {
			if tell(h, r, i); h.log.count > len(events) {
				events = append(events, i)
			}
		}
		log := slices.Collect(h.log.all())
		if len(log) == 0 {
			return
		}
		order := make([]*entry, len(log))
		var done []int
		for i := range log {
			order[i], done = log[i], append(done, events[i])
		}
		for range rapid.IntRange(0, 2).Draw(t, "changes") {
			a, b := rapid.IntRange(0, len(order)-1).Draw(t, "a"), rapid.IntRange(0, len(order)-1).Draw(t, "b")
			order[a], order[b] = order[b], order[a]
			done[a], done[b] = done[b], done[a]
		}
		n := rapid.IntRange(0, len(order)).Draw(t, "done")
		err := verify(log, order[:n], nil)
		if can := canDo(r, done[:n], events); can != (err == nil) {
			t.Fatalf("%v\n%v: %v, but %v", r.Program, done[:n], can, err)
		}
		wrong[errors.Unwrap(err)]++
	})
	for _, e := range kinds {
		if wrong[e] == 0 && !testing.Short() {
			t.Errorf("never: %v", e)
		}
	}
}

// canDo reports whether some events can be done in an order, of those that are in a log.
func canDo(r *Run, order, logged []int) bool {
	var done Bits
	for _, i := range order {
		e := &r.Events[i]
		for _, j := range logged {
			if done.Has(j) && r.Events[j].Task == e.Task && j > i {
				return false
			}
			sameMoment := r.Events[j].Task == e.Task && r.Events[j].K == e.K
			if e.Data.Has(j) && !done.Has(j) && !(e.Kind == op.Read && r.Events[j].Kind == op.Read && sameMoment) {
				return false
			}
		}
		if r.IsExcluded(i, done) {
			return false
		}
		done |= 1 << i
	}
	return true
}

// A task must be at its point, and no task may have read what it writes there.
func TestVerifyPoints(t *testing.T) {
	h := New()
	known := new(clock.Clock).With(0, 1)
	h.Op(&op.Op{Kind: op.Lock, Task: 0, K: 1, Object: 1})
	h.Op(&op.Op{Kind: op.Lock, Task: 1, K: 1, Object: 2})
	h.Op(&op.Op{Kind: op.ReadFrom, Task: 1, Other: 0, Address: 8, Access: op.Access{Moment: 1, OtherMoment: 1}})
	h.Op(&op.Op{Kind: op.Unlock, Task: 1, K: 2, Object: 2, Data: known})
	h.Op(&op.Op{Kind: op.ReadFrom, Task: 1, Other: 0, Address: 8, Access: op.Access{Moment: 2, OtherMoment: 1}})
	h.Op(&op.Op{Kind: op.Lock, Task: 2, K: 1, Object: 3, Data: known.With(1, 3)}) // operation 3 is not reported
	log := slices.Collect(h.log.all())
	all := slices.Clip(log[:4])
	for _, c := range []struct {
		order  []*entry
		points []Point
		want   error
	}{
		{all, nil, nil},
		{all, []Point{{Task: 1, Done: 2}}, nil},
		{all[:3], []Point{{Task: 1, Done: 2}}, errOrder},
		{all, []Point{{Task: 0, Done: 1}}, errUnwritten},
		{all[1:2], []Point{{Task: 1, Done: 1}}, nil},
		{all[1:2], []Point{{Task: 1, Done: 1, Data: known}}, errBefore},
		{all[:2], []Point{{Task: 1, Done: 1, Data: known}}, nil},
		{[]*entry{log[0], log[1], log[3]}, nil, errOrder},
		{[]*entry{log[1], log[2]}, nil, errBefore},
		{append(all, log[4], log[5]), nil, nil},
		{append(all, log[5]), nil, errBefore},
	} {
		if err := verify(log, c.order, c.points); !errors.Is(err, c.want) {
			t.Errorf("%v, want %v", err, c.want)
		}
	}
}

// Sections must not overlap, and end once.
func TestVerifySections(t *testing.T) {
	h := New()
	h.Op(&op.Op{Kind: op.RLock, Task: 0, K: 1, Object: 1})
	h.Op(&op.Op{Kind: op.RLock, Task: 1, K: 1, Object: 1})
	h.Op(&op.Op{Kind: op.RUnlock, Task: 0, K: 2, Object: 1})
	h.Op(&op.Op{Kind: op.RUnlock, Task: 2, K: 1, Object: 1}) // of task 1
	h.Op(&op.Op{Kind: op.Lock, Task: 3, K: 1, Object: 1})
	log := slices.Collect(h.log.all())
	for _, c := range []struct {
		order []int
		want  error
	}{
		{[]int{0, 1, 2, 3, 4}, nil},
		{[]int{4}, nil},
		{[]int{1, 3, 4}, nil},
		{[]int{0, 4}, errExcluded},
		{[]int{4, 1}, errExcluded},
		{[]int{0, 3}, errNotOpen},
	} {
		var order []*entry
		for _, i := range c.order {
			order = append(order, log[i])
		}
		if err := verify(log, order, nil); !errors.Is(err, c.want) {
			t.Errorf("%v: %v, want %v", c.order, err, c.want)
		}
	}
}

// No task waits for what was written by no task.
func TestReadFromNobody(t *testing.T) {
	h := New()
	h.Op(&op.Op{Kind: op.ReadFrom, Task: 1, Other: op.NoTask, Data: new(clock.Clock)})
	if h.log.count != 0 {
		t.Errorf("%d operations are remembered", h.log.count)
	}
}
