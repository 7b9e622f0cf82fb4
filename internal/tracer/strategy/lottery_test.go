package strategy

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// A program is what goroutines do: each letter is an operation on the object of that letter, and a
// capital one is an operation on none.
type program []string

// run returns the order in which the operations come, as the numbers of goroutines.
func (p program) run(l lottery) string {
	tickets, at := make([]ticket, len(p)), make([]int, len(p))
	for i := range p {
		tickets[i] = l.enters(mixed(uint64(i) ^ l.seed))
		p.stand(&l, &tickets[i], i, 0)
	}
	var order strings.Builder
	for {
		best := -1
		for i := range p {
			if at[i] < len(p[i]) && (best < 0 || l.of(&tickets[i]) > l.of(&tickets[best])) {
				best = i
			}
		}
		if best < 0 {
			return order.String()
		}
		if !l.takes(&tickets[best]) {
			continue
		}
		for i := range p {
			if i != best && at[i] < len(p[i]) {
				l.passes(&tickets[best], &tickets[i])
			}
		}
		fmt.Fprint(&order, best)
		at[best]++
		p.stand(&l, &tickets[best], best, at[best])
	}
}

func (p program) stand(l *lottery, t *ticket, i, at int) {
	var objects [ticketObjects]uint64
	if at < len(p[i]) && p[i][at] >= 'a' {
		objects[0] = uint64(p[i][at])
	}
	l.stands(t, objects)
	l.contends(t)
}

// sample returns how often each order comes in so many runs.
func (p program) sample(s Strategy, runs int) map[string]int {
	counts := make(map[string]int)
	for seed := range uint64(runs) {
		d := s.Draws()
		counts[p.run(newLottery(d.Rule, d.Depth, 1+seed, d.Steps))]++
	}
	return counts
}

// TestPCT compares how often bugs of some depths show with the bound of the paper.
func TestPCT(t *testing.T) {
	const runs = 20_000
	p := program{"AAAA", "AAAA", "AA"}
	n, k := 3.0, 10.0
	for _, bug := range []struct {
		depth int
		shows func(order string) bool
	}{
		{1, func(order string) bool { return strings.HasSuffix(order, "0000") }},
		{2, func(order string) bool { // the second operation of 0, all of 1, the third of 0
			i := nth(order, '0', 3)
			return nth(order, '0', 2) < nth(order, '1', 1) && nth(order, '1', 4) < i
		}},
		{3, func(order string) bool {
			return nth(order, '0', 2) < nth(order, '1', 1) && nth(order, '1', 2) < nth(order, '0', 3) &&
				nth(order, '0', 3) < nth(order, '1', 3)
		}},
	} {
		shown := 0
		for order, count := range p.sample(Strategy{Rule: PCT, Depth: bug.depth, Steps: int(k)}, runs) {
			if bug.shows(order) {
				shown += count
			}
		}
		bound := 1 / (n * math.Pow(k, float64(bug.depth-1)))
		if share := float64(shown) / runs; share < 0.95*bound { // it is exact for depth 1
			t.Errorf("depth %d: shown in %.4f of the runs, bound %.4f", bug.depth, share, bound)
		}
	}
}

// nth returns where the nth step of a goroutine is.
func nth(order string, goroutine byte, n int) int {
	for i := range order {
		if order[i] == goroutine {
			if n--; n == 0 {
				return i
			}
		}
	}
	return len(order)
}

// TestPCTChanges checks that a run of depth d changes goroutines at d-1 places at most, and that
// goroutines do not change otherwise before they end.
func TestPCTChanges(t *testing.T) {
	p := program{"AAAAAAAA", "AAAAAAAA", "AAAAAAAA"}
	for depth := 1; depth <= maxDepth; depth++ {
		for order := range p.sample(Strategy{Rule: PCT, Depth: depth, Steps: 24}, 500) {
			// one that falls goes on in the end, or where it falls again
			if blocks := len(slices.Compact([]byte(order))); blocks > len(p)+depth-1+depth-1 {
				t.Errorf("depth %d: %s", depth, order)
			}
		}
	}
}

// TestWalk checks that all goroutines that can go on are taken as often, at each step.
func TestWalk(t *testing.T) {
	const runs = 60_000
	p := program{"AA", "AA"}
	want := map[string]float64{"0011": 4, "0101": 8, "0110": 8, "1001": 8, "1010": 8, "1100": 4}
	counts := p.sample(Strategy{Rule: Walk}, runs)
	for order, one := range want {
		if share := one * float64(counts[order]) / runs; share < 0.95 || share > 1.05 {
			t.Errorf("%s came %d times of %d, want 1/%.0f", order, counts[order], runs, one)
		}
	}
	if len(counts) != len(want) {
		t.Error(counts)
	}
}

// TestPOS checks that orders of operations on one object are sampled, and that those on others do
// not matter: a goroutine that does much else is not later for that, as with a walk.
func TestPOS(t *testing.T) {
	const runs = 30_000
	last := func(s Strategy) float64 {
		late := 0
		for order, count := range (program{"AAAAAAAAx", "x"}).sample(s, runs) {
			if nth(order, '0', 9) < nth(order, '1', 1) {
				late += count
			}
		}
		return float64(late) / runs
	}
	walk, pos := last(Strategy{Rule: Walk}), last(Strategy{Rule: POS})
	if walk > 0.01 || pos < 0.05 {
		t.Errorf("the long goroutine comes first in %.4f of the walks, in %.4f of the runs of pos", walk, pos)
	}
	counts := (program{"xx", "xx", "x"}).sample(Strategy{Rule: POS}, runs)
	if len(counts) != 30 {
		t.Errorf("%d of 30 orders", len(counts))
	}
	for order, count := range counts {
		if count < runs/30/5 {
			t.Errorf("%s came %d times", order, count)
		}
	}
}

// TestEarly checks that a bug near where goroutines begin is found as often however long they are.
func TestEarly(t *testing.T) {
	const runs = 4000
	for _, length := range []int{3, 30} {
		long := strings.Repeat("A", length)
		shown := 0
		for order, count := range (program{"AA" + long, long}).sample(Strategy{Rule: Early}, runs) {
			// between the first two operations of 0, all of 1
			if nth(order, '0', 1) < nth(order, '1', 1) && nth(order, '1', length) < nth(order, '0', 2) {
				shown += count
			}
		}
		if shown < runs/200 {
			t.Errorf("goroutines of length %d: in %d of %d runs", length, shown, runs)
		}
	}
}

// TestYields checks that a goroutine that yields lets others go before under PCT, whatever their
// priorities are.
func TestYields(t *testing.T) {
	d := Strategy{Rule: PCT, Depth: 1}.Draws()
	for seed := range uint64(20) {
		l := newLottery(d.Rule, d.Depth, 1+seed, d.Steps)
		yields, other := l.enters(1), l.enters(2)
		l.yields(&yields)
		if l.of(&yields) > l.of(&other) {
			t.Errorf("seed %d: it goes first", 1+seed)
		}
	}
}

// TestUnfair checks that a goroutine that polls for ever does not keep another one away for ever.
func TestUnfair(t *testing.T) {
	for _, s := range []Strategy{{Rule: PCT, Depth: 1, Steps: 1}, {Rule: POS}, {Rule: Walk}} {
		d := s.Draws()
		for seed := range uint64(20) {
			l := newLottery(d.Rule, d.Depth, 1+seed, d.Steps)
			polls, other := l.enters(1), l.enters(2)
			l.stands(&other, [ticketObjects]uint64{1})
			steps := 0
			for ; l.of(&polls) > l.of(&other) && steps < 2*unfair; steps++ {
				l.takes(&polls)
				l.stands(&polls, [ticketObjects]uint64{2})
			}
			if steps == 2*unfair {
				t.Errorf("%s, seed %d: the other one has waited for %d steps", s, 1+seed, steps)
			}
		}
	}
}
