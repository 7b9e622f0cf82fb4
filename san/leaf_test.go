package san

import (
	"errors"
	"math/bits"
	"math/rand"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// vectors are tasks whose clocks are made beside plain ones, one counter for each task.
type vectors struct {
	t      *rapid.T
	c      clocks
	tasks  []vector
	source *rand.Rand
}

type vector struct {
	clock clock
	known []int32 // may be shorter than there are tasks
	k     int32
}

// join lets an event of each of some tasks come after events of others, as joint actions and causes
// do.
func (v *vectors) join(sides, causes []int) {
	first := &v.tasks[sides[0]]
	v.c.begin(Action{Task(sides[0]), first.k + 1}, view{first.clock, Action{Task(sides[0]), first.k}})
	known := make([]int32, len(v.tasks))
	var knows clock
	for i, u := range append(slices.Clone(sides), causes...) {
		of := v.tasks[u]
		if i == 0 {
			knows = of.clock
		} else {
			knows = v.c.join(knows, view{of.clock, Action{Task(u), of.k}})
		}
		for w, k := range of.known {
			known[w] = max(known[w], k)
		}
		known[u] = max(known[u], of.k)
	}
	for _, u := range sides {
		v.tasks[u].k++
		knows = v.c.raise(knows, Task(u), v.tasks[u].k)
		known[u] = v.tasks[u].k
	}
	for _, u := range sides {
		v.tasks[u].clock, v.tasks[u].known = knows, known
	}
	v.c.raise(knows, Task(sides[0]), first.k) // the clock itself must not change
}

// compare compares a clock with the plain one.
func (v *vectors) compare(task int) {
	want := make([]int32, len(v.tasks))
	copy(want, v.tasks[task].known)
	own := want[task]
	got := make([]int32, len(v.tasks))
	v.c.fill(v.tasks[task].clock, got)
	// Of its own task a clock may say less.
	if got[task] > v.tasks[task].k {
		v.t.Fatalf("task %d has %d events, and knows %d of them", task, v.tasks[task].k, got[task])
	}
	for u := range got {
		if at := v.c.at(v.tasks[task].clock, Task(u)); at != got[u] {
			v.t.Fatalf("task %d knows %d events of %d, or %d", task, at, u, got[u])
		}
	}
	want[task] = got[task]
	if !slices.Equal(want, got) {
		v.t.Fatalf("task %d knows\n%v, not\n%v (own %d)", task, got, want, own)
	}
}

// TestLeaves compares clocks with plain ones: with steps from one event to millions, which
// exceed each size of offsets and require new floors, and with a growing number of tasks, which
// makes trees higher.
func TestLeaves(t *testing.T) {
	var forms [4]int // blocks by what they take
	floors, high, chunks := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		v := &vectors{t: t, c: newClocks(), source: rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))}
		initial := rapid.SampledFrom([]int{2, 9, 65, 128}).Draw(t, "tasks")
		grows := rapid.SampledFrom([]int{0, 0, 1, 40}).Draw(t, "grows")
		step := rapid.SampledFrom([]int32{1, 3, 40, 3000}).Draw(t, "step")
		joint := rapid.SampledFrom([]int{0, 20}).Draw(t, "joint")
		v.tasks = make([]vector, initial)
		v.c.fitTasks(initial)
		for range rapid.SampledFrom([]int{50, 3000}).Draw(t, "events") {
			task := v.source.Intn(len(v.tasks))
			v.tasks[task].k += v.source.Int31n(step)
			if v.source.Intn(500) == 0 {
				v.tasks[task].k += v.source.Int31n(1 << 20)
			}
			sides, causes := []int{task}, v.others(task, v.source.Intn(3))
			if v.source.Intn(100) < joint {
				sides, causes = append(sides, causes...), v.others(task, 1)
			}
			v.join(sides, causes)
			if v.source.Intn(100) < grows {
				v.spawn(task)
			}
			if v.source.Intn(30) == 0 {
				v.compare(v.source.Intn(len(v.tasks)))
			}
			if v.source.Intn(1000) == 0 {
				v.c = v.restored()
			}
		}
		for task := range v.tasks {
			v.compare(task)
			v.count(&forms, task)
		}
		floors, high, chunks = floors+len(v.c.floors)-1, max(high, len(v.c.grown)), max(chunks, len(v.c.chunks))
	})
	if t.Logf("blocks %v, %d floors, %d levels, %d chunks", forms, floors, high, chunks); testing.Short() {
		return
	}
	if slices.Min(forms[:]) == 0 || floors == 0 || high < 3 || chunks < 2 {
		t.Error("some case was not reached")
	}
}

// others returns some tasks but one, none twice.
func (v *vectors) others(but, n int) (tasks []int) {
	for range n {
		if u := v.source.Intn(len(v.tasks)); u != but && !slices.Contains(tasks, u) {
			tasks = append(tasks, u)
		}
	}
	return tasks
}

// spawn makes a task that knows what its creator does.
func (v *vectors) spawn(by int) {
	parent := v.tasks[by]
	own := Action{Task(by), parent.k}
	v.c.begin(own, view{parent.clock, own})
	known := make([]int32, len(v.tasks))
	copy(known, parent.known)
	known[by] = parent.k
	v.tasks = append(v.tasks, vector{clock: v.c.raise(parent.clock, own.Task, own.K), known: known})
	v.c.fitTasks(len(v.tasks))
}

// TestTooManyClocks fills clocks as far as their nodes have numbers, but for the memory.
func TestTooManyClocks(t *testing.T) {
	b, err := NewBuilder(&event.Header{Tasks: []string{"main"}})
	if err != nil {
		t.Fatal(err)
	}
	b.n.clocks.chunks = make([][]uint32, maxChunks)
	if err := b.Add(&event.Event{Task: "main"}, ""); err != nil {
		t.Fatal(err)
	}
	b.n.clocks.chunks = append(b.n.clocks.chunks, nil)
	var wrong *Error
	if err := b.Add(&event.Event{Task: "main"}, ""); !errors.As(err, &wrong) || wrong.Kind != TooLarge {
		t.Errorf("%v", err)
	}
}

func (v *vectors) restored() clocks {
	w := snapshot.NewWriter()
	v.c.snapshot(w)
	var c clocks
	c.snapshot(snapshot.NewReader(w.Bytes()))
	return c
}

// count counts the blocks of the leaves of a task's clock by their form.
func (v *vectors) count(forms *[4]int, task int) {
	var visit func(level int, n uint32)
	visit = func(level int, n uint32) {
		if n == 0 {
			return
		}
		if level > 0 {
			for _, x := range v.c.slots(n) {
				visit(level-1, x)
			}
			return
		}
		form := v.c.words(n)[1]
		lows, highs := uint16(form), uint16(form>>blocks)
		forms[0] += blocks - bits.OnesCount16(lows|highs)
		forms[1] += bits.OnesCount16(lows &^ highs)
		forms[2] += bits.OnesCount16(highs &^ lows)
		forms[3] += bits.OnesCount16(lows & highs)
	}
	root := v.tasks[task].clock
	visit(v.c.height(root)-1, uint32(root))
}

// TestMaxBytes compares the maximum of eight bytes, or halves of bytes, at a time with that of
// each.
func TestMaxBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.Uint64().Draw(t, "x"), rapid.Uint64().Draw(t, "y")
		var p, q, r [blockSize]uint32
		unpack(x, &p)
		unpack(y, &q)
		unpack(maxBytes(x, y), &r)
		for i := range r {
			if r[i] != max(p[i], q[i]) {
				t.Fatalf("the maximum of %x and %x is %x", p, q, r)
			}
		}
		if pack(&p) != x {
			t.Fatalf("%x is packed as %x", p, pack(&p))
		}
		if p, q := uint32(x), uint32(y); spread(maxHalves(p, q)) != maxBytes(spread(p), spread(q)) {
			t.Fatalf("the maximum of the halves of %x and %x is %x", p, q, maxHalves(p, q))
		}
		if low := x & lowHalves; spread(gather(low)) != low {
			t.Fatalf("%x is spread as %x", low, spread(gather(low)))
		}
	})
}
