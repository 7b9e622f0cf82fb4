package tracemodel

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/slicestest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

const enumerable = 2000

// TestLattice compares the system of random runs with their enumerated slices.
func TestLattice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := santest.Generate(santest.Rapid(t), santest.Config{Steps: 14, Tasks: 3, Spawns: 15,
			Joints: 15}).MustBuild()
		r := New(net)
		want, ok := slicestest.Enumerate(r.lattice, enumerable)
		if !ok {
			t.Skip("too many slices")
		}
		g, err := kripke.Explore(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		if g.States() != want.Len() {
			t.Fatalf("%d states, not %d", g.States(), want.Len())
		}
		for s := range kripke.State(g.States()) {
			here := r.Slice(s)
			n, ok := want.Index(here)
			if !ok {
				t.Fatalf("%s is no slice", here)
			}
			behind := map[string]bool{}
			for _, next := range want.Successors(n) {
				behind[want.Slice(next).String()] = true
			}
			moves, err := r.Moves(nil, s)
			if err != nil || len(moves) != len(behind) {
				t.Fatalf("%d moves from %s, not %d (%v)", len(moves), here, len(behind), err)
			}
			for _, m := range moves {
				a := san.Action{Task: san.Task(m.Process), K: m.Action}
				to := r.Slice(m.To)
				if !behind[to.String()] || !to.Has(a) || here.Has(a) {
					t.Fatalf("%s by %v from %s", to, a, here)
				}
				if again, err := r.State(to); err != nil || again != m.To {
					t.Fatalf("%s is state %d and %d (%v)", to, m.To, again, err)
				}
			}
		}
		checkBack(t, r, g)
	})
}

// checkBack fails unless the moves back are the moves forward, turned around.
func checkBack(t *rapid.T, r *Run, g *kripke.Graph) {
	forward, backward := map[string]bool{}, map[string]bool{}
	key := func(from, to kripke.State, m kripke.Move) string { return fmt.Sprint(from, to, m.Process, m.Action) }
	for s := range kripke.State(g.States()) {
		moves, err := r.Moves(nil, s)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range moves {
			forward[key(s, m.To, m)] = true
		}
		if moves, err = r.Past().Moves(nil, s); err != nil {
			t.Fatal(err)
		}
		for _, m := range moves {
			backward[key(m.To, s, m)] = true
		}
	}
	if len(forward) != len(backward) {
		t.Fatalf("%d moves forward, %d back", len(forward), len(backward))
	}
	for k := range forward {
		if !backward[k] {
			t.Fatalf("no way back for %s", k)
		}
	}
}

// TestAtoms compares propositions with what a walk through the local states of their task says.
func TestAtoms(t *testing.T) {
	held := 0
	enough := func() bool { return testing.Short() || held > 0 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		net := santest.Generate(santest.Rapid(t), santest.Config{Steps: 14, Tasks: 3, Spawns: 15}).MustBuild()
		r := New(net)
		g, err := kripke.Explore(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		if g.States() > enumerable {
			t.Skip("too many slices")
		}
		task := san.Task(rapid.IntRange(0, net.Tasks()-1).Draw(t, "task"))
		function := rapid.SampledFrom([]string{"f", "g", "h"}).Draw(t, "function")
		a, err := r.Atom(net.Name(task) + " : (in." + function + ")")
		if err != nil {
			t.Fatal(err)
		}
		where := r.Where(a)
		for s := range kripke.State(g.States()) {
			slice := r.Slice(s)
			w := net.Walk(task)
			w.Seek(slice.At(task))
			want := r.lattice.Created(slice, task) && w.State().OnStack(function)
			if got := r.Holds(a, s); got != want || where.Contains(slice) != want {
				t.Fatalf("in %s: %v, and %v in the set, not %v", slice, got, where.Contains(slice), want)
			}
			if want {
				held++
			}
		}
	})
	if !enough() {
		t.Error("no proposition held anywhere")
	}
}

func TestWrongAtoms(t *testing.T) {
	r := New(santest.Read(t, santest.RingBuffer))
	for name, want := range map[string]string{
		"turn == 1":             "turn == 1 is not a proposition of a run: write TASK:(LOCAL FORMULA), as in main:(in.f)",
		"gett:(in.get)":         "the run has no task gett, but 3 others (did you mean get?)",
		"get:(in.get":           "proposition get:(in.get: found the end",
		"get:(in.get) and":      "proposition get:(in.get) and: found the end",
		"get:(in.get and )":     `expected `,
		"get:(in.get) or x:(y)": "it has operators of specifications outside the parentheses",
	} {
		if _, err := r.Atom(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDescribe looks at the run of Frey 1996, figure 6.
func TestDescribe(t *testing.T) {
	r := New(santest.Read(t, santest.RingBuffer))
	s := r.Initial()[0]
	var labels []string
	for moves, err := r.Moves(nil, s); len(moves) > 0; moves, err = r.Moves(nil, s) {
		if err != nil {
			t.Fatal(err)
		}
		labels = append(labels, r.Processes()[moves[0].Process]+": "+r.Label(s, moves[0]))
		s = moves[0].To
	}
	if got, want := strings.Join(labels, "\n"), `main: go get
main: go put
get: enter get
put: enter put
put: enter append
put: step
get: wait b not empty
get: enter remove
put: leave append`; got != want {
		t.Errorf("labels:\n%s", got)
	}
	if got, want := kripke.Text(r, s), "state 13: main.at=outside get.at=get>remove+ put.at=put>append- put.elem=21 put.b.last=1 put.b.data=[0,21]"; got != want {
		t.Errorf("%s", got)
	}
	if got, want := kripke.Text(r, r.Initial()[0]), "state 0: main.at=outside"; got != want {
		t.Errorf("%s", got)
	}
}

// TestOrder draws the run of Frey 1996, figure 6, where put has entered append.
func TestOrder(t *testing.T) {
	r := New(santest.Read(t, santest.RingBuffer))
	a, err := r.Atom("put:(in.append)")
	if err != nil {
		t.Fatal(err)
	}
	least, _ := r.Where(a).Least()
	s, err := r.State(least)
	if err != nil {
		t.Fatal(err)
	}
	g, err := r.Order(s, 100)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for i, n := range g.Nodes {
		mark := ""
		if n.Bold {
			mark = "*"
		}
		fmt.Fprintf(&text, "%s%s", mark, n.Text)
		for _, e := range g.Edges {
			if e.To == i {
				fmt.Fprintf(&text, " < %s", g.Nodes[e.From].Text)
			}
		}
		text.WriteString("\n")
	}
	want := `*main 1: go get
*main 2: go put < main 1: go get
*put 1: enter put < main 2: go put
get 1: enter get < main 1: go get
*put 2: enter append < put 1: enter put
put 3: step < put 2: enter append
put 4: leave append < put 3: step
get 2: wait b not empty < get 1: enter get < put 3: step
get 3: enter remove < get 2: wait b not empty
`
	if text.String() != want {
		t.Errorf("%s", text.String())
	}
	if _, err := r.Order(s, 3); err == nil {
		t.Error("a picture of more than it may show")
	}
}
