package san_test

import (
	"math/rand"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
)

// TestMeet compares what several actions know together with what each of them knows, while a net of
// many tasks grows.
func TestMeet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
		trace := santest.Generate(source, santest.Config{
			Steps: 1000, Tasks: rapid.SampledFrom([]int{1, 3, 70, 400}).Draw(t, "tasks"), Spawns: 10,
			Causes: rapid.SampledFrom([]int{20, 60, 90}).Draw(t, "causes"), Joints: 5,
		})
		b := builder(t, trace.Header)
		var meet san.Meet
		for _, e := range trace.Events {
			if err := b.Add(e, ""); err != nil {
				t.Fatal(err)
			}
			n := b.Net()
			var actions []san.Action
			apart := 1 + source.Intn(n.Tasks()) // few actions know more together
			for u := range san.Task(n.Tasks()) {
				if n.Len(u) > 0 && source.Intn(apart) == 0 {
					actions = append(actions, san.Action{Task: u, K: int32(n.Len(u) - source.Intn(min(2, n.Len(u))))})
				}
			}
			if len(actions) == 0 || source.Intn(10) > 0 {
				continue
			}
			got, want, one := make([]int32, n.Tasks()), make([]int32, n.Tasks()), make([]int32, n.Tasks())
			n.Down(actions[0], want)
			for _, a := range actions {
				n.Down(a, one)
				for u := range want {
					want[u] = min(want[u], one[u])
				}
			}
			if meet.Of(n, actions, got); !slices.Equal(got, want) {
				t.Fatalf("%v know %v, not %v", actions, want, got)
			}
		}
	})
}
