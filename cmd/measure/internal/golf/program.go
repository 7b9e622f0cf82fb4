//go:build unix

package golf

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/cmd/measure/goker/kernel"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// A program is one of the artifact's tests. Comments in it are labels, as "deadlocks: 1" or
// "deadlocks: x > 0": goroutines that a go statement starts wait for ever. The label stands above
// the go statement, or begins the function that the goroutines run.
type program struct {
	name    string // its directory without what all of its group have
	group   string
	dir     string
	correct bool
	labels  []*label

	files *token.FileSet
	file  *ast.File
}

// A label is a go statement with goroutines that leak.
type label struct {
	line      int      // of the comment
	statement int      // the line of the go statement, if it stands below the label
	function  ast.Node // else what the goroutines run
}

// newProgram reads a program, and returns what a single copy of its bug is.
func newProgram(dir string, src []byte) (p *program, copied []byte, err error) {
	p = &program{dir: dir, files: token.NewFileSet()}
	part, rest, _ := strings.Cut(dir, "/")
	p.correct = part == "correct"
	p.group, p.name, _ = strings.Cut(rest, "/")
	if p.name == "" {
		p.name = p.group
	}
	p.name = strings.TrimPrefix(p.name, "goker/blocking/")
	const mode = parser.ParseComments | parser.SkipObjectResolution
	if p.file, err = parser.ParseFile(p.files, dir+"/main.go", src, mode); err != nil {
		return nil, nil, err
	}
	for _, g := range p.file.Comments {
		for _, c := range g.List {
			if err := p.label(c); err != nil {
				return nil, nil, err
			}
		}
	}
	copied, err = kernel.SingleLoops(dir+"/main.go", src, "main")
	return p, copied, err
}

// label adds the label that a comment is, if it is one of a leak.
func (p *program) label(c *ast.Comment) error {
	many, isLabel := strings.CutPrefix(c.Text, "// deadlocks: ")
	if !isLabel || many == "0" {
		return nil
	}
	line := p.line(c.Pos())
	l := &label{line: line, function: p.function(line)}
	if l.function == nil {
		return fmt.Errorf("%s: a label in no function", p.files.Position(c.Pos()))
	}
	ast.Inspect(l.function, func(n ast.Node) bool {
		s, ok := n.(*ast.GoStmt)
		if !ok || p.line(s.Pos()) != line+1 {
			return true
		}
		if _, isLiteral := ast.Unparen(s.Call.Fun).(*ast.FuncLit); !isLiteral {
			l.statement = line + 1
		}
		return true
	})
	p.labels = append(p.labels, l)
	return nil
}

func (p *program) line(pos token.Pos) int { return p.files.Position(pos).Line }

// function is the innermost function with a line in its body, or nil. The first line of a function
// literal is of the function around it, which may call something there.
func (p *program) function(line int) (innermost ast.Node) {
	ast.Inspect(p.file, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			if p.line(n.Pos()) < line && line <= p.line(n.End()) {
				innermost = n
			}
		}
		return true
	})
	return innermost
}

// has reports whether a goroutine of a report is one that the label is about, and waits.
func (p *program) has(l *label, party report.PartyObject) bool {
	if party.Op == "end" {
		return false
	}
	if l.statement != 0 {
		return party.Started != nil && p.lineOf(party.Started.At) == l.statement
	}
	return p.runs(party) == l.function
}

// runs is the function that a goroutine runs: the one that its go statement names, or else that of
// its outermost call which is in the program. A report may leave out the outermost ones.
func (p *program) runs(party report.PartyObject) ast.Node {
	if party.Started != nil {
		if f := p.started(p.lineOf(party.Started.At)); f != nil {
			return f
		}
	}
	at := party.At
	for _, f := range party.Stack {
		if p.lineOf(f.At) != 0 {
			at = f.At
		}
	}
	return p.function(p.lineOf(at))
}

// started is the function that the go statement on a line names, or nil.
func (p *program) started(line int) (named ast.Node) {
	ast.Inspect(p.file, func(n ast.Node) bool {
		s, ok := n.(*ast.GoStmt)
		if !ok || p.line(s.Pos()) != line {
			return true
		}
		switch f := ast.Unparen(s.Call.Fun).(type) {
		case *ast.FuncLit:
			named = f
		case *ast.Ident:
			named = p.declared(f.Name)
		case *ast.SelectorExpr:
			named = p.declared(f.Sel.Name)
		}
		return false
	})
	return named
}

// declared is the function or method with a name, nil if there are none or several.
func (p *program) declared(name string) ast.Node {
	var found []*ast.FuncDecl
	for _, d := range p.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name {
			found = append(found, f)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// lineOf is the line of the program that a place is on, 0 if it is elsewhere.
func (p *program) lineOf(at string) int {
	file, line, _ := strings.Cut(at, ":")
	n, err := strconv.Atoi(line)
	if err != nil || !strings.HasSuffix(path.Dir(file), p.dir) {
		return 0
	}
	return n
}
