package san_test

import (
	"math/rand"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// compareVectors compares what each action knows with a vector clock, one counter for each
// task, that is made from the direct predecessors alone.
func compareVectors(t fault, n *san.Net) {
	t.Helper()
	down := make(map[san.Action][]int32) // by canonical name
	got := make([]int32, n.Tasks())
	for a := range n.Order() {
		want := make([]int32, n.Tasks())
		learn := func(b san.Action) {
			for u, k := range down[n.Canonical(b)] {
				want[u] = max(want[u], k)
			}
		}
		sides := n.Sides(a)
		for _, s := range sides {
			if s.K > 1 {
				learn(san.Action{Task: s.Task, K: s.K - 1})
			} else if spawn, ok := n.SpawnedBy(s.Task); ok {
				learn(spawn)
			}
			for _, c := range n.Causes(s) {
				learn(c)
			}
		}
		for _, s := range sides {
			want[s.Task] = s.K
		}
		down[a] = want
		for _, s := range sides {
			n.Down(s, got)
			if !slices.Equal(want, got) {
				t.Fatalf("↓%v is %v, want %v", s, got, want)
			}
			for u, k := range want {
				if known := n.Known(s, san.Task(u)); known != int(k) {
					t.Fatalf("%v knows %d events of task %d, want %d", s, known, u, k)
				}
			}
		}
	}
}

// TestClocksAgainstVectors takes nets with so many tasks that clocks are trees of up to
// three levels, in any order of arrival.
func TestClocksAgainstVectors(t *testing.T) {
	if testing.Short() { // the race detector makes it slow, and there is one goroutine
		t.Skip("it takes long")
	}
	compare := func(t fault, src santest.Source) {
		c := santest.Config{
			Tasks: 1 + src.Intn([]int{90, 90, 300, 1100}[src.Intn(4)]), Spawns: 1 + src.Intn(20),
			Steps:  1 + src.Intn(250),
			Causes: 1 + src.Intn(100), Joints: -1 + src.Intn(50), Frames: -1, Values: -1, OneSided: src.Intn(2) == 0,
		}
		compareVectors(t, santest.Generate(src, c).Shuffle(src).MustBuild())
	}
	for seed := range int64(300) {
		compare(t, rand.New(rand.NewSource(seed)))
	}
	rapid.Check(t, func(t *rapid.T) { compare(t, santest.Rapid(t)) })
}

// TestClocksAtBarriers takes nets in which tasks learn what all others know, all at once.
func TestClocksAtBarriers(t *testing.T) {
	if testing.Short() { // the race detector makes it slow, and there is one goroutine
		t.Skip("it takes long")
	}
	for _, tasks := range []int{2, 9, 70, 520} {
		for _, p := range workload.Patterns() {
			c := workload.Config{Pattern: p, Tasks: tasks, Events: workload.MinEvents, Seed: 1}
			net, err := c.Net()
			if err != nil {
				t.Fatal(err)
			}
			compareVectors(t, net)
		}
	}
}

// TestClocksOfLongTasks takes nets in which counters become large, and tasks hear of each other
// after many events. They are condensed in between.
func TestClocksOfLongTasks(t *testing.T) {
	if testing.Short() { // the race detector makes it slow, and there is one goroutine
		t.Skip("it takes long")
	}
	for _, l := range []load{
		{tasks: 16, events: 1000, sync: 1},
		{tasks: 70, events: 200, sync: 1},
		{tasks: 150, events: 100, sync: 7},
		{tasks: 20, events: 2000, sync: 300},
		{tasks: 64, events: 200, sync: 2, joint: true},
	} {
		b := builder(t, &event.Header{Tasks: []string{"main"}})
		source := rand.New(rand.NewSource(1))
		left := l.tasks * l.events / 2 // until it is condensed
		l.run(func(e *event.Event) {
			if err := b.Add(e, ""); err != nil {
				t.Fatal(err)
			}
			if left--; left == 0 {
				compareVectors(t, b.Net())
				condense(t, b, source)
			}
		})
		compareVectors(t, b.Net())
	}
}
