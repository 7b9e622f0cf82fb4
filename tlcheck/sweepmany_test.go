package tlcheck

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// The sweep of many tracks finds what that of few does.
func TestSweepOfMany(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := santest.Generate(santest.Rapid(t), santest.Config{Steps: 25, Tasks: 4}).MustBuild()
		lat := slices.NewLattice(net)
		var none slices.Budget
		for range 5 {
			var tracks []track
			for task := range san.Task(net.Tasks()) {
				if rapid.IntRange(0, 3).Draw(t, "left out") > 0 {
					tracks = append(tracks, track{task, drawSpans(t, net, task)})
				}
			}
			from := lat.Bottom()
			if net.Events() > 0 && rapid.Bool().Draw(t, "inside") {
				task := san.Task(rapid.IntRange(0, net.Tasks()-1).Draw(t, "task"))
				if n := net.Len(task); n > 0 {
					from = lat.Down(san.Action{Task: task, K: int32(rapid.IntRange(1, n).Draw(t, "k"))})
				}
			}
			one, ok, _ := least(none, lat, tracks, from)
			same(t, "least")(one, ok, nil)(leastOfMany(none, lat, tracks, from))
			to := lat.Top()
			if from.Size() > 0 {
				to = from
			}
			one, ok, _ = greatest(none, lat, tracks, to)
			same(t, "greatest")(one, ok, nil)(greatestOfMany(none, lat, tracks, to))
		}
	})
}

func drawSpans(t *rapid.T, net *san.Net, task san.Task) []span {
	var spans []span
	first := uncreated
	if net.Initial(task) {
		first = 0
	}
	for k := first; k <= net.Len(task); k++ {
		if n := len(spans); rapid.Bool().Draw(t, "in") {
			if n > 0 && spans[n-1].to == k-1 {
				spans[n-1].to = k
			} else {
				spans = append(spans, span{k, k})
			}
		}
	}
	return spans
}

func same(t *rapid.T, what string) func(slices.Ideal, bool, error) func(slices.Ideal, bool, error) {
	return func(one slices.Ideal, ok bool, _ error) func(slices.Ideal, bool, error) {
		return func(other slices.Ideal, alsoOK bool, _ error) {
			if ok != alsoOK || ok && !one.Equal(other) {
				t.Fatalf("%s: %v (%v), of many %v (%v)", what, one, ok, other, alsoOK)
			}
		}
	}
}
