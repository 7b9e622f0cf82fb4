package exploration

import (
	"encoding/json"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/orders"
	"github.com/antichain-go/antichain/internal/unfolding"
)

// TestOutcome checks the JSON form of the last lines.
func TestOutcome(t *testing.T) {
	all := func(counts unfolding.Counts, doubt string) *exploration {
		x := &exploration{plan: &Plan{}, runs: 7}
		x.orders = &allOrders{x: x, numbers: orders.NewNumbers(), counts: counts}
		if doubt != "" {
			x.orders.numbers.Doubt(doubt)
		}
		return x
	}
	why := &unfolding.Divergence{Known: unfolding.Operation{Kind: unfolding.Lock}}
	for _, tt := range []struct {
		name string
		x    *exploration
		want string
	}{
		{"seeds", &exploration{plan: &Plan{}, runs: 3, samples: samples{runs: 2, orders: []uint64{5, 5}}},
			`{"strategy":"auto","runs":3,"orders":1,"complete":false,"finds_below":0.7764,"new_below":0.95}`},
		{"a finding", &exploration{plan: &Plan{}, runs: 3, samples: samples{runs: 2, found: 1, orders: []uint64{5, 6}}},
			`{"strategy":"auto","runs":3,"orders":2,"complete":false}`},
		{"all", all(unfolding.Counts{Orders: 6, Estimate: 6}, ""),
			`{"strategy":"all","runs":7,"orders":6,"complete":true,"estimate":6}`},
		{"a doubt", all(unfolding.Counts{Orders: 6, Estimate: 6}, "timers"),
			`{"strategy":"all","runs":7,"orders":6,"complete":false,"estimate":6,"conditions":["timers"]}`},
		{"not all", all(unfolding.Counts{Orders: 2, Bound: "stop", Left: 1, Estimate: 7}, ""),
			`{"strategy":"all","runs":7,"orders":2,"complete":false,"left_at_least":1,"estimate":7}`},
		{"diverged", all(unfolding.Counts{Orders: 2, Diverged: 1, Left: 1, Estimate: 3, Why: why}, ""),
			`{"strategy":"all","runs":7,"orders":2,"complete":false,"left_at_least":1,"estimate":3,` +
				`"diverged":"main did not come to its lock"}`},
	} {
		got := tt.x.outcome()
		if b, err := json.Marshal(got); err != nil || string(b) != tt.want {
			t.Errorf("%s: %s, %v\nwant %s", tt.name, b, err, tt.want)
		}
	}
}
