package sliced_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/temporaltest"
	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/sliced"
	"github.com/antichain-go/antichain/tlcheck/model/internal/ctltest"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
)

// model is a random run with both of its checkers. They number the states alike, as the graph has
// all of them.
type model struct {
	t        *rapid.T
	run      *tracemodel.Run
	graph    *kripke.Graph
	fairness kripke.Fairness
	explicit ctl.Checker
	sets     ctl.Checker
	labels   map[string]map[kripke.State]bool // of formulas, by the explicit checker
	paths    int                              // of more than one step, in evidence

	numbers, unknown int // of states
}

func newModel(t *rapid.T) *model {
	net := santest.Generate(santest.Rapid(t), santest.Config{Steps: 16, Tasks: 3, Spawns: 15, Joints: 10,
		Frames: 70}).MustBuild()
	m := &model{t: t, run: tracemodel.New(net), labels: map[string]map[kripke.State]bool{}}
	var err error
	if m.graph, err = kripke.Explore(t.Context(), kripke.Stutter(m.run)); err != nil {
		t.Fatal(err)
	}
	if m.graph.States() > 1000 {
		t.Skip("too many slices")
	}
	m.fairness = rapid.SampledFrom([]kripke.Fairness{kripke.Unfair, kripke.Unfair, kripke.Weak, kripke.Strong,
		kripke.Process}).Draw(t, "fairness")
	if m.explicit, err = ctl.New(m.graph, m.fairness); err != nil {
		t.Fatal(err)
	}
	space, err := sliced.New(m.run, m.fairness, 1<<15)
	if err != nil {
		t.Fatal(err)
	}
	m.sets = ctl.NewOnSpace(space)
	return m
}

// formula draws a formula about the run's tasks.
func (m *model) formula() *temporal.Formula {
	var names []string
	for _, task := range m.run.Processes() {
		for _, local := range []string{"in.f", "in.g", "start.f", "term.g"} {
			names = append(names, fmt.Sprintf("%s:(%s)", task, local))
		}
	}
	f := temporaltest.Formula(temporal.CTL, temporaltest.Atoms(names...), 4).Draw(m.t, "formula")
	m.rename(f)
	return f
}

// rename puts tasks in the place of the processes that were drawn.
func (m *model) rename(f *temporal.Formula) {
	if f == nil {
		return
	}
	if f.Process != "" {
		f.Process = rapid.SampledFrom(m.run.Processes()).Draw(m.t, "task")
	}
	m.rename(f.X)
	m.rename(f.Y)
}

func (m *model) check(c ctl.Checker, f *temporal.Formula) *ctl.Result {
	r, err := c.Check(m.t.Context(), f)
	if err != nil {
		m.t.Fatalf("%s: %v", f, err)
	}
	return r
}

// where returns where a formula is true, by the explicit checker.
func (m *model) where(f *temporal.Formula) map[kripke.State]bool {
	text := f.String()
	if m.labels[text] == nil {
		m.labels[text] = map[kripke.State]bool{}
		for s, err := range m.check(m.explicit, f).All() {
			if err != nil {
				m.t.Fatal(err)
			}
			m.labels[text][s] = true
		}
	}
	return m.labels[text]
}

// TestSets compares the sets of slices with the labels of a graph, and looks at the evidence.
func TestSets(t *testing.T) {
	paths, numbers, unknown := 0, 0, 0
	enough := func() bool { return testing.Short() || paths >= 100 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		m := newModel(t)
		for range 10 {
			f := m.formula()
			want, got := m.check(m.explicit, f), m.check(m.sets, f)
			if got.Holds != want.Holds || got.Witness != want.Witness || got.Fair != want.Fair {
				t.Fatalf("%s: holds %v in %d, fair %v, want %v in %d, fair %v", f, got.Holds, got.Witness, got.Fair,
					want.Holds, want.Witness, want.Fair)
			}
			// before the set is computed
			if e := m.evidence(got, got.Witness); e.Holds != want.Holds {
				t.Fatalf("%s: evidence for %v", f, e.Holds)
			}
			if a, b := m.states(got), m.states(want); !slices.Equal(a, b) {
				t.Fatalf("%s is true in %v, want %v", f, a, b)
			}
			m.compareNumbers(f, got.Count, want.Count)
			m.compareNumbers(f, got.States, want.States)
			for range 3 {
				s := kripke.State(rapid.IntRange(0, m.graph.States()-1).Draw(t, "state"))
				m.compare(m.evidence(got, s), m.evidence(want, s))
			}
		}
		paths, numbers, unknown = paths+m.paths, numbers+m.numbers, unknown+m.unknown
	})
	if !enough() {
		t.Errorf("only %d paths of more than one step", paths)
	}
	if unknown*10 > numbers {
		t.Errorf("%d of %d numbers are not known", unknown, numbers)
	}
}

// states returns where a formula is true, in the order of the states.
func (m *model) states(r *ctl.Result) (all []kripke.State) {
	for s, err := range r.All() {
		if err != nil {
			m.t.Fatal(err)
		}
		all = append(all, s)
	}
	slices.Sort(all)
	return all
}

func (m *model) evidence(r *ctl.Result, s kripke.State) *ctl.Evidence {
	e, err := r.Evidence(m.t.Context(), s)
	if err != nil {
		m.t.Fatal(err)
	}
	return e
}

// compare compares what both checkers say of a state. They may choose different paths of the same
// length.
func (m *model) compare(got, want *ctl.Evidence) {
	if got.Holds != want.Holds || len(got.Path) != len(want.Path) || got.Loop != want.Loop ||
		got.AllPaths != want.AllPaths {
		m.t.Fatalf("%s in %d: %v by %v (loop %d, all %v), want %v by %v (loop %d, all %v)", got.Formula, got.State,
			got.Holds, got.Path, got.Loop, got.AllPaths, want.Holds, want.Path, want.Loop, want.AllPaths)
	}
	if got.AllPaths {
		m.compareNumbers(got.Formula, got.Looked, want.Looked)
	}
	m.verify(got)
}

// compareNumbers compares numbers of states. One that would have taken too long is not known.
func (m *model) compareNumbers(f *temporal.Formula, got, want *big.Int) {
	m.numbers++
	if got == nil {
		m.unknown++
	} else if got.Cmp(want) != 0 {
		m.t.Fatalf("%s: %d states, want %d", f, got, want)
	}
}

// verify checks evidence by the explicit labels.
func (m *model) verify(e *ctl.Evidence) {
	w := &ctltest.Witness{System: m.graph, Fairness: m.fairness, T: m.t}
	w.Holds = func(f *temporal.Formula, s kripke.State) bool { return m.where(f)[s] }
	w.Check(e)
	if len(e.Path) > 1 {
		m.paths++
	}
}
