package gcl

import (
	"fmt"
	"strings"
)

// Format prints a program. Parsing the result gives the same program except for positions.
func Format(f *File) string { return format(f, nil) }

// FormatNodes prints a program with the labels of its flow graphs' nodes as comments.
func FormatNodes(f *File) string { return format(f, nodeLabels(f)) }

func format(f *File, labels map[Statement]string) string {
	p := &printer{labels: labels}
	for i, item := range f.Items {
		if _, ok := item.(*Process); ok && i > 0 {
			p.b.WriteString("\n")
		}
		p.item(item)
	}
	return p.b.String()
}

type printer struct {
	b      strings.Builder
	indent string
	labels map[Statement]string // of nodes; nil to print none
}

func (p *printer) line(format string, args ...any) {
	fmt.Fprintf(&p.b, p.indent+format+"\n", args...)
}

// inner prints with one more level of indentation.
func (p *printer) inner(print func()) {
	outer := p.indent
	p.indent += "  "
	print()
	p.indent = outer
}

func (p *printer) item(item Item) {
	switch i := item.(type) {
	case *Param:
		p.line("param %s = %s;", i.Name, exprText(i.Value))
	case *Declare:
		p.line("declare %s : [%s..%s];", namesText(i.Names), exprText(i.Low), exprText(i.High))
	case *InitialValue:
		p.line("initially %s = %s;", exprText(i.Var), exprText(i.Value))
	case *Output:
		p.line("output %s;", namesText(i.Names))
	case *Process:
		p.process(i)
	}
}

func (p *printer) process(x *Process) {
	p.line("%sprocess %s", eachText(x.Each), exprText(x.Name))
	p.inner(func() {
		for _, v := range x.Variables {
			p.item(v)
		}
		if len(x.Variables) > 0 {
			p.b.WriteString("\n")
		}
		if x.Body != nil {
			p.statement(x.Body, ".")
		}
		for _, c := range x.Commands {
			p.command(c)
		}
	})
	if x.Body == nil {
		p.line("end")
	}
}

func eachText(e *IndexRange) string {
	if e == nil {
		return ""
	}
	return fmt.Sprintf("for %s in %s..%s ", e.Var, exprText(e.Low), exprText(e.High))
}

// command prints alternatives with a condition below each other.
func (p *printer) command(c *Command) {
	head := eachText(c.Each) + exprText(c.Label) + " : "
	p.b.WriteString(p.indent + head)
	for i, a := range c.Alternatives {
		switch {
		case i > 0 && a.Guard == nil:
			p.b.WriteString(" | ")
		case i > 0:
			p.b.WriteString("\n" + p.indent + strings.Repeat(" ", len(head)))
		}
		p.b.WriteString(alternativeText(a))
		if len(a.Steps) == 1 {
			p.b.WriteString(";")
		}
	}
	p.b.WriteString("\n")
}

func alternativeText(a *Alternative) string {
	if a.Guard == nil {
		return bracesText(a.Steps)
	}
	return "if " + exprText(a.Guard) + " " + bracesText(a.Steps)
}

// bracesText prints one step as it is, and several in braces.
func bracesText(steps []Step) string {
	if len(steps) == 1 {
		return stepText(steps[0])
	}
	return "{ " + stepsText(steps) + " }"
}

func stepsText(steps []Step) string {
	texts := make([]string, len(steps))
	for i, s := range steps {
		texts[i] = stepText(s)
	}
	return strings.Join(texts, "; ")
}

func stepText(s Step) string {
	switch s := s.(type) {
	case *Assign:
		return exprText(s.Var) + " := " + exprText(s.Value)
	case *Exchange:
		return exprText(s.Left) + " :=: " + exprText(s.Right)
	case *Goto:
		return "goto " + exprText(s.Label)
	}
	return "skip"
}

// statement prints a statement and the text behind it, with the label of its node.
func (p *printer) statement(s Statement, behind string) {
	comment := ""
	if label := p.labels[s]; label != "" {
		comment = " // " + label
	}
	switch s := s.(type) {
	case *Block:
		p.line("begin")
		p.inner(func() { p.list(s.List) })
		p.line("end%s", behind)
	case *While:
		p.line("while %s do%s", exprText(s.Cond), comment)
		p.inner(func() { p.statement(s.Body, behind) })
	case *If:
		p.line("if %s then%s", exprText(s.Cond), comment)
		p.ifBranches(s, behind)
	case *Wait:
		p.line("wait %s%s%s", exprText(s.Cond), behind, comment)
	case *Atomic:
		p.line("%s%s%s", bracesText(s.Steps), behind, comment)
	}
}

func (p *printer) list(ss []Statement) {
	for i, s := range ss {
		behind := ";"
		if i == len(ss)-1 {
			behind = ""
		}
		p.statement(s, behind)
	}
}

func (p *printer) ifBranches(s *If, behind string) {
	if s.Else == nil {
		p.inner(func() { p.statement(s.Then, behind) })
		return
	}
	p.inner(func() { p.statement(s.Then, "") })
	p.line("else")
	p.inner(func() { p.statement(s.Else, behind) })
}

func namesText(ns []*Name) string {
	texts := make([]string, len(ns))
	for i, n := range ns {
		texts[i] = exprText(n)
	}
	return strings.Join(texts, ", ")
}

// Precedences of expressions, weakest first. An expression needs parentheses where the context
// requires a stronger one.
const (
	levelOr = iota
	levelAnd
	levelNot
	levelComparison
	levelSum
	levelProduct
	levelFactor
)

func level(op Op) int {
	switch op {
	case Or:
		return levelOr
	case And:
		return levelAnd
	case Not:
		return levelNot
	case Add, Sub:
		return levelSum
	case Mul, Div, Mod:
		return levelProduct
	case Minus:
		return levelFactor
	}
	return levelComparison
}

// exprText returns the source text of an expression with the fewest parentheses.
func exprText(e Expr) string {
	var b strings.Builder
	writeExpr(&b, e, levelOr)
	return b.String()
}

func writeExpr(b *strings.Builder, e Expr, context int) {
	switch e := e.(type) {
	case *Number:
		fmt.Fprint(b, e.Value)
	case *Bool:
		fmt.Fprint(b, e.Value)
	case *Name:
		b.WriteString(e.Name)
		if e.Index != nil {
			b.WriteString("[")
			writeExpr(b, e.Index, levelOr)
			b.WriteString("]")
		}
	case *Unary:
		closing := openParenthesis(b, level(e.Op), context)
		b.WriteString(e.Op.String())
		if e.Op == Not {
			b.WriteString(" ")
		}
		writeExpr(b, e.X, level(e.Op))
		b.WriteString(closing)
	case *Binary:
		own := level(e.Op)
		left := own
		if own == levelComparison {
			left++ // comparisons do not chain
		}
		closing := openParenthesis(b, own, context)
		writeExpr(b, e.L, left)
		b.WriteString(" " + e.Op.String() + " ")
		writeExpr(b, e.R, own+1)
		b.WriteString(closing)
	}
}

// openParenthesis writes a parenthesis if the context requires a stronger precedence, and returns
// the closing one.
func openParenthesis(b *strings.Builder, own, context int) (closing string) {
	if own >= context {
		return ""
	}
	b.WriteString("(")
	return ")"
}
