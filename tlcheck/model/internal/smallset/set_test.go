package smallset_test

import (
	"slices"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/bits-and-blooms/bitset"
	"pgregory.net/rapid"
)

// TestSet compares with sets of bitset.
func TestSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		number := rapid.IntRange(0, n-1)
		a, b := smallset.New(n), smallset.New(n)
		x, y := bitset.New(uint(n)), bitset.New(uint(n))
		for _, i := range rapid.SliceOf(number).Draw(t, "a") {
			a.Add(i)
			x.Set(uint(i))
		}
		for _, i := range rapid.SliceOf(number).Draw(t, "b") {
			b.Add(i)
			y.Set(uint(i))
		}
		if a.In(b) != y.IsSuperSet(x) || (a.Key() == b.Key()) != x.Equal(y) {
			t.Error("they are compared in another way")
		}
		if rapid.Bool().Draw(t, "join") {
			a.Join(b)
			x.InPlaceUnion(y)
		}
		i := number.Draw(t, "i")
		if a.Has(i) != x.Test(uint(i)) {
			t.Errorf("%d is in the one and not in the other", i)
		}
		a.Remove(i)
		var want []int
		for k := range x.Clear(uint(i)).EachSet() {
			want = append(want, int(k))
		}
		if got := slices.Collect(a.All()); !slices.Equal(got, want) {
			t.Errorf("%d, not %d", got, want)
		}
	})
}

// BenchmarkBranch does what a branch of a tableau does: it copies four sets of formulas, adds to
// them, and compares.
func BenchmarkBranch(b *testing.B) {
	for _, n := range []int{40, 200} {
		b.Run("smallset", func(b *testing.B) {
			b.ReportAllocs()
			sets := [4]smallset.Set{smallset.New(n), smallset.New(n), smallset.New(n), smallset.New(n)}
			for b.Loop() {
				var copies [4]smallset.Set
				for i, s := range sets {
					copies[i] = slices.Clone(s)
					copies[i].Add(n / 2)
				}
				if !sets[0].In(copies[3]) {
					b.Fatal()
				}
			}
		})
		b.Run("bitset", func(b *testing.B) {
			b.ReportAllocs()
			sets := [4]*bitset.BitSet{bitset.New(uint(n)), bitset.New(uint(n)), bitset.New(uint(n)),
				bitset.New(uint(n))}
			for b.Loop() {
				var copies [4]*bitset.BitSet
				for i, s := range sets {
					copies[i] = s.Clone()
					copies[i].Set(uint(n / 2))
				}
				if !copies[3].IsSuperSet(sets[0]) {
					b.Fatal()
				}
			}
		})
	}
}
