package steps

import (
	"context"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// literalNodes limits the nodes of the automaton of a literal search.
const literalNodes = 1 << 16

// literal is the search DFS_min or DFS_max of Gunter and Peled 2002, §4, on their automaton.
type literal struct {
	search    *Search
	reader    *reader
	automaton *ltl.Nodes
	max       bool
	limit     int
	seen      map[pair]bool
	returned  *sequenceTree // sequences already returned; nil if they may repeat
}

// literalSearch returns the search. It makes the whole automaton when the first step is asked for.
func (s *Search) literalSearch(sys kripke.System, f *temporal.Formula, from kripke.State, opt *Options,
	yield stepHandler) error {
	automaton, err := ltl.Literal(s.ctx, f, literalNodes)
	if err != nil {
		return err
	}
	r, err := newReader(sys, automaton.Atoms())
	if err != nil {
		return err
	}
	l := &literal{search: s, reader: r, automaton: automaton, max: opt.Mode == LiteralMax, limit: opt.Limit,
		seen: map[pair]bool{}}
	if !opt.Repeat {
		l.returned = &sequenceTree{}
	}
	return l.find(from, yield)
}

// frame is a step of the depth-first search, which the paper writes as a recursive procedure.
type frame struct {
	at   pair
	open []pair // successors for which it was not called yet
}

// find starts the search at all pairs in which the automaton has read the first state.
func (l *literal) find(from kripke.State, yield stepHandler) error {
	first, err := l.read(l.automaton.Initial(), from, nil)
	if err != nil {
		return err
	}
	stack := []frame{{open: first}} // the first turn stands for no pair
	saved := 0                      // saved_size in the paper
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if len(top.open) == 0 {
			if l.max && len(stack) > 1 && l.accepting(top.at) && saved == len(stack) && !l.emit(stack, yield) {
				return nil
			}
			stack = stack[:len(stack)-1]
			continue
		}
		at := top.open[0]
		if top.open = top.open[1:]; l.seen[at] {
			continue
		}
		l.seen[at] = true
		stack = append(stack, frame{at: at})
		accepting := l.accepting(at)
		if accepting {
			saved = len(stack)
		}
		if accepting && !l.max {
			if !l.emit(stack, yield) {
				return nil
			}
		} else if len(stack)-1 < l.limit {
			if stack[len(stack)-1].open, err = l.successors(at); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *literal) accepting(at pair) bool { return l.automaton.Accepting(at.automaton) }

func (l *literal) successors(at pair) (behind []pair, err error) {
	if err := context.Cause(l.search.ctx); err != nil {
		return nil, err
	}
	states, err := l.reader.successors(at.state)
	for _, s := range states {
		if behind, err = l.read(at.automaton, s, behind); err != nil {
			return nil, err
		}
	}
	return behind, err
}

// read appends the pairs of s and a state in which the automaton, from one state, has read s.
func (l *literal) read(from int, s kripke.State, dst []pair) ([]pair, error) {
	to, err := l.automaton.Successors(l.search.ctx, from, l.reader.letter(s))
	for _, q := range to {
		dst = append(dst, pair{s, q})
	}
	return dst, err
}

// emit returns the states on the stack as a step, unless the same sequence was returned before.
func (l *literal) emit(stack []frame, yield stepHandler) bool {
	states := make([]kripke.State, len(stack)-1)
	for i, t := range stack[1:] {
		states[i] = t.at.state
	}
	if l.returned != nil && !l.returned.add(states) {
		return true
	}
	return yield(&Step{states, -1})
}

// sequenceTree is the tree T of Gunter and Peled 2002, §5. It holds the sequences that were
// returned.
type sequenceTree struct {
	ends   bool
	onward map[kripke.State]*sequenceTree
}

// add adds a sequence. It reports whether the sequence is new.
func (t *sequenceTree) add(states []kripke.State) bool {
	for _, s := range states {
		next := t.onward[s]
		if next == nil {
			next = &sequenceTree{}
			if t.onward == nil {
				t.onward = map[kripke.State]*sequenceTree{}
			}
			t.onward[s] = next
		}
		t = next
	}
	fresh := !t.ends
	t.ends = true
	return fresh
}
