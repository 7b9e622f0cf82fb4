package san_test

import (
	"fmt"
	"math/rand"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// TestCondense compares a net that is condensed again and again with one that is not.
func TestCondense(t *testing.T) {
	dropped, moved, absorbed := 0, 0, 0
	enough := func() bool { return testing.Short() || dropped >= 100 && moved >= 100 && absorbed >= 20 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		source := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
		trace := santest.Generate(source, santest.Config{
			Steps: 80, Tasks: rapid.SampledFrom([]int{3, 3, 3, 300}).Draw(t, "tasks"), Spawns: 15,
			Ends:   rapid.SampledFrom([]int{0, 5, 25}).Draw(t, "ends"),
			Causes: rapid.SampledFrom([]int{20, 60, 90}).Draw(t, "causes"),
			Joints: rapid.SampledFrom([]int{0, 10, 30}).Draw(t, "joints"),
		})
		if rapid.Bool().Draw(t, "shuffled") {
			trace = trace.Shuffle(source)
		}
		whole, part := builder(t, trace.Header), builder(t, trace.Header)
		for i, e := range trace.Events {
			pos := fmt.Sprint(i + 1)
			want, got := whole.Add(e, pos), part.Add(e, pos)
			if !alike(want, got) {
				t.Fatalf("event %d %v:\n%v\ncondensed:\n%v", i+1, e, want, got)
			}
			if want != nil {
				return
			}
			if rapid.IntRange(0, 6).Draw(t, "condense") > 0 {
				continue
			}
			before, gone := part.Net().Events(), part.ForgottenTasks()
			condense(t, part, source)
			absorbed += part.ForgottenTasks() - gone
			if source.Intn(4) == 0 {
				part = restored(t, part)
			}
			if dropped += before - part.Net().Events(); part.Net().IsCondensed() {
				moved++
			}
			compareCondensed(t, whole.Net(), part.Net(), source)
		}
		compareCondensed(t, whole.Net(), part.Net(), source)
		if want, got := whole.PendingError(), part.PendingError(); text(want) != text(got) {
			t.Fatalf("stuck:\n%v\ncondensed:\n%v", want, got)
		}
		compareCondensed(t, whole.Partial(), part.Partial(), source)
	})
	if !enough() {
		t.Errorf("only %d events were dropped, %d nets condensed, %d tasks forgotten", dropped, moved, absorbed)
	}
}

// condense condenses a net, where some actions stay that were not condensed before.
func condense(t fault, b *san.Builder, source *rand.Rand) {
	n := b.Net()
	base := known(n)
	if source.Intn(3) > 0 {
		clear(base)
	}
	events := source.Intn(n.Events() + 1)
	for events > 0 && events < n.Events() { // no joint action is cut in two
		a := last(n, events)
		if len(n.Joint(a)) == 0 {
			break
		}
		events--
	}
	var named []san.Action
	few := 2 << source.Intn(5)
	for a := range n.Order() {
		if !n.IsJump(a) && source.Intn(few) == 0 {
			named = append(named, a)
		}
	}
	numbers := map[san.Action]string{}
	for _, a := range named {
		numbers[a] = number(n, a)
	}
	r := b.Condense(base, func(san.Task) bool { return source.Intn(2) == 0 }, named, events)
	for a, name := range numbers {
		if now, ok := r.Action(a); ok != (a.K > base[a.Task]) || ok && number(n, now) != name {
			t.Fatalf("%s is now %v (%v)", name, now, ok)
		}
	}
}

// last returns the last of the first events of the recorded order.
func last(n *san.Net, events int) san.Action {
	order := n.Recorded(0)
	a := san.Action{Task: order[events-1]}
	for _, u := range order[:events] {
		if u == a.Task {
			a.K++
		}
	}
	return a
}

func number(n *san.Net, a san.Action) string {
	return fmt.Sprint(n.Name(a.Task), " ", n.Number(a.Task, int(a.K)))
}

// compareCondensed compares what is left in a net with the whole one.
func compareCondensed(t *rapid.T, whole, part *san.Net, source *rand.Rand) {
	at := func(u san.Task, k int) san.Action { // in the whole net
		w, ok := whole.Lookup(part.Name(u))
		if !ok {
			t.Fatalf("there is no task %s", part.Name(u))
		}
		return san.Action{Task: w, K: int32(part.Number(u, k))}
	}
	for u := range san.Task(part.Tasks()) {
		if w := at(u, part.Len(u)); whole.Len(w.Task) != int(w.K) || whole.Ended(w.Task) != part.Ended(u) {
			t.Fatalf("task %s ends with event %d of %d", part.Name(u), w.K, whole.Len(w.Task))
		}
		compareStates(t, whole, part, u, at)
		for k := range part.Len(u) {
			x := san.Action{Task: u, K: int32(k + 1)}
			for v := range san.Task(part.Tasks()) {
				for l := range part.Len(v) {
					y := san.Action{Task: v, K: int32(l + 1)}
					if part.IsJump(y) {
						continue
					}
					want := whole.Known(at(u, k+1), at(v, 0).Task) >= int(at(v, l+1).K)
					if got := part.Known(x, v) >= l+1; want != got {
						t.Fatalf("%s precedes or is %s: %v, condensed %v", number(part, y), number(part, x), want, got)
					}
				}
			}
		}
	}
	compareSlice(t, whole, part, source, at)
}

func compareStates(t *rapid.T, whole, part *san.Net, u san.Task, at func(san.Task, int) san.Action) {
	one, other := whole.Walk(at(u, 0).Task), part.Walk(u)
	for k := 0; ; k++ {
		one.Seek(int(at(u, k).K))
		if diff := differ(one.State(), other.State()); diff != "" {
			t.Fatalf("task %s, state %d: %s", part.Name(u), at(u, k).K, diff)
		}
		if k > 0 && !part.IsJump(san.Action{Task: u, K: int32(k)}) &&
			whole.Event(at(u, k)) != part.Event(san.Action{Task: u, K: int32(k)}) {
			t.Fatalf("event %d of task %s is another one", at(u, k).K, part.Name(u))
		}
		if !other.Next() {
			return
		}
	}
}

// compareSlice looks whether a slice of a condensed net is one of the whole net if it contains all
// jumps that it can.
func compareSlice(t *rapid.T, whole, part *san.Net, source *rand.Rand, at func(san.Task, int) san.Action) {
	slice := make([]int32, part.Tasks())
	one := make([]int32, part.Tasks())
	for u := range san.Task(part.Tasks()) {
		if k := source.Intn(part.Len(u) + 1); k > 0 && source.Intn(2) == 0 {
			part.Down(san.Action{Task: u, K: int32(k)}, one)
			for v := range slice {
				slice[v] = max(slice[v], one[v])
			}
		}
	}
	part.Settle(slice)
	for u, k := range slice {
		a := at(san.Task(u), int(k))
		for v := range san.Task(part.Tasks()) {
			w := at(v, int(slice[v]))
			if known := 0; a.K > 0 {
				if known = whole.Known(a, w.Task); known > int(w.K) {
					t.Fatalf("%v is no slice: event %d of %s knows %d of %s", slice, a.K, part.Name(san.Task(u)), known,
						part.Name(v))
				}
			}
		}
	}
}

// restored returns a builder that goes on from a snapshot of another one.
func restored(t *rapid.T, b *san.Builder) *san.Builder {
	w := snapshot.NewWriter()
	b.Snapshot(w)
	b.SnapshotPrevious(w)
	r := snapshot.NewReader(w.Bytes())
	again, err := san.RestoreBuilder(r)
	if err != nil {
		t.Fatal(err)
	}
	lookBack(again)
	if again.SnapshotPrevious(r); r.Err() != nil {
		t.Fatal(r.Err())
	}
	return again
}
