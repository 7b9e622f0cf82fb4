package rewrite

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// Line is a line of a file.
type Line struct {
	File string // absolute, or the end of a path
	Line int
	Text string // in the user's words, for errors
}

// First returns the index of the first of the lines that is this one, whatever its Text.
func (l Line) First(lines []Line) int {
	return slices.IndexFunc(lines, func(m Line) bool { return m.File == l.File && m.Line == l.Line })
}

// A LineError is a line before which no goroutine can be held.
type LineError struct {
	Line
	Nearest []int // lines of the file before which it can, ascending
}

func (e *LineError) Error() string {
	text := e.Text + ": no statement begins on this line, so no goroutine can be held there"
	if len(e.Nearest) == 0 {
		return text + ", nor anywhere in this file"
	}
	var lines []string
	for _, n := range e.Nearest {
		lines = append(lines, itoa(n))
	}
	return text + "; the nearest where it can: " + strings.Join(lines, ", ")
}

// CheckLine finds out whether goroutines can be held before a line of a file; its error is a
// *LineError.
func CheckLine(file *File, fset *token.FileSet, line Line) error {
	starts := statementsOf(file.Syntax, fset)
	if _, ok := starts[line.Line]; ok {
		return nil
	}
	e := &LineError{Line: line}
	sorted := slices.Sorted(maps.Keys(starts))
	i, _ := slices.BinarySearch(sorted, line.Line)
	e.Nearest = sorted[max(i-1, 0):min(i+1, len(sorted))]
	return e
}

// HoldAt inserts a call of the agent before the first statement that begins on each of these lines,
// which have numbers. The file may have been rewritten before, which moves no lines.
func HoldAt(name string, src []byte, lines map[int]int) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	prefix := "__antichain_line"
	for bytes.Contains(src, []byte(prefix)) {
		prefix += "_"
	}
	e := &edits{fset: fset}
	starts := statementsOf(file, fset)
	for _, line := range slices.Sorted(maps.Keys(lines)) {
		e.insert(starts[line], fmt.Sprintf("%s.Line(%d); ", prefix, lines[line]))
	}
	e.insert(file.Name.End(), fmt.Sprintf("; import %s %q", prefix, AgentPath))
	return e.apply(src), nil
}

// statementsOf maps each line on which a statement begins to the position of the first statement
// there that another one can precede.
func statementsOf(file *ast.File, fset *token.FileSet) map[int]token.Pos {
	starts := make(map[int]token.Pos)
	list := func(stmts []ast.Stmt) {
		for _, s := range stmts {
			line := fset.PositionFor(s.Pos(), false).Line
			if _, empty := s.(*ast.EmptyStmt); !empty && (starts[line] == token.NoPos || s.Pos() < starts[line]) {
				starts[line] = s.Pos()
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			return !hasDirective(n.Doc, "//go:nosplit")
		case *ast.BlockStmt:
			if len(n.List) > 0 && isClause(n.List[0]) {
				return true // its contents follow
			}
			list(n.List)
		case *ast.CaseClause:
			list(n.Body)
		case *ast.CommClause:
			list(n.Body)
		}
		return true
	})
	return starts
}

// isClause reports whether a statement is part of a switch or select statement.
func isClause(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}
