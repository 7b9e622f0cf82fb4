package san_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// A copy is the net as it was, whatever comes later, also when the beginning is forgotten or the
// net is sealed.
func TestCopy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		random := santest.Rapid(t)
		trace := santest.Generate(random, santest.Config{Steps: 15, Shared: []string{"z"}}).Shuffle(random)
		at := rapid.IntRange(0, len(trace.Events)).Draw(t, "events")
		begun := func() *san.Builder {
			b, err := san.NewBuilder(trace.Header)
			if err != nil {
				t.Fatal(err)
			}
			b.RequireMutual()
			return b
		}
		add := func(b *san.Builder, from, to int) {
			for _, e := range trace.Events[from:to] {
				if err := b.Add(e, ""); err != nil {
					t.Skip(err) // a joint action that only one side names
				}
			}
		}
		b, other := begun(), begun()
		add(b, 0, at)
		add(other, 0, at)
		net, was := b.Copy(), described(other.Partial())
		if d := cmp.Diff(was, described(net)); d != "" {
			t.Fatalf("the copy is another net: %s", d)
		}
		add(b, at, len(trace.Events))
		base := make([]int32, b.Net().Tasks())
		for t := range base {
			base[t] = int32(b.Net().Len(san.Task(t)))
		}
		if rapid.Bool().Draw(t, "forget") {
			b.Forget(base, func(san.Task) bool { return true })
		} else {
			b.Partial()
		}
		if d := cmp.Diff(was, described(net)); d != "" {
			t.Fatalf("the copy has changed: %s", d)
		}
	})
}

// described lists what a net has.
func described(n *san.Net) []string {
	lines := []string{fmt.Sprint(n.Tasks(), n.Events(), n.Actions(), n.Lost(), n.Recorded(0))}
	for t := range san.Task(n.Tasks()) {
		by, spawned := n.SpawnedBy(t)
		lines = append(lines, fmt.Sprint(n.Name(t), " ", n.Len(t), n.Initial(t), n.Ended(t), by, spawned))
		for w := n.Walk(t); ; {
			var s strings.Builder
			for _, v := range []string{"x", "y", "s", "z"} {
				fmt.Fprint(&s, v, "=", w.State().Lookup(n.Path([]string{v})), " ")
			}
			lines = append(lines, fmt.Sprint(w.State().K(), w.State().Stack(), s.String()))
			if !w.Next() {
				break
			}
			a := san.Action{Task: t, K: int32(w.State().K())}
			lines = append(lines, fmt.Sprint(a, n.Event(a), n.Causes(a), n.Sides(a), n.Known(a, 0)))
		}
	}
	return lines
}

// TestCopyWhileBuilding reads a copy in two other goroutines while the builder goes on: with new
// tasks, names, variables, strings, places and clocks.
func TestCopyWhileBuilding(t *testing.T) {
	b := mutual(t)
	add := func(from, to int) {
		for i := from; i < to; i++ {
			task := fmt.Sprint("task", i%100)
			events := []*event.Event{
				{Task: "main", Op: fmt.Sprint("op", i), Obj: fmt.Sprint("object", i), At: fmt.Sprint("main.go:", i),
					Set: []event.Binding{{Name: fmt.Sprint("v", i), Value: event.StringValue("text")},
						{Name: "x", Value: event.IntValue(int64(i))}}},
				{Task: task, After: []event.Ref{{Task: "main", K: i + 1}}},
			}
			if i < 100 {
				events[0].Spawn = task
			}
			for _, e := range events {
				if err := b.Add(e, ""); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	add(0, 50)
	was := described(b.Net())
	net := b.Copy()
	added := make(chan struct{})
	failed := make(chan string)
	read := func() {
		for over, d := false, ""; !over && d == ""; {
			select {
			case <-added:
				over = true
			default:
			}
			net.Path([]string{"unknown"}) // a net that grew would have a variable of that name now
			if d = cmp.Diff(was, described(net)); d != "" || over {
				failed <- d
			}
		}
	}
	go read()
	go read()
	add(50, 5_000)
	close(added)
	for range 2 {
		if d := <-failed; d != "" {
			t.Error(d)
		}
	}
}

// TestCopyShares bounds what copies of a long run take.
func TestCopyShares(t *testing.T) {
	b := mutual(t)
	for i := range 100_000 {
		e := &event.Event{Task: "main", At: fmt.Sprint("main.go:", i%1_000),
			Set: []event.Binding{{Name: "x", Value: event.IntValue(int64(i))}}}
		if err := b.Add(e, ""); err != nil {
			t.Fatal(err)
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 100 {
		b.Copy()
	}
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 1<<20 {
		t.Errorf("100 copies of a net of one task take %d bytes", bytes)
	}
}

// mutual returns a builder with one task, main.
func mutual(t *testing.T) *san.Builder {
	t.Helper()
	b, err := san.NewBuilder(&event.Header{Version: 1, Tasks: []string{"main"}})
	if err != nil {
		t.Fatal(err)
	}
	b.RequireMutual()
	return b
}
