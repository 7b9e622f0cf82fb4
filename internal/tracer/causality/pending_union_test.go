package causality

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// happen has tasks do something one after the other, each knowing what some before knew, and
// returns what was known after each.
func happen(u *knowledge, who []int, knows func(i int) []int) []*set {
	last := map[int]*node{}
	all := make([]*set, 0, len(who))
	for i, w := range who {
		var before *set
		if n := last[w]; n != nil {
			before = &n.own
		}
		for _, j := range knows(i) {
			before = u.join(before, all[j])
		}
		n := &node{task: &task{index: int32(w)}, k: 1}
		if m := last[w]; m != nil {
			n.task, n.k = m.task, m.k+1
		}
		if before != nil {
			n.base = withEvents(before.baseJoin(&u.clocks), before.events)
		}
		n = u.newNode(n.task, n.k, n.base)
		last[w] = n
		all = append(all, &n.own)
	}
	return all
}

// A pending union equals the union that is made as sets come, whenever it is read, and comprises
// just the sets that add nothing to it.
func TestGathering(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var u knowledge
		who := rapid.SliceOfN(rapid.IntRange(0, 40), 1, 120).Draw(t, "who")
		all := happen(&u, who, func(i int) (knows []int) {
			if i > 0 && rapid.IntRange(0, 3).Draw(t, "learns") == 0 {
				return rapid.SliceOfN(rapid.IntRange(0, i-1), 1, 5).Draw(t, "of")
			}
			return nil
		})
		var s sharedKnowledge
		var want known
		for range rapid.IntRange(1, 200).Draw(t, "shares") {
			order, data := rapid.SampledFrom(all).Draw(t, "order"), rapid.SampledFrom(all).Draw(t, "data")
			k := known{order, order}
			if rapid.Bool().Draw(t, "differ") {
				k.data = u.join(order, data)
			}
			s.addEvents(&u, k)
			want = u.union(want, k)
			for i := range len(s.events) - 1 {
				if s.events[i].size() < 2*s.events[i+1].size() {
					t.Fatalf("sizes %d and %d", s.events[i].size(), s.events[i+1].size())
				}
			}
			if rapid.IntRange(0, 60).Draw(t, "learn") > 0 {
				continue
			}
			if got := s.handedOn(&u); !slices.Equal(got.order.events, want.order.events) ||
				!slices.Equal(got.data.events, want.data.events) {
				t.Fatalf("%v, not %v", got, want)
			}
			if r := rapid.SampledFrom(all).Draw(t, "asked"); u.comprisesAll(want,
				known{r, r}) != (u.union(want, known{r, r}) == want) {
				t.Fatalf("%v comprises %v: %v", want, r, u.comprisesAll(want, known{r, r}))
			}
		}
	})
}

// Time for each of many goroutines that hand on an event known to no other, as before a Wait.
func BenchmarkGathering(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var u knowledge
			who := make([]int, n)
			for i := range who {
				who[i] = i
			}
			all := happen(&u, who, func(int) []int { return nil })
			for b.Loop() {
				var s sharedKnowledge
				for _, k := range all {
					s.addEvents(&u, known{k, k})
				}
				s.handedOn(&u)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/event")
		})
	}
}
