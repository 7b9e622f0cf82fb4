package symbolic_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/symbolic"
)

func reach(tb testing.TB, name string, n int64, o symbolic.Options) *symbolic.Space {
	tb.Helper()
	s, err := symbolic.New(tb.Context(), load(tb, name, n), o)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// Counters that have nothing to do with each other have all combinations of their values as states.
func TestCounters(t *testing.T) {
	s := reach(t, "counters", 100, symbolic.Options{})
	if got, want := s.Count(s.Every()), new(big.Int).Exp(big.NewInt(10), big.NewInt(100), nil); got.Cmp(want) != 0 {
		t.Errorf("%v states, want %v", got, want)
	}
}

// Philosophers starve in the only state in which each has one fork, and otherwise if others always
// eat before them.
func TestPhilosophers(t *testing.T) {
	for _, test := range []struct {
		formula  string
		fairness kripke.Fairness
		want     bool
	}{
		{"AG !(P1.at.eat & P2.at.eat)", kripke.Unfair, true},
		{"AG EF P1.at.eat", kripke.Unfair, false},
		{"EF AG P7.at.one", kripke.Unfair, true},
		{"EGF P7.at.eat", kripke.Unfair, true},
		{"AG (P1.at.eat -> AF P1.at.put)", kripke.Unfair, false},
		{"AG (P1.at.eat -> AF P1.at.put)", kripke.Weak, true},
		{"AG (P1.at.put -> EG P2.at.think)", kripke.Strong, false},
		{"AG (P1.at.eat -> A[!P2.at.eat U f2==0])", kripke.Strong, true},
	} {
		t.Run(fmt.Sprint(test.formula, " ", test.fairness), func(t *testing.T) {
			s := reach(t, "philosophers", 20, symbolic.Options{Fairness: test.fairness, Stutter: true})
			r, e := check(t, s, test.formula)
			if r.Holds != test.want || e.Holds != test.want {
				t.Errorf("%v, because %v", r.Holds, e.Holds)
			}
		})
	}
}

// A process that waits for an intermittent condition is enabled again and again, but not for ever
// from some point on. One that waits in vain is never enabled.
func TestFairness(t *testing.T) {
	const program = `
		process P
		  declare x : [0..1];
		  a : { x := 1 - x; goto a; }
		end
		process Q
		  b : if x = 1 goto c;
		  c : goto c;
		end
		process R
		  d : if x = 1 and never = 1 goto d;
		end
		declare never : [0..1];`
	file, err := gcl.Parse("wait", program)
	if err != nil {
		t.Fatal(err)
	}
	for fairness, want := range map[kripke.Fairness][3]bool{
		kripke.Unfair: {false, false, true}, kripke.Weak: {false, true, true}, kripke.Strong: {true, true, true},
		kripke.Process: {true, true, false},
	} {
		for i, formula := range []string{"AF Q.at.c", "AF x==1 & AG AF x==0", "EG true"} {
			sys, err := gcl.New(file, nil)
			if err != nil {
				t.Fatal(err)
			}
			s, err := symbolic.New(t.Context(), sys, symbolic.Options{Fairness: fairness})
			if err != nil {
				t.Fatal(err)
			}
			r, e := check(t, s, formula)
			if r.Holds != want[i] || e.Holds != r.Holds {
				t.Errorf("%s with fairness %v: %v", formula, fairness, r.Holds)
			}
		}
	}
}

func check(tb testing.TB, s *symbolic.Space, formula string) (*ctl.Result, *ctl.Evidence) {
	tb.Helper()
	r, err := ctl.NewOnSpace(s).Check(tb.Context(), parse(tb, formula))
	if err != nil {
		tb.Fatal(err)
	}
	e, err := r.Evidence(tb.Context(), r.Witness)
	if err != nil {
		tb.Fatal(err)
	}
	return r, e
}

// BenchmarkReach finds all states as sets, and where there are not too many of them as a graph.
func BenchmarkReach(b *testing.B) {
	for _, program := range []struct {
		name  string
		n     []int64
		graph int64 // the largest n for a graph
	}{
		{"philosophers", []int64{4, 8, 12, 50, 100, 200}, 12},
		{"counters", []int64{3, 6, 50, 100}, 6},
		{"x1", []int64{4, 8, 10, 50, 100}, 10},
		{"x2", []int64{4, 6, 8}, 8},
	} {
		for _, n := range program.n {
			b.Run(fmt.Sprintf("%s/n=%d/sets", program.name, n), func(b *testing.B) {
				for b.Loop() {
					s := reach(b, program.name, n, symbolic.Options{Stutter: true})
					states, _ := new(big.Float).SetInt(s.Count(s.Every())).Float64()
					b.ReportMetric(states, "states")
				}
			})
			if n > program.graph {
				continue
			}
			b.Run(fmt.Sprintf("%s/n=%d/graph", program.name, n), func(b *testing.B) {
				for b.Loop() {
					g, err := kripke.Explore(b.Context(), load(b, program.name, n))
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(g.States()), "states")
				}
			})
		}
	}
}
