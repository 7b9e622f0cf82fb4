package gcl

import (
	"errors"
	"fmt"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Theory is a program as formulas of linear temporal logic whose models are the runs of the program
// (Sherman and Pnueli 1990, §5.1). The atoms are the bits of variables and of locations, and
// for each process an atom for the states in which it moves next.
//
// A run that leaves the range of a variable is no model, and neither is a finite run.
type Theory struct {
	sys  *System
	bits map[kripke.PackedField][]*temporal.Formula // of fields
	// For each process: it moves next, it is enabled, and the effect of its moves (θ).
	active, able, moves []*temporal.Formula
}

// mostValues limits the joint values of the variables that one command reads.
const mostValues = 1 << 12

// NewTheory returns the theory of a program. An error names the command that reads too much.
func NewTheory(s *System) (*Theory, error) {
	t := &Theory{sys: s, bits: map[kripke.PackedField][]*temporal.Formula{}}
	for _, v := range s.variables {
		t.addBitAtoms(v.field, v.name)
	}
	for _, p := range s.processes {
		t.addBitAtoms(p.field, locationName(p))
		t.active = append(t.active, atom(p.name+" moves"))
	}
	for i := range s.processes {
		if err := t.process(i); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func atom(text string) *temporal.Formula {
	return &temporal.Formula{Op: temporal.Atomic, Atom: &temporal.Atom{Text: text}}
}

func (t *Theory) addBitAtoms(f kripke.PackedField, name string) {
	for bit := range f.Bits() {
		t.bits[f] = append(t.bits[f], atom(fmt.Sprintf("%s:%d", name, bit)))
	}
}

// Violation returns a formula whose models are the fair runs that do not satisfy f: φ(A, F, p) of
// Sherman and Pnueli 1990. An error is a *temporal.NameError.
func (t *Theory) Violation(fairness kripke.Fairness, f *temporal.Formula) (*temporal.Formula, error) {
	p, err := t.express(f)
	if err != nil {
		return nil, err
	}
	var steps []*temporal.Formula
	for i := range t.moves {
		steps = append(steps, all(t.exactlyOneMoves(i), t.moves[i]))
	}
	parts := []*temporal.Formula{t.state(0), unary(temporal.Always, some(steps...)), unary(temporal.Not, p)}
	for i := range t.active {
		if fair := t.fairTo(fairness, i); fair != nil {
			parts = append(parts, fair)
		}
	}
	return all(parts...), nil
}

// exactlyOneMoves states that exactly one process moves next. The formula of the paper allows
// several at once, which would satisfy fairness vacuously.
func (t *Theory) exactlyOneMoves(process int) *temporal.Formula {
	var parts []*temporal.Formula
	for i, a := range t.active {
		if i != process {
			a = unary(temporal.Not, a)
		}
		parts = append(parts, a)
	}
	return all(parts...)
}

// fairTo states that a process is treated fairly; nil if no fairness is asked for.
func (t *Theory) fairTo(fairness kripke.Fairness, process int) *temporal.Formula {
	again := func(f *temporal.Formula) *temporal.Formula {
		return unary(temporal.Always, unary(temporal.Eventually, f))
	}
	moves := again(t.active[process])
	switch fairness {
	case kripke.Process:
		return moves
	case kripke.Strong:
		return &temporal.Formula{Op: temporal.Implies, X: again(t.able[process]), Y: moves}
	case kripke.Weak:
		return some(again(unary(temporal.Not, t.able[process])), moves)
	}
	return nil
}

func (t *Theory) process(i int) error {
	p := t.sys.processes[i]
	var moves, able []*temporal.Formula
	for at, l := range p.locations {
		here := t.equals(p.field, uint64(at))
		for _, c := range l.commands {
			move, guard, err := t.command(p, c)
			if err != nil {
				return err
			}
			moves = append(moves, all(here, move))
			able = append(able, all(here, guard))
		}
	}
	t.moves = append(t.moves, some(moves...))
	t.able = append(t.able, some(able...))
	return nil
}

// command returns the effect of a command, and the states in which its guard is true. It evaluates
// the command for all values of the variables it reads.
func (t *Theory) command(p *process, c *command) (move, guard *temporal.Formula, err error) {
	read := distinct(c.read)
	changed := []kripke.PackedField{p.field}
	for _, e := range c.effects {
		changed = append(changed, e.to.field)
		if e.with != nil {
			changed = append(changed, e.with.field)
		}
	}
	var moves, guards []*temporal.Formula
	ok := t.values(read, func(w packedState, before *temporal.Formula) {
		if c.guard != nil && !c.guard(w) {
			return
		}
		guards = append(guards, before)
		for i := range c.effects {
			if !c.effects[i].take(w) {
				return
			}
		}
		p.field.Set(w, uint64(c.to))
		after := []*temporal.Formula{before}
		for _, f := range changed {
			after = append(after, next(t.equals(f, f.Get(w))))
		}
		moves = append(moves, all(after...))
	})
	if !ok {
		return nil, nil, fmt.Errorf("%s: %s reads variables with more than %d values together, too many for a formula",
			p.name, c.text, mostValues)
	}
	return all(some(moves...), t.unchangedExcept(changed)), some(guards...), nil
}

func distinct(variables []*variable) (each []*variable) {
	for _, v := range variables {
		if !slices.Contains(each, v) {
			each = append(each, v)
		}
	}
	return each
}

// values calls yield for all values of some variables, with a state that yield may change and the
// formula for the values. It reports false if there are too many.
func (t *Theory) values(of []*variable, yield func(packedState, *temporal.Formula)) bool {
	count := 1
	for _, v := range of {
		if n := v.high - v.low + 1; n > mostValues || count*int(n) > mostValues {
			return false
		}
		count *= int(v.high - v.low + 1)
	}
	for n := range count {
		w := slices.Clone(t.sys.scratch)
		var parts []*temporal.Formula
		for _, v := range of {
			size := int(v.high - v.low + 1)
			v.set(w, v.low+int64(n%size))
			n /= size
			parts = append(parts, t.equals(v.field, v.field.Get(w)))
		}
		yield(w, all(parts...))
	}
	return true
}

// equals states that a field has a value.
func (t *Theory) equals(f kripke.PackedField, number uint64) *temporal.Formula {
	var parts []*temporal.Formula
	for i, bit := range t.bits[f] {
		if number>>i&1 == 0 {
			bit = unary(temporal.Not, bit)
		}
		parts = append(parts, bit)
	}
	return all(parts...)
}

func (t *Theory) fields() (fields []kripke.PackedField) {
	for _, v := range t.sys.variables {
		fields = append(fields, v.field)
	}
	for _, p := range t.sys.processes {
		fields = append(fields, p.field)
	}
	return fields
}

// unchangedExcept states that only the given fields change (μ).
func (t *Theory) unchangedExcept(but []kripke.PackedField) *temporal.Formula {
	var parts []*temporal.Formula
	for _, f := range t.fields() {
		if slices.Contains(but, f) {
			continue
		}
		for _, bit := range t.bits[f] {
			parts = append(parts, &temporal.Formula{Op: temporal.Iff, X: bit, Y: next(bit)})
		}
	}
	return all(parts...)
}

func (t *Theory) state(s kripke.State) *temporal.Formula {
	w := packedState(t.sys.numbering.Packed(s))
	var parts []*temporal.Formula
	for _, f := range t.fields() {
		parts = append(parts, t.equals(f, f.Get(w)))
	}
	return all(parts...)
}

// express replaces the atoms of f by formulas over bits.
func (t *Theory) express(f *temporal.Formula) (*temporal.Formula, error) {
	if f == nil {
		return nil, nil
	}
	if f.Op == temporal.Atomic {
		return t.proposition(f.Atom)
	}
	x, err := t.express(f.X)
	if err != nil {
		return nil, err
	}
	y, err := t.express(f.Y)
	return &temporal.Formula{Op: f.Op, X: x, Y: y, Pos: f.Pos}, err
}

func (t *Theory) proposition(a *temporal.Atom) (*temporal.Formula, error) {
	t.sys.compiler.read = nil
	about, err := t.sys.proposition(a.Text)
	if err != nil {
		return nil, &temporal.NameError{Pos: a.Pos, Err: err}
	}
	var cases []*temporal.Formula
	if p, ok := t.sys.processOf(a.Text); ok {
		w := slices.Clone(t.sys.scratch)
		for at := range p.locations {
			if p.field.Set(w, uint64(at)); about.hold(w) {
				cases = append(cases, t.equals(p.field, uint64(at)))
			}
		}
		return some(cases...), nil
	}
	ok := t.values(distinct(t.sys.compiler.read), func(w packedState, values *temporal.Formula) {
		if about.hold(w) {
			cases = append(cases, values)
		}
	})
	if !ok {
		return nil, &temporal.NameError{Pos: a.Pos, Err: errors.New("its variables together have too many values for a formula")}
	}
	return some(cases...), nil
}

// decode returns the state and the next process of a letter, a list of true atoms.
func (t *Theory) decode(letter []string) (s kripke.State, process int32, err error) {
	w := make(packedState, len(t.sys.scratch))
	for _, f := range t.fields() {
		number := uint64(0)
		for i, bit := range t.bits[f] {
			if slices.Contains(letter, bit.Atom.Text) {
				number |= 1 << i
			}
		}
		f.Set(w, number)
	}
	for i, a := range t.active {
		if slices.Contains(letter, a.Atom.Text) {
			process = int32(i)
		}
	}
	s, err = t.sys.numbering.Number(w)
	return s, process, err
}

// Path returns the run of a model.
func (t *Theory) Path(stem, loop [][]string) (*kripke.Path, error) {
	p := &kripke.Path{Loop: len(stem)}
	letters := slices.Concat(stem, loop, loop[:1])
	for i, letter := range letters {
		s, mover, err := t.decode(letter)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			p.Start = s
		} else {
			p.Steps[i-1].To = s
		}
		p.Steps = append(p.Steps, kripke.Step{Process: mover})
	}
	p.Steps = p.Steps[:len(letters)-1]
	return p, nil
}

func unary(op temporal.Op, f *temporal.Formula) *temporal.Formula {
	return &temporal.Formula{Op: op, X: f}
}

func next(f *temporal.Formula) *temporal.Formula { return unary(temporal.Next, f) }

func all(fs ...*temporal.Formula) *temporal.Formula { return joined(temporal.And, temporal.True, fs) }

func some(fs ...*temporal.Formula) *temporal.Formula { return joined(temporal.Or, temporal.False, fs) }

func joined(op, none temporal.Op, fs []*temporal.Formula) *temporal.Formula {
	if len(fs) == 0 {
		return &temporal.Formula{Op: none}
	}
	f := fs[0]
	for _, g := range fs[1:] {
		f = &temporal.Formula{Op: op, X: f, Y: g}
	}
	return f
}
