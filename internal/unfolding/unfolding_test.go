package unfolding

import (
	"errors"
	"fmt"
	"testing"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"pgregory.net/rapid"
)

const most = 2000 // interleavings of a program that is compared

// TestAllOrders compares the orders of random programs with those of all of their interleavings.
func TestAllOrders(t *testing.T) {
	saw := map[string]int{}
	orders, runs := 0, 0
	rapidtest.CheckUntil(t, func() bool { return len(missing(saw)) == 0 }, func(t *rapid.T) {
		p := drawToy(t)
		want, all := p.brute(most)
		if !all {
			return
		}
		got := map[string]int{}
		x := p.explore(t, Bounds{}, got)
		for o := range want {
			if got[o] != 1 {
				t.Fatalf("an order was reached %d times:\n%s\n%+v", got[o], o, p)
			}
		}
		if len(got) != len(want) || !x.Counts.Complete() {
			t.Fatalf("%d orders instead of %d, %+v\n%+v", len(got), len(want), x.Counts, p)
		}
		if x.Counts.Left != 0 || x.Counts.Estimate != float64(len(want)) {
			t.Fatalf("%d orders, but %+v", len(want), x.Counts)
		}
		orders += len(want)
		runs += x.Counts.Runs
		if len(want) > 1 {
			for s := range p.saw {
				saw[s]++
			}
		}
	})
	t.Logf("%d orders, %d runs, saw %v", orders, runs, saw)
	if m := missing(saw); len(m) > 0 {
		t.Errorf("no program with %v", m)
	}
}

// missing returns what has come about in no program.
func missing(saw map[string]int) (all []string) {
	for op := range kinds {
		outcomes := []string{""}
		switch op {
		case tryLock, tryReadLock, tryWriteLock, do, length:
			outcomes = []string{"0", "1"}
		case lock, readLock:
			outcomes = []string{"1"}
		case load, addTo:
			outcomes = []string{"1"}
		case send, receive:
			outcomes = []string{"0"}
		case selectCases:
			outcomes = []string{"0", "1", "d"}
		}
		for _, o := range outcomes {
			if what := fmt.Sprintf("%d%s", op, o); saw[what] == 0 {
				all = append(all, what)
			}
		}
	}
	for _, what := range []string{
		"try to write true", "try to write false",
		fmt.Sprint("wakes ", signal, 0), fmt.Sprint("wakes ", signal, 1), fmt.Sprint("wakes ", broadcast, 2),
	} {
		if saw[what] == 0 {
			all = append(all, what)
		}
	}
	return all
}

// explore counts the orders that it reaches.
func (p *toy) explore(t *rapid.T, bounds Bounds, got map[string]int) *Explorer {
	x := New(p, p.initial(), func(o Order) error {
		w := p.world()
		for _, s := range o.Steps {
			w.do(s.Step)
		}
		got[w.order()]++
		return nil
	})
	x.Bounds = bounds
	if err := x.Explore(); err != nil {
		t.Fatalf("%v\n%+v", err, p)
	}
	return x
}

// TestBounds checks what is known of orders that a bound leaves.
func TestBounds(t *testing.T) {
	saw := map[string]int{}
	enough := func() bool { return saw["runs"] > 9 && saw["events"] > 9 && saw["steps"] > 9 && saw[""] > 9 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		p := drawToy(t)
		want, all := p.brute(most)
		if !all || len(want) < 3 {
			return
		}
		got := map[string]int{}
		x := p.explore(t, Bounds{
			Runs:   rapid.IntRange(1, 2*len(want)).Draw(t, "runs"),
			Events: rapid.IntRange(6, 60).Draw(t, "events"),
			Steps:  rapid.IntRange(3, 30).Draw(t, "steps"),
		}, got)
		c := x.Counts
		saw[c.Bound]++
		if c.Orders != len(got) || c.Orders+c.Left > len(want) || c.Estimate < float64(c.Orders+c.Left) {
			t.Fatalf("%d orders, but %+v\n%+v", len(want), c, p)
		}
		if c.Complete() != (c.Orders == len(want)) && c.Bound != "events" {
			t.Fatalf("%d orders, but %+v\n%+v", len(want), c, p)
		}
	})
	if !enough() {
		t.Errorf("bounds of some kinds were not reached: %v", saw)
	}
}

// moody is a program whose thread 0 does something else in each run but the first.
type moody struct {
	*toy
	runs int
}

func (m *moody) Run(prefix []Taken) (Run, error) {
	if m.runs++; m.runs > 1 {
		m.threads[0] = []line{{op: closeChannel}}
	}
	r, err := m.toy.Run(prefix)
	if err != nil {
		err = errors.Join(ErrDiverged, err)
	}
	return r, err
}

func TestDiverged(t *testing.T) {
	m := &moody{toy: &toy{
		threads: [][]line{{{op: lock}, {op: unlock}}, {{op: lock}, {op: unlock}}},
		started: []bool{true, true}, capacity: []int{0}, saw: map[string]bool{},
	}}
	x := New(m, m.initial(), func(Order) error { return nil })
	if err := x.Explore(); err != nil {
		t.Fatal(err)
	}
	if c := x.Counts; c.Complete() || c.Diverged != 1 || c.Orders != 1 || c.Left != 1 {
		t.Errorf("%+v", c)
	}
}

// TestError checks that an error of the program ends the search.
func TestError(t *testing.T) {
	broken := errors.New("broken")
	x := New(failing{broken}, []Goroutine{0}, nil)
	if err := x.Explore(); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

type failing struct{ err error }

// TestStop checks that a program can stop the search.
func TestStop(t *testing.T) {
	x := New(failing{ErrStop}, []Goroutine{0}, nil)
	if err := x.Explore(); err != nil || x.Counts.Bound != "stop" || x.Counts.Left != 1 || x.Counts.Complete() {
		t.Errorf("%v, %+v", err, x.Counts)
	}
}

func (f failing) Run([]Taken) (Run, error) { return Run{}, f.err }
