package execution

import (
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/strategy"
)

// TestMostEarly checks that no deadline passes early under a strategy that has a guarantee.
func TestMostEarly(t *testing.T) {
	for name, may := range map[string]bool{
		"auto": true, "pairs": true, "walk": false, "pos": false, "pct:2": false, "early": false,
	} {
		s, err := strategy.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		p := Plan{Steering: Steering{Seed: 1, Strategy: s}}
		if most := p.mostEarly(); most > 0 != may {
			t.Errorf("%s: %d deadlines may pass early", name, most)
		}
	}
}
