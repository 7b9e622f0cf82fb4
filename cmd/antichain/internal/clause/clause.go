// Package clause looks up in the program's source what follows a case of a select statement.
//
// A run does not show what the program does after a case that was not taken. The source often does.
package clause

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Case is a case of a select statement that was not taken, beside the one that was.
type Case struct {
	Took, Other int // as the compiled program counts them; see inOrder
}

// IsHarmless reports whether the select statement on a line of the source says that nobody waits for ever on
// the channel of the case that was taken if the other one is: behind that the program or the test ends, or
// the channel is used again. Where nothing can be said it is false.
//
// The channel is known by the words that it was named with, so what another function does with it is not seen.
//
// The error is that of a function which cannot be parsed, as it may be with one in the language of a
// later Go than that of this program. What is wrong elsewhere in the file is no matter.
func (c Case) IsHarmless(src []byte, line int) (bool, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution|parser.AllErrors)
	if file == nil {
		return false, err
	}
	path := pathTo(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectStmt)
		return ok && fset.Position(s.Select).Line == line
	})
	if path == nil || isWrong(fset, file, path, err) {
		return false, err
	}
	clauses := inOrder(path[len(path)-1].(*ast.SelectStmt))
	if max(c.Took, c.Other) >= len(clauses) {
		return false, nil
	}
	took, other := clauses[c.Took], clauses[c.Other]
	if endsAll(other.Body) {
		return true, nil
	}
	channel := types.ExprString(channelOf(took))
	return slices.ContainsFunc(behind(path, other), func(n ast.Node) bool { return mentions(n, channel) }), nil
}

// isWrong reports whether the parser has found errors in the function in which the path ends, behind its head. A
// declaration with errors may end anywhere for the parser, but the next one begins where it does.
func isWrong(fset *token.FileSet, file *ast.File, path []ast.Node, err error) bool {
	if err == nil {
		return false
	}
	var all scanner.ErrorList
	if !errors.As(err, &all) {
		return true
	}
	from := path[1].Pos() // the select statement is in a declaration of the file
	if f, ok := path[1].(*ast.FuncDecl); ok && f.Body != nil {
		from = f.Body.Pos()
	}
	to := file.FileEnd
	for _, d := range file.Decls {
		if d.Pos() > from {
			to = d.Pos()
			break
		}
	}
	return slices.ContainsFunc(all, func(e *scanner.Error) bool {
		return e.Pos.Offset >= fset.PositionFor(from, false).Offset && e.Pos.Offset <= fset.PositionFor(to, false).Offset
	})
}

// pathTo returns the nodes from the root to the first one that is wanted, nil if none is.
func pathTo(root ast.Node, wanted func(ast.Node) bool) []ast.Node {
	var path, found []ast.Node
	ast.Inspect(root, func(n ast.Node) bool {
		switch {
		case found != nil:
			return false
		case n == nil:
			path = path[:len(path)-1]
			return false
		}
		path = append(path, n)
		if wanted(n) {
			found = slices.Clone(path)
		}
		return true
	})
	return found
}

// inOrder returns the cases of a select statement in the order in which the compiler has them: those that
// send, then those that receive, the last one first. (cmd/compile/internal/walk, walkSelectCases)
func inOrder(s *ast.SelectStmt) []*ast.CommClause {
	var sends, recvs []*ast.CommClause
	for _, stmt := range s.Body.List {
		switch c := stmt.(*ast.CommClause); c.Comm.(type) {
		case nil: // default
		case *ast.SendStmt:
			sends = append(sends, c)
		default:
			recvs = append(recvs, c)
		}
	}
	slices.Reverse(recvs)
	return append(sends, recvs...)
}

// channelOf returns the channel of a case.
func channelOf(c *ast.CommClause) ast.Expr {
	var from ast.Expr
	switch s := c.Comm.(type) {
	case *ast.SendStmt:
		return s.Chan
	case *ast.ExprStmt:
		from = s.X
	case *ast.AssignStmt:
		from = s.Rhs[0]
	}
	if recv, ok := ast.Unparen(from).(*ast.UnaryExpr); ok {
		return recv.X
	}
	return from
}

// behind returns what a program may come to behind a case of the select statement at the end of the path, as
// far as its function goes: the body of the case, what is deferred, and unless the case returns, what follows,
// in a loop also what comes before.
func behind(path []ast.Node, c *ast.CommClause) []ast.Node {
	var all []ast.Node
	for _, stmt := range c.Body {
		all = append(all, stmt)
	}
	returns := slices.ContainsFunc(c.Body, func(s ast.Stmt) bool { _, ok := s.(*ast.ReturnStmt); return ok })
	for i := len(path) - 2; i >= 0; i-- {
		switch n := path[i].(type) {
		case *ast.FuncDecl:
			return append(all, deferred(n.Body)...)
		case *ast.FuncLit:
			return append(all, deferred(n.Body)...)
		case *ast.ForStmt, *ast.RangeStmt:
			if !returns {
				all = append(all, n)
			}
		case *ast.BlockStmt:
			for _, stmt := range n.List {
				if !returns && stmt.Pos() > path[i+1].Pos() {
					all = append(all, stmt)
				}
			}
		}
	}
	return all
}

func deferred(body *ast.BlockStmt) []ast.Node {
	var all []ast.Node
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			all = append(all, n)
		}
		return true
	})
	return all
}

// mentions reports whether the channel is named there.
func mentions(root ast.Node, channel string) bool {
	return pathTo(root, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		return ok && types.ExprString(e) == channel
	}) != nil
}

// endsAll reports whether the program or the test ends there.
func endsAll(body []ast.Stmt) bool {
	return slices.ContainsFunc(body, func(s ast.Stmt) bool {
		e, ok := s.(*ast.ExprStmt)
		if !ok {
			return false
		}
		call, ok := e.X.(*ast.CallExpr)
		return ok && isLast(types.ExprString(call.Fun))
	})
}

// isLast reports whether a call is the last one, as far as its name says: panic, os.Exit, and what packages log
// and testing and those that are like them call Fatal, Panic and so on.
func isLast(function string) bool {
	switch function {
	case "panic", "os.Exit", "runtime.Goexit":
		return true
	}
	_, method, ok := strings.Cut(function, ".")
	method = method[strings.LastIndexByte(method, '.')+1:]
	return ok && slices.ContainsFunc([]string{"Fatal", "Panic", "FailNow", "Skip"}, func(p string) bool { return strings.HasPrefix(method, p) })
}

// Harmless returns a function that lists, for a select statement at a place with so many cases, the pairs of a case taken and another
// one for which IsHarmless reports true. It reads the source with a function like report.Source.File, and returns nil where there is
// none, so that whoever is to know asks again where there may be one.
func Harmless(file func(at string) (src []byte, line int, ok bool)) func(at string, cases int) [][2]int {
	return func(at string, cases int) [][2]int {
		src, line, ok := file(at)
		if !ok {
			return nil
		}
		pairs := [][2]int{}
		for took := range cases {
			for other := range cases {
				if took == other {
					continue
				}
				harmless, err := Case{took, other}.IsHarmless(src, line)
				if err != nil {
					return nil
				}
				if harmless {
					pairs = append(pairs, [2]int{took, other})
				}
			}
		}
		return pairs
	}
}
