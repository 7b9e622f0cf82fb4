package ltl

import (
	"context"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Sat returns a shortest word that satisfies f, if there is one. The word has at least one letter.
// Irrelevant atoms are false in it. The error is the cause of the end of the context.
func Sat(ctx context.Context, f *temporal.Formula) (model Word, sat bool, err error) {
	s := &search{ctx: ctx, formula: newFormula(f)}
	return s.run()
}

// Valid reports whether every nonempty word satisfies f, and returns a shortest one that does not.
func Valid(ctx context.Context, f *temporal.Formula) (counterexample Word, valid bool, err error) {
	word, sat, err := Sat(ctx, &temporal.Formula{Op: temporal.Not, X: f, Pos: f.Pos})
	return word, !sat && err == nil, err
}

// search looks for a word breadth first. A state is a set of obligations on the rest of the word.
//
// Each state is first tried with a last letter, which is a question without temporal operators. If
// there is none, another letter follows. Then strong and weak next are the same, and only letters
// that oblige to minimal sets matter. A set that includes an earlier one has no shorter word.
type search struct {
	*formula
	ctx    context.Context
	states []searchState
	// minimal are the states whose obligations include those of no other state.
	minimal []int
}

// searchState is a state with the path to it.
type searchState struct {
	todo   smallset.Set
	from   int          // index of the predecessor
	letter smallset.Set // from the predecessor
	depth  int          // number of letters
	// A state of the same depth has a subset of these obligations, so this one leads to no shorter
	// word.
	useless bool
}

func (s *search) run() (Word, bool, error) {
	word, err := s.reach(searchState{todo: s.start(), from: -1})
	for at := 0; at < len(s.states) && word == nil && err == nil; at++ {
		if !s.states[at].useless {
			word, err = s.expand(at)
		}
	}
	if err != nil {
		return nil, false, err
	}
	return word, word != nil, nil
}

// reach adds a state. If one more letter completes a word, it returns the word.
func (s *search) reach(r searchState) (word Word, err error) {
	s.add(r)
	end := splitter{formula: s.formula, ctx: s.ctx, end: last,
		covered: func(*way) bool { return false },
		found: func(w *way) bool {
			word = s.word(r, w.pos)
			return false
		}}
	err = end.split(r.todo)
	return word, err
}

// expand reaches the successors of a state.
func (s *search) expand(at int) (word Word, err error) {
	var inner error
	step := splitter{formula: s.formula, ctx: s.ctx, end: notLast, covered: s.covered,
		found: func(w *way) bool {
			word, inner = s.reach(searchState{todo: w.next, from: at, letter: w.pos, depth: s.states[at].depth + 1})
			return word == nil && inner == nil
		}}
	err = step.split(s.states[at].todo)
	if inner != nil {
		err = inner
	}
	return word, err
}

// covered reports whether some reached state obliges to no more.
func (s *search) covered(w *way) bool {
	return slices.ContainsFunc(s.minimal, func(i int) bool { return s.states[i].todo.In(w.next) })
}

// add adds a state that is not covered.
func (s *search) add(r searchState) {
	s.minimal = slices.DeleteFunc(s.minimal, func(i int) bool {
		old := &s.states[i]
		more := r.todo.In(old.todo)
		old.useless = more && old.depth == r.depth
		return more
	})
	s.minimal = append(s.minimal, len(s.states))
	s.states = append(s.states, r)
}

// word returns the letters that lead to r, and one more.
func (s *search) word(r searchState, letter smallset.Set) Word {
	word := Word{s.letter(letter)}
	for ; r.from >= 0; r = s.states[r.from] {
		word = append(word, s.letter(r.letter))
	}
	slices.Reverse(word)
	return word
}

func (f *formula) letter(atoms smallset.Set) []string {
	names := []string{}
	for i := range atoms.All() {
		names = append(names, f.atoms[i])
	}
	return names
}
