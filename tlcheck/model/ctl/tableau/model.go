package tableau

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// Model is a finite structure whose first state satisfies the formula and reaches all other states.
type Model struct {
	processes []string
	atoms     []string
	labels    [][]kripke.Atom // of each state, the atoms that are true, in ascending order
	moves     [][]kripke.Move
}

// Processes returns the processes: the ones that the formula names, and numbers for the remaining
// ones.
func (m *Model) Processes() []string { return m.processes }

func (m *Model) Initial() []kripke.State { return []kripke.State{0} }

func (m *Model) States() int { return len(m.moves) }

func (m *Model) Moves(dst []kripke.Move, s kripke.State) ([]kripke.Move, error) {
	return append(dst, m.moves[s]...), nil
}

// Atom returns an atom of the formula.
func (m *Model) Atom(name string) (kripke.Atom, error) {
	i := slices.Index(m.atoms, name)
	if i < 0 {
		return 0, fmt.Errorf("the model has no proposition %s, as the formula has none", name)
	}
	return kripke.Atom(i), nil
}

// AllAtoms returns the atoms of the formula. A kripke.Atom is an index into them.
func (m *Model) AllAtoms() []string { return m.atoms }

func (m *Model) Holds(a kripke.Atom, s kripke.State) bool { return slices.Contains(m.labels[s], a) }

// Atoms returns the atoms that are true in s.
func (m *Model) Atoms(s kripke.State) []string {
	names := make([]string, len(m.labels[s]))
	for i, a := range m.labels[s] {
		names[i] = m.atoms[a]
	}
	return names
}

// Describe returns the atoms that are true in s.
func (m *Model) Describe(s kripke.State) []kripke.Field {
	return []kripke.Field{{Process: kripke.NoProcess, Name: "labels", Value: strings.Join(m.Atoms(s), ",")}}
}

func (m *Model) Label(s kripke.State, move kripke.Move) string {
	return fmt.Sprintf("%d -> %d", s, move.To)
}

// unravelledState is a state of a model before it is minimised: a block, and the eventuality whose
// turn it is. An eventuality keeps the turn until it is fulfilled; then the turn passes to the next
// one, in a fixed order, that the block puts off. Therefore each one gets its turn on every path.
// While an A has the turn, all tiles get blocks of lower rank. While an E has the turn, only its
// own tile does, and the others pass the turn on. This replaces the fragments of Clarke and Emerson
// 1981, §5.
type unravelledState struct {
	block int
	turn  int // index in eventualities; -1 for none
}

// unravelling makes a model of a pruned tableau.
type unravelling struct {
	*tableau
	concurrent bool
	ranks      [][]*ranks // by level, from 1, and eventuality

	places  []unravelledState
	numbers map[unravelledState]kripke.State
}

func (t *tableau) unravel(concurrent bool) *Model {
	u := &unravelling{tableau: t, concurrent: concurrent, numbers: map[unravelledState]kripke.State{}}
	for level := 1; level <= t.levels(); level++ {
		var of []*ranks
		for _, e := range t.eventualities {
			of = append(of, t.rank(e, level))
		}
		u.ranks = append(u.ranks, of)
	}
	m := &Model{processes: t.processes, atoms: t.atoms}
	u.number(u.fill(0, -1, -1))
	for s := 0; s < len(u.places); s++ {
		p := u.places[s]
		m.labels = append(m.labels, u.trueAtoms(p.block))
		m.moves = append(m.moves, u.moves(p))
	}
	return m
}

func (u *unravelling) rank(block, e int) int { return u.ranks[u.ands[block].level-1][e].ands[block] }

func (u *unravelling) number(p unravelledState) kripke.State {
	s, ok := u.numbers[p]
	if !ok {
		s = kripke.State(len(u.places))
		u.numbers[p] = s
		u.places = append(u.places, p)
	}
	return s
}

func (u *unravelling) trueAtoms(block int) []kripke.Atom {
	var atoms []kripke.Atom
	for n := range u.ands[block].label.All() {
		if f := u.list[n]; f.op == isAtom {
			atoms = append(atoms, kripke.Atom(f.x))
		}
	}
	slices.Sort(atoms)
	return atoms
}

// moves fills the tiles of a state.
func (u *unravelling) moves(p unravelledState) []kripke.Move {
	var moves []kripke.Move
	for _, tile := range u.ands[p.block].tiles {
		var to unravelledState
		switch {
		case p.turn < 0:
			to = u.fill(tile.to, -1, -1)
		case u.list[u.eventualities[p.turn]].op == isAU || u.list[tile.because].x == u.eventualities[p.turn]:
			to = u.fill(tile.to, p.turn, p.turn)
		default:
			to = u.fill(tile.to, -1, p.turn+1)
		}
		move := kripke.Move{To: u.number(to), Process: int32(u.list[tile.because].y)}
		if !slices.Contains(moves, move) {
			moves = append(moves, move)
		}
	}
	return moves
}

// fill chooses a block of the lowest level for a tile, and among these the one nearest to the
// eventuality whose turn it is. If none has the turn, the first one from next on that the block
// puts off gets it.
func (u *unravelling) fill(o, turn, next int) unravelledState {
	var blocks []int
	for _, n := range u.ors[o].blocks {
		if !u.ands[n].isDead() {
			blocks = append(blocks, n)
		}
	}
	best := slices.MinFunc(blocks, func(a, b int) int {
		if c := cmp.Compare(u.ands[a].level, u.ands[b].level); c != 0 {
			return c
		}
		if turn >= 0 {
			if c := cmp.Compare(u.rank(a, turn), u.rank(b, turn)); c != 0 {
				return c
			}
		}
		return u.prefer(a, b)
	})
	return unravelledState{best, u.turn(best, max(next, 0))}
}

// prefer compares blocks of equal rank: with concurrency, one in which more processes can move
// comes first; then one with fewer tiles.
func (u *unravelling) prefer(a, b int) int {
	if u.concurrent {
		if c := cmp.Compare(u.movable(b), u.movable(a)); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(len(u.ands[a].tiles), len(u.ands[b].tiles)), cmp.Compare(a, b))
}

// movable returns how many processes can move in a block.
func (u *unravelling) movable(block int) int {
	n := 0
	for _, moves := range u.tableau.moves {
		if u.ands[block].label.Has(moves) {
			n++
		}
	}
	return n
}

// turn returns the first eventuality that a block puts off, from next on and then from the start.
func (u *unravelling) turn(block, next int) int {
	for i := range u.eventualities {
		e := (next + i) % len(u.eventualities)
		if u.putsOff(block, e) {
			return e
		}
	}
	return -1
}

func (u *unravelling) putsOff(block, e int) bool {
	if u.rank(block, e) == 0 {
		return false
	}
	h := u.ands[block]
	if u.list[u.eventualities[e]].op == isAU {
		return u.everywhereNext(h, u.eventualities[e])
	}
	return slices.ContainsFunc(h.tiles, func(tile tile) bool { return u.list[tile.because].x == u.eventualities[e] })
}

// minimal returns the quotient of the model by bisimilarity: it merges states with equal atoms from
// which the same processes lead to the same classes. Each round refines the classes by those of the
// round before.
func (m *Model) minimal() *Model {
	// of each state, its class; classes are numbered in the order of states: that of state 0 is 0
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
