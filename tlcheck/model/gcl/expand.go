package gcl

import (
	"fmt"
	"strconv"

	"github.com/antichain-go/antichain/tlcheck/source"
)

// maxParts limits the expressions, and the copies of processes and commands, of an expanded
// program.
const maxParts = 1 << 18

// expander repeats the bodies of "for", and replaces constants by their numbers. Its results have
// no IndexRange and no Index.
type expander struct {
	file      *File
	constants map[string]int64 // parameters, and variables of the enclosing "for"
	parts     int
}

func (x *expander) fail(at Pos, msg, expected, hint string) {
	source.Abort(source.ErrorIn(x.file.Name, x.file.text, at, msg, expected, hint))
}

// param sets a parameter to the given value, or to its own.
func (x *expander) param(p *Param, given map[string]int64) {
	if _, ok := x.constants[p.Name]; ok {
		x.fail(p.Pos, "there is a parameter "+source.Short(p.Name)+" already", "another name", "")
	}
	value, ok := given[p.Name]
	if !ok {
		value = x.number(p.Value)
	}
	if value < -MaxNumber || value > MaxNumber {
		x.fail(p.Pos, fmt.Sprintf("the parameter is %d", value),
			fmt.Sprintf("a number between -%d and %d", MaxNumber, MaxNumber), "")
	}
	x.constants[p.Name] = value
}

// countPart counts results, to keep a small text from making a large program.
func (x *expander) countPart(at Pos) {
	if x.parts++; x.parts > maxParts {
		x.fail(at, fmt.Sprintf("written out, the program has more than %d parts", maxParts), "",
			"make it, or the ranges of \"for\", smaller")
	}
}

// each calls once for every number of the range, or a single time if there is no range.
func (x *expander) each(e *IndexRange, once func()) {
	if e == nil {
		once()
		return
	}
	if _, ok := x.constants[e.Var]; ok {
		x.fail(e.Pos, source.Short(e.Var)+" has a value already", "another name", "")
	}
	low, high := x.number(e.Low), x.number(e.High)
	for i := low; i <= high; i++ {
		x.countPart(e.Pos)
		x.constants[e.Var] = i
		once()
	}
	delete(x.constants, e.Var)
}

// number returns the value of a constant expression.
func (x *expander) number(e Expr) int64 { return x.constant(e, x.expr(e)) }

// constant returns the value of e. out is its expansion.
func (x *expander) constant(e, out Expr) int64 {
	switch c := out.(type) {
	case *Number:
		return c.Value
	case *Name:
		x.fail(c.Pos, source.Short(c.Name)+" is no constant", "a number, a parameter or the variable of a \"for\"", "")
	default:
		x.fail(e.position(), "this is no constant number", "", "use numbers, parameters and the variables of \"for\"")
	}
	return 0
}

func (x *expander) name(n *Name) *Name {
	if n.Index == nil {
		return n
	}
	i := x.number(n.Index)
	if i < 0 {
		x.fail(n.Pos, fmt.Sprintf("the index of %s is %d", source.Short(n.Name), i), "one that is not negative", "")
	}
	return &Name{Name: n.Name + strconv.FormatInt(i, 10), Pos: n.Pos}
}

// expr expands an expression, and folds its constant parts.
func (x *expander) expr(e Expr) Expr {
	x.countPart(e.position())
	switch e := e.(type) {
	case *Name:
		if value, ok := x.constants[e.Name]; ok && e.Index == nil {
			return &Number{value, e.Pos}
		}
		return x.name(e)
	case *Unary:
		return foldUnary(&Unary{e.Op, x.expr(e.X), e.Pos})
	case *Binary:
		l, r := x.expr(e.L), x.expr(e.R)
		if e.Op == Div || e.Op == Mod {
			if divisor := x.constant(e.R, r); divisor < 1 {
				x.fail(e.R.position(), fmt.Sprintf("the divisor is %d", divisor), "a positive one", "")
			}
		}
		folded := foldBinary(&Binary{e.Op, l, r, e.Pos})
		if n, ok := folded.(*Number); ok && (n.Value > MaxNumber || n.Value < -MaxNumber) {
			x.fail(e.Pos, fmt.Sprintf("the result is %d", n.Value),
				fmt.Sprintf("a number between -%d and %d", MaxNumber, MaxNumber), "")
		}
		return folded
	}
	return e
}

func (x *expander) steps(steps []Step) []Step {
	out := make([]Step, len(steps))
	for i, s := range steps {
		switch s := s.(type) {
		case *Assign:
			out[i] = &Assign{x.name(s.Var), x.expr(s.Value)}
		case *Exchange:
			out[i] = &Exchange{x.name(s.Left), x.name(s.Right)}
		case *Goto:
			out[i] = &Goto{x.name(s.Label)}
		case *Skip:
			out[i] = s
		}
	}
	return out
}

func (x *expander) statement(s Statement) Statement {
	switch s := s.(type) {
	case *Block:
		b := &Block{}
		for _, inner := range s.List {
			b.List = append(b.List, x.statement(inner))
		}
		return b
	case *While:
		return &While{x.expr(s.Cond), x.statement(s.Body), s.Pos}
	case *If:
		i := &If{Cond: x.expr(s.Cond), Then: x.statement(s.Then), Pos: s.Pos}
		if s.Else != nil {
			i.Else = x.statement(s.Else)
		}
		return i
	case *Wait:
		return &Wait{x.expr(s.Cond), s.Pos}
	case *Atomic:
		return &Atomic{x.steps(s.Steps), s.Pos}
	}
	return s
}

func (x *expander) commands(cs []*Command) (out []*Command) {
	for _, c := range cs {
		x.each(c.Each, func() {
			command := &Command{Label: x.name(c.Label)}
			for _, a := range c.Alternatives {
				command.Alternatives = append(command.Alternatives, x.alternative(a))
			}
			out = append(out, command)
		})
	}
	return out
}

func (x *expander) alternative(a *Alternative) *Alternative {
	out := &Alternative{Steps: x.steps(a.Steps), Pos: a.Pos}
	if a.Guard != nil {
		out.Guard = x.expr(a.Guard)
	}
	return out
}

// items expands the declarations of a process or of the file.
func (x *expander) items(items []Item) (out []Item) {
	names := func(ns []*Name) (plain []*Name) {
		for _, n := range ns {
			plain = append(plain, x.name(n))
		}
		return plain
	}
	for _, item := range items {
		switch i := item.(type) {
		case *Declare:
			out = append(out, &Declare{names(i.Names), &Number{x.number(i.Low), i.Low.position()},
				&Number{x.number(i.High), i.High.position()}})
		case *InitialValue:
			out = append(out, &InitialValue{x.name(i.Var), &Number{x.number(i.Value), i.Value.position()}})
		case *Output:
			out = append(out, &Output{names(i.Names)})
		}
	}
	return out
}

// process expands a process, once for each value of its variable.
func (x *expander) process(p *Process) (out []*Process) {
	x.each(p.Each, func() {
		one := &Process{Name: x.name(p.Name), Variables: x.items(p.Variables), Commands: x.commands(p.Commands)}
		if p.Body != nil {
			one.Body = x.statement(p.Body)
		}
		out = append(out, one)
	})
	return out
}
