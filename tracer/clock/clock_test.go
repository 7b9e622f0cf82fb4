package clock

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Clocks against maps, over task indexes that need several parts of each size.
func TestClock(t *testing.T) {
	var tasks []int32
	for _, border := range []int32{16, twigSize, 1 << branchShift, 1 << boughShift, 2 << boughShift} {
		for i := border - 16; i < border+16; i++ {
			tasks = append(tasks, i)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		index := rapid.SampledFrom(tasks)
		clocks, models := []*Clock{nil}, []map[int32]int32{{}}
		pick := rapid.Custom(func(t *rapid.T) int { return rapid.IntRange(0, len(clocks)-1).Draw(t, "clock") })
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			i, j := pick.Draw(t, "a"), pick.Draw(t, "b")
			model := maps.Clone(models[i])
			var made *Clock
			if rapid.Bool().Draw(t, "join") {
				made = Join(clocks[i], clocks[j])
				for k, v := range models[j] {
					model[k] = max(model[k], v)
				}
				if maps.Equal(model, models[i]) && made != clocks[i] && !maps.Equal(model, models[j]) {
					t.Fatal("join with less is a new clock")
				}
			} else {
				raised := rapid.MapOf(index, rapid.Int32Range(1, 5)).Draw(t, "events")
				w := NewWriter(clocks[i])
				for _, k := range slices.Sorted(maps.Keys(raised)) {
					model[k] = max(model[k], raised[k])
					w.Set(k, model[k])
				}
				made = w.Clock()
			}
			clocks, models = append(clocks, made), append(models, model)
			for n, c := range clocks { // the old ones have not changed
				for _, k := range tasks {
					if c.At(k) != models[n][k] {
						t.Fatalf("clock %d: task %d: %d, want %d", n, k, c.At(k), models[n][k])
					}
				}
			}
		}
	})
}
