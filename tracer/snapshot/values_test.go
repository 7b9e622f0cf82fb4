package snapshot

import (
	"maps"
	"slices"
	"testing"
)

type number int32

type tree struct {
	own      number
	plain    int32
	list     []number
	array    [2]struct{ n number }
	by       map[number]*tree
	any      any
	next     *tree
	settings *tree `snapshot:"-"`
	text     string
}

// TestValues: all numbers are seen, those of settings and other integers are not.
func TestValues(t *testing.T) {
	root := &tree{own: 1, plain: 100, list: []number{2, 3}, settings: &tree{own: 101}, text: "102"}
	root.array[1].n = 4
	root.by = map[number]*tree{5: {own: 6}}
	root.any = tree{own: 7, next: &tree{own: 8}}
	root.next = root
	got := map[number]bool{}
	Values(root, func(n *number) {
		got[*n] = true
		if *n == 8 {
			*n = 9
		}
	})
	want := []number{0, 1, 2, 3, 4, 5, 6, 7, 8}
	if !slices.Equal(slices.Sorted(maps.Keys(got)), want) {
		t.Errorf("%v, not %v", got, want)
	}
	if n := root.any.(tree).next.own; n != 9 {
		t.Errorf("what was changed is %d", n)
	}
}
