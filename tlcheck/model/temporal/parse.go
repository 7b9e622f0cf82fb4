package temporal

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/internal/bom"
	"github.com/antichain-go/antichain/tlcheck/source"
)

// MaxDepth limits the nesting of a formula: of parentheses, prefix operators and arrows in the
// text, and of operators in the tree.
const MaxDepth = 10_000

// Parse reads a formula. Errors are *source.Error, and call the source name.
func Parse(name, src string, logic Logic) (f *Formula, err error) {
	p := &parser{logic: logic, lex: lexer{source.NewScanner(name, src)}}
	if err := p.lex.CheckLength("formula", "split it into several formulas"); err != nil {
		return nil, err
	}
	err = source.Catch(func() {
		p.advance()
		f = p.formula()
		if p.tok.kind != tokEnd {
			p.failTrailing()
		}
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// NameError reports an atom or a process of a formula that the model does not have.
type NameError struct {
	Pos Pos // in the formula
	Err error
}

func (e *NameError) Error() string { return fmt.Sprintf("%d:%d: %v", e.Pos.Line, e.Pos.Col, e.Err) }

func (e *NameError) Unwrap() error { return e.Err }

// In returns the error with its position. name and src are the arguments of Parse.
func (e *NameError) In(name, src string) error {
	return source.ErrorIn(name, bom.Trim(src), e.Pos, e.Err.Error(), "", "")
}

// parser is a recursive descent parser with a function for each level of the grammar.
type parser struct {
	logic Logic
	lex   lexer
	tok   token // the next token
	last  token // the token before tok
	depth int   // nesting at tok
}

func (p *parser) advance() {
	t, err := p.lex.next()
	if err != nil {
		source.Abort(err)
	}
	p.last, p.tok = p.tok, t
}

func (p *parser) accept(sign string) bool {
	if !p.tok.is(sign) {
		return false
	}
	p.advance()
	return true
}

// acceptWord consumes tok if it is the sign or the word for it.
func (p *parser) acceptWord(sign, word string) bool {
	if p.tok.kind == tokName && p.tok.text == word {
		p.advance()
		return true
	}
	return p.accept(sign)
}

func (p *parser) fail(pos Pos, msg, expected, hint string) {
	source.Abort(p.lex.ErrorAt(pos, msg, expected, hint))
}

// unexpected fails at tok, which the grammar does not allow there.
func (p *parser) unexpected(expected string) {
	p.fail(p.tok.pos, "found "+p.tok.describe(), expected, "")
}

// failTrailing fails at tok, which follows a complete formula.
func (p *parser) failTrailing() {
	hint := ""
	if p.last.kind == tokName {
		hint = p.strung(p.last.text)
	}
	if p.last.kind == tokName && (p.tok.is("-") || p.tok.kind == tokInt) {
		hint = "a task whose name is no word stands in quotes, as \"web-1\":(in.f)"
	}
	p.fail(p.tok.pos, "found "+p.tok.describe(), "an operator or the end of the formula", hint)
}

// strung suggests a correction for a name that looks like a string of operators.
func (p *parser) strung(name string) string {
	switch {
	case p.logic != CTL && (branchingUnary[name] != Invalid || name == "E" || name == "A" || stepOf(name) != ""):
		return name + " is an operator of CTL, and an atom in LTL"
	case p.logic != CTL && strings.Trim(name, "XNFG") == "":
		return "put blanks between operators: " + strings.Join(strings.Split(name, ""), " ")
	}
	return ""
}

// make makes a formula of an operator and its operands.
func (p *parser) make(op Op, pos Pos, x, y *Formula) *Formula {
	f := &Formula{Op: op, X: x, Y: y, Pos: pos, depth: 1}
	for _, operand := range []*Formula{x, y} {
		if operand != nil {
			f.depth = max(f.depth, operand.depth+1)
		}
	}
	if f.depth > MaxDepth {
		p.tooDeep(pos)
	}
	return f
}

func (p *parser) tooDeep(pos Pos) {
	p.fail(pos, fmt.Sprintf("nested deeper than %d levels", MaxDepth), "",
		"split it into several formulas, or group chains in the middle")
}

// nested reads one level deeper.
func (p *parser) nested(read func() *Formula) *Formula {
	if p.depth++; p.depth > MaxDepth {
		p.tooDeep(p.tok.pos)
	}
	f := read()
	p.depth--
	return f
}

func (p *parser) formula() *Formula {
	f := p.implication()
	for p.tok.is("<->") {
		pos := p.tok.pos
		p.advance()
		f = p.make(Iff, pos, f, p.implication())
	}
	return f
}

func (p *parser) implication() *Formula {
	f := p.disjunction()
	pos := p.tok.pos
	if !p.accept("->") {
		return f
	}
	return p.make(Implies, pos, f, p.nested(p.implication))
}

func (p *parser) disjunction() *Formula {
	f := p.conjunction()
	for pos := p.tok.pos; p.acceptWord("|", "or"); pos = p.tok.pos {
		f = p.make(Or, pos, f, p.conjunction())
	}
	return f
}

func (p *parser) conjunction() *Formula {
	f := p.binary()
	for pos := p.tok.pos; p.acceptWord("&", "and"); pos = p.tok.pos {
		f = p.make(And, pos, f, p.binary())
	}
	return f
}

// binaryOp returns the temporal operator that tok is between two formulas.
func (p *parser) binaryOp(ops map[string]Op) Op {
	if p.tok.kind != tokName {
		return Invalid
	}
	return ops[p.tok.text]
}

func (p *parser) binary() *Formula {
	f := p.unary()
	if p.logic == CTL {
		return f
	}
	op := p.binaryOp(linearBinary)
	if op == Invalid {
		return f
	}
	pos := p.tok.pos
	p.advance()
	f = p.make(op, pos, f, p.unary())
	if p.binaryOp(linearBinary) != Invalid {
		p.fail(p.tok.pos, p.tok.describe()+" after another operator of its kind",
			"parentheses that say which one comes first", "")
	}
	return f
}

func (p *parser) unary() *Formula {
	pos := p.tok.pos
	switch {
	case p.acceptWord("!", "not"):
		return p.make(Not, pos, p.nested(p.unary), nil)
	case p.accept("("):
		f := p.nested(p.formula)
		if !p.tok.is(")") {
			p.open(pos)
		}
		p.advance()
		return f
	case p.tok.kind == tokName:
		return p.word()
	case p.tok.kind == tokQuoted:
		return p.quoted()
	case p.tok.kind == tokInt || p.tok.is("-"):
		return p.comparison(p.operand())
	case p.relation() != "":
		p.fail(pos, "found "+p.tok.describe(), "a formula", p.operatorAsVariable(p.last))
	}
	p.unexpected("a formula")
	return nil
}

// operatorAsVariable returns an error text for an operator in place of a variable; "" if the token
// is none.
func (p *parser) operatorAsVariable(t token) string {
	if t.kind != tokName || connectives[t.text] || !reserved(t.text, p.logic) {
		return ""
	}
	return t.text + " is an operator, and no name of a variable"
}

// open fails at tok, since the bracket at pos is not closed.
func (p *parser) open(pos Pos) {
	hint := ""
	if p.last.kind == tokName {
		hint = p.strung(p.last.text)
	}
	p.fail(p.tok.pos, "found "+p.tok.describe(), fmt.Sprintf("an operator, or an end of what %d:%d opens", pos.Line,
		pos.Col), hint)
}

// word reads a formula that begins with a name.
func (p *parser) word() *Formula {
	t := p.tok
	switch {
	case t.text == "true" || t.text == "false":
		p.advance()
		op := True
		if t.text == "false" {
			op = False
		}
		return p.make(op, t.pos, nil, nil)
	case p.logic == CTL && (t.text == "E" || t.text == "A"):
		return p.path()
	case reserved(t.text, p.logic):
		op := p.letter()
		p.advance()
		f := p.make(op, t.pos, p.nested(p.unary), nil)
		f.Process = stepOf(t.text)
		return f
	}
	return p.atom()
}

// letter returns the unary operator that tok is.
func (p *parser) letter() Op {
	name := p.tok.text
	if p.logic == CTL {
		if stepOf(name) != "" {
			name = name[:2]
		}
		if op := branchingUnary[name]; op != Invalid {
			return op
		}
		if linearUnary[name] != Invalid || linearBinary[name] != Invalid {
			p.fail(p.tok.pos, "found "+p.tok.describe(), "a formula",
				"in CTL every temporal operator has its E or A: EX, AX, EF, AF, EG, AG, E[f U g], A[f U g], EGF, AFG")
		}
		p.unexpected("a formula")
	}
	op := linearUnary[name]
	switch {
	case op == Invalid:
		p.unexpected("a formula")
	case op == WeakNext && p.logic != FiniteLTL:
		p.fail(p.tok.pos, p.tok.describe()+" is weak next, which there is over finite words only", "X",
			"over infinite words both would be the same")
	}
	return op
}

// path reads E[f U g] and the like.
func (p *parser) path() *Formula {
	ops, pos := somePath, p.tok.pos
	if p.tok.text == "A" {
		ops = allPaths
	}
	p.advance()
	begin := p.tok.pos
	if !p.accept("[") {
		p.unexpected(fmt.Sprintf("%q and a formula f U g, f R g or f W g after %s", "[", p.last.text))
	}
	f := p.nested(p.formula)
	op := p.binaryOp(ops)
	if op == Invalid {
		p.unexpected("U, R or W in the brackets")
	}
	p.advance()
	g := p.nested(p.formula)
	if !p.tok.is("]") {
		p.open(begin)
	}
	p.advance()
	return p.make(op, pos, f, g)
}

// atom reads an atom that begins with a name.
func (p *parser) atom() *Formula {
	t := p.operand()
	if !p.tok.is(":") {
		if p.relation() != "" {
			return p.comparison(t)
		}
		return p.leaf(t, &Atom{Text: t.text})
	}
	return p.local(t)
}

// quoted reads an atom about a task whose name is in quotes.
func (p *parser) quoted() *Formula {
	t := p.tok
	p.advance()
	if !p.tok.is(":") {
		p.fail(t.pos, "found "+t.describe()+" in quotes", "",
			"only the name of a task stands in quotes, before its colon")
	}
	return p.local(t)
}

// local reads the formula about a task after its colon, which is tok. The lexer must be behind the
// colon.
func (p *parser) local(task token) *Formula {
	local, err := p.lex.local()
	if err != nil {
		source.Abort(err)
	}
	p.advance()
	return p.leaf(task, &Atom{Text: QuoteTask(task.text) + ":(" + local + ")", Task: task.text, Local: local})
}

func (p *parser) leaf(t token, a *Atom) *Formula {
	f := p.make(Atomic, t.pos, nil, nil)
	f.Atom = a
	a.Pos = t.pos
	return f
}

// comparison reads a comparison after its left side.
func (p *parser) comparison(left token) *Formula {
	relation := p.relation()
	if relation == "" {
		p.unexpected("a comparison with " + source.Short(left.text))
	}
	p.advance()
	right := p.operand()
	if p.relation() != "" {
		p.fail(p.tok.pos, "found "+p.tok.describe()+" after another comparison", `"&" between two comparisons`, "")
	}
	a := &Atom{Left: left.text, Relation: relation, Right: right.text}
	a.Text = a.Left + " " + a.Relation + " " + a.Right
	return p.leaf(left, a)
}

func (p *parser) relation() string {
	if p.tok.kind == tokSign {
		switch p.tok.text {
		case "==", "!=", "<", "<=", ">", ">=":
			return p.tok.text
		}
	}
	return ""
}

// operand reads a name or an integer.
func (p *parser) operand() token {
	t := p.tok
	if t.kind == tokName && !reserved(t.text, p.logic) {
		p.advance()
		return t
	}
	sign := ""
	if p.accept("-") {
		sign = "-"
	}
	if p.tok.kind != tokInt {
		p.fail(p.tok.pos, "found "+p.tok.describe(), "the name of a variable or an integer", p.operatorAsVariable(p.tok))
	}
	n, err := strconv.ParseInt(sign+p.tok.text, 10, 64)
	if err != nil {
		p.fail(p.tok.pos, sign+source.Short(p.tok.text)+" is no integer of 64 bits", "digits",
			"names begin with a letter or _")
	}
	p.advance()
	return token{tokInt, strconv.FormatInt(n, 10), t.pos}
}
