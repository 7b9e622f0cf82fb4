package tracemodel_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/steps"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
)

// opaqueSystem is a system that does not say where propositions hold.
type opaqueSystem struct{ kripke.System }

func find(t *rapid.T, sys kripke.System, f *temporal.Formula, from kripke.State, mode steps.Mode) (all []*steps.Step) {
	s, err := steps.New(sys, f, from, steps.Options{Mode: mode, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for {
		step, err := s.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if step == nil {
			return all
		}
		all = append(all, step)
	}
}

// TestSeek compares steps that are found by sets of slices with those that are searched for.
func TestSeek(t *testing.T) {
	far := 0
	enough := func() bool { return testing.Short() || far > 0 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		net := santest.Generate(santest.Rapid(t), santest.Config{Steps: 20, Tasks: 3, Spawns: 15, Joints: 10,
			Frames: 70}).MustBuild()
		r := tracemodel.New(net)
		g, err := kripke.Explore(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if g.States() > 2000 {
			t.Skip("too many slices")
		}
		back := rapid.Bool().Draw(t, "back")
		from := kripke.State(rapid.IntRange(0, g.States()-1).Draw(t, "from"))
		if rapid.Bool().Draw(t, "end") { // from where it is far
			from = r.Initial()[0]
			if back {
				// the last one that was found is that of all actions
				from = kripke.State(g.States() - 1)
			}
		}
		atom := func(label string) string {
			task := r.Processes()[rapid.IntRange(0, len(r.Processes())-1).Draw(t, label+" task")]
			return fmt.Sprintf("%s:(%s.%s)", task, rapid.SampledFrom([]string{"in", "start", "term"}).Draw(t, label),
				rapid.SampledFrom([]string{"f", "g"}).Draw(t, label+" function"))
		}
		text := fmt.Sprintf(rapid.SampledFrom([]string{"%s & %s", "%s | %s", "!(%s -> %s)", "!(%s <-> %s)",
			"!%s & !%s"}).Draw(t, "form"), atom("x"), atom("y"))
		f, err := temporal.Parse("test", "F ("+text+")", temporal.FiniteLTL)
		if err != nil {
			t.Fatal(err)
		}
		var sys kripke.System = r
		if back {
			sys = r.Past()
		}
		for _, mode := range []steps.Mode{steps.Shortest, steps.Minimal} {
			sought, searched := find(t, sys, f, from, mode), find(t, opaqueSystem{sys}, f, from, mode)
			if (len(sought) == 0) != (len(searched) == 0) || mode == steps.Shortest && len(sought) != len(searched) {
				t.Fatalf("%s, %s: %d steps sought, %d searched", f, mode, len(sought), len(searched))
			}
			for i, step := range sought {
				checkWay(t, g, step.States, back)
				if len(step.States) < len(slices.MinFunc(searched,
					func(a, b *steps.Step) int { return len(a.States) - len(b.States) }).States) {
					t.Fatalf("%s: %v is too short", f, step.States)
				}
				if mode == steps.Shortest && len(step.States) != len(searched[i].States) {
					t.Fatalf("%s: %v, not %v", f, step.States, searched[i].States)
				}
				if len(step.States) > 2 {
					far++
				}
				if mode == steps.Minimal && !slices.ContainsFunc(searched, func(s *steps.Step) bool {
					return s.States[len(s.States)-1] == step.States[len(step.States)-1]
				}) {
					t.Fatalf("%s: no minimal step to %d", f, step.States[len(step.States)-1])
				}
			}
		}
	})
	if !enough() {
		t.Error("no step went far")
	}
}

// checkWay fails unless there is a move from each state to the next.
func checkWay(t *rapid.T, g *kripke.Graph, way []kripke.State, back bool) {
	way = slices.Clone(way)
	if back {
		slices.Reverse(way)
	}
	for i, s := range way[1:] {
		if !slices.Contains(g.Successors(way[i]), s) {
			t.Fatalf("no move from %d to %d", way[i], s)
		}
	}
}

// BenchmarkSeek goes to where all of 20 tasks with 50 events each are in the middle: of some 10^34
// slices.
func BenchmarkSeek(b *testing.B) {
	const tasks, events = 20, 50
	text := `{"antichain":1,"tasks":[`
	for i := range tasks {
		text += fmt.Sprintf(`%.*s"t%d"`, min(i, 1), ",", i)
	}
	text += "]}\n"
	goal := "true"
	for i := range tasks {
		for k := range events {
			call := fmt.Sprintf(`"op":"work %d"`, k)
			switch k {
			case events/2 - 1:
				call = `"enter":"middle"`
			case events / 2:
				call = `"exit":"middle"`
			}
			text += fmt.Sprintf(`{"t":"t%d",%s}`+"\n", i, call)
		}
		goal += fmt.Sprintf(" & t%d:(in.middle)", i)
	}
	net := santest.Read(b, text)
	f, err := temporal.Parse("benchmark", "F ("+goal+")", temporal.FiniteLTL)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		r := tracemodel.New(net)
		s, err := steps.New(r, f, r.Initial()[0], steps.Options{Limit: tasks*events + 1})
		if err != nil {
			b.Fatal(err)
		}
		step, err := s.Next(b.Context())
		if err != nil || step == nil || len(step.States) != tasks*events/2+1 {
			b.Fatal(step, err)
		}
		s.Close()
	}
}
