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
	r := loopReader{s.path[0].(*ast.File), s.waitsOn(c), s.timers()}
	e.take(token.CONTINUE, around.label(i-2))
	switch {
	case e.returns || len(e.jumps) > 0:
		return builtin.Leaves
	case r.doesMore(s.path[1], slices.Concat(before, body, rest), maxCalls), r.choosesMore(s.path[1], s.clauses),
		loop.Post != nil && r.doesMore(s.path[1], []ast.Stmt{loop.Post}, maxCalls):
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

// timers returns the expressions for timers in the cases, as of those whose field C is a channel.
func (s *statement) timers() map[string]bool {
	all := map[string]bool{}
	for _, c := range s.clauses {
		if channel, ok := ast.Unparen(channelOf(c)).(*ast.SelectorExpr); ok && channel.Sel.Name == "C" {
			all[types.ExprString(channel.X)] = true
		}
	}
	return all
}

// loopReader reads what a loop does each time.
type loopReader struct {
	file    *ast.File
	waitsOn map[string]bool // names: what the goroutine waits for may be another channel if one is assigned to
	timers  map[string]bool // that the goroutine waits for
}

// choosesMore is doesMore for what cases do when the goroutine comes to the statement. The channel of a context is always the same.
func (r *loopReader) choosesMore(decl ast.Node, clauses []*ast.CommClause) bool {
	return slices.ContainsFunc(clauses, func(c *ast.CommClause) bool {
		if send, ok := c.Comm.(*ast.SendStmt); ok && r.more(decl, send.Value, maxCalls) {
			return true
		}
		channel := ast.Unparen(channelOf(c))
		if call, ok := channel.(*ast.CallExpr); ok && nameOf(call.Fun) == "Done" && r.called(decl, call.Fun) == nil {
			channel = call.Fun
		}
		return r.more(decl, channel, maxCalls)
	})
}

// doesMore reports whether statements of a declaration do anything that others may notice, or that may end the function: they start a
// goroutine, use a channel, or call what is not known to do none of that. So many calls are followed, one in the other.
func (r *loopReader) doesMore(decl ast.Node, list []ast.Stmt, calls int) bool {
	return slices.ContainsFunc(list, func(stmt ast.Stmt) bool { return r.more(decl, stmt, calls) })
}

// more is doesMore for one node of the declaration.
func (r *loopReader) more(decl, root ast.Node, calls int) bool {
	return pathTo(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.SelectStmt, *ast.RangeStmt:
			return true
		case *ast.UnaryExpr:
			return n.Op == token.ARROW
		case *ast.AssignStmt:
			return slices.ContainsFunc(n.Lhs, r.changes)
		case *ast.IncDecStmt:
			return r.changes(n.X)
		case *ast.CallExpr:
			return r.callsMore(decl, n, calls)
		}
		return false
	}) != nil
}

// changes reports whether what the goroutine waits for may be another channel if something is assigned to.
func (r *loopReader) changes(to ast.Expr) bool {
	name := nameOf(to)
	return name == "" || r.waitsOn[name]
}

// callsMore reports whether the function that is called does more. If it is none of the file, its name has to tell.
func (r *loopReader) callsMore(decl ast.Node, call *ast.CallExpr, calls int) bool {
	f := r.called(decl, call.Fun)
	if f == nil {
		return !r.isQuiet(decl, call.Fun)
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
		case *ast.RangeStmt:
			return n.Tok == token.DEFINE && (is(n.Key) || is(n.Value))
		}
		return false
	}) != nil
}

// isQuiet reports whether a function is known, as far as its name says, to wake no other goroutine and to return: those of package time
// but for the one that calls another one, methods of the timers, those that print, and conversions and functions of the language but for
// close and panic.
func (r *loopReader) isQuiet(decl ast.Node, function ast.Expr) bool {
	switch f := ast.Unparen(function).(type) {
	case *ast.Ident:
		isOfLanguage := types.Universe.Lookup(f.Name) != nil && !declares(decl, f.Name)
		return isOfLanguage && !slices.Contains([]string{"close", "panic", "recover"}, f.Name)
	case *ast.SelectorExpr:
		if r.timers[types.ExprString(f.X)] {
			return f.Sel.Name == "Reset" || f.Sel.Name == "Stop"
		}
	}
	name := types.ExprString(function)
	return name != "time.AfterFunc" &&
		slices.ContainsFunc([]string{"time.", "fmt.Print", "fmt.Sprint", "log.Print"}, func(p string) bool { return strings.HasPrefix(name, p) })
}
