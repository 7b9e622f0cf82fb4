package exploration

import (
	"slices"
	"testing"

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
