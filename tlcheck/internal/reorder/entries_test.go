package reorder

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The reference is a slice.
func TestEntries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q entries
		var want []int32
		next := int32(0)
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				for range rapid.IntRange(1, 2*segmentSize).Draw(t, "n") {
					q.push(entry{k: next})
					want = append(want, next)
					next++
				}
			},
			"drop": func(t *rapid.T) {
				n := rapid.IntRange(0, len(want)).Draw(t, "n")
				var told []int32
				q.drop(n, func(e *entry) { told = append(told, e.k) })
				if !slices.Equal(told, want[:n]) {
					t.Fatalf("dropped %v, want %v", told, want[:n])
				}
				want = want[n:]
			},
			"": func(t *rapid.T) {
				var all []int32
				for e := range q.all() {
					all = append(all, e.k)
				}
				if !slices.Equal(all, want) || q.count != len(want) {
					t.Fatalf("%d entries %v, want %v", q.count, all, want)
				}
				for _, s := range q.segments {
					used := s.entries[s.first:s.end]
					if slices.ContainsFunc(s.entries[:s.first], func(e entry) bool { return e != entry{} }) || len(used) == 0 {
						t.Fatal("a segment keeps what is gone")
					}
				}
			},
		})
	})
}
