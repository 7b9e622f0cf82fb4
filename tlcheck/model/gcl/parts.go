package gcl

import "github.com/antichain-go/antichain/tlcheck/model/kripke"

// Field is a part of all states: the place of a process, whose numbers are those of its locations, or a variable.
type Field struct {
	Name      string // of a variable, or of a place as it stands in expressions
	Process   int    // that it is the place of, or that declares it; or kripke.Nobody
	Low, High int64
}

// Action is a command of a process with a place where it can be executed.
type Action struct {
	Process  int
	From, To int64 // its place
	Guard    Expr  // nil if it is always true
	Effects  []Effect
}

// Effect assigns to a field, or exchanges two.
type Effect struct {
	To    string // names of fields
	With  string // empty for an assignment
	Value Expr   // of an assignment
}

// placeName is the name of a place in expressions. No variable has such a name.
func placeName(p *process) string { return p.name + "." + kripke.At }

// Fields returns the fields of states, those of the places of processes first.
func (s *System) Fields() []Field {
	var fields []Field
	for i, p := range s.processes {
		fields = append(fields, Field{placeName(p), i, 0, int64(len(p.locations) - 1)})
	}
	for _, v := range s.variables {
		fields = append(fields, Field{v.name, v.process, v.low, v.high})
	}
	return fields
}

// Actions returns what the processes can do, in the order of the numbers of actions. In its expressions all names are those of fields.
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

// Condition returns a proposition as a condition in which all names are those of fields.
func (s *System) Condition(a kripke.Atom) Expr { return s.atoms[a].cond }

// Values appends the values of the fields in a state.
func (s *System) Values(dst []int64, of kripke.State) []int64 {
	w := packedState(s.numbering.Packed(of))
	for _, p := range s.processes {
		dst = append(dst, int64(p.field.get(w)))
	}
	for _, v := range s.variables {
		dst = append(dst, v.get(w))
	}
	return dst
}

// State returns the state in which the fields have these values, which must be in their ranges. It need not be one that the program reaches.
func (s *System) State(values []int64) (kripke.State, error) {
	w := make(packedState, len(s.scratch))
	for i, p := range s.processes {
		p.field.set(w, uint64(values[i]))
	}
	for i, v := range s.variables {
		v.set(w, values[len(s.processes)+i])
	}
	return s.numbering.Number(w)
}
