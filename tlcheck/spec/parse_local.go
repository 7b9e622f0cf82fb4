package spec

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/source"
	"github.com/antichain-go/antichain/tracer/event"
)

// Builtins are the functions that an expression may call, with their numbers of arguments.
var Builtins = map[string]int{"len": 1, "abs": 1, "min": 2, "max": 2, "even": 1, "odd": 1, "sorted": 1, Prev: 1}

// Prev is the function whose argument is evaluated in the previous local state.
const Prev = "prev"

// builtinNames lists Builtins in the order of error messages.
var builtinNames = []string{"len", "abs", "min", "max", "even", "odd", "sorted", Prev}

// A parenthesis inside an atom may contain a local formula or an expression, which only its end
// decides: (x + 1) % 2 == 0 or (x and y). Therefore both are read as Local, with an expression
// wrapped in *Test. value unwraps it where only an expression is allowed.

// value returns the expression in l. It fails for a connective or predicate.
func (p *parser) value(l Local) Expr {
	t, ok := l.(*Test)
	if !ok {
		p.failAt(l.Position(), "a connective or a predicate inside an expression", "a value",
			"not, and, or, -> and in., start., term. combine whole comparisons")
	}
	return t.X
}

func (p *parser) local() Local {
	l := p.localChain(Or)
	if !p.tok.is("->") && !p.tok.is("implies") {
		return l
	}
	f := &LocalImplies{L: l, Pos: p.tok.pos}
	p.advance()
	f.R = nested(p, p.local)
	return f
}

func (p *parser) localChain(op NaryOp) Local {
	member := p.localNot
	if op == Or {
		member = func() Local { return p.localChain(And) }
	}
	return chained(p, op, member, func(xs []Local, pos Pos) Local { return &LocalNary{Op: op, Xs: xs, Pos: pos} })
}

func (p *parser) localNot() Local {
	pos := p.tok.pos
	if !p.accept("not") {
		return p.operation(0)
	}
	return &LocalNot{X: nested(p, p.localNot), Pos: pos}
}

// levels are the infix operators of expressions, weakest first, as in Go.
var levels = []map[string]Operator{
	{"==": Equal, "!=": NotEqual, "<": Less, "<=": LessEqual, ">": Greater, ">=": GreaterEqual},
	{"+": Add, "-": Sub},
	{"*": Mul, "/": Div, "%": Mod},
}

// operation reads a chain of operators of the level, whose operands have stronger operators.
func (p *parser) operation(level int) Local {
	if level == len(levels) {
		return p.negation()
	}
	l := p.operation(level + 1)
	for p.tok.kind == tokPunct {
		op, ok := levels[level][p.tok.text]
		if !ok {
			break
		}
		o := &Operation{Op: op, L: p.value(l), Pos: p.tok.pos}
		p.advance()
		o.R = p.value(p.operation(level + 1))
		l = &Test{o}
	}
	return l
}

func (p *parser) negation() Local {
	if !p.tok.is("-") {
		return p.postfix()
	}
	pos := p.tok.pos
	p.advance()
	if p.tok.kind == tokInt || p.tok.kind == tokFloat {
		return p.postfixes(p.number(pos, "-"))
	}
	return &Test{&Negate{X: p.value(nested(p, p.negation)), Pos: pos}}
}

func (p *parser) postfix() Local { return p.postfixes(p.primary()) }

// postfixes reads indexes and fields after l.
func (p *parser) postfixes(l Local) Local {
	for {
		pos := p.tok.pos
		switch {
		case p.tok.is("["):
			x := p.value(l)
			p.advance()
			i := nested(p, p.expression)
			p.expect("]", "at the end of the index")
			l = &Test{&Index{X: x, I: i, Pos: pos}}
		case p.tok.is("."):
			x := p.value(l)
			p.advance()
			if p.tok.kind != tokName || p.tok.quoted || strings.HasSuffix(p.tok.text, "'") {
				p.unexpected("the name of a field")
			}
			for _, part := range p.tok.parts {
				x = &Field{X: x, Name: part, Pos: pos}
			}
			p.advance()
			l = &Test{x}
		default:
			return l
		}
	}
}

// expression reads an expression where no local formula is allowed.
func (p *parser) expression() Expr { return p.value(p.local()) }

func (p *parser) primary() Local {
	t := p.tok
	switch t.kind {
	case tokInt, tokFloat:
		return p.number(t.pos, "")
	case tokString:
		p.advance()
		return literal(event.StringValue(t.str), t.pos)
	case tokName:
		return p.namedLocal()
	}
	if p.accept("(") {
		l := nested(p, p.local)
		p.expect(")", "or an operator")
		return l
	}
	p.unexpected("a predicate or an expression")
	return nil
}

func literal(v event.Value, pos Pos) Local { return &Test{&Literal{Value: v, Pos: pos}} }

// number reads a number with its sign, which is at pos.
func (p *parser) number(pos Pos, sign string) Local {
	t := p.tok
	var v event.Value
	var err error
	if t.kind == tokFloat {
		var f float64
		f, err = strconv.ParseFloat(sign+t.text, 64)
		v = event.FloatValue(f)
	} else if i, ierr := strconv.ParseInt(sign+t.text, 0, 64); ierr == nil {
		v = event.IntValue(i)
	} else {
		var u uint64
		u, err = strconv.ParseUint(sign+t.text, 0, 64)
		v = event.UintValue(u)
	}
	if err != nil {
		p.failAt(pos, t.describe()+" is no number that fits into 64 bits", "an integer or a float as in Go", "")
	}
	p.advance()
	return literal(v, pos)
}

var phaseWords = map[string]Phase{"in": AnyPhase, "start": StartPhase, "term": TermPhase}

// namedLocal reads a predicate, a constant, a call or a variable.
func (p *parser) namedLocal() Local {
	t := p.tok
	switch t.text {
	case "true", "false":
		p.advance()
		return literal(event.BoolValue(t.text == "true"), t.pos)
	case "null":
		p.advance()
		return literal(event.NullValue(), t.pos)
	case "not":
		p.fail(`"not" inside an expression`, "a value", "not binds weaker than a comparison: write not (a == b)")
	case "nil":
		p.fail(`"nil" is not part of the language`, "", "write null")
	case "and", "or", "implies", "if", "property":
		p.unexpected("a predicate or an expression")
	}
	phase, ok := phaseWords[t.parts[0]]
	if ok && len(t.parts) > 1 {
		return p.predicate(phase)
	}
	if t.quoted {
		p.fail("a quoted name that is no function", "a variable", `only in."…", start."…" and term."…" take one`)
	}
	if strings.HasSuffix(t.text, "'") {
		p.fail(t.describe()+" ends with a prime", "a variable", "only task variables have primes")
	}
	if len(t.parts)-1 > MaxDepth {
		p.tooDeep(t.pos)
	}
	p.advance()
	if ok && p.tok.is(".") {
		p.fail("a blank beside the dot of a predicate", t.text+".f in one piece", "")
	}
	if p.tok.is("(") {
		return &Test{p.call(t)}
	}
	if p.tok.is(":") {
		p.fail(t.describe()+" starts another atom inside the parentheses of one", "",
			"close the local formula before it: t1:(…) and t2:(…)")
	}
	return &Test{&Var{Path: t.parts, Pos: t.pos}}
}

func (p *parser) predicate(phase Phase) Local {
	t := p.tok
	name := strings.Join(t.parts[1:], ".")
	if t.quoted && len(t.parts) > 2 {
		p.fail("only part of a function name is quoted", "quotes around the whole name", "")
	}
	if name == "" {
		p.fail("an empty function name", "the name of a function", "")
	}
	if !t.quoted && strings.HasSuffix(name, "'") {
		p.fail(t.describe()+" ends with a prime", "the name of a function", "only task variables have primes")
	}
	p.advance()
	return &Predicate{Phase: phase, Func: name, Pos: t.pos}
}

func (p *parser) call(t token) Expr {
	arity, ok := Builtins[t.text]
	if !ok {
		hint := "there are " + strings.Join(builtinNames, ", ")
		if c := source.Closest(t.text, builtinNames); c != "" {
			hint = "did you mean " + c + "? " + hint
		}
		p.failAt(t.pos, "unknown function "+source.Short(t.text), "a built-in function", hint)
	}
	c := &Call{Func: t.text, Pos: t.pos}
	p.advance()
	for !p.tok.is(")") {
		c.Args = append(c.Args, nested(p, p.expression))
		if !p.accept(",") {
			break
		}
	}
	p.expect(")", "after the arguments of "+t.text)
	if len(c.Args) != arity {
		p.failAt(t.pos, fmt.Sprintf("%s has %d arguments here", t.text, len(c.Args)), fmt.Sprintf("%d", arity), "")
	}
	return c
}

// checkPrevious fails for a prev whose argument has no variable, or has another prev.
func (p *parser) checkPrevious(f Formula) {
	c := collector{onExpr: func(e Expr) {
		if call, ok := e.(*Call); ok && call.Func == Prev {
			p.checkArgument(call.Args[0])
		}
	}}
	c.formula(f)
}

func (p *parser) checkArgument(arg Expr) {
	variable := false
	c := collector{onExpr: func(e Expr) {
		switch e := e.(type) {
		case *Var:
			variable = true
		case *Call:
			if e.Func == Prev {
				p.failAt(e.Pos, "prev inside prev", "an expression without it", "prev looks one change back")
			}
		}
	}}
	c.expr(arg)
	if !variable {
		p.failAt(arg.Position(), "no variable inside prev", "an expression with a variable", "")
	}
}
