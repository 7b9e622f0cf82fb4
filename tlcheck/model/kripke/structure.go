package kripke

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/source"
	"github.com/bits-and-blooms/bitset"
)

// Structure is an explicit system: each state with its propositions and successors. It includes
// unreachable states.
type Structure struct {
	processes []string
	initial   []State
	moves     rows
	process   []int32          // of each move, in the order of moves.to
	sets      []*bitset.BitSet // of the propositions that were looked up, by number
	numbers   map[string]Atom

	// The true propositions: either labels of states, or sets of states.
	labels rows // indices of names, stored as State
	names  []string
	given  map[string]*bitset.BitSet
}

// Processes returns the names of the processes: the keys of "trans" in the text, or "1" if it has
// "succ", and so only one process.
func (x *Structure) Processes() []string { return x.processes }

// Initial returns the states of "start".
func (x *Structure) Initial() []State { return x.initial }

func (x *Structure) States() int { return len(x.moves.first) - 1 }

// Moves appends the moves of a state in the order of the text, those of one process together.
func (x *Structure) Moves(dst []Move, s State) ([]Move, error) {
	for i := x.moves.first[s]; i < x.moves.first[s+1]; i++ {
		dst = append(dst, Move{To: x.moves.to[i], Process: x.process[i]})
	}
	return dst, nil
}

// Atom returns a proposition. Labels list only true propositions, so a name in no label is false in
// all states. In a structure with "atoms", an unlisted name is an error.
func (x *Structure) Atom(name string) (Atom, error) {
	if a, ok := x.numbers[name]; ok {
		return a, nil
	}
	t, err := x.set(name)
	if err != nil {
		return 0, err
	}
	a := Atom(len(x.sets))
	x.sets = append(x.sets, t)
	x.numbers[name] = a
	return a, nil
}

func (x *Structure) set(name string) (*bitset.BitSet, error) {
	if x.given != nil {
		t, ok := x.given[name]
		if !ok {
			return nil, x.unknown(name)
		}
		return t, nil
	}
	states := &bitset.BitSet{}
	if number := State(slices.Index(x.names, name)); number >= 0 {
		for s := range State(x.States()) {
			if slices.Contains(x.labels.row(s), number) {
				states.Set(uint(s))
			}
		}
	}
	return states, nil
}

func (x *Structure) unknown(name string) error {
	hint := ""
	if near := source.Closest(name, x.listedNames()); near != "" {
		hint = fmt.Sprintf(" (did you mean %s?)", near)
	}
	return fmt.Errorf("the structure has no proposition %s among its %d atoms%s", source.Short(name),
		len(x.given), hint)
}

// listedNames returns the names of "atoms" in order.
func (x *Structure) listedNames() []string { return slices.Sorted(maps.Keys(x.given)) }

func (x *Structure) Holds(a Atom, s State) bool { return x.sets[a].Test(uint(s)) }

// Describe returns one field, with the propositions that are true in s.
func (x *Structure) Describe(s State) []Field {
	var names []string
	for _, name := range x.listedNames() {
		if x.given[name].Test(uint(s)) {
			names = append(names, name)
		}
	}
	if x.given == nil {
		for _, n := range x.labels.row(s) {
			names = append(names, x.names[n])
		}
	}
	return []Field{{NoProcess, "labels", strings.Join(names, ",")}}
}

func (x *Structure) Label(s State, m Move) string { return fmt.Sprintf("%d -> %d", s, m.To) }
