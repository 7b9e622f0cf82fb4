package tableau

import (
	"encoding/binary"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// minimal returns the quotient of the model by bisimilarity: it merges states with equal atoms from
// which the same processes lead to the same classes. Each round refines the classes by those of the
// round before.
func (m *Model) minimal() *Model {
	// of each state, its class; classes are numbered in the order of states, so that of state 0 is
	// 0
	class := make([]kripke.State, m.States())
	for count := 0; ; {
		numbers := map[string]kripke.State{}
		next := make([]kripke.State, m.States())
		for s := range next {
			key := m.signature(kripke.State(s), class)
			n, ok := numbers[key]
			if !ok {
				n = kripke.State(len(numbers))
				numbers[key] = n
			}
			next[s] = n
		}
		class = next
		if len(numbers) == count {
			return m.quotient(class, count)
		}
		count = len(numbers)
	}
}

// signature is equal for states with the same atoms, class, and moves to classes.
func (m *Model) signature(s kripke.State, class []kripke.State) string {
	key := binary.AppendVarint(nil, int64(class[s]))
	key = binary.AppendVarint(key, int64(len(m.labels[s])))
	for _, a := range m.labels[s] {
		key = binary.AppendVarint(key, int64(a))
	}
	var moves [][2]int64
	for _, move := range m.moves[s] {
		moves = append(moves, [2]int64{int64(move.Process), int64(class[move.To])})
	}
	slices.SortFunc(moves, func(a, b [2]int64) int { return slices.Compare(a[:], b[:]) })
	for _, move := range slices.Compact(moves) {
		key = binary.AppendVarint(binary.AppendVarint(key, move[0]), move[1])
	}
	return string(key)
}

func (m *Model) quotient(class []kripke.State, count int) *Model {
	q := &Model{processes: m.processes, atoms: m.atoms, labels: make([][]kripke.Atom, count),
		moves: make([][]kripke.Move, count)}
	for s, c := range class {
		if q.moves[c] != nil {
			continue
		}
		q.labels[c] = m.labels[s]
		for _, move := range m.moves[s] {
			move.To = class[move.To]
			if !slices.Contains(q.moves[c], move) {
				q.moves[c] = append(q.moves[c], move)
			}
		}
	}
	return q
}
