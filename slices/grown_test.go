package slices_test

import (
	"math/rand"
	stdslices "slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// A lattice that has grown with its net is the one that is made anew, at every size of the net.
func TestGrown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
		trace := santest.Generate(source, santest.Config{
			Steps: rapid.IntRange(5, 40).Draw(t, "steps"), Tasks: 2, Spawns: 5,
			Causes: rapid.SampledFrom([]int{40, 90}).Draw(t, "causes"),
			Joints: rapid.SampledFrom([]int{0, 20}).Draw(t, "joints"),
		})
		if rapid.Bool().Draw(t, "shuffled") {
			trace = trace.Shuffle(source)
		}
		b, err := san.NewBuilder(trace.Header)
		if err != nil {
			t.Fatal(err)
		}
		lat := slices.NewLattice(b.Net())
		for _, e := range trace.Events {
			if err := b.Add(e, ""); err != nil {
				t.Fatal(err)
			}
			if rapid.IntRange(0, 2).Draw(t, "then") > 0 {
				continue
			}
			lat = lat.Grown()
			if rapid.Bool().Draw(t, "looked at") { // else what is new is found later
				sameLattice(t, lat, slices.NewLattice(b.Net()))
			}
		}
		sameLattice(t, lat.Grown(), slices.NewLattice(b.Net()))
	})
}

func sameLattice(t *rapid.T, got, want *slices.Lattice) {
	net := want.Net()
	check := func(what string, g, w slices.Ideal) {
		if g.Size() != w.Size() || g.Events() != w.Events() {
			t.Fatalf("%s: %d actions of %d events, want %d of %d", what, g.Size(), g.Events(), w.Size(), w.Events())
		}
		if g, w := got.Maximal(g), want.Maximal(w); !stdslices.Equal(g, w) {
			t.Fatalf("%s: the maximal actions are %v, want %v", what, g, w)
		}
	}
	check("top", got.Top(), want.Top())
	for task := range san.Task(net.Tasks()) {
		for k := 1; k <= net.Len(task); k++ {
			a := san.Action{Task: task, K: int32(k)}
			check("down", got.Down(a), want.Down(a))
			check("not above", got.NotAbove(a), want.NotAbove(a))
		}
	}
}
