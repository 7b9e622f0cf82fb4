package kripke_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// lazySystem numbers the states of another system as it meets them.
type lazySystem struct {
	kripke.System
	numbering *kripke.Numbering
}

func newLazy(sys kripke.System) *lazySystem { return &lazySystem{sys, kripke.NewNumbering(2)} }

// newStarted returns a lazy system that knows its initial states.
func newStarted(sys kripke.System) *lazySystem {
	l := newLazy(sys)
	l.Initial()
	return l
}

func (l *lazySystem) number(s kripke.State) kripke.State {
	n, err := l.numbering.Number([]uint64{uint64(s) << 63, uint64(s) / 2})
	if err != nil {
		panic(err)
	}
	return n
}

func (l *lazySystem) original(s kripke.State) kripke.State {
	p := l.numbering.Packed(s)
	return kripke.State(p[1]*2 + p[0]>>63)
}

func (l *lazySystem) Initial() []kripke.State {
	var all []kripke.State
	for _, s := range l.System.Initial() {
		all = append(all, l.number(s))
	}
	return all
}

func (l *lazySystem) States() int { return l.numbering.Len() }

func (l *lazySystem) Moves(dst []kripke.Move, s kripke.State) ([]kripke.Move, error) {
	first := len(dst)
	dst, err := l.System.Moves(dst, l.original(s))
	for i := first; i < len(dst); i++ {
		dst[i].To = l.number(dst[i].To)
	}
	return dst, err
}

// A graph of a system that numbers states as it goes has the states that can be reached, and all
// their moves.
func TestExplore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, x := drawStructure(t)
		l := newStarted(x)
		g, err := kripke.Explore(t.Context(), l)
		if err != nil {
			t.Fatal(err)
		}
		reached := reachable(p)
		if len(reached) != g.States() {
			t.Fatalf("%d states, want %d", g.States(), len(reached))
		}
		moves := 0
		for e := range p.edges() {
			if reached[e.from] {
				moves++
			}
		}
		if g.Len() != moves {
			t.Fatalf("%d moves, want %d", g.Len(), moves)
		}
		size, err := kripke.Count(t.Context(), newStarted(x))
		if err != nil {
			t.Fatal(err)
		}
		ends := g.DeadEnds()
		if size.States != g.States() || size.Moves != g.Len() || size.DeadEnds != len(ends) ||
			len(ends) > 0 && size.DeadEnd != ends[0] {
			t.Fatalf("%+v, want %d states, %d moves, and the dead ends %v", size, g.States(), g.Len(), ends)
		}
		for s := range kripke.State(g.States()) {
			if !reached[int(l.original(s))] {
				t.Fatalf("state %d is not reached", l.original(s))
			}
			for i, to := range g.Successors(s) {
				if e := (edge{int(l.original(s)), int(l.original(to)), g.Processes()[g.MovedBy(s)[i]]}); !p.edges()[e] {
					t.Fatalf("there is no move %v", e)
				}
			}
		}
	})
}

// reachable returns the states that can be reached, by going round all moves until nothing is new.
func reachable(p *plainStructure) map[int]bool {
	reached := map[int]bool{}
	for _, s := range p.Start {
		reached[s] = true
	}
	for before := -1; before != len(reached); {
		before = len(reached)
		for e := range p.edges() {
			if reached[e.from] {
				reached[e.to] = true
			}
		}
	}
	return reached
}

// Predecessors are successors backward, as often.
func TestPredecessors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, x := drawStructure(t)
		g, err := kripke.Explore(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		want := make([][]kripke.State, g.States())
		for s := range kripke.State(g.States()) {
			for _, to := range g.Successors(s) {
				want[to] = append(want[to], s)
			}
		}
		for s := range kripke.State(g.States()) {
			if got := g.Predecessors(s); !slices.Equal(got, want[s]) {
				t.Fatalf("predecessors of %d: %v, want %v", s, got, want[s])
			}
		}
	})
}

// Backward has the moves of a graph turned around, each with its label.
func TestBackward(t *testing.T) {
	type move struct {
		from, to kripke.State
		process  int32
		label    string
	}
	rapid.Check(t, func(t *rapid.T) {
		_, x := drawStructure(t)
		g, err := kripke.Explore(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		turned := kripke.Backward(g)
		want, got := map[move]int{}, map[move]int{}
		for s := range kripke.State(g.States()) {
			forth, err := x.Moves(nil, s)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range forth {
				want[move{s, m.To, m.Process, x.Label(s, m)}]++
			}
			back, err := turned.Moves(nil, s)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range back {
				got[move{m.To, s, m.Process, turned.Label(s, m)}]++
			}
		}
		if !maps.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// failingSystem is a system that cannot compute its moves any more.
type failingSystem struct {
	kripke.System
	err error
}

func (e *failingSystem) Moves(dst []kripke.Move, s kripke.State) ([]kripke.Move, error) {
	if e.err != nil {
		return dst, e.err
	}
	return e.System.Moves(dst, s)
}

func TestFailingMoves(t *testing.T) {
	sys := &failingSystem{System: structure(t, `{"states":2,"start":0,"labels":[[],[]],"succ":[[1],[0]]}`)}
	g, err := kripke.Explore(t.Context(), sys)
	if err != nil {
		t.Fatal(err)
	}
	sys.err = errors.New("no memory")
	if _, err := kripke.Explore(t.Context(), sys); err != sys.err {
		t.Errorf("explored: %v, want %v", err, sys.err)
	}
	if _, err := kripke.Backward(g).Moves(nil, 0); err != sys.err {
		t.Errorf("backward: %v, want %v", err, sys.err)
	}
}

// In a system that stutters, states without moves stay, and nothing else changes.
func TestStutter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, x := drawStructure(t)
		g, err := kripke.Explore(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		stuttering, err := kripke.Explore(t.Context(), kripke.Stutter(x))
		if err != nil {
			t.Fatal(err)
		}
		dead := -1
		for s := range kripke.State(g.States()) {
			want, by := g.Successors(s), g.MovedBy(s)
			if len(want) == 0 {
				want, by = []kripke.State{s}, []int32{kripke.NoProcess}
				if dead < 0 {
					dead = int(s)
				}
			}
			if !slices.Equal(stuttering.Successors(s), want) || !slices.Equal(stuttering.MovedBy(s), by) {
				t.Fatalf("moves of %d: %v by %v", s, stuttering.Successors(s), stuttering.MovedBy(s))
			}
		}
		if err := stuttering.Total(); err != nil {
			t.Fatal(err)
		}
		var end *kripke.DeadEndError
		if errors.As(g.Total(), &end) != (dead >= 0) || end != nil && int(end.State) != dead {
			t.Fatalf("%v, and the first state without moves is %d", g.Total(), dead)
		}
	})
}

func TestDeadEnd(t *testing.T) {
	x := structure(t, `{"states":2,"start":0,"labels":[[],["a","b"]],"succ":[[1],[]]}`)
	g, err := kripke.Explore(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	const want = "state 1: labels=a,b has no successor, and the formula speaks about infinite paths: let it stutter, or give it one"
	if err := g.Total(); err == nil || err.Error() != want {
		t.Error(err)
	}
	if got := kripke.Stutter(x).Label(1, kripke.Move{To: 1, Process: kripke.NoProcess}); got != "stutter" {
		t.Error(got)
	}
	if got := kripke.Stutter(x).Label(0, kripke.Move{To: 1}); got != "0 -> 1" {
		t.Error(got)
	}
}

func structure(tb testing.TB, text string) *kripke.Structure {
	tb.Helper()
	x, err := kripke.ParseStructure("m.json", []byte(text))
	if err != nil {
		tb.Fatal(err)
	}
	return x
}

// endlessSystem is a system whose states are the numbers from 0.
type endlessSystem struct {
	kripke.System
	states int
	enough func()
}

func (e *endlessSystem) States() int { return e.states }

func (e *endlessSystem) Moves(dst []kripke.Move, s kripke.State) ([]kripke.Move, error) {
	if e.states++; e.states == 5000 {
		e.enough()
	}
	return append(dst, kripke.Move{To: s + 1}), nil
}

// An exploration ends with its context, and says how far it has come.
func TestStopped(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	_, err := kripke.Explore(ctx, &endlessSystem{states: 1, enough: func() { cancel(why) }})
	var stopped *kripke.StoppedError
	if !errors.As(err, &stopped) || !errors.Is(err, why) || stopped.States < 5000 || stopped.States > 10_000 ||
		stopped.Moves != stopped.States-1 {
		t.Fatalf("%+v", err)
	}
}

func TestChanged(t *testing.T) {
	x := structure(t, `{"states":3,"start":0,"labels":[["a"],["a"],["b"]],"succ":[[],[],[]]}`)
	if got := kripke.Changed(x, 0, 1); got != nil {
		t.Errorf("nothing has changed, but %v", got)
	}
	if got := kripke.Changed(x, 0, 2); !slices.Equal(got,
		[]kripke.Field{{Process: kripke.NoProcess, Name: "labels", Value: "b"}}) {
		t.Error(got)
	}
}

// A numbering gives the numbers that a map would.
func TestNumbering(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.IntRange(1, 3).Draw(t, "words")
		n := kripke.NewNumbering(words)
		want := map[[3]uint64]kripke.State{}
		for range rapid.IntRange(0, 2000).Draw(t, "states") {
			var key [3]uint64
			for i := range words {
				key[i] = uint64(rapid.IntRange(0, 7).Draw(t, "word")) << rapid.SampledFrom([]int{0, 20,
					60}).Draw(t, "shift")
			}
			number, ok := want[key]
			if !ok {
				number = kripke.State(len(want))
				want[key] = number
			}
			if got, err := n.Number(key[:words]); err != nil || got != number {
				t.Fatalf("%v is state %d, %v, want %d", key, got, err, number)
			}
		}
		if n.Len() != len(want) {
			t.Fatalf("%d states, want %d", n.Len(), len(want))
		}
		for key, number := range want {
			if got := n.Packed(number); !slices.Equal(got, key[:words]) {
				t.Fatalf("state %d is %v, want %v", number, got, key)
			}
		}
	})
}
