package sparse

import (
	"maps"
	"testing"

	"pgregory.net/rapid"
)

// The reference is a map.
func TestTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table Table[int]
		index := rapid.OneOf(rapid.IntRange(0, 5*Block), rapid.IntRange(3*shelfSize, 3*shelfSize+Block))
		values := map[int]int{}
		t.Repeat(map[string]func(*rapid.T){
			"ensure": func(t *rapid.T) {
				i, v := index.Draw(t, "index"), rapid.Int().Draw(t, "value")
				*table.Ensure(i) = v
				values[i] = v
			},
			"drop": func(t *rapid.T) {
				block := index.Draw(t, "index") / Block
				table.Drop(func(first int) bool { return first == block*Block })
				maps.DeleteFunc(values, func(i, _ int) bool { return i/Block == block })
			},
			"": func(t *rapid.T) {
				blocks := map[int]bool{}
				for i, v := range values {
					blocks[i/Block] = true
					if got := table.At(i); got == nil || *got != v {
						t.Fatalf("at %d is %v, not %d", i, got, v)
					}
				}
				if got := table.Held(); got != Block*len(blocks) {
					t.Fatalf("%d values held in %d blocks", got, len(blocks))
				}
				last := -1
				for i, v := range table.All() {
					if i <= last || *v != values[i] {
						t.Fatalf("%d behind %d is %d, not %d", i, last, *v, values[i])
					}
					last = i
				}
				for _, i := range []int{-1, 6 * Block, 4 * shelfSize} {
					if table.At(i) != nil {
						t.Fatalf("a value at %d", i)
					}
				}
			},
		})
	})
}
