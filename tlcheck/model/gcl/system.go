package gcl

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/source"
)

// System is a program as a transition system.
type System struct {
	file       *File
	parameters []Parameter
	processes  []*process
	variables  []*variable
	commands   []*command

	numbering *kripke.Numbering
	scratch   packedState   // state after the present command
	possible  []int32       // buffer of Moves
	atoms     []proposition // propositions by number
	compiler  *compiler     // of atoms

	atomNumbers map[string]kripke.Atom
}

var _ kripke.System = (*System)(nil)

// packedState is a state of a program: the locations of its processes and its variables, each in
// the fewest bits for its range.
type packedState []uint64

type variable struct {
	name      string
	process   int // that declares it, or kripke.NoProcess
	low, high int64
	initial   int64
	field     kripke.PackedField
}

func (v *variable) get(w packedState) int64        { return v.low + int64(v.field.Get(w)) }
func (v *variable) set(w packedState, value int64) { v.field.Set(w, uint64(value-v.low)) }

func (v *variable) inRange(value int64) bool { return v.low <= value && value <= v.high }

type Parameter struct {
	Name  string
	Value int64
}

// New returns the system of a program. parameters replaces the values that the program gives to its
// parameters. An error is a *source.Error, except for a parameter that the program does not have.
func New(f *File, parameters map[string]int64) (s *System, err error) {
	if err := checkParameters(f, parameters); err != nil {
		return nil, err
	}
	b := &build{s: &System{file: f, atomNumbers: map[string]kripke.Atom{}},
		expander: &expander{file: f, constants: map[string]int64{}}}
	if err := source.Catch(func() { s = b.system(parameters) }); err != nil {
		return nil, err
	}
	return s, nil
}

// checkParameters returns an error for a parameter that the program does not have.
func checkParameters(f *File, parameters map[string]int64) error {
	var names []string
	for _, item := range f.Items {
		if p, ok := item.(*Param); ok {
			names = append(names, p.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		switch {
		case slices.Contains(names, name):
		case len(names) == 0:
			return fmt.Errorf("%s has no parameter %s, nor any other: write \"param %s = 2;\" at its beginning", f.Name,
				source.Short(name), source.Short(name))
		default:
			return fmt.Errorf("%s has no parameter %s: it has %s", f.Name, source.Short(name),
				strings.Join(names, ", "))
		}
	}
	return nil
}

// Parameters returns the parameters in the order of the program.
func (s *System) Parameters() []Parameter { return s.parameters }

func (s *System) Processes() []string {
	names := make([]string, len(s.processes))
	for i, p := range s.processes {
		names[i] = p.name
	}
	return names
}

// Initial returns the state in which all processes are at their first location.
func (s *System) Initial() []kripke.State { return []kripke.State{0} }

// States returns the number of states that have been reached.
func (s *System) States() int { return s.numbering.Len() }

// Moves appends the commands that are enabled in a state, in the order of processes. An error is a
// *source.Error: a variable leaves its range.
func (s *System) Moves(dst []kripke.Move, from kripke.State) ([]kripke.Move, error) {
	s.possible = s.Enabled(s.possible[:0], from)
	for _, action := range s.possible {
		m, err := s.Take(from, action)
		if err != nil {
			return dst, err
		}
		dst = append(dst, m)
	}
	return dst, nil
}

// Enabled appends the numbers of the actions that are enabled in a state, in the order of
// processes.
func (s *System) Enabled(dst []int32, in kripke.State) []int32 {
	w := packedState(s.numbering.Packed(in))
	for _, p := range s.processes {
		for _, c := range p.locations[p.field.Get(w)].commands {
			if c.guard == nil || c.guard(w) {
				dst = append(dst, c.number)
			}
		}
	}
	return dst
}

// Take returns the move of an action that is enabled in a state. An error is a *source.Error: a
// variable leaves its range.
func (s *System) Take(from kripke.State, action int32) (kripke.Move, error) {
	c := s.commands[action]
	to, err := s.run(s.processes[c.process], c, s.numbering.Packed(from), from)
	return kripke.Move{To: to, Process: c.process, Action: action}, err
}

func (s *System) run(p *process, c *command, w packedState, from kripke.State) (kripke.State, error) {
	copy(s.scratch, w)
	for i := range c.effects {
		if e := &c.effects[i]; !e.take(s.scratch) {
			return 0, s.outOfRange(e, p, from)
		}
	}
	p.field.Set(s.scratch, uint64(c.to))
	return s.numbering.Number(s.scratch)
}

// take changes a state. It reports whether all variables stay in range.
func (e *effect) take(w packedState) bool {
	if e.with != nil {
		left, right := e.to.get(w), e.with.get(w)
		if !e.to.inRange(right) || !e.with.inRange(left) {
			return false
		}
		e.to.set(w, right)
		e.with.set(w, left)
		return true
	}
	value := e.value(w)
	if !e.to.inRange(value) {
		return false
	}
	e.to.set(w, value)
	return true
}

// outOfRange returns the error of an effect that failed. s.scratch is the intermediate state.
func (s *System) outOfRange(e *effect, p *process, from kripke.State) error {
	v, value := e.to, int64(0)
	switch {
	case e.with == nil:
		value = e.value(s.scratch)
	case v.inRange(e.with.get(s.scratch)):
		v, value = e.with, v.get(s.scratch)
	default:
		value = e.with.get(s.scratch)
	}
	msg := fmt.Sprintf("%s: %s would make %s %d, outside of its range [%d..%d], in %s",
		p.name, e.text, v.name, value, v.low, v.high, kripke.Text(s, from))
	return source.ErrorIn(s.file.Name, s.file.text, e.pos, msg, "",
		"declare a larger range, or put a condition in front")
}

// Describe returns the locations of the processes and the values of the variables.
func (s *System) Describe(of kripke.State) []kripke.Field {
	w := packedState(s.numbering.Packed(of))
	fields := make([]kripke.Field, 0, len(s.processes)+len(s.variables))
	for i, p := range s.processes {
		fields = append(fields, kripke.Field{Process: i, Name: kripke.At, Value: p.locations[p.field.Get(w)].at})
	}
	for _, v := range s.variables {
		fields = append(fields, kripke.Field{Process: v.process, Name: v.name, Value: strconv.FormatInt(v.get(w), 10)})
	}
	return fields
}

// Label returns the node that a process executes, or its label, with the statement.
func (s *System) Label(_ kripke.State, m kripke.Move) string {
	c := s.commands[m.Action]
	return c.node + " " + c.text
}
