package gcl_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
)

// interpreter runs a parsed program as simply as possible: it looks names up whenever it meets
// them, a state is a map, and a structured process has the statements that are still to be
// executed. It shares nothing with the system but the parser.
type interpreter struct {
	constants map[string]int64
	processes []*runningProcess
	low, high map[string]int64
	initial   map[string]int64
	order     []string // of variables
	outputs   map[string]bool
}

// runningProcess is a process with the values of the variables of "for".
type runningProcess struct {
	name      string
	variables map[string]int64
	body      gcl.Statement
	commands  []line
	labels    map[gcl.Statement]string
	letter    string
}

// line is a command with the values of the variables of "for".
type line struct {
	label     string
	variables map[string]int64
	*gcl.Command
}

// situation is a state of the interpreter.
type situation struct {
	values map[string]int64
	at     []string          // of each process
	rest   [][]gcl.Statement // of structured processes: remaining statements
	next   []int             // of the others: the command
}

var errRange = errors.New("out of range")

func newInterpreter(f *gcl.File, parameters map[string]int64) *interpreter {
	in := &interpreter{constants: map[string]int64{}, low: map[string]int64{}, high: map[string]int64{},
		initial: map[string]int64{}, outputs: map[string]bool{}}
	letter := 'm'
	for _, item := range f.Items {
		switch i := item.(type) {
		case *gcl.Param:
			value, ok := parameters[i.Name]
			if !ok {
				value = in.value(i.Value, nil, nil)
			}
			in.constants[i.Name] = value
		case *gcl.Process:
			for _, variables := range in.each(i.Each, nil) {
				in.process(i, variables, string(letter))
			}
			if i.Body != nil {
				letter++
			}
		default:
			in.variable(item, nil)
		}
	}
	return in
}

// each returns the values of the variables, those of one more "for" included.
func (in *interpreter) each(e *gcl.IndexRange, outer map[string]int64) (all []map[string]int64) {
	if e == nil {
		return []map[string]int64{outer}
	}
	for i := in.value(e.Low, nil, outer); i <= in.value(e.High, nil, outer); i++ {
		inner := map[string]int64{e.Var: i}
		for k, v := range outer {
			inner[k] = v
		}
		all = append(all, inner)
	}
	return all
}

func (in *interpreter) process(p *gcl.Process, variables map[string]int64, letter string) {
	r := &runningProcess{name: in.name(p.Name, variables), variables: variables, body: p.Body,
		labels: map[gcl.Statement]string{}, letter: letter}
	for _, v := range p.Variables {
		in.variable(v, variables)
	}
	for _, c := range p.Commands {
		for _, inner := range in.each(c.Each, variables) {
			r.commands = append(r.commands, line{in.name(c.Label, inner), inner, c})
		}
	}
	r.number(p.Body)
	in.processes = append(in.processes, r)
}

// number labels statements when they end.
func (r *runningProcess) number(s gcl.Statement) {
	switch s := s.(type) {
	case nil:
		return
	case *gcl.Block:
		for _, inner := range s.List {
			r.number(inner)
		}
		return
	case *gcl.While:
		r.number(s.Body)
	case *gcl.If:
		r.number(s.Then)
		r.number(s.Else)
	}
	r.labels[s] = fmt.Sprint(r.letter, len(r.labels)+1)
}

func (in *interpreter) variable(item gcl.Item, variables map[string]int64) {
	switch i := item.(type) {
	case *gcl.Declare:
		for _, n := range i.Names {
			name := in.name(n, variables)
			in.order = append(in.order, name)
			in.low[name], in.high[name] = in.value(i.Low, nil, variables), in.value(i.High, nil, variables)
			in.initial[name] = max(in.low[name], min(in.high[name], 0))
		}
	case *gcl.InitialValue:
		in.initial[in.name(i.Var, variables)] = in.value(i.Value, nil, variables)
	case *gcl.Output:
		for _, n := range i.Names {
			in.outputs[in.name(n, variables)] = true
		}
	}
}

func (in *interpreter) name(n *gcl.Name, variables map[string]int64) string {
	if n.Index == nil {
		return n.Name
	}
	return fmt.Sprint(n.Name, in.value(n.Index, nil, variables))
}

// value evaluates an expression; a condition is 0 or 1.
func (in *interpreter) value(e gcl.Expr, state, variables map[string]int64) int64 {
	switch e := e.(type) {
	case *gcl.Number:
		return e.Value
	case *gcl.Bool:
		return truth(e.Value)
	case *gcl.Name:
		name := in.name(e, variables)
		for _, scope := range []map[string]int64{variables, in.constants, state} {
			if value, ok := scope[name]; ok {
				return value
			}
		}
		panic("no variable " + name)
	case *gcl.Unary:
		if e.Op == gcl.Not {
			return 1 - in.value(e.X, state, variables)
		}
		return -in.value(e.X, state, variables)
	}
	b := e.(*gcl.Binary)
	return operate(b.Op.String(), in.value(b.L, state, variables), in.value(b.R, state, variables))
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func operate(op string, l, r int64) int64 {
	switch op {
	case "or":
		return max(l, r)
	case "and":
		return min(l, r)
	case "=":
		return truth(l == r)
	case "/=":
		return truth(l != r)
	case "<":
		return truth(l < r)
	case "<=":
		return truth(l <= r)
	case ">":
		return truth(l > r)
	case ">=":
		return truth(l >= r)
	case "+":
		return l + r
	case "-":
		return l - r
	case "*":
		return l * r
	}
	remainder := (l%r + r) % r
	if op == "%" {
		return remainder
	}
	return (l - remainder) / r
}

func (in *interpreter) start() *situation {
	s := &situation{values: in.initial}
	for _, p := range in.processes {
		at, rest := p.letter+"0", []gcl.Statement{p.body}
		if p.body == nil {
			at, rest = "end", nil
			if len(p.commands) > 0 {
				at = p.commands[0].label
			}
		}
		s.at, s.rest, s.next = append(s.at, at), append(s.rest, unfold(rest)), append(s.next, 0)
	}
	return s
}

// unfold opens the blocks at the front.
func unfold(rest []gcl.Statement) []gcl.Statement {
	for len(rest) > 0 {
		b, ok := rest[0].(*gcl.Block)
		if !ok {
			return rest
		}
		rest = append(slices.Clone(b.List), rest[1:]...)
	}
	return rest
}

// key is unique for each situation.
func (s *situation) key(in *interpreter) string {
	var b strings.Builder
	b.WriteString(s.text(in))
	for i, rest := range s.rest {
		fmt.Fprint(&b, " next ", s.next[i])
		if len(rest) > 0 {
			fmt.Fprint(&b, in.processes[i].labels[rest[0]])
		}
	}
	return b.String()
}

// text shows what people see of a state.
func (s *situation) text(in *interpreter) string {
	var fields []string
	for i, p := range in.processes {
		fields = append(fields, p.name+".at="+s.at[i])
	}
	for _, v := range in.order {
		fields = append(fields, fmt.Sprint(v, "=", s.values[v]))
	}
	return strings.Join(fields, " ")
}

// after returns the situations behind one step of process i.
func (in *interpreter) after(s *situation, i int) ([]*situation, error) {
	if p := in.processes[i]; p.body == nil {
		return in.choose(s, i, p)
	}
	return in.execute(s, i)
}

// clone returns a copy that process i can change.
func (s *situation) clone() *situation {
	c := &situation{values: map[string]int64{}, at: slices.Clone(s.at), rest: slices.Clone(s.rest),
		next: slices.Clone(s.next)}
	for k, v := range s.values {
		c.values[k] = v
	}
	return c
}

// choose takes each alternative of a label.
func (in *interpreter) choose(s *situation, i int, p *runningProcess) (all []*situation, err error) {
	if s.next[i] == len(p.commands) {
		return nil, nil
	}
	c := p.commands[s.next[i]]
	for _, a := range c.Alternatives {
		if a.Guard != nil && in.value(a.Guard, s.values, c.variables) == 0 {
			continue
		}
		after := s.clone()
		after.next[i]++
		for _, step := range a.Steps {
			if g, ok := step.(*gcl.Goto); ok {
				after.next[i] = slices.IndexFunc(p.commands, func(l line) bool {
					return l.label == in.name(g.Label, c.variables)
				})
			} else if err := in.step(step, after.values, c.variables); err != nil {
				return nil, err
			}
		}
		after.at[i] = "end"
		if n := after.next[i]; n < len(p.commands) {
			after.at[i] = p.commands[n].label
		}
		all = append(all, after)
	}
	return all, nil
}

// execute takes the next statement of a structured process.
func (in *interpreter) execute(s *situation, i int) ([]*situation, error) {
	p, rest := in.processes[i], s.rest[i]
	if len(rest) == 0 {
		return nil, nil
	}
	now, rest := rest[0], rest[1:]
	after := s.clone()
	after.at[i] = p.labels[now]
	holds := func(e gcl.Expr) bool { return in.value(e, s.values, p.variables) != 0 }
	switch now := now.(type) {
	case *gcl.Wait:
		if holds(now.Cond) {
			return nil, nil
		}
	case *gcl.While:
		if holds(now.Cond) {
			rest = append([]gcl.Statement{now.Body, now}, rest...)
		}
	case *gcl.If:
		if holds(now.Cond) {
			rest = append([]gcl.Statement{now.Then}, rest...)
		} else if now.Else != nil {
			rest = append([]gcl.Statement{now.Else}, rest...)
		}
	case *gcl.Atomic:
		for _, step := range now.Steps {
			if err := in.step(step, after.values, p.variables); err != nil {
				return nil, err
			}
		}
	}
	after.rest[i] = unfold(rest)
	return []*situation{after}, nil
}

func (in *interpreter) step(step gcl.Step, state, variables map[string]int64) error {
	switch step := step.(type) {
	case *gcl.Assign:
		return in.assign(in.name(step.Var, variables), in.value(step.Value, state, variables), state)
	case *gcl.Exchange:
		left, right := in.name(step.Left, variables), in.name(step.Right, variables)
		l, r := state[left], state[right]
		return errors.Join(in.assign(left, r, state), in.assign(right, l, state))
	}
	return nil
}

func (in *interpreter) assign(name string, value int64, state map[string]int64) error {
	if in.outputs[name] {
		return nil
	}
	if value < in.low[name] || value > in.high[name] {
		return errRange
	}
	state[name] = value
	return nil
}

// explore returns the number of states, and how often there is each move, as text. Up to limit
// states are explored.
func (in *interpreter) explore(limit int) (states int, moves map[string]int, err error) {
	start := in.start()
	known := map[string]bool{start.key(in): true}
	queue := []*situation{start}
	moves = map[string]int{}
	for ; len(queue) > 0 && len(known) <= limit; queue = queue[1:] {
		s := queue[0]
		for i, p := range in.processes {
			after, err := in.after(s, i)
			if err != nil {
				return 0, nil, err
			}
			for _, to := range after {
				moves[s.text(in)+" | "+p.name+" | "+to.text(in)]++
				if key := to.key(in); !known[key] {
					known[key] = true
					queue = append(queue, to)
				}
			}
		}
	}
	return len(known), moves, nil
}
