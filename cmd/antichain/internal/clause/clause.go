// Package clause reads the program's source after a case of a select statement.
//
// A run does not show what the program does after a case that was not taken. The source often does.
package clause

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
)

// Case is a pair of cases of a select statement: the one taken and another one, or twice the one
// taken.
type Case struct {
	Took, Other int // in the order of the compiled program; see inOrder. The default comes last
}

// Behind reads the code after the other case of the select statement on a line of the source, to
// decide whether the goroutine comes back to the channel of the case taken. The result is
// builtin.ComesBack if it may, or if the program or the test ends there; builtin.Leaves if it does
// not; builtin.Unread if the file does not show it, or if another function may use the channel
// because of what is set there.
//
// If both cases are the same, the result is builtin.ComesBack if the goroutine only returns to the
// statement, and builtin.Leaves if it may go elsewhere.
//
// The channel is identified by its names in this file. Uses by other goroutines do not count.
//
// The error is for a function that cannot be parsed, for example one in the language of a later Go
// than that of this program. Mistakes elsewhere in the file are ignored.
func (c Case) Behind(src []byte, line int) (builtin.Behind, error) {
	s, err := parse(src, line)
	if s == nil {
		return builtin.Unread, err
	}
	return s.behind(c), nil
}

// statement is a select statement in a file.
type statement struct {
	path    []ast.Node // to the statement
	clauses []*ast.CommClause
	whole   bool // the parser has understood the whole file
}

// parse returns the select statement on a line of the source; nil if there is none. The error is
// that of Behind.
func parse(src []byte, line int) (*statement, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution|parser.AllErrors)
	if file == nil {
		return nil, err
	}
	path := pathTo(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectStmt)
		return ok && fset.Position(startOf(s)).Line == line
	})
	if path == nil || isWrong(fset, file, path, err) {
		return nil, err
	}
	return &statement{path, inOrder(path[len(path)-1].(*ast.SelectStmt)), err == nil}, nil
}

func (s *statement) behind(c Case) builtin.Behind {
	if max(c.Took, c.Other) >= len(s.clauses) {
		return builtin.Unread
	}
	took, other := s.clauses[c.Took], s.clauses[c.Other]
	if took == other {
		return s.polls(took)
	}
	if endsAll(other.Body) {
		return builtin.ComesBack
	}
	path := append(slices.Clone(s.path), s.path[len(s.path)-1].(*ast.SelectStmt).Body, other)
	r := reader{file: path[0].(*ast.File), whole: s.whole}
	from := site{path, namesOf(path[1], channelOf(took)), maxCalls}
	r.origin(from.channel)
	body, e := follow(other.Body)
	r.read(nodes(body), from)
	r.readBehind(from, e)
	r.unread = r.unread || r.isMadeUp(body, from)
	return r.conclusion()
}

// isWrong reports whether the parser found errors in the function in which the path ends, after its
// signature. A declaration with errors may end anywhere for the parser, but the next one is
// recognised again.
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
		return e.Pos.Offset >= fset.PositionFor(from, false).Offset &&
			e.Pos.Offset <= fset.PositionFor(to, false).Offset
	})
}

// pathTo returns the nodes from the root to the first wanted one; nil if there is none.
func pathTo(root ast.Node, wanted func(ast.Node) bool) []ast.Node {
	return firstPath(root, func(path []ast.Node) bool { return wanted(path[len(path)-1]) })
}

// firstPath returns the first wanted path from the root; nil if there is none.
func firstPath(root ast.Node, wanted func(path []ast.Node) bool) []ast.Node {
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
		if wanted(path) {
			found = slices.Clone(path)
		}
		return true
	})
	return found
}

// inOrder returns the cases of a select statement in the order of the compiler: sends first, then
// receives in reverse (cmd/compile/internal/walk, walkSelectCases). The default comes last.
func inOrder(s *ast.SelectStmt) []*ast.CommClause {
	var sends, recvs, others []*ast.CommClause
	for _, stmt := range s.Body.List {
		switch c := stmt.(*ast.CommClause); c.Comm.(type) {
		case nil:
			others = append(others, c)
		case *ast.SendStmt:
			sends = append(sends, c)
		default:
			recvs = append(recvs, c)
		}
	}
	slices.Reverse(recvs)
	return slices.Concat(sends, recvs, others)
}

// startOf returns the position that the compiled program has for a select statement. One with a
// single case and a default is compiled to an if statement, at the case.
func startOf(s *ast.SelectStmt) token.Pos {
	if all := inOrder(s); len(all) == 2 && all[0].Comm != nil && all[1].Comm == nil {
		return all[0].Comm.Pos()
	}
	return s.Select
}

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

// Pairs returns a function that lists the results of Behind for the select statement at a position,
// for each pair of a case taken and another one, which may be the default. It reads the source by a
// function like report.Source.File. It returns nil without source, which lets callers ask again
// elsewhere.
func Pairs(file func(at string) (src []byte, line int, ok bool)) func(at string, cases int) *event.Behind {
	return func(at string, cases int) *event.Behind {
		src, line, ok := file(at)
		if !ok {
			return nil
		}
		s, err := parse(src, line)
		if err != nil {
			return nil
		}
		all := new(event.Behind)
		if s == nil {
			return all
		}
		for took := range cases {
			for other := range max(cases, len(s.clauses)) {
				switch s.behind(Case{took, other}) {
				case builtin.ComesBack:
					all.Harmless = append(all.Harmless, [2]int{took, other})
				case builtin.Leaves:
					all.Leaves = append(all.Leaves, [2]int{took, other})
				}
			}
		}
		return all
	}
}
