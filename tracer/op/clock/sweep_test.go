package clock

import (
	"testing"

	"pgregory.net/rapid"
)

// TestSweep: clocks say the same of tasks whose block is kept as before, and nothing of others but
// by what is beside the trie. Joined they say of those that are kept what they said.
func TestSweep(t *testing.T) {
	const tasks = 1 << 18
	rapid.Check(t, func(t *rapid.T) {
		task := rapid.OneOf(rapid.Int32Range(0, 300), rapid.Int32Range(0, tasks-1), rapid.Int32Range(66000, 66100))
		var interesting []int32
		draw := func(name string) *Clock {
			w := NewWriter(nil)
			for _, x := range rapid.SliceOfNDistinct(task, 0, 40, rapid.ID).Draw(t, name) {
				interesting = append(interesting, max(x-1, 0), x, x+1, x^63)
				w.Set(x, x+1)
			}
			return w.Clock()
		}
		a := draw("a")
		more := task.Draw(t, "more")
		interesting = append(interesting, more)
		b := a.With(more, tasks+1)
		all := []*Clock{a, b, draw("c"), nil}
		var before [4]map[int32]int32
		for i, c := range all {
			before[i] = map[int32]int32{}
			for _, x := range interesting {
				before[i][x] = c.At(x)
			}
		}
		s := NewSweep(tasks)
		kept := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(append(interesting, 0)), task), 0, 20).Draw(t, "kept")
		for _, x := range kept {
			s.Keep(x)
		}
		for _, c := range all {
			s.Clock(c)
		}
		for i, c := range all {
			for _, x := range interesting {
				switch got := c.At(x); {
				case !s.IsGone(x) && got != before[i][x]:
					t.Fatalf("clock %d says %d of task %d, which is kept, and said %d", i, got, x, before[i][x])
				case s.IsGone(x) && got != 0 && c.settled(x) != 0:
					t.Fatalf("clock %d says %d of task %d, which is gone", i, got, x)
				}
			}
		}
		joined := Join(all[1], all[2])
		for _, x := range interesting {
			if want := max(before[1][x], before[2][x]); !s.IsGone(x) && joined.At(x) != want {
				t.Fatalf("joined they say %d of task %d, not %d", joined.At(x), x, want)
			}
		}
	})
	s := NewSweep(100)
	if !s.IsGone(7) || s.IsGone(-1) || s.IsGone(1<<20) {
		t.Error("tasks of later times are gone, or none is")
	}
}
