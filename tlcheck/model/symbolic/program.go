package symbolic

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/bdd"
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// program represents a program by boolean functions. A state is a value of the variables with even
// numbers. In a move, the odd variable behind each one is its value in the next state.
type program struct {
	table  *bdd.Table
	source *gcl.System
	fields []field
	number map[string]int // indices of fields by name
	bits   []int          // the variables of states, in ascending order

	moves   []move
	enabled []*bdd.Function // by process, the states in which it is enabled
	fails   *bdd.Function   // the states in which a move leaves the range of a variable
}

// field is the position of a field of the program.
type field struct {
	gcl.Field
	variables []int // of its bits, the lowest first
}

// move combines the actions of one process that change the same fields.
type move struct {
	process  int32
	relation *bdd.Relation
}

// partialMove is a move under construction.
type partialMove struct {
	process  int
	changes  []int // variables
	function *bdd.Function
}

// mostBits limits the bits of a state, since operations on diagrams recurse once for each.
const mostBits = 1 << 18

func newProgram(table *bdd.Table, source *gcl.System) (*program, error) {
	p := &program{table: table, source: source, number: map[string]int{}}
	for i, f := range source.Fields() {
		p.fields = append(p.fields, field{Field: f})
		p.number[f.Name] = i
	}
	actions := source.Actions()
	if p.assignVariables(actions); len(p.bits) > mostBits {
		return nil, fmt.Errorf("a state of the program takes %d bits, but sets of states allow at most %d",
			len(p.bits), mostBits)
	}
	p.fails = p.table.Constant(false)
	for range source.Processes() {
		p.enabled = append(p.enabled, p.table.Constant(false))
	}
	parts := map[string]*partialMove{}
	var keys []string
	for i := range actions {
		key, x := p.action(&actions[i])
		if x == nil {
			continue
		}
		if known := parts[key]; known != nil {
			known.function = known.function.Or(x.function)
		} else {
			parts[key], keys = x, append(keys, key)
		}
	}
	for _, key := range keys {
		x := parts[key]
		p.moves = append(p.moves, move{int32(x.process), x.function.Relation(x.changes)})
	}
	return p, nil
}

// assignVariables numbers the variables of the fields. The highest bit comes first, which suits
// comparisons.
func (p *program) assignVariables(actions []gcl.Action) {
	about := make([][]int, len(actions))
	for i := range actions {
		about[i] = p.fieldsOf(&actions[i])
	}
	variable := 0
	for _, i := range order(len(p.fields), about) {
		f := &p.fields[i]
		for range bits.Len64(uint64(f.High - f.Low)) {
			f.variables = append(f.variables, variable)
			p.bits = append(p.bits, variable)
			variable += 2
		}
		slices.Reverse(f.variables)
	}
}

func (p *program) fieldsOf(a *gcl.Action) []int {
	names := slices.Collect(gcl.Names(a.Guard))
	for _, e := range a.Effects {
		names = append(names, e.To)
		if e.With != "" {
			names = append(names, e.With)
		}
		names = slices.AppendSeq(names, gcl.Names(e.Value))
	}
	fields := []int{a.Process}
	for _, name := range names {
		if i := p.number[name]; !slices.Contains(fields, i) {
			fields = append(fields, i)
		}
	}
	return fields
}

// action returns the effect of an action, with a key of the fields that it changes; nil if it has
// none. It adds to the states in which the process is enabled, and to those in which the action
// fails.
func (p *program) action(a *gcl.Action) (key string, x *partialMove) {
	guard := p.value(a.Process).equal(p.table, constant(p.table, a.From))
	if a.Guard != nil {
		guard = guard.And(p.condition(p.value, a.Guard))
	}
	p.enabled[a.Process] = p.enabled[a.Process].Or(guard)
	after := map[int]number{}
	for i := range a.Effects {
		wrong := guard.And(p.effect(after, &a.Effects[i]))
		p.fails, guard = p.fails.Or(wrong), guard.Minus(wrong)
	}
	after[a.Process] = constant(p.table, a.To)
	if guard.IsFalse() {
		return "", nil
	}
	x = &partialMove{process: a.Process, function: guard}
	changed := slices.Sorted(maps.Keys(after))
	for _, f := range changed {
		x.changes = append(x.changes, p.fields[f].variables...)
		x.function = x.function.And(p.becomes(f, after[f]))
	}
	slices.Sort(x.changes)
	return fmt.Sprint(a.Process, changed), x
}

// effect updates the values of fields by an effect, and returns the states in which one leaves its
// range.
func (p *program) effect(after map[int]number, e *gcl.Effect) (wrong *bdd.Function) {
	env := func(f int) number {
		if n, ok := after[f]; ok {
			return n
		}
		return p.value(f)
	}
	to := p.number[e.To]
	if e.With == "" {
		value := p.numeric(env, e.Value)
		after[to] = value
		return p.outside(to, value)
	}
	with := p.number[e.With]
	after[to], after[with] = env(with), env(to)
	return p.outside(to, after[to]).Or(p.outside(with, after[with]))
}

// outside returns the states in which a value is out of the range of a field.
func (p *program) outside(f int, value number) *bdd.Function {
	low, high := constant(p.table, p.fields[f].Low), constant(p.table, p.fields[f].High)
	return value.less(p.table, low).Or(high.less(p.table, value))
}

// becomes returns the moves after which a field has a value, which is in range.
func (p *program) becomes(f int, value number) *bdd.Function {
	offset := value.minus(p.table, constant(p.table, p.fields[f].Low))
	same := p.table.Constant(true)
	for i, v := range p.fields[f].variables {
		same = same.Minus(p.table.Variable(v + 1).Xor(offset.bit(i)))
	}
	return same
}

func (p *program) value(f int) number {
	var n number
	for _, v := range p.fields[f].variables {
		n = append(n, p.table.Variable(v))
	}
	n = append(n, p.table.Constant(false))
	return n.plus(constant(p.table, p.fields[f].Low), p.table.Constant(false))
}

// state returns the set of one state.
func (p *program) state(s kripke.State) *bdd.Function {
	return p.table.Values(p.bits, p.encode(s))
}

func (p *program) has(set *bdd.Function, s kripke.State) bool { return set.Holds(p.encode(s)) }

func (p *program) encode(s kripke.State) func(variable int) bool {
	bits := make([]bool, len(p.bits))
	for i, value := range p.source.Values(nil, s) {
		f := &p.fields[i]
		for k, v := range f.variables {
			bits[v/2] = uint64(value-f.Low)>>k&1 == 1
		}
	}
	return func(v int) bool { return bits[v/2] }
}

// decode returns the state with the given bits.
func (p *program) decode(bits []bool) kripke.State {
	values := make([]int64, len(p.fields))
	for i := range p.fields {
		f := &p.fields[i]
		values[i] = f.Low
		for k, v := range f.variables {
			if bits[v/2] {
				values[i] += 1 << k
			}
		}
	}
	s, err := p.source.State(values)
	if err != nil {
		panic(err) // numbering fails only for more states than evidence can have
	}
	return s
}

func (p *program) anyState(set *bdd.Function) kripke.State {
	for bits := range set.All(p.bits) {
		return p.decode(bits)
	}
	panic("there is no state in an empty set")
}
