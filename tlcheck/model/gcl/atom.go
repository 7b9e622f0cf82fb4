package gcl

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/source"
)

// Atom returns a proposition: P.at.L, a condition over variables and parameters such as turn == 1
// or y2 <= t, or the name of a variable that is 0 or 1.
func (s *System) Atom(name string) (kripke.Atom, error) {
	if a, ok := s.atomNumbers[name]; ok {
		return a, nil
	}
	p, err := s.proposition(name)
	if err != nil {
		return 0, err
	}
	a := kripke.Atom(len(s.atoms))
	s.atoms = append(s.atoms, p)
	s.atomNumbers[name] = a
	return a, nil
}

func (s *System) Holds(a kripke.Atom, in kripke.State) bool {
	return s.atoms[a].hold(s.numbering.Packed(in))
}

// proposition is a condition in which locations of processes may be compared with numbers.
type proposition struct {
	hold func(packedState) bool
	cond Expr
}

func (s *System) proposition(name string) (proposition, error) {
	if process, label, ok := strings.Cut(name, "."+kripke.At+"."); ok {
		return s.atLabel(process, label)
	}
	p, err := s.condition(name)
	if mistake, ok := errors.AsType[*source.Error](err); ok {
		return proposition{}, fmt.Errorf("proposition %s: %s", source.Short(name), mistake.Brief())
	}
	return p, err
}

// processOf returns the process of a proposition P.at.L.
func (s *System) processOf(proposition string) (*process, bool) {
	name, _, ok := strings.Cut(proposition, "."+kripke.At+".")
	return s.process(name), ok
}

// process returns the process with this name; nil if there is none.
func (s *System) process(name string) *process {
	for _, p := range s.processes {
		if p.name == name {
			return p
		}
	}
	return nil
}

// atLabel returns the proposition that a process is at a label.
func (s *System) atLabel(name, label string) (proposition, error) {
	p := s.process(name)
	if p == nil {
		return proposition{}, unknown("process", name, s.Processes())
	}
	var labels []string
	there := make([]bool, len(p.locations))
	var cond Expr
	for i, l := range p.locations {
		labels = append(labels, l.at)
		if there[i] = l.at == label; !there[i] {
			continue
		}
		here := &Binary{Op: Equal, L: &Name{Name: locationName(p)}, R: &Number{Value: int64(i)}}
		if cond == nil {
			cond = here
		} else {
			cond = &Binary{Op: Or, L: cond, R: here}
		}
	}
	if cond == nil {
		slices.SortFunc(labels, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
		return proposition{}, unknown("label of "+name+" called", label, slices.Compact(labels))
	}
	return proposition{func(w packedState) bool { return there[p.field.Get(w)] }, cond}, nil
}

// unknown returns the error for a name that does not exist, with the most similar one.
func unknown(what, name string, names []string) error {
	const most = 12
	hint, more := "", ""
	if near := source.Closest(name, names); near != "" {
		hint = fmt.Sprintf(" (did you mean %s?)", near)
	}
	if len(names) > most {
		names, more = names[:most], ", …"
	}
	return fmt.Errorf("there is no %s %s%s: there are %s%s", what, source.Short(name), hint,
		strings.Join(names, ", "), more)
}

// condition compiles a condition over variables and parameters.
func (s *System) condition(text string) (p proposition, err error) {
	e, err := parseExpr("proposition", text)
	if err != nil {
		return p, err
	}
	err = source.Catch(func() {
		x := &expander{file: &File{Name: "proposition", text: text}, constants: map[string]int64{}}
		for _, p := range s.parameters {
			x.constants[p.Name] = p.Value
		}
		p.cond = s.oneIsTrue(x.expr(e))
		p.hold, _ = s.compiler.condition(p.cond)
	})
	return p, err
}

// oneIsTrue turns a variable that is 0 or 1 into the condition that it is 1.
func (s *System) oneIsTrue(e Expr) Expr {
	n, ok := e.(*Name)
	if !ok {
		return e
	}
	if v := s.compiler.variable(n); v.low < 0 || v.high > 1 {
		return e
	}
	return &Binary{Equal, e, &Number{1, n.Pos}, n.Pos}
}
