package san_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// known returns the slice that all tasks know which have not ended.
func known(n *san.Net) []int32 {
	base := make([]int32, n.Tasks())
	for t := range base {
		base[t] = int32(n.Len(san.Task(t)))
	}
	one := make([]int32, n.Tasks())
	for t := range san.Task(n.Tasks()) {
		if n.Ended(t) {
			continue
		}
		last, ok := san.Action{Task: t, K: int32(n.Len(t))}, true
		if last.K == 0 {
			last, ok = n.SpawnedBy(t)
		}
		if clear(one); ok {
			n.Down(last, one)
		}
		for u := range base {
			base[u] = min(base[u], one[u])
		}
	}
	return base
}

// TestForget compares a net that forgets again and again with one that does not, event by event and
// error by error.
func TestForget(t *testing.T) {
	forgot := 0
	rapid.Check(t, func(t *rapid.T) {
		config := santest.Config{Steps: 40, Causes: rapid.SampledFrom([]int{20, 60, 90}).Draw(t, "causes"),
			Shared: []string{"s"}}
		trace := santest.Generate(santest.Rapid(t), config).Shuffle(santest.Rapid(t))
		events := trace.Events
		if len(events) > 0 && rapid.IntRange(0, 3).Draw(t, "spoilt") == 0 {
			events = spoil(t, events)
		}
		whole, part := builder(t, trace.Header), builder(t, trace.Header)
		for i, e := range events {
			pos := fmt.Sprint(i + 1)
			want, got := whole.Add(e, pos), part.Add(e, pos)
			if !alike(want, got) {
				t.Fatalf("event %d %v:\n%v\nwith forgetting:\n%v", i+1, e, want, got)
			}
			if want != nil {
				return
			}
			if rapid.IntRange(0, 4).Draw(t, "forget") == 0 {
				forgot += forget(t, part)
				compare(t, whole.Net(), part.Net())
			}
		}
		compare(t, whole.Net(), part.Net())
		if want, got := whole.PendingError(), part.PendingError(); text(want) != text(got) {
			t.Fatalf("stuck:\n%v\nwith forgetting:\n%v", want, got)
		}
		compare(t, whole.Partial(), part.Partial())
	})
	if !testing.Short() && forgot < 100 {
		t.Errorf("only %d events were forgotten", forgot)
	}
}

// forget lets a builder forget what all know, or less, and returns how many events that was.
func forget(t *rapid.T, b *san.Builder) int {
	n := b.Net()
	base := known(n)
	var acted []san.Task
	for u := range san.Task(n.Tasks()) {
		if n.Len(u) > 0 {
			acted = append(acted, u)
		}
	}
	if len(acted) > 0 && rapid.Bool().Draw(t, "less") {
		t1 := rapid.SampledFrom(acted).Draw(t, "task")
		one := make([]int32, n.Tasks())
		n.Down(san.Action{Task: t1, K: int32(rapid.IntRange(1, n.Len(t1)).Draw(t, "k"))}, one)
		for u := range base {
			base[u] = min(base[u], one[u])
		}
	}
	number := func(a san.Action) string { return fmt.Sprint(n.Name(a.Task), " ", n.Forgotten(a.Task)+int64(a.K)) }
	names := map[san.Action]string{}
	for u := range san.Task(n.Tasks()) {
		for k := range n.Len(u) {
			a := san.Action{Task: u, K: int32(k + 1)}
			names[a] = number(a)
		}
	}
	before := n.Events()
	r := b.Forget(base, func(san.Task) bool { return rapid.Bool().Draw(t, "keep") })
	for a, name := range names {
		now, ok := r.Action(a)
		if ok != (a.K > base[a.Task]) || ok && number(now) != name {
			t.Fatalf("%s is now %v (%v)", name, now, ok)
		}
	}
	return before - n.Events()
}

func builder(t fault, h *event.Header) *san.Builder {
	b, err := san.NewBuilder(h)
	if err != nil {
		t.Fatalf("%v", err)
	}
	b.RequireMutual()
	lookBack(b)
	return b
}

// lookBack has a builder keep previous local states.
func lookBack(b *san.Builder) { b.Net().PreviousPath([]string{"x"}) }

// alike reports whether two errors are of one kind and at one position; what they say can differ
// where something is forgotten.
func alike(want, got error) bool {
	var x, y *san.Error
	if !errors.As(want, &x) || !errors.As(got, &y) {
		return want == nil && got == nil
	}
	return x.Kind == y.Kind && x.Pos == y.Pos
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// spoil makes a mistake in a trace.
func spoil(t *rapid.T, events []*event.Event) []*event.Event {
	events = append([]*event.Event(nil), events...)
	i := rapid.IntRange(0, len(events)-1).Draw(t, "spoilt event")
	e := *events[i]
	other := events[rapid.IntRange(0, len(events)-1).Draw(t, "other")].Task
	k := rapid.IntRange(1, 8).Draw(t, "k")
	switch rapid.IntRange(0, 5).Draw(t, "mistake") {
	case 0:
		e.Task = other
	case 1:
		e.Spawn = other
	case 2:
		e.After = append(e.After[:len(e.After):len(e.After)], event.Ref{Task: other, K: k})
	case 3:
		e.With = append(e.With[:len(e.With):len(e.With)], event.Ref{Task: other, K: k})
	case 4:
		e.Exit, e.Enter = "f", ""
	case 5:
		e.Op = "end"
	}
	events[i] = &e
	return events
}

// compare compares what is left in a net with the whole one.
func compare(t *rapid.T, whole, part *san.Net) {
	for u := range san.Task(part.Tasks()) {
		w, ok := whole.Lookup(part.Name(u))
		if !ok {
			t.Fatalf("there is no task %s", part.Name(u))
		}
		skipped := int(part.Forgotten(u))
		if whole.Len(w) != part.Len(u)+skipped || whole.Ended(w) != part.Ended(u) {
			t.Fatalf("task %s has %d events, ended %v; of %d events %d are forgotten, ended %v",
				part.Name(u), whole.Len(w), whole.Ended(w), part.Len(u), skipped, part.Ended(u))
		}
		if parent, ok := part.Parent(u); ok {
			if p, _ := whole.Parent(w); whole.Name(p) != part.Name(parent) {
				t.Fatalf("the parent of task %s is %s, was %s", part.Name(u), part.Name(parent), whole.Name(p))
			}
		}
		one, other := whole.Walk(w), part.Walk(u)
		one.Seek(skipped)
		for k := 0; ; k++ {
			if diff := differ(one.State(), other.State()); diff != "" {
				t.Fatalf("task %s, state %d+%d: %s", part.Name(u), skipped, k, diff)
			}
			if k > 0 {
				compareEvent(t, whole, part, san.Action{Task: w, K: int32(skipped + k)},
					san.Action{Task: u, K: int32(k)})
			}
			if !other.Next() {
				break
			}
			one.Next()
		}
	}
	left := 0
	for u := range san.Task(part.Tasks()) {
		left += part.Len(u)
	}
	if left != part.Events() {
		t.Fatalf("the tasks have %d events, the net %d", left, part.Events())
	}
}

// differ returns how two local states, or their previous ones, differ.
func differ(one, other *san.State) string {
	diff := contentsDiffer(one, other)
	if one, other = one.Previous(), other.Previous(); (one == nil) != (other == nil) {
		return diff + "only one state has a previous one"
	} else if one != nil {
		diff += contentsDiffer(one, other)
	}
	return diff
}

func contentsDiffer(one, other *san.State) string {
	return cmp.Diff(one.Stack(), other.Stack(), values) + cmp.Diff(one.Own(), other.Own(), values)
}

var values = cmp.Comparer(func(v, w event.Value) bool {
	return string(event.AppendValue(nil, v)) == string(event.AppendValue(nil, w))
})

func compareEvent(t *rapid.T, whole, part *san.Net, a, b san.Action) {
	if whole.Event(a) != part.Event(b) {
		t.Fatalf("%v: %v, %v", a, whole.Event(a), part.Event(b))
	}
	for u := range san.Task(part.Tasks()) {
		w, _ := whole.Lookup(part.Name(u))
		if want := max(0, whole.Known(a, w)-int(part.Forgotten(u))); want != part.Known(b, u) {
			t.Fatalf("event %d of %s knows %d of %s, not %d", b.K, part.Name(b.Task), part.Known(b, u), part.Name(u),
				want)
		}
	}
	if len(whole.Joint(a)) != len(part.Joint(b)) {
		t.Fatalf("%v has the sides %v, %v", a, whole.Joint(a), part.Joint(b))
	}
}
