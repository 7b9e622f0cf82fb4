package slices_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// The size of an ideal that is known by a few of its actions, or by a few that it lacks, is the
// number of actions that it has. There are so many tasks that some such ideals are counted action
// by action, and others task by task.
func TestSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := santest.Generate(santest.Rapid(t),
			santest.Config{Tasks: 60, Steps: 80, Frames: -1, Values: -1, Causes: 20}).MustBuild()
		l := slices.NewLatticeOfMany(net)
		var actions []san.Action
		for a := range net.Order() {
			actions = append(actions, a)
		}
		if len(actions) == 0 {
			return
		}
		down, outside := l.Bottom(), l.Top()
		for range rapid.IntRange(1, 4).Draw(t, "actions") {
			a := rapid.SampledFrom(actions).Draw(t, "action")
			down, outside = down.Join(l.Down(a)), outside.Meet(l.NotAbove(a))
			for _, i := range []slices.Ideal{l.Down(a), l.NotAbove(a), down, outside} {
				if got, want := i.Size(), sizeOf(net, i); got != want {
					t.Fatalf("size of %v is %d, want %d", i, got, want)
				}
			}
		}
	})
}

// sizeOf counts the actions of an ideal by asking for each.
func sizeOf(net *san.Net, i slices.Ideal) int {
	size := 0
	for a := range net.Order() {
		if i.Has(a) {
			size++
		}
	}
	return size
}

// BenchmarkSizes asks for the sizes of the greatest slices without one action each, of thousands of
// tasks.
func BenchmarkSizes(b *testing.B) {
	net := independent(b, 10_000, 10)
	for b.Loop() {
		l := slices.NewLattice(net)
		for t := range san.Task(net.Tasks()) {
			if n := l.NotAbove(san.Action{Task: t, K: 6}).Size(); n != net.Actions()-5 {
				b.Fatal(n)
			}
		}
	}
}
