package counter

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// What cannot be matched, against all sets of subtractions.
func TestCounterAgainstSets(t *testing.T) {
	unmatched, matched := 0, 0
	one := func(t *rapid.T) {
		const adders, each = 3, 2
		n := rapid.Custom(func(t *rapid.T) int64 { return rapid.SampledFrom([]int64{1, 1, 2}).Draw(t, "n") })
		var c Counter
		var ups [adders][each]int64
		for i := range adders {
			for k := range each {
				ups[i][k] = n.Draw(t, "add")
				c.Add(candidate.Event{Mark: candidate.Mark{Task: op.Task(i), K: int32(k + 1)}}, ups[i][k])
			}
		}
		var known [][adders]int32
		var downs []int64
		for d := range rapid.IntRange(1, 6).Draw(t, "downs") {
			var know [adders]int32
			var full *clock.Clock
			for i := range know {
				know[i] = rapid.Int32Range(0, each).Draw(t, "known")
				full = full.With(int32(i), know[i])
			}
			known, downs = append(known, know), append(downs, n.Draw(t, "sub"))
			got := c.Sub(candidate.Event{Mark: candidate.Mark{Task: op.Task(adders + d), K: 1}, Full: full}, downs[d])
			before, now := mostLacking(ups, known[:d], downs[:d]), mostLacking(ups, known, downs)
			if got != now-before {
				t.Fatalf("%d of %d are not matched, want %d: additions %v, known %v, subtractions %v", got, downs[d], now-before, ups, known, downs)
			}
			if got > 0 {
				unmatched++
			} else {
				matched++
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 30 {
			one(t)
		}
	})
	if unmatched == 0 || matched == 0 {
		t.Errorf("%d subtractions have matches, %d have not", matched, unmatched)
	}
}

// mostLacking returns by how much a set of subtractions exceeds the additions that some of it know,
// at most.
func mostLacking(ups [3][2]int64, known [][3]int32, downs []int64) int64 {
	most := int64(0)
	for set := range 1 << len(downs) {
		lacking, know := int64(0), [3]int32{}
		for d := range downs {
			if set>>d&1 != 0 {
				lacking += downs[d]
				for i := range know {
					know[i] = max(know[i], known[d][i])
				}
			}
		}
		for i := range know {
			for k := range know[i] {
				lacking -= ups[i][k]
			}
		}
		most = max(most, lacking)
	}
	return most
}

// A clone counts as its counter would go on, which keeps what it has.
func TestClone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c, unshared Counter
		step := func(t *rapid.T, k int32, counters ...*Counter) {
			task := op.Task(rapid.IntRange(0, 2*fewAdders).Draw(t, "task"))
			up := rapid.Bool().Draw(t, "up")
			full := (*clock.Clock)(nil)
			for i := range int32(2 * fewAdders) {
				if know := rapid.Int32Range(0, k).Draw(t, "known"); know > 0 && op.Task(i) != task {
					full = full.With(i, know)
				}
			}
			e := candidate.Event{Mark: candidate.Mark{Task: task, K: k}, Full: full}
			lacking := make([]int64, len(counters))
			for i, c := range counters {
				if up {
					c.Add(e, 1)
				} else {
					lacking[i] = c.Sub(e, 1)
				}
			}
			for i, c := range counters {
				if lacking[i] != lacking[0] || c.Sum != counters[0].Sum {
					t.Fatalf("%d lacking of sum %d, in a clone %d of %d",
						lacking[0], counters[0].Sum, lacking[i], c.Sum)
				}
			}
		}
		k := int32(0)
		for range rapid.IntRange(1, 12).Draw(t, "before") {
			k++
			step(t, k, &c, &unshared)
		}
		clone, first := c.Clone(), k
		for range rapid.IntRange(1, 12).Draw(t, "of the clone") {
			k++
			step(t, k, &clone)
		}
		for range rapid.IntRange(1, 12).Draw(t, "after") {
			first++
			step(t, first, &c, &unshared)
		}
	})
}
