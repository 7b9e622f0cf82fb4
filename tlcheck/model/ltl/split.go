package ltl

import (
	"context"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/internal/terms"
)

// ending is the knowledge about the end of the word in a state that is split.
type ending uint8

const (
	anywhere ending = iota // the letter may be the last one or not
	last                   // the letter is the last one
	notLast                // the letter is not the last one, so strong and weak next are the same
)

// splitter finds the ways in which a letter can satisfy a set of obligations, and the obligations
// of each on the rest of the word. It is the node splitting of Gunter and Peled 2002, §3,
// with these differences:
//
//   - formulas that need no choice come first, and a choice with one possible alternative is not a
//     choice;
//   - a choice that the way already satisfies is not made, since the way obliges to less than any
//     alternative;
//   - contradictions end a way (the paper does not say it, and the test for emptiness needs it);
//   - a way ends when it obliges to all that a known way does.
type splitter struct {
	*formula
	ctx   context.Context
	end   ending
	value func(atom int) bool // the letter; nil to search for one
	// covered reports whether the way obliges to all that a known way does.
	covered func(*way) bool
	// found receives a complete way, and reports whether to continue.
	found func(*way) bool
	steps int
}

// way is a node during splitting: the paper's fields old, next and strong. The field new is
// processed at once; open has the formulas of old that still need a choice.
type way struct {
	old      smallset.Set // of terms
	next     smallset.Set // of terms
	pos, neg smallset.Set // of atoms: the chosen part of the letter
	strong   bool         // there must be a next state
	open     []term
}

// dead reports whether there must be a next state in which false holds.
func (w *way) dead() bool { return w.strong && w.next.Has(int(terms.False)) }

func (w *way) clone() *way {
	return &way{old: slices.Clone(w.old), next: slices.Clone(w.next), pos: slices.Clone(w.pos),
		neg:    slices.Clone(w.neg),
		strong: w.strong, open: slices.Clone(w.open)}
}

// split enumerates the ways to satisfy all obligations. The error is the cause of the end of the
// context.
func (s *splitter) split(obligations smallset.Set) error {
	w := &way{old: s.noTerms(), next: s.noTerms(), pos: s.noAtoms(), neg: s.noAtoms()}
	for x := range obligations.All() {
		if !s.add(w, term(x)) {
			return nil
		}
	}
	s.branch(w)
	return context.Cause(s.ctx)
}

// branch continues a way. It reports whether more ways are wanted.
func (s *splitter) branch(w *way) bool {
	if s.steps++; s.steps%256 == 0 && s.ctx.Err() != nil {
		return false
	}
	if !s.propagate(w) || w.dead() || s.covered(w) {
		return true
	}
	if len(w.open) == 0 {
		return s.found(w)
	}
	for _, c := range s.choices(s.first(w)) {
		if s.contradicts(w, c) {
			continue
		}
		v := w.clone()
		if s.choose(v, c) && !s.branch(v) {
			return false
		}
	}
	return true
}

// first removes the next formula from open: an until rather than a release, and disjunctions last.
// Untils and releases determine the obligations, while most members of a disjunction are atoms,
// which do not. This order finds covered ways early.
func (s *splitter) first(w *way) term {
	at := 0
	for i, x := range w.open {
		if s.nodes[x].Kind >= s.nodes[w.open[at]].Kind {
			at = i
		}
	}
	x := w.open[at]
	w.open = slices.Delete(w.open, at, at+1)
	return x
}

// propagate makes the choices with one alternative. It reports whether the way is still possible.
func (s *splitter) propagate(w *way) bool {
	for again := true; again; {
		again = false
		open := w.open
		w.open = nil
		for _, x := range open {
			c, left := s.alternativesLeft(w, x)
			switch {
			case left == 0:
				return false
			case left > 1:
				w.open = append(w.open, x)
			case c != nothing:
				again = true
				if !s.choose(w, c) {
					return false
				}
			}
		}
	}
	return true
}

// choice is one alternative to satisfy a formula.
type choice struct {
	now  term // obligation on the present state
	next term // obligation on the next state, if there is one; terms.True is none
	// strong asserts that there is a next state, ended that there is none.
	strong, ended bool
}

// nothing is the choice without obligations.
var nothing = choice{now: terms.True, next: terms.True}

// choices returns the alternatives for a formula, those with fewer obligations first (the split
// table of Gunter and Peled 2002, §3).
func (s *splitter) choices(x term) []choice {
	n := s.nodes[x]
	switch n.Kind {
	case terms.KindUntil:
		return []choice{{now: n.Args[1], next: terms.True}, {now: n.Args[0], next: x, strong: true}}
	case terms.KindRelease: // its right side is satisfied already
		return []choice{{now: n.Args[0], next: terms.True}, {now: terms.True, next: x}}
	case terms.KindAtTheLast:
		return []choice{{now: n.Args[0], next: terms.False, ended: true}, {now: terms.True, next: x, strong: true}}
	}
	choices := make([]choice, len(n.Args))
	for i, y := range n.Args {
		choices[i] = choice{now: y, next: terms.True}
	}
	return choices
}

// alternativesLeft returns the number of alternatives left for x, up to two, and one of them. An
// alternative without new obligations is the only one.
func (s *splitter) alternativesLeft(w *way, x term) (one choice, left int) {
	for _, c := range s.choices(x) {
		if s.includes(w, c) {
			return nothing, 1
		}
		if !s.contradicts(w, c) {
			one, left = c, left+1
		}
	}
	return one, left
}

// includes reports whether the way includes the choice already.
func (s *splitter) includes(w *way, c choice) bool {
	return s.holds(w, c.now) && (c.next == terms.True || w.next.Has(int(c.next))) &&
		(!c.strong || w.strong || s.end == notLast)
}

// contradicts reports whether the choice would contradict the way.
func (s *splitter) contradicts(w *way, c choice) bool {
	return s.end == last && c.strong || s.end == notLast && c.ended || s.fails(w, c.now)
}

// choose adds a choice. It reports whether the way is still possible.
func (s *splitter) choose(w *way, c choice) bool {
	return s.obligeNext(w, c.next, c.strong) && s.add(w, c.now)
}

// obligeNext adds an obligation on the next state.
func (s *splitter) obligeNext(w *way, x term, strong bool) bool {
	w.strong = w.strong || strong
	switch s.end {
	case last:
		return !strong
	case notLast:
		if x == terms.False {
			return false
		}
	}
	s.oblige(w.next, x)
	return true
}

// add adds an obligation on the present state, with its consequences.
func (s *splitter) add(w *way, x term) bool {
	if w.old.Has(int(x)) {
		return true
	}
	w.old.Add(int(x))
	n := s.nodes[x]
	switch n.Kind {
	case terms.KindFalse, terms.KindAtom, terms.KindNegated:
		return s.literal(w, n)
	case terms.KindAnd:
		for _, y := range n.Args {
			if !s.add(w, y) {
				return false
			}
		}
	case terms.KindNext, terms.KindWeakNext:
		return s.obligeNext(w, n.Args[0], n.Kind == terms.KindNext)
	case terms.KindRelease:
		if n.Args[0] == terms.False {
			return s.obligeNext(w, x, false) && s.add(w, n.Args[1])
		}
		w.open = append(w.open, x)
		return s.add(w, n.Args[1])
	case terms.KindOr, terms.KindUntil, terms.KindAtTheLast:
		w.open = append(w.open, x)
	}
	return true
}

func (s *splitter) literal(w *way, n node) bool {
	if n.Kind == terms.KindFalse {
		return false
	}
	if s.value != nil {
		return s.value(n.Atom) == (n.Kind == terms.KindAtom)
	}
	same, other := w.pos, w.neg
	if n.Kind == terms.KindNegated {
		same, other = other, same
	}
	same.Add(n.Atom)
	return !other.Has(n.Atom)
}

func (s *splitter) holds(w *way, x term) bool {
	if w.old.Has(int(x)) {
		return true
	}
	n := s.nodes[x]
	switch n.Kind {
	case terms.KindTrue:
		return true
	case terms.KindAtom, terms.KindNegated:
		return s.value != nil && s.value(n.Atom) == (n.Kind == terms.KindAtom)
	case terms.KindAnd:
		return !slices.ContainsFunc(n.Args, func(y term) bool { return !s.holds(w, y) })
	case terms.KindOr:
		return slices.ContainsFunc(n.Args, func(y term) bool { return s.holds(w, y) })
	}
	return false
}

func (s *splitter) fails(w *way, x term) bool {
	n := s.nodes[x]
	switch n.Kind {
	case terms.KindFalse:
		return true
	case terms.KindAtom:
		return w.neg.Has(n.Atom) || s.value != nil && !s.value(n.Atom)
	case terms.KindNegated:
		return w.pos.Has(n.Atom) || s.value != nil && s.value(n.Atom)
	case terms.KindAnd:
		return slices.ContainsFunc(n.Args, func(y term) bool { return s.fails(w, y) })
	case terms.KindOr:
		return !slices.ContainsFunc(n.Args, func(y term) bool { return !s.fails(w, y) })
	case terms.KindNext:
		return s.end == last
	case terms.KindUntil, terms.KindRelease:
		return s.fails(w, n.Args[1]) && (n.Kind == terms.KindRelease || s.end == last || s.fails(w, n.Args[0]))
	}
	return false
}
