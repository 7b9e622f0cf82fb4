package sparse

import (
	"maps"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The reference is a map.
func TestRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		index := rapid.OneOf(rapid.Uint64Range(0, 100), rapid.Uint64Range(math.MaxUint64-40, math.MaxUint64),
			rapid.Uint64())
		var a Array[uint64, int]
		m := map[uint64]*int{}
		t.Repeat(map[string]func(*rapid.T){
			"set": func(t *rapid.T) {
				i, v := index.Draw(t, "index"), new(int)
				a.Set(i, v)
				m[i] = v
			},
			"take away": func(t *rapid.T) {
				i := index.Draw(t, "index")
				a.Set(i, nil)
				delete(m, i)
			},
			"take away some": func(t *rapid.T) {
				first, last := index.Draw(t, "first"), index.Draw(t, "last")
				var removed []uint64
				for i, v := range a.From(first, last) {
					if v != m[i] {
						t.Fatalf("at %d", i)
					}
					removed = append(removed, i)
					a.Set(i, nil)
				}
				want := slices.DeleteFunc(slices.Sorted(maps.Keys(m)), func(i uint64) bool {
					return i < first || i > last
				})
				if !slices.Equal(removed, want) {
					t.Fatalf("from %d to %d: %d, want %d", first, last, removed, want)
				}
				for _, i := range removed {
					delete(m, i)
				}
			},
			"": func(t *rapid.T) {
				if i := index.Draw(t, "index"); a.At(i) != m[i] {
					t.Fatalf("at %d", i)
				}
				if all := maps.Collect(a.All()); !maps.Equal(all, m) {
					t.Fatalf("%v, want %v", all, m)
				}
				for _, p := range a.pages {
					if p.used == 0 {
						t.Fatal("an empty page")
					}
				}
			},
		})
	})
}

// In a range that wraps around or is reversed there is nothing.
func TestReversed(t *testing.T) {
	var a Array[uint64, int]
	for i := range uint64(100) {
		a.Set(i, new(int))
	}
	for i := range a.From(70, 20) {
		t.Errorf("%d", i)
	}
}

func BenchmarkArray(b *testing.B) {
	const alive = 1000
	b.Run("array", func(b *testing.B) {
		var a Array[uint64, int]
		v := new(int)
		for i := uint64(0); b.Loop(); i++ {
			a.Set(i, v)
			for range 4 {
				a.At(i - i%7)
			}
			a.Set(i-alive, nil)
		}
	})
	b.Run("map", func(b *testing.B) {
		m := map[uint64]*int{}
		v := new(int)
		for i := uint64(0); b.Loop(); i++ {
			m[i] = v
			for range 4 {
				_ = m[i-i%7]
			}
			delete(m, i-alive)
		}
	})
}
