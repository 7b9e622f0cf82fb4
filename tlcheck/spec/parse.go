package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/source"
)

// MaxDepth limits nesting in the text, by parentheses, prefix operators, arrows, calls and indexes,
// and the height of a formula's tree.
const MaxDepth = 10_000

// keywords cannot be names of properties or task variables.
var keywords = []string{
	"property", "initially", "shared", "not", "and", "or", "implies", "if", "caller",
	"next", "all_next", "sometime", "always", "eventually", "henceforth", "until", "before",
	"forall", "exists", "true", "false", "null", linearizableWord,
}

// Keywords returns the words that begin declarations or cannot be names, in a fixed order.
func Keywords() []string {
	return append(slices.Clone(keywords), "must_finish", "may_wait", operationWord)
}

// parser is a recursive descent parser with a function for each level of the grammar.
type parser struct {
	lex   lexer
	tok   token // the next token
	depth int   // nesting at tok
	end   int   // byte offset of the end of the token before tok

	declared map[string]Pos // properties and shared variables
}

func run(file, src string, fn func(*parser)) error {
	p := &parser{lex: newLexer(file, src)}
	if err := p.checkLength(); err != nil {
		return err
	}
	return source.Catch(func() {
		p.advance()
		fn(p)
	})
}

func (p *parser) checkLength() error {
	return p.lex.CheckLength("specification", "split it into several files")
}

// Parse reads a .tl file. An error is an *Error.
func Parse(filename, src string) (*File, error) {
	f := &File{Name: filename, text: src}
	err := run(filename, src, func(p *parser) { p.file(f) })
	if err != nil {
		return nil, err
	}
	return f, nil
}

// ParseFormula reads a formula, optionally preceded by "initially:", as a property without a name.
// An error is an *Error without a file, whose text begins with "line:column:".
func ParseFormula(src string) (*Property, error) {
	prop := &Property{text: src}
	err := run("", src, func(p *parser) {
		if p.tok.is("property") {
			p.fail("one formula is read here, not a file of properties", "", "leave out \"property NAME :\"")
		}
		if p.tok.is("initially") {
			p.advance()
			p.expect(":", "after initially")
			prop.Initially = true
		}
		prop.Pos = p.tok.pos
		p.body(prop)
		if p.tok.kind != tokEOF {
			p.unexpected("an operator or the end of the formula")
		}
	})
	if err != nil {
		return nil, err
	}
	return prop, nil
}

func (p *parser) fail(msg, expected, hint string) {
	p.failAt(p.tok.pos, msg, expected, hint)
}

func (p *parser) failAt(pos Pos, msg, expected, hint string) {
	source.Abort(p.lex.ErrorAt(pos, msg, expected, hint))
}

// unexpected fails at tok, which the grammar does not allow there. It suggests the keyword that tok
// may misspell.
func (p *parser) unexpected(expected string) {
	hint := ""
	if p.tok.kind == tokName && !slices.Contains(keywords, p.tok.text) {
		if k := source.Closest(p.tok.text, keywords); k != "" {
			hint = "did you mean " + strconv.Quote(k) + "?"
		}
	}
	p.fail("found "+p.tok.describe(), expected, hint)
}

func (p *parser) advance() {
	p.end = p.tok.off + len(p.tok.text)
	t, err := p.lex.next()
	if err != nil {
		source.Abort(err)
	}
	p.tok = t
}

// accept consumes tok if it is this keyword or sign.
func (p *parser) accept(text string) bool {
	if !p.tok.is(text) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(text, place string) {
	if !p.accept(text) {
		p.unexpected(strconv.Quote(text) + " " + place)
	}
}

// nested reads one level deeper.
func nested[T any](p *parser, read func() T) T {
	if p.depth++; p.depth > MaxDepth {
		p.tooDeep(p.tok.pos)
	}
	x := read()
	p.depth--
	return x
}

func (p *parser) tooDeep(pos Pos) {
	p.failAt(pos, fmt.Sprintf("nested deeper than %d levels", MaxDepth), "",
		"split the formula into several properties")
}

// plainName reads a name without dots that is no keyword.
func (p *parser) plainName(what string, primes bool) Name {
	t := p.tok
	if t.kind != tokName {
		p.unexpected(what)
	}
	if slices.Contains(keywords, t.text) {
		p.fail(t.describe()+" is a keyword", what, "")
	}
	bare := strings.TrimRight(t.text, "'")
	if !primes && bare != t.text {
		p.fail(t.describe()+" ends with a prime", what, "only task variables have primes")
	}
	if strings.ContainsFunc(bare, func(r rune) bool { return r > 127 || !isNamePart(r) }) {
		p.fail(t.describe()+" is no plain name", what, "letters a to z and A to Z, digits and _")
	}
	p.advance()
	return Name{t.text, t.pos}
}

func (p *parser) tiv() string { return p.plainName("the name of a task variable", true).Name }

func (p *parser) file(f *File) {
	for p.tok.kind != tokEOF {
		p.declaration(f)
	}
	p.notEmpty(f)
}

// declaration reads a property, or a list of names.
func (p *parser) declaration(f *File) {
	f.starts = append(f.starts, p.tok.off)
	switch {
	case p.accept("property"):
		f.Properties = append(f.Properties, p.property(f))
	case p.accept("shared"):
		p.shared(f)
	case p.accept("must_finish"):
		f.MustFinish = append(f.MustFinish, p.functions("that must finish")...)
	case p.accept("may_wait"):
		f.MayWait = append(f.MayWait, p.functions("that may wait")...)
	default:
		p.unexpected(`"property", "shared", "must_finish" or "may_wait"`)
	}
}

func (p *parser) notEmpty(f *File) {
	if len(f.Properties) == 0 && len(f.Shared) == 0 && len(f.MustFinish) == 0 && len(f.MayWait) == 0 {
		p.fail("the specification is empty", `"property NAME : FORMULA"`, "")
	}
}

// beginnings are the words that begin declarations.
var beginnings = []string{"property", "shared", "must_finish", "may_wait"}

func (p *parser) property(f *File) *Property {
	name := p.plainName("the name of the property", false)
	if line := p.declaredOn("property "+name.Name, name.Pos); line > 0 {
		p.failAt(name.Pos, fmt.Sprintf("property %s was already declared on line %d", source.Short(name.Name), line),
			"another name", "")
	}
	prop := &Property{Name: name.Name, Pos: name.Pos, File: f.Name, text: f.text, from: f.starts[len(f.starts)-1]}
	prop.Initially = p.accept("initially")
	p.expect(":", "after the name of the property")
	p.body(prop)
	if p.tok.kind != tokEOF && !slices.ContainsFunc(beginnings, p.tok.is) {
		p.unexpected("an operator, the next property or the end of the file")
	}
	return prop
}

// declaredOn returns the line of an earlier declaration of the same. If there is none, it returns 0
// and records the declaration.
func (p *parser) declaredOn(what string, at Pos) int {
	if pos, ok := p.declared[what]; ok {
		return pos.Line
	}
	if p.declared == nil {
		p.declared = map[string]Pos{}
	}
	p.declared[what] = at
	return 0
}

// body reads the formula of prop, and stores its source.
func (p *parser) body(prop *Property) {
	from := p.tok.off
	if p.tok.is(linearizableWord) {
		if prop.Initially {
			p.fail("an operation takes time, and the initial state none", "", "leave out initially")
		}
		prop.Formula = p.linearizable()
	} else {
		prop.Formula = p.formula()
	}
	if pos, ok := tooDeep(prop.Formula); ok {
		p.tooDeep(pos)
	}
	p.checkPrevious(prop.Formula)
	prop.Source = p.lex.Between(from, p.end)
	prop.to = p.end
}

func (p *parser) shared(f *File) {
	for {
		t := p.tok
		if t.kind != tokName || t.quoted || slices.Contains(keywords, t.text) || strings.HasSuffix(t.text, "'") {
			p.unexpected("the name of a shared variable")
		}
		if line := p.declaredOn("shared "+t.text, t.pos); line > 0 {
			p.fail(fmt.Sprintf("%s was already declared shared on line %d", source.Short(t.text), line), "", "")
		}
		f.Shared = append(f.Shared, Name{t.text, t.pos})
		p.advance()
		if !p.accept(",") {
			return
		}
	}
}

// functions reads the names of functions. Names with characters that variables cannot have are
// quoted.
func (p *parser) functions(what string) (names []Name) {
	for {
		t := p.tok
		if name, err := strconv.Unquote(t.text); t.kind == tokString && err == nil && name != "" {
			// since the path of a package needs quotes
			t = token{kind: tokName, quoted: true, parts: []string{name}, pos: t.pos}
		}
		if t.kind != tokName || !t.quoted && (slices.Contains(keywords, t.text) || strings.HasSuffix(t.text, "'")) {
			p.unexpected("the name of a function " + what)
		}
		names = append(names, Name{strings.Join(t.parts, "."), t.pos})
		p.advance()
		if !p.accept(",") {
			return names
		}
	}
}

func (p *parser) formula() Formula {
	x := p.implication()
	if !p.tok.is("if") {
		return x
	}
	f := &If{X: x, Pos: p.tok.pos}
	p.advance()
	f.Conds = append(f.Conds, p.cond())
	for p.accept("and") {
		f.Conds = append(f.Conds, p.cond())
	}
	if p.tok.is("if") {
		p.fail("a second \"if\"", "\"and\" between conditions, or parentheses around the formula before it", "")
	}
	return f
}

func (p *parser) cond() Cond {
	c := Cond{Pos: p.tok.pos}
	if p.tok.is("caller") {
		p.fail("caller(…) on the left of a condition", "a task variable", "write t == caller(u)")
	}
	c.Left = p.tiv()
	switch {
	case p.accept("=="):
	case p.accept("!="):
		c.Differ = true
	default:
		p.unexpected(`"==" or "!=" between two task variables`)
	}
	if p.accept("caller") {
		p.expect("(", "after caller")
		c.Caller = true
		c.Right = p.tiv()
		p.expect(")", "after the task variable")
		return c
	}
	c.Right = p.tiv()
	return c
}

func (p *parser) implication() Formula {
	l := p.chain(Or)
	if !p.tok.is("->") && !p.tok.is("implies") {
		return l
	}
	f := &Implies{L: l, Pos: p.tok.pos}
	p.advance()
	f.R = nested(p, p.implication)
	return f
}

// chain reads a chain of "or", whose members are chains of "and", or a chain of "and".
func (p *parser) chain(op NaryOp) Formula {
	member := p.binary
	if op == Or {
		member = func() Formula { return p.chain(And) }
	}
	return chained(p, op, member, func(xs []Formula, pos Pos) Formula { return &Nary{Op: op, Xs: xs, Pos: pos} })
}

// chained reads a member, or several with a connective between them. The position of a chain is
// that of its first connective.
func chained[T any](p *parser, op NaryOp, member func() T, chain func([]T, Pos) T) T {
	word, xs := op.String(), []T{member()}
	pos := p.tok.pos
	for p.accept(word) {
		xs = append(xs, member())
	}
	if len(xs) == 1 {
		return xs[0]
	}
	return chain(xs, pos)
}

func (p *parser) binaryOp() BinaryOp {
	switch {
	case p.tok.is("until"):
		return Until
	case p.tok.is("before"):
		return Before
	}
	return 0
}

func (p *parser) binary() Formula {
	x := p.unary()
	op := p.binaryOp()
	if op == 0 {
		return x
	}
	f := &Binary{Op: op, L: x, Pos: p.tok.pos}
	p.advance()
	f.R = p.unary()
	if p.binaryOp() != 0 {
		p.fail(p.tok.describe()+" after another until or before", "parentheses that say which one comes first", "")
	}
	return f
}

var futureWords = map[string]FutureOp{
	"next": Next, "all_next": AllNext, "sometime": Sometime,
	"always": Always, "eventually": Eventually, "henceforth": Henceforth,
}

var quantWords = map[string]QuantOp{"forall": Forall, "exists": Exists}

func (p *parser) unary() Formula {
	pos := p.tok.pos
	if p.tok.kind != tokName {
		if p.accept("(") {
			f := nested(p, p.formula)
			p.expect(")", "or an operator")
			return f
		}
		p.unexpected("a formula")
	}
	if op, ok := futureWords[p.tok.text]; ok {
		return p.future(op)
	}
	if op, ok := quantWords[p.tok.text]; ok {
		p.advance()
		f := &Quant{Op: op, TIV: p.tiv(), Pos: pos}
		p.expect("(", "after the task variable of the quantifier")
		f.X = nested(p, p.formula)
		p.expect(")", "at the end of the quantifier")
		return f
	}
	if p.accept("not") {
		return &Not{X: nested(p, p.unary), Pos: pos}
	}
	return p.atom()
}

func (p *parser) future(op FutureOp) Formula {
	f := &Future{Op: op, Pos: p.tok.pos}
	word := p.tok.text
	p.advance()
	if op == Next || op == AllNext {
		f.K = 1
	}
	if p.tok.is("^") {
		if f.K == 0 {
			p.fail(word+" takes no number", "a formula", "only next and all_next do")
		}
		p.advance()
		f.K = p.steps()
	}
	f.X = nested(p, p.unary)
	return f
}

// MaxSteps is the largest k of next^k and all_next^k.
const MaxSteps = 1_000_000_000

func (p *parser) steps() int {
	if p.tok.kind != tokInt {
		p.unexpected("the number of steps, at least 1")
	}
	k, err := strconv.Atoi(p.tok.text)
	if err != nil || k < 1 || k > MaxSteps {
		p.fail(source.Short(p.tok.text)+" steps are out of range", fmt.Sprintf("a number from 1 to %d", MaxSteps), "")
	}
	p.advance()
	return k
}

func (p *parser) atom() Formula {
	t := p.tok
	if slices.Contains(keywords, t.text) {
		p.unexpected("a formula")
	}
	if len(t.parts) > 1 {
		p.fail("found "+t.describe(), "a formula",
			"a formula about one task follows a task variable: t:("+source.Short(t.text)+")")
	}
	a := &Atom{Pos: t.pos, TIV: p.tiv()}
	if !p.accept(":") {
		hint := ""
		if k := source.Closest(t.text, keywords); k != "" {
			hint = "did you mean " + strconv.Quote(k) + "?"
		}
		p.failAt(t.pos, t.describe()+" is no operator, and no \":\" follows it as after a task variable",
			"t:( … ) or an operator", hint)
	}
	p.expect("(", "after the task variable and its colon")
	a.Local = p.local()
	p.expect(")", "or an operator at the end of the local formula of "+source.Short(a.TIV))
	return a
}
