package exploration

import (
	"slices"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/strategy"
)

// TestSampleLines checks what is said of runs that a strategy has drawn.
func TestSampleLines(t *testing.T) {
	repeated := make([]uint64, 100)
	for i := range repeated {
		repeated[i] = uint64(i % 5)
	}
	pct, err := strategy.Parse("pct:2")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		s    samples
		by   strategy.Strategy
		want []string
	}{
		{"none", samples{}, strategy.Strategy{}, nil},
		{"nothing found", samples{runs: 200}, strategy.Strategy{}, []string{
			"a further run with --seed finds something with a probability below 1.5 % (95 % confidence)"}},
		{"something found", samples{runs: 200, found: 3}, strategy.Strategy{}, []string{
			"something was found in 3 of 200 runs with --seed"}},
		{"no new order", samples{runs: 100, orders: repeated}, strategy.Strategy{}, []string{
			"a further run with --seed finds something with a probability below 3 %, " +
				"and has an order that none had with one below 5.8 % (95 % confidence)"}},
		{"orders are always new", samples{runs: 3, orders: []uint64{1, 2, 3}}, strategy.Strategy{}, []string{
			"a further run with --seed finds something with a probability below 63 % (95 % confidence)"}},
		{"a bound", samples{runs: 200, steps: 50, goroutines: 4}, pct, []string{
			"a further run with --seed finds something with a probability below 1.5 % (95 % confidence)",
			"pct:2, with up to 4 goroutines and 50 steps: " +
				"a bug of depth 2 shows with a probability of at least 1/(4*64^1), which is 0.39 %"}},
	} {
		if got := tt.s.lines(tt.by); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

// TestFuzzing checks that runs under rff are counted, and bound nothing.
func TestFuzzing(t *testing.T) {
	s, rff := samples{}, strategy.Strategy{Rule: strategy.RFF}
	for seed := uint64(1); seed <= 3; seed++ {
		r := &run{plan: &execution.Plan{}, ended: &execution.Conclusion{Steps: 9, Goroutines: 3}}
		r.plan.Seed, r.plan.Strategy = seed, rff
		s.next(r.plan)
		if isFirst := seed == 1; r.plan.Strategy.Rule != strategy.RFF || r.plan.Strategy.Learnt == "" != isFirst {
			t.Errorf("seed %d is drawn by %v", seed, r.plan.Strategy)
		}
		r.ended.Noted = []ring.Note{{Goroutine: 1, Site: 5, Object: 6}, {Goroutine: 3, Site: 5, Object: 6}}
		s.note(r)
	}
	want := []string{"rff, with up to 3 goroutines and 9 steps: " +
		"no probability is guaranteed, since each run depends on those before it"}
	if lines := s.lines(rff); s.runs != 3 || !slices.Equal(lines, want) {
		t.Errorf("%d runs: %q", s.runs, lines)
	}
	x := exploration{plan: &Plan{}, samples: s}
	x.plan.Strategy = rff
	if o := x.outcome(); o.FindsBelow != 0 || o.NewBelow != 0 {
		t.Errorf("bounds %+v", o)
	}
	s.found = 1
	if lines := s.lines(rff); len(lines) != 2 || lines[0] != "something was found in 1 of 3 runs with --seed" {
		t.Errorf("%q", lines)
	}
}

// TestLearning checks that the first run under surw teaches those that follow, and is none of them.
func TestLearning(t *testing.T) {
	var s samples
	surw := strategy.Strategy{Rule: strategy.SURW}
	next := func(seed uint64) *run {
		r := &run{plan: &execution.Plan{}, ended: &execution.Conclusion{Steps: 9, Goroutines: 3}}
		r.plan.Seed, r.plan.Strategy = seed, surw
		s.next(r.plan)
		return r
	}
	first := next(1)
	if first.plan.Strategy != surw {
		t.Errorf("the first run is drawn by %v", first.plan.Strategy)
	}
	first.ended.Noted = []ring.Note{
		{Goroutine: 1, Site: 2}, {Goroutine: 3, Site: 4, Parent: 1},
		{Goroutine: 1, Site: 5, Object: 6}, {Goroutine: 3, Site: 5, Object: 6},
	}
	s.note(first)
	if lines := s.lines(surw); lines != nil {
		t.Errorf("after the first run: %q", lines)
	}
	for seed := uint64(2); seed <= 4; seed++ {
		r := next(seed)
		if r.plan.Strategy.Rule != strategy.SURW || r.plan.Strategy.Learner() != nil {
			t.Errorf("seed %d is drawn by %v", seed, r.plan.Strategy)
		}
		s.note(r)
	}
	if s.runs != 3 {
		t.Errorf("%d runs, want 3", s.runs)
	}
}
