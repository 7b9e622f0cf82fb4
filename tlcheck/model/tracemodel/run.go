package tracemodel

import (
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// Run is a run as a transition system. Only one goroutine may use it.
type Run struct {
	describer
	lattice   *slices.Lattice
	tasks     []string
	fields    []kripke.PackedField // by task: its number of events in a packed slice
	numbering *kripke.Numbering
	bottom    kripke.State
	atoms     atoms
	counts    []int        // buffer of Moves: events by task
	enabled   []san.Action // buffer of Moves: enabled actions
	scratch   []uint64     // buffer of Moves: the next slice
}

var _ kripke.System = (*Run)(nil)

// New returns the run of a complete net.
func New(net *san.Net) *Run {
	r := &Run{lattice: slices.NewLattice(net), counts: make([]int, net.Tasks())}
	r.describer = newDescriber(net, r)
	r.atoms.named = map[string]kripke.Atom{}
	var p kripke.Packer
	for t := range san.Task(net.Tasks()) {
		r.tasks = append(r.tasks, net.Name(t))
		r.fields = append(r.fields, p.Field(uint64(net.Len(t))))
	}
	r.numbering, r.scratch = kripke.NewNumbering(p.Words()), make([]uint64, p.Words())
	r.bottom, _ = r.numbering.Number(r.scratch) // the first state cannot exceed a limit
	return r
}

// Lattice returns the lattice of the slices.
func (r *Run) Lattice() *slices.Lattice { return r.lattice }

// Processes implements kripke.System: the tasks, in the order of the net.
func (r *Run) Processes() []string { return r.tasks }

// Initial implements kripke.System: the slice before all events.
func (r *Run) Initial() []kripke.State { return []kripke.State{r.bottom} }

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
		r.fields[t].Set(r.scratch, uint64(i.At(san.Task(t))))
	}
	return r.numbering.Number(r.scratch)
}

// at returns the number of events of a task in the slice of a state.
func (r *Run) at(t san.Task, s kripke.State) int {
	return int(r.fields[t].Get(r.numbering.Packed(s)))
}

// unpack returns the number of events of each task, which is valid until the next call.
func (r *Run) unpack(s kripke.State) []int {
	packed := r.numbering.Packed(s)
	for t := range r.fields {
		r.counts[t] = int(r.fields[t].Get(packed))
	}
	return r.counts
}

// Moves implements kripke.System. The error is kripke.ErrStates. It takes time linear in the tasks.
func (r *Run) Moves(dst []kripke.Move, s kripke.State) ([]kripke.Move, error) {
	counts := r.unpack(s)
	r.enabled = r.lattice.EnabledAt(func(t san.Task) int { return counts[t] }, r.enabled[:0])
	return r.moves(dst, s, r.enabled, 0)
}

// moves appends the moves by some actions. If undone is 1, it appends the moves that undo them.
func (r *Run) moves(dst []kripke.Move, s kripke.State, by []san.Action, undone int32) ([]kripke.Move, error) {
	for _, a := range by {
		to, err := r.step(s, a, undone)
		if err != nil {
			return dst, err
		}
		dst = append(dst, kripke.Move{To: to, Process: int32(a.Task), Action: a.K})
	}
	return dst, nil
}

// step returns the state after an action. If undone is 1, it returns the state before the action.
func (r *Run) step(s kripke.State, a san.Action, undone int32) (kripke.State, error) {
	copy(r.scratch, r.numbering.Packed(s))
	for _, side := range r.net.Sides(a) {
		r.fields[side.Task].Set(r.scratch, uint64(side.K-undone))
	}
	return r.numbering.Number(r.scratch)
}
