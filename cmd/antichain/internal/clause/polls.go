package clause

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// polls reads what stands behind a case of a select statement in a loop: builtin.ComesBack if a goroutine that takes it only comes to
// the statement again, builtin.Leaves if it may go elsewhere or the loop may be over, and builtin.Unread if it calls or starts what may
// end that, or the loop is written in another way.
func (s *statement) polls(c *ast.CommClause) builtin.Behind {
	i := len(s.path) - 1
	stmt, label := s.path[i].(ast.Stmt), ""
	if l, ok := s.path[i-1].(*ast.LabeledStmt); ok {
		i--
		stmt = l
		label = l.Label.Name
	}
	if i < 2 {
		return builtin.Unread
	}
	loop, ok := s.path[i-2].(*ast.ForStmt)
	switch _, isRange := s.path[i-2].(*ast.RangeStmt); {
	case isRange, ok && loop.Cond != nil:
		return builtin.Leaves
	case !ok:
		return builtin.Unread
	}
	at := slices.Index(loop.Body.List, stmt)
	if at < 0 {
		return builtin.Unread
	}
	before, e := follow(loop.Body.List[:at])
	body, of := follow(c.Body)
	of.falls = of.take(token.BREAK, label) || of.falls
	rest, last := follow(loop.Body.List[at+1:])
	e.add(of)
	e.add(last)
	around := site{path: s.path}
	r := loopReader{s.path[0].(*ast.File), s.waitsOn(c)}
	e.take(token.CONTINUE, around.label(i-2))
	switch {
	case e.returns || len(e.jumps) > 0:
		return builtin.Leaves
	case r.doesMore(s.path[1], slices.Concat(before, body, rest), maxCalls) || loop.Post != nil && r.doesMore(s.path[1], []ast.Stmt{loop.Post}, maxCalls):
		return builtin.Unread
	}
	return builtin.ComesBack
}

// waitsOn returns the names in the channels of the cases but for one.
func (s *statement) waitsOn(but *ast.CommClause) map[string]bool {
	all := map[string]bool{}
	for _, c := range s.clauses {
		if c == but {
			continue
		}
		ast.Inspect(channelOf(c), func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				all[id.Name] = true
			}
			return true
		})
	}
	return all
}

// loopReader reads what a loop does each time.
type loopReader struct {
	file    *ast.File
	waitsOn map[string]bool // names: what the goroutine waits for may be another channel if one is assigned to
}

// doesMore reports whether statements of a declaration do anything that others may notice, or that may end the function: they start a
// goroutine, use a channel, or call what is not known to do none of that. So many calls are followed, one in the other.
func (r *loopReader) doesMore(decl ast.Node, list []ast.Stmt, calls int) bool {
	return slices.ContainsFunc(list, func(stmt ast.Stmt) bool {
		return pathTo(stmt, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.SelectStmt, *ast.RangeStmt:
				return true
			case *ast.UnaryExpr:
				return n.Op == token.ARROW
			case *ast.AssignStmt:
				return slices.ContainsFunc(n.Lhs, func(to ast.Expr) bool { return r.waitsOn[nameOf(to)] })
			case *ast.CallExpr:
				return r.callsMore(decl, n, calls)
			}
			return false
		}) != nil
	})
}

// callsMore reports whether the function that is called does more. If it is none of the file, its name has to tell.
func (r *loopReader) callsMore(decl ast.Node, call *ast.CallExpr, calls int) bool {
	f := r.called(decl, call.Fun)
	if f == nil {
		return !isQuiet(types.ExprString(call.Fun))
	}
	return f.Body == nil || calls == 0 || r.doesMore(f, f.Body.List, calls-1)
}

// called returns the function of the file that is called in a declaration, nil if it is none: its name has no other meaning there, or
// it is a method of what the declaration is a method of.
func (r *loopReader) called(decl ast.Node, function ast.Expr) *ast.FuncDecl {
	var receiver *ast.Field
	name, ok := function.(*ast.Ident)
	if sel, isSelector := function.(*ast.SelectorExpr); isSelector {
		name = sel.Sel
		receiver = receiverOf(decl)
		ok = receiver != nil && len(receiver.Names) == 1 && types.ExprString(sel.X) == receiver.Names[0].Name
	}
	if !ok || receiver == nil && declares(decl, name.Name) {
		return nil
	}
	for _, d := range r.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name.Name && typeOf(receiverOf(f)) == typeOf(receiver) {
			return f
		}
	}
	return nil
}

// receiverOf returns the receiver of a method, nil if a declaration is none.
func receiverOf(decl ast.Node) *ast.Field {
	if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil && len(f.Recv.List) == 1 {
		return f.Recv.List[0]
	}
	return nil
}

// typeOf returns the type that a receiver is of or points to, "" if there is none.
func typeOf(receiver *ast.Field) string {
	if receiver == nil {
		return ""
	}
	return strings.TrimPrefix(types.ExprString(receiver.Type), "*")
}

// declares reports whether a variable of that name is declared in a declaration.
func declares(decl ast.Node, name string) bool {
	is := func(e ast.Expr) bool { id, ok := e.(*ast.Ident); return ok && id.Name == name }
	isName := func(id *ast.Ident) bool { return is(id) }
	return pathTo(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			return slices.ContainsFunc(n.Names, isName)
		case *ast.ValueSpec:
			return slices.ContainsFunc(n.Names, isName)
		case *ast.AssignStmt:
			return n.Tok == token.DEFINE && slices.ContainsFunc(n.Lhs, is)
		}
		return false
	}) != nil
}

// isQuiet reports whether a function is known, as far as its name says, to wake no other goroutine and to return: those of package time
// and methods of timers, those that print, and conversions and functions of the language but for close and panic.
func isQuiet(function string) bool {
	switch function {
	case "close", "panic", "recover":
		return false
	}
	return types.Universe.Lookup(function) != nil || strings.HasSuffix(function, ".Reset") || strings.HasSuffix(function, ".Stop") ||
		slices.ContainsFunc([]string{"time.", "fmt.Print", "fmt.Sprint", "log.Print"}, func(p string) bool { return strings.HasPrefix(function, p) })
}
