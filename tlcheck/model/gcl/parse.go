package gcl

import (
	"slices"
	"strconv"

	"github.com/antichain-go/antichain/tlcheck/source"
)

// MaxDepth limits the nesting of statements and expressions.
const MaxDepth = 1000

// parser is a recursive descent parser with a function for each rule of the grammar.
type parser struct {
	file, text string
	tokens     []token
	at         int // index of the next token
	depth      int // present nesting
}

// Parse reads a program. An error is a *source.Error.
func Parse(file, text string) (*File, error) {
	f := &File{Name: file, text: text}
	err := parse(file, text, func(p *parser) {
		for p.tok().kind != tokEOF {
			f.Items = append(f.Items, p.items()...)
		}
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// parseExpr reads an expression that stands alone.
func parseExpr(file, text string) (e Expr, err error) {
	err = parse(file, text, func(p *parser) {
		if e = p.expr(); p.tok().kind != tokEOF {
			p.unexpected("an operator or the end")
		}
	})
	return e, err
}

func parse(file, text string, run func(*parser)) error {
	tokens, err := lex(file, text)
	if err != nil {
		return err
	}
	return source.Catch(func() { run(&parser{file: file, text: text, tokens: tokens}) })
}

func (p *parser) tok() *token { return &p.tokens[p.at] }

func (p *parser) failAt(pos Pos, msg, expected, hint string) {
	source.Abort(source.ErrorIn(p.file, p.text, pos, msg, expected, hint))
}

// unexpected fails at the next token. It suggests the keyword that the token may misspell.
func (p *parser) unexpected(expected string) {
	t, hint := p.tok(), ""
	if t.kind == tokName {
		if k := source.Closest(t.text, keywords); k != "" {
			hint = "did you mean " + strconv.Quote(k) + "?"
		}
	}
	p.failAt(t.pos, "found "+t.describe(), expected, hint)
}

// is reports whether the next token is one of these keywords or signs.
func (p *parser) is(texts ...string) bool {
	t := p.tok()
	return (t.kind == tokKeyword || t.kind == tokPunct) && slices.Contains(texts, t.text)
}

// accept consumes the next token if it is this keyword or sign.
func (p *parser) accept(text string) bool {
	if !p.is(text) {
		return false
	}
	p.at++
	return true
}

// expect consumes this keyword or sign, and fails if it is missing.
func (p *parser) expect(text, place string) {
	if !p.accept(text) {
		p.unexpected(strconv.Quote(text) + " " + place)
	}
}

// nested reads one level deeper.
func nested[T any](p *parser, read func() T) T {
	if p.depth++; p.depth > MaxDepth {
		p.failAt(p.tok().pos, "this is nested deeper than "+strconv.Itoa(MaxDepth)+" levels", "", "divide it")
	}
	x := read()
	p.depth--
	return x
}

// items reads a parameter, a process, or declarations.
func (p *parser) items() []Item {
	switch {
	case p.is("param"):
		return []Item{p.param()}
	case p.is("process", "for"):
		process := p.process()
		p.accept("||")
		return []Item{process}
	}
	declarations := p.declarations()
	if len(declarations) == 0 {
		p.unexpected(`"process", "declare", "initially", "output", "param" or "for"`)
	}
	return declarations
}

func (p *parser) param() *Param {
	p.at++
	pos := p.tok().pos
	name := p.word("the name of a parameter")
	p.expect("=", "and the value of the parameter")
	x := &Param{name, p.expr(), pos}
	p.expect(";", "behind the parameter")
	return x
}

func (p *parser) word(what string) string {
	if p.tok().kind != tokName {
		p.unexpected(what)
	}
	p.at++
	return p.tokens[p.at-1].text
}

func (p *parser) name(what string) *Name {
	n := &Name{Pos: p.tok().pos}
	n.Name = p.word(what)
	if p.accept("[") {
		n.Index = p.expr()
		p.expect("]", "behind the index")
	}
	return n
}

// behindName returns the two tokens behind a name and its index, or the end of the program if there
// is no name.
func (p *parser) behindName() (first, second *token) {
	end := len(p.tokens) - 1
	at := end
	if p.tok().kind == tokName {
		at = p.at + 1
	}
	if open := p.tokens[at]; open.kind == tokPunct && open.text == "[" {
		for depth := 0; at < end; at++ {
			switch p.tokens[at].text {
			case "[":
				depth++
			case "]":
				depth--
			}
			if depth == 0 {
				at++
				break
			}
		}
	}
	return &p.tokens[at], &p.tokens[min(at+1, end)]
}

// variables reads one range, one initial value or the outputs. Only the first of several has the
// keyword.
func (p *parser) variables() Item {
	keyword := p.tok().text
	p.at++
	switch keyword {
	case "declare":
		return p.declare()
	case "initially":
		return p.initially()
	}
	o := &Output{p.names()}
	p.expect(";", "behind the outputs")
	return o
}

func (p *parser) names() []*Name {
	ns := []*Name{p.name("the name of a variable")}
	for p.accept(",") {
		ns = append(ns, p.name("the name of a variable"))
	}
	return ns
}

func (p *parser) declare() Item {
	d := &Declare{Names: p.names()}
	p.expect(":", "and the range of the variable, as [0..1]")
	p.expect("[", "and the range of the variable, as [0..1]")
	d.Low = p.expr()
	p.expect("..", "inside of the range")
	d.High = p.expr()
	p.expect("]", "behind the range")
	p.expect(";", "behind the declaration")
	return d
}

func (p *parser) initially() Item {
	i := &InitialValue{Var: p.name("the name of a variable")}
	p.expect("=", "and the initial value")
	i.Value = p.expr()
	p.expect(";", "behind the initial value")
	return i
}

// declarations reads the variables of a process or of the file. One keyword may introduce several.
func (p *parser) declarations() (items []Item) {
	for {
		first, second := p.behindName()
		switch {
		case p.is("declare", "initially", "output"):
			items = append(items, p.variables())
		case len(items) > 0 && (first.text == "," || first.text == ":" && second.text == "["):
			items = append(items, p.declare())
		case len(items) > 0 && first.text == "=":
			items = append(items, p.initially())
		default:
			return items
		}
	}
}
