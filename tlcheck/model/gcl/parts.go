package gcl

import "github.com/antichain-go/antichain/tlcheck/model/kripke"

// Field is a part of all states: the location of a process, as a number, or a variable.
type Field struct {
	Name      string // of a variable; for a location, its name in expressions
	Low, High int64
}

// Action is a command of a process at one location.
type Action struct {
	Process  int
	From, To int64 // locations
	Guard    Expr  // nil if always true
	Effects  []Effect
}

// Effect assigns to a field, or exchanges two.
type Effect struct {
	To    string // names of fields
	With  string // empty for an assignment
	Value Expr   // of an assignment
}

// locationName names the location of a process in expressions. No variable has such a name.
func locationName(p *process) string { return p.name + "." + kripke.At }

// Fields returns the fields of states. The locations of processes come first.
func (s *System) Fields() []Field {
	var fields []Field
	for _, p := range s.processes {
		fields = append(fields, Field{locationName(p), 0, int64(len(p.locations) - 1)})
	}
	for _, v := range s.variables {
		fields = append(fields, Field{v.name, v.low, v.high})
	}
	return fields
}

// Actions returns the actions of all processes by number. All names in their expressions are names
// of fields.
func (s *System) Actions() []Action {
	var actions []Action
	for i, p := range s.processes {
		for from, l := range p.locations {
			for _, c := range l.commands {
				a := Action{Process: i, From: int64(from), To: int64(c.to), Guard: c.cond}
				for _, e := range c.effects {
					effect := Effect{To: e.to.name, Value: e.expr}
					if e.with != nil {
						effect.With = e.with.name
					}
					a.Effects = append(a.Effects, effect)
				}
				actions = append(actions, a)
			}
		}
	}
	return actions
}

// Condition returns a proposition as a condition in which all names are names of fields.
func (s *System) Condition(a kripke.Atom) Expr { return s.atoms[a].cond }

// Values appends the values of the fields in a state.
func (s *System) Values(dst []int64, of kripke.State) []int64 {
	w := packedState(s.numbering.Packed(of))
	for _, p := range s.processes {
		dst = append(dst, int64(p.field.Get(w)))
	}
	for _, v := range s.variables {
		dst = append(dst, v.get(w))
	}
	return dst
}

// State returns the state with these values of the fields, which must be in range. The program need
// not reach it.
func (s *System) State(values []int64) (kripke.State, error) {
	w := make(packedState, len(s.scratch))
	for i, p := range s.processes {
		p.field.Set(w, uint64(values[i]))
	}
	for i, v := range s.variables {
		v.set(w, values[len(s.processes)+i])
	}
	return s.numbering.Number(w)
}
