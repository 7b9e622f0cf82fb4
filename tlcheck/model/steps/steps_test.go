package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// structure is what a test knows of a system.
type structure struct {
	States int        `json:"states"`
	Start  int        `json:"start"`
	Labels [][]string `json:"labels"`
	Succ   [][]int    `json:"succ"`
}

func (x *structure) system(t interface{ Fatal(...any) }) kripke.System {
	text, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	s, err := kripke.ParseStructure("test", text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func drawStructure(t *rapid.T) *structure {
	x := &structure{States: rapid.IntRange(1, 4).Draw(t, "states")}
	for range x.States {
		x.Labels = append(x.Labels, rapid.SliceOfDistinct(rapid.SampledFrom([]string{"a", "b"}),
			rapid.ID).Draw(t, "label"))
		x.Succ = append(x.Succ, rapid.SliceOfNDistinct(rapid.IntRange(0, x.States-1), 0, 2, rapid.ID).Draw(t, "succ"))
	}
	return x
}

// TestSteps compares each kind of search with all sequences of random systems.
func TestSteps(t *testing.T) {
	steps, cycles := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		tr := newTrial(t)
		want := map[Mode]map[string][]kripke.State{Shortest: tr.shortest(), Minimal: tr.minimal(),
			Maximal: tr.maximal(), Every: tr.satisfy}
		for mode, w := range want {
			tr.compare(Options{Mode: mode}, w)
			tr.compare(Options{Mode: mode, AllPaths: true}, w)
			steps += len(w)
		}
		tr.compare(Options{Mode: Minimal, Memoryless: true}, want[Minimal])
		tr.compare(Options{Mode: Shortest, Memoryless: true}, want[Shortest])
		tr.compare(Options{Mode: Shortest, Memoryless: true, AllPaths: true}, want[Shortest])
		found := cycles
		for _, step := range tr.find(Options{Mode: Maximal}) {
			if step.Cycle >= 0 {
				cycles++
			}
		}
		if cycles == found && tr.cyclic(ltl.NewSubsets(ltl.New(tr.f)), nil, 0) {
			t.Fatalf("%s: no cycle of %d states was found\n%+v", tr.f, tr.limit, tr.x)
		}
	})
	if !testing.Short() && (steps == 0 || cycles == 0) {
		t.Errorf("%d steps, %d cycles", steps, cycles)
	}
}

// TestLiteral: what the literal searches report satisfies the formula.
func TestLiteral(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := newTrial(t)
		for _, mode := range []Mode{LiteralMin, LiteralMax} {
			once := tr.find(Options{Mode: mode})
			often := tr.find(Options{Mode: mode, Repeat: true})
			for _, step := range often {
				if tr.satisfy[key(step.States)] == nil {
					tr.Fatalf("%s does not hold of %v\n%+v", tr.f, step.States, tr.x)
				}
			}
			if len(once) > len(often) || len(once) == 0 && len(often) > 0 {
				tr.Fatalf("%d once, %d with repetitions", len(once), len(often))
			}
		}
	})
}

// TestLiteralLimit: a literal search does not come back to a state that it met just before the
// limit.
func TestLiteralLimit(t *testing.T) {
	x := &structure{States: 4, Labels: [][]string{{}, {}, {}, {"a"}}, Succ: [][]int{{1, 2}, {2}, {3}, {}}}
	for limit, want := range map[int]int{3: 0, 4: 1} {
		for _, mode := range []Mode{LiteralMin, LiteralMax} {
			if got := all(t, x.system(t), "F a", Options{Mode: mode, Limit: limit}); len(got) != want {
				t.Errorf("%s, %d states: %q", mode, limit, got)
			}
		}
	}
}

func parse(t testing.TB, text string) *temporal.Formula {
	f, err := temporal.Parse("test", text, temporal.FiniteLTL)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func all(t testing.TB, sys kripke.System, text string, opt Options) (found []string) {
	s, err := New(sys, parse(t, text), 0, opt)
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
			return found
		}
		found = append(found, strings.Trim(fmt.Sprint(step.States), "[]"))
	}
}

// diamonds is a row of n diamonds, 0 → 1, 2 → 3 → 4, 5 → 6 …, with a at the bottom of the last one.
func diamonds(n int) *structure {
	x := &structure{States: 3*n + 1, Labels: make([][]string, 3*n+1)}
	for i := range n {
		x.Succ = append(x.Succ, []int{3*i + 1, 3*i + 2}, []int{3*i + 3}, []int{3*i + 3})
	}
	x.Succ = append(x.Succ, []int{})
	for i := range x.Labels {
		x.Labels[i] = []string{}
	}
	x.Labels[3*n] = []string{"a"}
	return x
}

// TestPaths: ways through diamonds double with each (figure 2 of the paper), an ordinary search
// takes one.
func TestPaths(t *testing.T) {
	sys := diamonds(3).system(t)
	for _, mode := range []Mode{Shortest, Minimal, Maximal} {
		if n := len(all(t, sys, "F a", Options{Mode: mode, Limit: 20})); n != 1 {
			t.Errorf("%s: %d steps of an ordinary search", mode, n)
		}
		if n := len(all(t, sys, "F a", Options{Mode: mode, Limit: 20, AllPaths: true})); n != 8 {
			t.Errorf("%s: %d steps by all paths", mode, n)
		}
		if n := len(all(t, sys, "F a", Options{Mode: mode, Limit: 20, AllPaths: true, NewEnds: true})); n != 1 {
			t.Errorf("%s: %d steps to one end", mode, n)
		}
		if n := len(all(t, sys, "F a", Options{Mode: mode, Limit: 6, AllPaths: true})); n != 0 {
			t.Errorf("%s: %d steps beyond the limit", mode, n)
		}
	}
}

// TestLimit: the way that a search depth first takes may be longer than the limit, and there is a
// shorter one.
func TestLimit(t *testing.T) {
	x := &structure{
		States: 5, Labels: [][]string{{}, {}, {}, {}, {"a"}},
		Succ: [][]int{{1, 3}, {2}, {3}, {4}, {}},
	}
	for _, mode := range []Mode{Shortest, Minimal, Maximal} {
		if got := all(t, x.system(t), "F a", Options{Mode: mode, Limit: 3}); len(got) != 1 || got[0] != "0 3 4" {
			t.Errorf("%s: %q", mode, got)
		}
	}
}

// TestCycleLimit: the accepting state that the search meets first may have long ways round, and
// another one a short one.
func TestCycleLimit(t *testing.T) {
	x := &structure{
		States: 3, Labels: [][]string{{"a"}, {"a"}, {"a"}},
		Succ: [][]int{{1}, {0, 2}, {2, 1}},
	}
	for limit, want := range map[int]string{1: "", 2: "0 1", 3: "0 1"} {
		if got := strings.Join(all(t, x.system(t), "a", Options{Mode: Maximal, Limit: limit}), ", "); got != want {
			t.Errorf("%d states: %q", limit, got)
		}
	}
	x.Succ = [][]int{{2}, {1, 0}, {2, 1}}
	for limit, want := range map[int]string{1: "", 2: "0 2", 3: "0 2 1"} {
		if got := strings.Join(all(t, x.system(t), "a", Options{Mode: Maximal, Limit: limit}), ", "); got != want {
			t.Errorf("%d states: %q", limit, got)
		}
	}
}

func TestWrongOptions(t *testing.T) {
	sys := diamonds(1).system(t)
	for _, tt := range []struct {
		opt  Options
		want string
	}{
		{Options{}, "a step has at least 1 state, not 0"},
		{Options{Limit: 1, Mode: LiteralMin, AllPaths: true}, "choose another mode"},
		{Options{Limit: 1, Mode: Maximal, Memoryless: true}, "no memoryless search"},
		{Options{Limit: 1, Repeat: true}, "none repeats"},
	} {
		if _, err := New(sys, parse(t, "a"), 0, tt.opt); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v", tt.opt, err)
		}
	}
	if _, err := ParseMode("least"); err == nil {
		t.Error("an unknown mode is no error")
	}
}

// TestEnded: a search that ran out of its budget says so again and again.
func TestEnded(t *testing.T) {
	s, err := New(diamonds(3).system(t), parse(t, "F a"), 0, Options{Limit: 20})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 2 {
		if step, err := s.Next(ctx); step != nil || err != context.Canceled {
			t.Errorf("%v, %v", step, err)
		}
	}
}

// TestBudget: few states may have very many paths, whether they are returned or not.
func TestBudget(t *testing.T) {
	x := &structure{States: 3, Labels: [][]string{{}, {}, {}}, Succ: [][]int{{0, 1, 2}, {0, 1, 2}, {0, 1, 2}}}
	for _, tt := range []struct {
		formula string
		opt     Options
	}{
		{"true", Options{Mode: Every, AllPaths: true}},
		{"F a", Options{Mode: Minimal, Memoryless: true}},
		{"F a", Options{Mode: Shortest, Memoryless: true, AllPaths: true}},
	} {
		tt.opt.Limit = 1000
		s, err := New(x.system(t), parse(t, tt.formula), 0, tt.opt)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		for step := new(Step); step != nil && err == nil; {
			step, err = s.Next(ctx)
		}
		if err != context.DeadlineExceeded {
			t.Errorf("%+v: %v", tt.opt, err)
		}
		cancel()
		s.Close()
	}
}

// TestStack goes through two diamonds, and back.
func TestStack(t *testing.T) {
	sys := diamonds(2).system(t)
	s := NewStack(sys, 0)
	defer s.Close()
	ctx, opt := t.Context(), Options{Limit: 20, AllPaths: true}
	path := func(want string) {
		t.Helper()
		if got := strings.Trim(fmt.Sprint(s.Path()), "[]"); got != want {
			t.Errorf("path %s, not %s", got, want)
		}
	}
	must := func(taken *StackEntry, err error) {
		t.Helper()
		if taken == nil || err != nil {
			t.Fatal(taken, err)
		}
	}
	mustNot := func(taken *StackEntry, err error) {
		t.Helper()
		if taken != nil || err != nil {
			t.Fatal(taken, err)
		}
	}
	path("0")
	must(s.Take(ctx, parse(t, "X X N false"), opt))
	path("0 1 3")
	must(s.Take(ctx, parse(t, "F a"), opt))
	path("0 1 3 4 6")
	must(s.Alternative(ctx))
	path("0 1 3 5 6")
	mustNot(s.Take(ctx, parse(t, "X a"), opt))
	mustNot(s.Replace(ctx, parse(t, "X X X a"), opt))
	path("0 1 3 5 6")
	must(s.Replace(ctx, parse(t, "X !a"), opt))
	path("0 1 3 4")
	must(s.Alternative(ctx))
	path("0 1 3 5")
	mustNot(s.Alternative(ctx)) // that was the last way: the step is gone
	path("0 1 3")
	must(s.Alternative(ctx)) // the search of the first step is still there
	path("0 2 3")
	moves, err := sys.Moves(nil, s.Here())
	if err != nil {
		t.Fatal(err)
	}
	s.Move(moves[1])
	path("0 2 3 5")
	s.Remove()
	path("0 2 3")
}
