package tableau_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

func parse(t testing.TB, text string) *temporal.Formula {
	t.Helper()
	f, err := temporal.Parse("formula", text, temporal.CTL)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestMutualExclusion has the states of figure 6.6 if processes may move where they can. Without
// that the printed specification is satisfied by a model in which each waits for the other one to
// try.
func TestMutualExclusion(t *testing.T) {
	tests := []struct{ processes, concurrent, states int }{{2, 0, 7}, {2, 1, 9}, {3, 0, 16}, {3, 1, 28},
		{4, 0, 37}, {4, 1, 85}}
	for _, test := range tests {
		o := sat(t, parse(t, workload.MutualExclusion(test.processes)),
			tableau.Options{Concurrent: test.concurrent == 1})
		if o.Model == nil {
			t.Fatalf("%d processes: %q", test.processes, o.Why)
		}
		if n := o.Model.States(); n != test.states {
			t.Errorf("%d processes: %d states, want %d", test.processes, n, test.states)
		}
	}
}

func BenchmarkMutualExclusion(b *testing.B) {
	for n := 2; n <= 4; n++ {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			f := parse(b, workload.MutualExclusion(n))
			for b.Loop() {
				if o, err := tableau.Sat(context.Background(), f, tableau.Options{Concurrent: true}); err != nil ||
					o.Model == nil {
					b.Fatal(err)
				}
			}
		})
	}
}
