package ltl

import (
	"context"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Automaton reads words letter by letter. Its states are small numbers.
type Automaton interface {
	// Atoms returns the texts of the atoms. A letter gives each index a value.
	Atoms() []string
	// Initial returns the state before the first letter.
	Initial() int
	// Successors returns the states after a letter, in a fixed order. Its only error is the cause
	// with which ctx has ended.
	Successors(ctx context.Context, state int, letter func(atom int) bool) ([]int, error)
	// Accepting reports whether a word that leads to the state satisfies the formula.
	Accepting(state int) bool
}

// LazyAutomaton is an automaton whose states are made on demand.
//
// A state is the obligations of a prefix on the rest of the word: the fields next and strong of
// Gunter and Peled 2002, §3. Their nodes also have the letter (field old). Here the edges read the
// letter, so nodes that differ in nothing else are one state, and no letter is read twice. A
// successor by a letter is omitted if its obligations include all those of another one: it accepts
// no further word.
type LazyAutomaton struct {
	*formula
	states []state
	index  map[string]int
}

// state is the obligations of a prefix on the rest of the word.
type state struct {
	todo   smallset.Set
	strong bool // the rest must not be empty
	steps  map[string][]int
}

// New returns the automaton of f.
func New(f *temporal.Formula) *LazyAutomaton {
	a := &LazyAutomaton{formula: newFormula(f), index: map[string]int{}}
	a.intern(a.start(), true)
	return a
}

func (a *LazyAutomaton) Atoms() []string { return a.atoms }

func (a *LazyAutomaton) Initial() int { return 0 }

func (a *LazyAutomaton) Accepting(state int) bool { return !a.states[state].strong }

func (a *LazyAutomaton) intern(todo smallset.Set, strong bool) int {
	key := todo.Key()
	if strong {
		key += "!"
	}
	i, ok := a.index[key]
	if !ok {
		i = len(a.states)
		a.states = append(a.states, state{todo: todo, strong: strong, steps: map[string][]int{}})
		a.index[key] = i
	}
	return i
}

// asksLess reports whether x allows every rest of a word that y allows.
func (a *LazyAutomaton) asksLess(x, y int) bool {
	s, t := &a.states[x], &a.states[y]
	return s.todo.In(t.todo) && (t.strong || !s.strong)
}

// Successors returns the states after a letter.
func (a *LazyAutomaton) Successors(ctx context.Context, from int, letter func(atom int) bool) ([]int, error) {
	read := readLetter(len(a.atoms), letter)
	key := read.Key()
	if to, ok := a.states[from].steps[key]; ok {
		return to, nil
	}
	var ways []*way
	s := splitter{formula: a.formula, ctx: ctx, value: read.Has,
		covered: func(w *way) bool { return slices.ContainsFunc(ways, func(v *way) bool { return v.asksLess(w) }) },
		found: func(w *way) bool {
			ways = append(slices.DeleteFunc(ways, w.asksLess), w)
			return true
		}}
	if err := s.split(a.states[from].todo); err != nil {
		return nil, err
	}
	to := make([]int, len(ways))
	for i, w := range ways {
		to[i] = a.intern(w.next, w.strong)
	}
	a.states[from].steps[key] = to
	return to, nil
}

// asksLess reports whether the obligations of w are among those of v.
func (w *way) asksLess(v *way) bool { return w.next.In(v.next) && (v.strong || !w.strong) }

// readLetter returns the set of the true atoms.
func readLetter(n int, letter func(atom int) bool) smallset.Set {
	read := smallset.New(n)
	for i := range n {
		if letter(i) {
			read.Add(i)
		}
	}
	return read
}

// Edge leads to a state by every letter that includes some atoms and excludes others.
type Edge struct {
	To          int
	True, False []int // atoms
}

// Edges returns the edges of a state. An edge is omitted if another one has all its letters, and no
// further obligations.
func (a *LazyAutomaton) Edges(ctx context.Context, from int) ([]Edge, error) {
	var ways []*way
	s := splitter{formula: a.formula, ctx: ctx,
		covered: func(w *way) bool { return slices.ContainsFunc(ways, func(v *way) bool { return v.includes(w) }) },
		found: func(w *way) bool {
			ways = append(slices.DeleteFunc(ways, w.includes), w)
			return true
		}}
	if err := s.split(a.states[from].todo); err != nil {
		return nil, err
	}
	edges := make([]Edge, len(ways))
	for i, w := range ways {
		edges[i] = Edge{a.intern(w.next, w.strong), slices.Collect(w.pos.All()), slices.Collect(w.neg.All())}
	}
	return edges, nil
}

// includes reports whether w has all letters of v, and no further obligations.
func (w *way) includes(v *way) bool { return w.asksLess(v) && w.pos.In(v.pos) && w.neg.In(v.neg) }

// States returns the number of states made. After Edges was called for each of them, there are no
// others.
func (a *LazyAutomaton) States() int { return len(a.states) }

// Size makes the whole automaton of f, and returns the number of its states. The initial state
// counts only if it is reached again.
func Size(ctx context.Context, f *temporal.Formula) (int, error) {
	a, again := New(f), 0
	for s := 0; s < a.States(); s++ { // the loop adds states
		edges, err := a.Edges(ctx, s)
		if err != nil {
			return 0, err
		}
		if slices.ContainsFunc(edges, func(e Edge) bool { return e.To == a.Initial() }) {
			again = 1
		}
	}
	return a.States() - 1 + again, nil
}
