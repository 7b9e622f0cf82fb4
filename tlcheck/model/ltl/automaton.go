package ltl

import (
	"context"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Automaton reads words letter by letter. Its states are small numbers.
type Automaton interface {
	// Atoms returns the texts of the atoms. A letter gives each of them, by its index, a value.
	Atoms() []string
	// Initial is the state before the first letter.
	Initial() int
	// Successors returns where a letter leads from a state, in a fixed order. The error is the cause of a
	// context that ended.
	Successors(ctx context.Context, state int, letter func(atom int) bool) ([]int, error)
	// Accepting reports whether a word that leads to the state satisfies the formula.
	Accepting(state int) bool
}

// LazyAutomaton is an automaton of which only those states are made that are asked for.
//
// A state is what a beginning of a word obliges the rest to, the paper's fields next and strong. The paper's
// nodes have the letter as well (field old); here it is read on the way, so nodes that differ in
// nothing else are one state, and no letter is read twice. Of two successors by a letter the one
// that asks for as much as the other is left out: it accepts nothing that the other does not.
type LazyAutomaton struct {
	*formula
	states []state
	index  map[string]int
}

// state is what a beginning of a word obliges the rest to.
type state struct {
	todo   smallset.Set
	strong bool // there must be a rest
	steps  map[string][]int
}

// New returns the automaton of f.
func New(f *temporal.Formula) *LazyAutomaton {
	a := &LazyAutomaton{formula: newFormula(f), index: map[string]int{}}
	a.intern(a.start(), true)
	return a
}

// Atoms returns the texts of the atoms.
func (a *LazyAutomaton) Atoms() []string { return a.atoms }

// Initial is the state before the first letter.
func (a *LazyAutomaton) Initial() int { return 0 }

// Accepting reports whether a word that leads to the state satisfies the formula.
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

// asksLess reports whether every rest of a word that y allows is one that x allows.
func (a *LazyAutomaton) asksLess(x, y int) bool {
	s, t := &a.states[x], &a.states[y]
	return s.todo.In(t.todo) && (t.strong || !s.strong)
}

// Successors returns where a letter leads from a state.
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

// asksLess reports whether w leaves no more to do than v.
func (w *way) asksLess(v *way) bool { return w.next.In(v.next) && (v.strong || !w.strong) }

// readLetter returns the set of the atoms that are true.
func readLetter(n int, letter func(atom int) bool) smallset.Set {
	read := smallset.New(n)
	for i := range n {
		if letter(i) {
			read.Add(i)
		}
	}
	return read
}
