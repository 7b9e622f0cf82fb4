package strategy

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"pgregory.net/rapid"
)

// A tree is what goroutines do: a letter is an operation on the object of that letter, and a digit
// starts the goroutine of that number. Goroutine 0 is there from the beginning.
type tree []string

// state is how far goroutines are; -1: not started.
type state []int

func (p tree) begin() state {
	s := make(state, len(p))
	for i := range s {
		s[i] = -1
	}
	s[0] = 0
	return s
}

// can reports whether goroutine i can do something.
func (p tree) can(s state, i int) bool { return s[i] >= 0 && s[i] < len(p[i]) }

// step does what goroutine i does next, and returns the goroutine that this starts, -1 for none.
func (p tree) step(s state, i int) int {
	c := p[i][s[i]]
	s[i]++
	if c >= '0' && c <= '9' {
		s[c-'0'] = 0
		return int(c - '0')
	}
	return -1
}

// counts reports whether the next operation of goroutine i is on one of the objects.
func (p tree) counts(s state, i int, objects string) bool {
	return p.can(s, i) && strings.IndexByte(objects, p[i][s[i]]) >= 0
}

// orders returns all orders of the operations on the objects, found by trying everything.
func (p tree) orders(objects string) []string {
	found, tried := map[string]bool{}, map[string]bool{}
	var try func(s state, order string)
	try = func(s state, order string) {
		key := fmt.Sprint(s, order)
		if tried[key] {
			return
		}
		tried[key] = true
		ends := true
		for i := range p {
			if !p.can(s, i) {
				continue
			}
			ends = false
			next, then := order, slices.Clone(s)
			if p.counts(s, i, objects) {
				next += string(rune('0' + i))
			}
			p.step(then, i)
			try(then, next)
		}
		if ends {
			found[order] = true
		}
	}
	try(p.begin(), "")
	all := make([]string, 0, len(found))
	for order := range found {
		all = append(all, order)
	}
	return all
}

// left returns how many operations on the objects goroutine i and those that it starts do.
func (p tree) left(i int, objects string) (n uint64) {
	for _, c := range []byte(p[i]) {
		switch {
		case strings.IndexByte(objects, c) >= 0:
			n++
		case c >= '0' && c <= '9':
			n += p.left(int(c-'0'), objects)
		}
	}
	return n
}

// run returns the order of the operations on the objects in the run of a seed. Each goroutine is
// expected to do as many as left says.
func (p tree) run(seed uint64, objects string, left func(i int) uint64) string {
	l := newLottery(bySURW, 0, seed, DefaultSteps)
	s, tickets := p.begin(), make([]ticket, len(p))
	enter := func(i int) {
		tickets[i] = l.enters(mixed(l.seed + uint64(i)))
		tickets[i].left = left(i)
	}
	enter(0)
	tickets[0].counts = p.counts(s, 0, objects)
	order := ""
	for {
		best := -1
		l.looks()
		for i := range p {
			if p.can(s, i) {
				l.sees(&tickets[i])
			}
		}
		l.intends()
		for i := range p {
			if p.can(s, i) && (best < 0 || l.of(&tickets[i]) > l.of(&tickets[best])) {
				best = i
			}
		}
		if best < 0 {
			return order
		}
		if p.counts(s, best, objects) {
			order += string(rune('0' + best))
		}
		l.takes(&tickets[best])
		if i := p.step(s, best); i >= 0 {
			enter(i)
			l.starts(&tickets[best], &tickets[i])
			tickets[i].counts = p.counts(s, i, objects)
		}
		tickets[best].counts = p.counts(s, best, objects)
	}
}

// TestSURW compares how often orders come with that all of them come with the same probability, by
// a chi-square test at one in 100,000.
func TestSURW(t *testing.T) {
	for _, tt := range []struct {
		program tree
		objects string
	}{
		{tree{"12", "xxxx", "xx"}, "x"},     // goroutines of different lengths
		{tree{"12", "aaaaaaaax", "x"}, "x"}, // one with much that does not count
		{tree{"12", "axaxa", "xbbbbbbx"}, "x"},
		{tree{"123", "xa", "ax", "aaaax"}, "x"},
		{tree{"1x2x3x", "x", "x", "x"}, "x"},       // goroutines that are started late
		{tree{"12", "xx3", "x4x", "xx", "x"}, "x"}, // and by others
		{tree{"1a2a3", "aaaaaax", "xaaaa", "axax"}, "x"},
		{tree{"1abba2", "abab", "baa"}, "ab"}, // all operations count
	} {
		const runs = 6_000
		seen := map[string]int{}
		for seed := range uint64(runs) {
			seen[tt.program.run(1+seed, tt.objects, func(i int) uint64 { return tt.program.left(i, tt.objects) })]++
		}
		all := tt.program.orders(tt.objects)
		expected, sum := runs/float64(len(all)), 0.0
		for _, order := range all {
			d := float64(seen[order]) - expected
			sum += d * d / expected
			delete(seen, order)
		}
		if len(seen) > 0 {
			t.Errorf("%v: orders that there are not: %v", tt.program, seen)
		}
		df := float64(len(all) - 1) // the bound: Wilson and Hilferty, 1931
		if bound := df * math.Pow(1-2/(9*df)+4.265*math.Sqrt(2/(9*df)), 3); sum > bound {
			t.Errorf("%v: chi-square %.1f of %d orders, bound %.1f", tt.program, sum, len(all), bound)
		}
		t.Logf("%v: chi-square %.1f of %d orders", tt.program, sum, len(all))
	}
}

// TestSURWComplete checks that each order comes at some time if goroutines do less than expected.
func TestSURWComplete(t *testing.T) {
	p := tree{"1x2", "xx", "axx"}
	for _, more := range []uint64{1, 5} {
		seen := map[string]bool{}
		for seed := range uint64(3000) {
			seen[p.run(1+seed, "x", func(i int) uint64 { return p.left(i, "x") + more*uint64(3-i) })] = true
		}
		for _, order := range p.orders("x") {
			if !seen[order] {
				t.Errorf("%d more expected: %s never comes", more, order)
			}
		}
	}
}

// TestExponential checks the distribution at some points.
func TestExponential(t *testing.T) {
	for _, x := range []uint64{0, 1, 7, 1 << 32, 3 << 61, 1 << 63, ^uint64(0)} {
		want := -math.Log2(float64(x|1) / (1 << 64))
		if got := float64(exponential(x)) / (1 << 56); math.Abs(got-want) > 1e-6 || exponential(x) == 0 {
			t.Errorf("%x: %g, want %g", x, got, want)
		}
	}
}

// TestCounts checks what is learnt of a run, and that it fits into a text.
func TestCounts(t *testing.T) {
	const started, worker, other = 101, 102, 103
	notes := []ring.Note{
		{Goroutine: 1, Site: started}, // main
		{Goroutine: 2, Site: worker, Parent: 1}, {Goroutine: 3, Site: worker, Parent: 1},
		{Goroutine: 4, Site: other, Parent: 2},
		{Goroutine: 2, Site: 10, Object: 1}, {Goroutine: 3, Site: 10, Object: 1}, {Goroutine: 3, Site: 11, Object: 1},
		{Goroutine: 4, Site: 11, Object: 2}, {Goroutine: 4, Site: 12, Object: 2},
		// one goroutine
		{Goroutine: 1, Site: 20, Object: 3}, {Goroutine: 1, Site: 21, Object: 3},
		// a select statement with two channels
		{Goroutine: 1, Site: 30, Object: 4}, {Site: 30, Object: 5}, {Goroutine: 2, Site: 31, Object: 5},
	}
	c := CountsOf(notes)
	want := map[string]bool{}
	for _, counts := range []ring.Counts{
		{Sites: []uint32{10, 11, 12}, Weights: []ring.Weight{
			{Of: started, Steps: 5}, {Of: worker, Steps: 3}, {Of: other, Steps: 2}, {Of: 3, Steps: 2}}},
		{Sites: []uint32{30, 31}, Weights: []ring.Weight{{Of: started, Steps: 2}, {Of: worker, Steps: 1}, {Of: 3}}},
	} {
		want[encode(&counts)] = true
	}
	seen := map[string]bool{}
	for seed := range uint64(40) {
		s := c.Draw(seed)
		if seen[s.Learnt] = true; !want[s.Learnt] || s.Learner() != nil || s != c.Draw(seed) {
			counts, err := decode(s.Learnt)
			t.Fatalf("seed %d: %+v, %v", seed, counts, err)
		}
		if again, err := Parse(s.String()); err != nil || again != s {
			t.Errorf("%v: %v, %v", s, again, err)
		}
	}
	if len(seen) != len(want) {
		t.Errorf("%d of %d groups are drawn", len(seen), len(want))
	}
	if s := CountsOf(notes[:4]).Draw(1); s.Learner() == nil {
		t.Errorf("nothing can count, and does in %v", s)
	}
}

// TestDecode checks that any text is decoded or refused.
func TestDecode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts, err := decode(rapid.StringMatching(`[A-Za-z0-9_-]{0,40}`).Draw(t, "text"))
		if err != nil {
			return
		}
		again, err := decode(encode(counts))
		if len(counts.Weights) > 0 && (err != nil || !slices.Equal(again.Weights, counts.Weights) ||
			!slices.Equal(again.Sites, counts.Sites)) {
			t.Fatalf("%+v, then %+v, %v", counts, again, err)
		}
	})
}
