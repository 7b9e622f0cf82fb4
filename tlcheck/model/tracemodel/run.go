package tracemodel

import (
	"math/bits"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// Run is a run as a transition system. Only one goroutine may use it.
type Run struct {
	describer
	lattice   *slices.Lattice
	tasks     []string
	fields    []field // by task: position of its number of events in a packed slice
	numbering *kripke.Numbering
	bottom    kripke.State
	atoms     atoms
	counts    []int        // buffer of Moves: events by task
	enabled   []san.Action // buffer of Moves: enabled actions
	scratch   []uint64     // buffer of Moves: the next slice
}

var _ kripke.System = (*Run)(nil)

// field is a part of a word.
type field struct {
	word, shift int
	mask        uint64
}

func (f field) get(packed []uint64) int { return int(packed[f.word] >> f.shift & f.mask) }

func (f field) put(packed []uint64, v int) {
	packed[f.word] = packed[f.word]&^(f.mask<<f.shift) | uint64(v)<<f.shift
}

// New returns the run of a complete net.
func New(net *san.Net) *Run {
	r := &Run{
		describer: newDescriber(net), lattice: slices.NewLattice(net), counts: make([]int, net.Tasks()),
	}
	r.atoms.named = map[string]kripke.Atom{}
	words := r.layout()
	r.numbering, r.scratch = kripke.NewNumbering(words), make([]uint64, words)
	r.bottom, _ = r.numbering.Number(r.scratch) // the first state cannot exceed a limit
	return r
}

// layout gives each task as many bits as its number of events needs, within one word.
func (r *Run) layout() (words int) {
	words = 1
	used := 0 // bits of the last word
	for t := range san.Task(r.net.Tasks()) {
		r.tasks = append(r.tasks, r.net.Name(t))
		n := bits.Len(uint(r.net.Len(t)))
		if used+n > 64 {
			words, used = words+1, 0
		}
		r.fields = append(r.fields, field{words - 1, used, 1<<n - 1})
		used += n
	}
	return words
}

// Net returns the net of the run.
func (r *Run) Net() *san.Net { return r.net }

func (r *Run) Lattice() *slices.Lattice { return r.lattice }

// Processes implements kripke.System: the tasks, in the order of the net.
func (r *Run) Processes() []string { return r.tasks }

// Initial implements kripke.System: the slice before all events.
func (r *Run) Initial() []kripke.State { return []kripke.State{r.bottom} }

// States implements kripke.System.
func (r *Run) States() int { return r.numbering.Len() }

// Slice returns the slice of a state.
func (r *Run) Slice(s kripke.State) slices.Ideal {
	i, ok := r.lattice.Ideal(r.unpack(s))
	if !ok {
		panic("tracemodel: a state is no slice")
	}
	return i
}

// State returns the state of a slice. The error is kripke.ErrStates.
func (r *Run) State(i slices.Ideal) (kripke.State, error) {
	for t := range r.fields {
		r.fields[t].put(r.scratch, i.At(san.Task(t)))
	}
	return r.numbering.Number(r.scratch)
}

// unpack returns the number of events of each task, which is valid until the next call.
func (r *Run) unpack(s kripke.State) []int {
	packed := r.numbering.Packed(s)
	for t, f := range r.fields {
		r.counts[t] = f.get(packed)
	}
	return r.counts
}

// Moves implements kripke.System. The error is kripke.ErrStates. It takes time linear in the tasks.
func (r *Run) Moves(dst []kripke.Move, s kripke.State) ([]kripke.Move, error) {
	counts := r.unpack(s)
	r.enabled = r.lattice.EnabledAt(func(t san.Task) int { return counts[t] }, r.enabled[:0])
	for _, a := range r.enabled {
		copy(r.scratch, r.numbering.Packed(s))
		for _, side := range r.net.Sides(a) {
			r.fields[side.Task].put(r.scratch, int(side.K))
		}
		to, err := r.numbering.Number(r.scratch)
		if err != nil {
			return dst, err
		}
		dst = append(dst, kripke.Move{To: to, Process: int32(a.Task), Action: a.K})
	}
	return dst, nil
}

// Back appends the moves that lead to s; To is the state from which each comes. Unlike those of
// Moves, these states need not have been visited before.
func (r *Run) Back(dst []kripke.Move, s kripke.State) ([]kripke.Move, error) {
	for _, a := range r.lattice.Maximal(r.Slice(s)) {
		copy(r.scratch, r.numbering.Packed(s))
		for _, side := range r.net.Sides(a) {
			r.fields[side.Task].put(r.scratch, int(side.K)-1)
		}
		from, err := r.numbering.Number(r.scratch)
		if err != nil {
			return dst, err
		}
		dst = append(dst, kripke.Move{To: from, Process: int32(a.Task), Action: a.K})
	}
	return dst, nil
}

// Label implements kripke.System. It describes the events of the action and their positions.
func (r *Run) Label(_ kripke.State, m kripke.Move) string {
	return r.label(san.Action{Task: san.Task(m.Process), K: m.Action})
}
