package poset

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/slicestest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// draw returns a random net that is small enough to be enumerated.
func draw(t *rapid.T) *san.Net {
	c := santest.Config{Tasks: 5, Steps: 16, Frames: -1, Values: -1}
	c.Causes = rapid.SampledFrom([]int{-1, 20, 60}).Draw(t, "causes")
	c.Joints = rapid.SampledFrom([]int{-1, 20}).Draw(t, "joints")
	return santest.Generate(santest.Rapid(t), c).MustBuild()
}

const dumbLimit = 50000

// allSlices returns the slices of a net, unless there are too many.
func allSlices(t *rapid.T, net *san.Net) (*slices.Lattice, *slicestest.Graph) {
	l := slices.NewLattice(net)
	g, ok := slicestest.Enumerate(l, dumbLimit)
	if !ok {
		t.Skip("too many slices")
	}
	return l, g
}

// sweepOf returns the sweep of all of an order, as if it could not be taken apart.
func sweepOf(p *Poset, roles *taskRoles) *sweep {
	c := &counter{p: p, ctx: context.Background(), local: make([]int32, p.Len()), roles: roles}
	s, _ := c.newSweep(p.elements())
	return s
}

// TestNumbers compares all numbers with enumeration: the slices with the lattice's, the height with
// the longest chain and the width with the largest antichain among all sets of actions that are
// the maximal ones of a slice, and there are no other antichains.
func TestNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := draw(t)
		l, g := allSlices(t, net)
		p := New(net)
		if n := p.Ideals(context.Background()); !n.Exact() || n.Min.Int64() != int64(g.Len()) {
			t.Errorf("%v slices, not %d", n, g.Len())
		}
		width := 0
		for n := range g.Len() {
			width = max(width, len(l.Maximal(g.Slice(n))))
		}
		if low, high := p.Width(context.Background()); low != width || high != width {
			t.Errorf("width %d to %d, not %d", low, high, width)
		}
		if h := longestChain(net); p.Height() != h {
			t.Errorf("height %d, not %d", p.Height(), h)
		}
	})
}

// longestChain goes by Precedes alone.
func longestChain(net *san.Net) int {
	var actions []san.Action
	var lengths []int
	longest := 0
	for b := range net.Order() {
		length := 1
		for i, a := range actions {
			if net.Precedes(a, b) {
				length = max(length, lengths[i]+1)
			}
		}
		actions, lengths = append(actions, b), append(lengths, length)
		longest = max(longest, length)
	}
	return longest
}

// TestBounds compares the bounds without any time with the exact numbers.
func TestBounds(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	rapid.Check(t, func(t *rapid.T) {
		p := New(draw(t))
		width, _ := p.Width(context.Background())
		if low, high := p.Width(ended); low > width || high < width {
			t.Errorf("width %d to %d, but it is %d", low, high, width)
		}
		n := p.Ideals(context.Background()).Min
		if b := p.Ideals(ended); b.Min.Cmp(n) > 0 || b.Max.Cmp(n) < 0 {
			t.Errorf("%v to %v slices, but there are %v", b.Min, b.Max, n)
		}
		none := func(san.Task) int { return 0 }
		all := func(task san.Task) int { return p.net.Len(task) }
		if most := AtMost(p.net, none, all); most.Cmp(n) < 0 {
			t.Errorf("at most %v slices, but there are %v", most, n)
		}
		if _, err := Within(ended, p.net); p.Len() > 0 && err == nil {
			t.Error("the order was made without any time")
		}
	})
}

// In a run with very many tasks, counting its slices stops when its context ends, before every pair
// of tasks was visited.
func TestManyTasks(t *testing.T) {
	const tasks = 40_000
	var trace strings.Builder
	trace.WriteString(`{"antichain":1,"tasks":["main"]}` + "\n")
	for i := range tasks {
		fmt.Fprintf(&trace, `{"t":"main","spawn":"w%d"}`+"\n", i)
	}
	for i := range tasks {
		fmt.Fprintf(&trace, `{"t":"w%d"}`+"\n", i)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	// One order of the run passes through a slice more than there are events.
	b := New(santest.Read(t, trace.String())).Ideals(ended)
	if b.Min.Cmp(big.NewInt(2*tasks+1)) < 0 || b.Max.Cmp(b.Min) <= 0 {
		t.Errorf("at least %v, at most %d bits", b.Min, b.Max.BitLen())
	}
}

// TestSweeps compares the orders of a sweep with each other, on orders that are not taken
// apart, and what a sweep finds that drops states.
func TestSweeps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := New(draw(t))
		if p.Len() == 0 {
			t.Skip("no action")
		}
		ctx := context.Background()
		want := p.Ideals(ctx).Min
		s := sweepOf(p, nil)
		for name, order := range map[string][]int32{"recorded": s.recorded(), "chain by chain": s.chainByChain(ctx)} {
			if n, ok := s.compile(ctx, order).run(ctx, dumbLimit, false); !ok || n[0].Cmp(want) != 0 {
				t.Errorf("%s: %v ideals, not %v", name, n, want)
			}
		}
		limit := rapid.IntRange(1, 20).Draw(t, "limit")
		if n, ok := s.compile(ctx, s.recorded()).run(ctx, limit, true); !ok || n[0].Cmp(want) > 0 || n[0].Sign() <= 0 {
			t.Errorf("with %d states at least %v ideals, but there are %v", limit, n, want)
		}
		if s.atMost().Cmp(want) < 0 {
			t.Errorf("at most %v ideals, but there are %v", s.atMost(), want)
		}
	})
}

// TestLargeCounts has counts that do not fit into the words that they begin with.
func TestLargeCounts(t *testing.T) {
	const tasks, events = 60, 50
	p := New(net(t, tasks, events, alone))
	want := new(big.Int).Exp(big.NewInt(events+1), big.NewInt(tasks), nil)
	if n, ok := sweepOf(p, nil).count(t.Context()); !ok || n.Cmp(want) != 0 {
		t.Errorf("%v by a sweep, not %v", n, want)
	}
	if n := p.Ideals(t.Context()); !n.Exact() || n.Min.Cmp(want) != 0 {
		t.Errorf("%v by parts, not %v", n, want)
	}
}

// Time may run out before a sweep has been worked out in any order.
func TestSweepStopped(t *testing.T) {
	p := New(net(t, 4, 20, anybody))
	s := sweepOf(p, nil)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if n, ok := s.count(ended); ok || n.Cmp(big.NewInt(int64(p.Len())+1)) != 0 {
		t.Errorf("%v ideals (all of them: %v), want at least one more than %d elements", n, ok, p.Len())
	}
}
