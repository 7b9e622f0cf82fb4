package spec

import (
	"math"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
)

// Precedences, weakest first. A node needs parentheses where the context requires a stronger one.
const (
	levelFormula = iota // with "if"
	levelImplies
	levelOr
	levelAnd
	levelBinary // in the local logic: not, and comparisons
	levelUnary
	levelAdd
	levelMul
	levelNegate
	levelPrimary
)

var (
	futureNames = [...]string{Next: "next", AllNext: "all_next", Sometime: "sometime", Always: "always",
		Eventually: "eventually", Henceforth: "henceforth"}
	naryNames     = [...]string{And: "and", Or: "or"}
	binaryNames   = [...]string{Until: "until", Before: "before"}
	quantNames    = [...]string{Forall: "forall", Exists: "exists"}
	phaseNames    = [...]string{AnyPhase: "in", StartPhase: "start", TermPhase: "term"}
	operatorNames = [...]string{Equal: "==", NotEqual: "!=", Less: "<", LessEqual: "<=", Greater: ">",
		GreaterEqual: ">=",
		Add:          "+", Sub: "-", Mul: "*", Div: "/", Mod: "%"}
)

func (o FutureOp) String() string { return futureNames[o] }

func (o NaryOp) String() string { return naryNames[o] }

func (o BinaryOp) String() string { return binaryNames[o] }

func (o QuantOp) String() string { return quantNames[o] }

// String returns the word before the dot of a predicate.
func (p Phase) String() string { return phaseNames[p] }

func (o Operator) String() string { return operatorNames[o] }

// FormatProperty returns the formula of a property in the syntax of ParseFormula, with "initially:"
// in front if only the initial slice counts.
func FormatProperty(p *Property) string {
	if p.Initially {
		return "initially: " + Format(p.Formula)
	}
	return Format(p.Formula)
}

// Format prints a formula with the fewest parentheses. Parsing the result gives the same formula
// except for positions.
func Format(f Formula) string {
	var p printer
	p.formula(f, levelFormula)
	return p.String()
}

// Beginning prints a formula like Format, but stops soon after the given number of bytes. Its time
// does not depend on the rest.
func Beginning(f Formula, bytes int) string {
	p := printer{most: bytes}
	p.formula(f, levelFormula)
	return p.String()
}

// FormatLocal prints a local formula without the parentheses of an atom.
func FormatLocal(l Local) string {
	var p printer
	p.local(l, levelFormula)
	return p.String()
}

// FormatExpr prints an expression.
func FormatExpr(e Expr) string {
	var p printer
	p.expr(e, levelFormula)
	return p.String()
}

// FormatCond prints a condition of an "if".
func FormatCond(c Cond) string {
	op := " == "
	if c.Differ {
		op = " != "
	}
	if c.Caller {
		return c.Left + op + "caller(" + c.Right + ")"
	}
	return c.Left + op + c.Right
}

type printer struct {
	strings.Builder
	most int // bytes after which no further formula is begun; 0 for no limit
}

func (p *printer) put(parts ...string) {
	for _, s := range parts {
		p.WriteString(s)
	}
}

// open writes a parenthesis if the context requires a stronger precedence, and returns the closing
// one.
func (p *printer) open(own, context int) (closing string) {
	if own >= context {
		return ""
	}
	p.put("(")
	return ")"
}

func (p *printer) formula(f Formula, context int) {
	if p.most > 0 && p.Len() > p.most {
		return
	}
	switch f := f.(type) {
	case *Atom:
		p.put(f.TIV, ":(")
		p.local(f.Local, levelFormula)
		p.put(")")
	case *Not:
		p.put("not ")
		p.formula(f.X, levelUnary)
	case *Future:
		p.put(f.Op.String())
		if f.K > 1 {
			p.put("^", strconv.Itoa(f.K))
		}
		p.put(" ")
		p.formula(f.X, levelUnary)
	case *Quant:
		p.put(f.Op.String(), " ", f.TIV, " (")
		p.formula(f.X, levelFormula)
		p.put(")")
	case *Nary:
		chain(p, f.Op, f.Xs, context, p.formula)
	case *Implies:
		implication(p, f.L, f.R, context, p.formula)
	case *Binary:
		closing := p.open(levelBinary, context)
		p.formula(f.L, levelUnary)
		p.put(" ", f.Op.String(), " ")
		p.formula(f.R, levelUnary)
		p.put(closing)
	case *Linearizable:
		p.linearizable(f)
	case *If:
		closing := p.open(levelFormula, context)
		p.formula(f.X, levelImplies)
		for i, c := range f.Conds {
			p.put([]string{" if ", " and "}[min(i, 1)], FormatCond(c))
		}
		p.put(closing)
	}
}

func (p *printer) local(l Local, context int) {
	switch l := l.(type) {
	case *Predicate:
		p.put(l.Phase.String(), ".", functionName(l.Func))
	case *Test:
		p.expr(l.X, context)
	case *LocalNot:
		closing := p.open(levelBinary, context)
		p.put("not ")
		p.local(l.X, levelBinary)
		p.put(closing)
	case *LocalNary:
		chain(p, l.Op, l.Xs, context, p.local)
	case *LocalImplies:
		implication(p, l.L, l.R, context, p.local)
	}
}

// chain writes operands with a connective between them.
func chain[T any](p *printer, op NaryOp, operands []T, context int, operand func(x T, context int)) {
	own := levelOr
	if op == And {
		own = levelAnd
	}
	closing := p.open(own, context)
	for i, x := range operands {
		if i > 0 {
			p.put(" ", op.String(), " ")
		}
		operand(x, own+1)
	}
	p.put(closing)
}

func implication[T any](p *printer, left, right T, context int, operand func(x T, context int)) {
	closing := p.open(levelImplies, context)
	operand(left, levelOr)
	p.put(" -> ")
	operand(right, levelImplies)
	p.put(closing)
}

// functionName quotes a name if it needs quotes.
func functionName(name string) string {
	for part := range strings.SplitSeq(name, ".") {
		first := true
		for _, r := range part {
			if first && !isNameStart(r) || !isNamePart(r) {
				return strconv.Quote(name)
			}
			first = false
		}
		if first {
			return strconv.Quote(name)
		}
	}
	return name
}

func (o Operator) level() int {
	switch {
	case o >= Mul:
		return levelMul
	case o >= Add:
		return levelAdd
	}
	return levelBinary
}

func (p *printer) expr(e Expr, context int) {
	switch e := e.(type) {
	case *Var:
		p.put(strings.Join(e.Path, "."))
	case *Literal:
		p.put(literalText(e.Value))
	case *Negate:
		closing := p.open(levelNegate, context)
		if startsWithDigit(e.X) { // -5 is a number, -(5) is not
			p.put("-(")
			p.expr(e.X, levelNegate)
			p.put(")", closing)
			return
		}
		p.put("-")
		p.expr(e.X, levelNegate)
		p.put(closing)
	case *Operation:
		own := e.Op.level()
		closing := p.open(own, context)
		p.expr(e.L, own)
		p.put(" ", e.Op.String(), " ")
		p.expr(e.R, nextLevel(own))
		p.put(closing)
	case *Call:
		p.put(e.Func, "(")
		for i, a := range e.Args {
			if i > 0 {
				p.put(", ")
			}
			p.expr(a, levelFormula)
		}
		p.put(")")
	case *Index:
		p.expr(e.X, levelPrimary)
		p.put("[")
		p.expr(e.I, levelFormula)
		p.put("]")
	case *Field:
		if readsAsName(e.X) { // (a).b is not the name a.b
			p.put("(")
			p.expr(e.X, levelFormula)
			p.put(").", e.Name)
			return
		}
		p.expr(e.X, levelPrimary)
		p.put(".", e.Name)
	}
}

// nextLevel is the precedence required right of an operator, which makes chains left-associative.
func nextLevel(own int) int {
	if own == levelBinary {
		return levelAdd
	}
	return own + 1
}

// startsWithDigit reports whether the text of e starts with a digit, apart from the parentheses of
// an operation.
func startsWithDigit(e Expr) bool {
	for {
		switch x := e.(type) {
		case *Index:
			e = x.X
		case *Field:
			e = x.X
		case *Literal:
			return '0' <= literalText(x.Value)[0] && literalText(x.Value)[0] <= '9'
		default:
			return false
		}
	}
}

// readsAsName reports whether a dot and a name after e would be parsed as part of e.
func readsAsName(e Expr) bool {
	switch e := e.(type) {
	case *Var:
		return true
	case *Literal:
		return e.Value.Kind() == event.Bool || e.Value.Kind() == event.Null
	}
	return false
}

// literalText prints a value that a specification can contain.
func literalText(v event.Value) string {
	switch v.Kind() {
	case event.Bool:
		return strconv.FormatBool(v.Bool())
	case event.Int:
		return strconv.FormatInt(v.Int(), 10)
	case event.Uint:
		return strconv.FormatUint(v.Uint(), 10)
	case event.Float:
		return floatText(v.Float())
	case event.String:
		return strconv.Quote(v.Str())
	}
	return "null"
}

// floatText prints a finite float in a form that is parsed as a float.
func floatText(f float64) string {
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if !math.IsInf(f, 0) && !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}
