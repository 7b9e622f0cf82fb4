package tracemodel

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tracer/event"
)

// noPosition is the position of events that have none.
type noPosition struct{}

func (noPosition) Pos() string { return "" }

// TestLive compares the states of a run that grows with those of the finished run that has the same
// slices. Atoms are asked for before anything has happened, and in between.
func TestLive(t *testing.T) {
	held := 0
	rapid.Check(t, func(t *rapid.T) {
		trace := santest.Generate(santest.Rapid(t), santest.Config{Steps: 20, Tasks: 3, Spawns: 4, Joints: 15,
			Shared: []string{}})
		// Without that it would become known only by and by that there are functions.
		trace.Header.Instrumented = &event.Instrumentation{Functions: []string{"f", "g"}}
		net := trace.MustBuild()
		finished := New(net)
		live, err := NewLive(trace.Header)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for task := range san.Task(net.Tasks()) {
			names = append(names, net.Name(task)+":(in.f)", net.Name(task)+": (not in.g)")
		}
		early := rapid.IntRange(0, len(names)).Draw(t, "early")
		ask := func(names []string) {
			for _, name := range names {
				if _, err := live.Atom(name); err != nil {
					t.Fatal(err)
				}
			}
		}
		ask(names[:early])
		for i, e := range trace.Events {
			if i == len(trace.Events)/2 {
				ask(names)
			}
			if err := live.AddFrom(e, noPosition{}); err != nil {
				t.Fatal(err)
			}
			for _, p := range live.named {
				live.Holds(p, live.Last())
			}
		}
		ask(names)
		if live.States() != net.Actions()+1 {
			t.Fatalf("%d states, but %d actions", live.States(), net.Actions())
		}
		for s := range kripke.State(live.States()) {
			held += compare(t, live, finished, s, names)
		}
	})
	if held == 0 && !testing.Short() {
		t.Error("no proposition held anywhere")
	}
}

// compare fails unless a state is like the same slice of the finished run. It returns how many
// propositions hold there.
func compare(t *rapid.T, live *LiveRun, finished *Run, s kripke.State, names []string) (held int) {
	counts := make([]int, finished.net.Tasks())
	for task := range live.tasks {
		counts[task] = live.at(san.Task(task), s)
	}
	slice, ok := finished.lattice.Ideal(counts)
	if !ok {
		t.Fatalf("state %d is no slice: %v", s, counts)
	}
	same, err := finished.State(slice)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(finished.Describe(same), live.Describe(s)); diff != "" {
		t.Fatalf("state %d: %s", s, diff)
	}
	for _, name := range names {
		a, err := finished.Atom(name)
		if err != nil {
			t.Fatal(err)
		}
		want, got := finished.Holds(a, same), live.Holds(live.named[name], s)
		if want != got {
			t.Fatalf("state %d: %s is %v, not %v", s, name, got, want)
		}
		if got {
			held++
		}
	}
	moves, err := live.Moves(nil, s)
	if err != nil || len(moves) != min(1, live.States()-1-int(s)) {
		t.Fatalf("state %d: moves %v, %v", s, moves, err)
	}
	all, err := finished.Moves(nil, same)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range moves {
		if !slices.ContainsFunc(all, func(o kripke.Move) bool {
			return o.Process == m.Process && o.Action == m.Action
		}) {
			t.Fatalf("state %d: %v is none of %v", s, m, all)
		}
		if !live.Took(san.Task(m.Process), m.To) || live.Label(s, m) != finished.Label(same, m) {
			t.Fatalf("state %d: %s, not %s", s, live.Label(s, m), finished.Label(same, m))
		}
	}
	return held
}

func TestWrongLiveAtoms(t *testing.T) {
	net := santest.Read(t, santest.RingBuffer)
	r, err := NewLive(net.Header())
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"turn == 1":    "turn == 1 is not a proposition of a run: write TASK:(LOCAL FORMULA), as in main:(in.f)",
		"get:(in.get":  "proposition get:(in.get: found the end",
		"later:(in.f)": "",
	} {
		if _, err := r.Atom(name); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
