package column_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/model/internal/column"
)

// TestColumn has columns around the length of a chunk, and of several.
func TestColumn(t *testing.T) {
	for _, n := range []int{0, 1, column.Chunk - 1, column.Chunk, column.Chunk + 1, 3*column.Chunk + 2} {
		var c column.Column[int]
		for i := range n {
			c.Add(i * i)
		}
		if c.Len() != n {
			t.Errorf("length %d, want %d", c.Len(), n)
		}
		for i := range n {
			if c.At(i) != i*i {
				t.Fatalf("%d of %d: %d, want %d", i, n, c.At(i), i*i)
			}
		}
	}
}

// TestStack compares with a stack of slices.
func TestStack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var got column.Stack[int]
		var want [][]int
		most := rapid.SampledFrom([]int{3, column.Chunk / 4, 2 * column.Chunk}).Draw(t, "most")
		for step := range rapid.IntRange(0, 60).Draw(t, "steps") {
			if len(want) > 0 && rapid.IntRange(0, 2).Draw(t, "pop") == 0 {
				got.Pop(len(want[len(want)-1]))
				want = want[:len(want)-1]
			} else {
				list := make([]int, rapid.IntRange(1, most).Draw(t, "length"))
				for i := range list {
					list[i] = step*most + i
				}
				got.Push(list)
				want = append(want, list)
			}
			if last := len(want) - 1; last >= 0 && !slices.Equal(got.Top(len(want[last])), want[last]) {
				t.Fatalf("step %d: another list of %d", step, len(want[last]))
			}
		}
	})
}
