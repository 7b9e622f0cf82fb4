package strategy

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, text := range []string{"auto", "pairs", "walk", "pos", "surw", "rff", "all", "pct:1", "pct:3", "pct:3:200"} {
		if s, err := Parse(text); err != nil || s.String() != text {
			t.Errorf("%s is %v, %v", text, s, err)
		}
	}
	for _, text := range []string{"", "pct", "pct:0", "pct:9", "pct:3:0", "pct:3:4:5", "pct:x", "pos:1", "random",
		"surw:", "surw:x", "rff:", "rff:x"} {
		if s, err := Parse(text); err == nil {
			t.Errorf("%q is %v", text, s)
		}
	}
}

// TestNames checks that people read of each strategy.
func TestNames(t *testing.T) {
	listed := strings.Split(strings.NewReplacer(" or ", ", ", ":DEPTH", "").Replace(Names), ", ")
	if want := slices.Sorted(maps.Values(names)); !slices.Equal(slices.Sorted(slices.Values(listed)), want) {
		t.Errorf("%q, but there are %q", listed, want)
	}
}

// TestOf checks that a seed always has a strategy that draws, and that those which are named do not
// let time go by.
func TestOf(t *testing.T) {
	for seed := range uint64(100) {
		if s := (Strategy{}).Of(seed); !s.IsDrawn() {
			t.Errorf("seed %d: %v", seed, s)
		}
		if s := (Strategy{Rule: POS}).Of(seed); s != (Strategy{Rule: POS}) {
			t.Errorf("seed %d: %v", seed, s)
		}
	}
}

func TestExpecting(t *testing.T) {
	s := Strategy{Rule: PCT, Depth: 2}
	for _, tt := range []struct{ steps, want int }{{0, 0}, {1, 1}, {100, 128}, {50, 128}, {128, 128}, {129, 256}} {
		if s = s.Expecting(tt.steps); s.Steps != tt.want {
			t.Errorf("after %d steps: %d, want %d", tt.steps, s.Steps, tt.want)
		}
	}
	if s := (Strategy{Rule: POS}).Expecting(9); s.Steps != 0 {
		t.Error(s)
	}
}

func TestGuarantee(t *testing.T) {
	for _, tt := range []struct {
		s                 Strategy
		goroutines, steps int
		want              string
	}{
		{Strategy{Rule: PCT, Depth: 2, Steps: 64}, 4, 50,
			"a bug of depth 2 shows with a probability of at least 1/(4*64^1), which is 0.39 %"},
		{Strategy{Rule: Walk}, 3, 10, "any order of these steps comes with a probability of at least 1/3^10 (10^-5)"},
		{Strategy{Rule: POS}, 3, 10, "any order of these steps is possible"},
		{Strategy{Rule: POS}, 0, 0, ""},
		{Strategy{Rule: SURW}, 3, 10, "all orders of the operations that count come with the same probability, " +
			"if nothing blocks and each goroutine does as many as with the first seed"},
		{Strategy{Rule: RFF}, 3, 10, "no probability is guaranteed, since each run depends on those before it"},
		{Strategy{Rule: RFF, Learnt: "AQ"}, 3, 10, "any order of these steps is possible"},
	} {
		if got := tt.s.Guarantee(tt.goroutines, tt.steps); got != tt.want {
			t.Errorf("%v: %s", tt.s, got)
		}
	}
}

// TestWithoutFinding checks the rule of three.
func TestWithoutFinding(t *testing.T) {
	for _, runs := range []int{1, 10, 200, 10_000} {
		p := WithoutFinding(runs)
		if nothing := math.Pow(1-p, float64(runs)); math.Abs(nothing-0.05) > 1e-9 || p > 3/float64(runs) {
			t.Errorf("%d runs: %g", runs, p)
		}
	}
	if got := Percent(WithoutFinding(200)); got != "1.5 %" || WithoutFinding(0) != 1 {
		t.Error(got)
	}
}

// TestNews compares with values that are known, and with the sum of all outcomes.
func TestNews(t *testing.T) {
	for _, tt := range []struct {
		fresh, runs int
		want        float64
	}{{0, 50, 0.0582}, {1, 10, 0.3942}, {5, 10, 0.7776}, {10, 10, 1}, {0, 0, 1}} {
		if got := News(tt.fresh, tt.runs); math.Abs(got-tt.want) > 1e-3 {
			t.Errorf("%d of %d: %.4f, want %.4f", tt.fresh, tt.runs, got, tt.want)
		}
	}
	if News(40_000, 100_000) < 0.4 || News(40_000, 100_000) > 0.41 {
		t.Error(News(40_000, 100_000))
	}
}

// TestSources checks that what is compiled into the runtime of a program needs nothing else.
func TestSources(t *testing.T) {
	for name, text := range Sources {
		if !strings.HasPrefix(text, "package strategy\n") || strings.Contains(text, "import ") {
			t.Errorf("%s does not stand alone", name)
		}
		if strings.Count(text, "\nfunc ") != strings.Count(text, "//go:nosplit\nfunc ") {
			t.Errorf("a function of %s may grow the stack", name)
		}
	}
}
