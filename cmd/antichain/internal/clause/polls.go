package clause

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// polls reads the code after a case of a select statement in a loop. The result is
// builtin.ComesBack if a goroutine that takes the case only returns to the statement,
// builtin.Leaves if it may go elsewhere or the loop may end, and builtin.Unread if it calls or
// starts code that may end the loop, if a package variable leads to what it waits for, or the loop
// is written in another way.
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
	of.falls = of.removeJumps(token.BREAK, label) || of.falls
	rest, last := follow(loop.Body.List[at+1:])
	e.add(of)
	e.add(last)
	around := site{path: s.path}
	r := loopReader{s.path[0].(*ast.File), s.waitsOn(c), s.timers()}
	e.removeJumps(token.CONTINUE, around.label(i-2))
	switch {
	case e.returns || len(e.jumps) > 0:
		return builtin.Leaves
	case r.doesMore(s.path[1], slices.Concat(before, body, rest), maxCalls), r.choosesMore(s.path[1], s.cases()),
		loop.Post != nil && r.doesMore(s.path[1], []ast.Stmt{loop.Post}, maxCalls),
		s.awaitsGlobal():
		return builtin.Unread
	}
	return builtin.ComesBack
}

// cases returns the clauses without the default.
func (s *statement) cases() []*ast.CommClause {
	if last := len(s.clauses) - 1; last >= 0 && s.clauses[last].Comm == nil {
		return s.clauses[:last]
	}
	return s.clauses
}

// awaitsGlobal reports whether a package variable leads to the channel of a case that is no
// timer's. Code may name that variable at any time.
func (s *statement) awaitsGlobal() bool {
	return slices.ContainsFunc(s.cases(), func(c *ast.CommClause) bool {
		channel := ast.Unparen(channelOf(c))
		if call, ok := channel.(*ast.CallExpr); ok && nameOf(call.Fun) == "Done" {
			channel = call.Fun
		}
		root, ok := rootOf(channel).(*ast.Ident)
		return ok && nameOf(channel) != "C" && !declares(s.path[1], root.Name)
	})
}

// rootOf returns the expression that fields and elements are selected from.
func rootOf(e ast.Expr) ast.Expr {
	switch x := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		return rootOf(x.X)
	case *ast.IndexExpr:
		return rootOf(x.X)
	}
	return ast.Unparen(e)
}

// waitsOn returns the names in the channels of the cases except one.
func (s *statement) waitsOn(but *ast.CommClause) map[string]bool {
	all := map[string]bool{}
	for _, c := range s.cases() {
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

// timers returns the expressions for timers in the cases, whose field C is a channel.
func (s *statement) timers() map[string]bool {
	all := map[string]bool{}
	for _, c := range s.cases() {
		if channel, ok := ast.Unparen(channelOf(c)).(*ast.SelectorExpr); ok && channel.Sel.Name == "C" {
			all[types.ExprString(channel.X)] = true
		}
	}
	return all
}

// loopReader reads the effects of a loop's iterations.
type loopReader struct {
	file    *ast.File
	waitsOn map[string]bool // names: assigning to one may change the channels of the statement
	timers  map[string]bool // that the goroutine waits for
}

// choosesMore is doesMore for evaluating the cases when the goroutine reaches the statement. The
// channel of a context never changes.
func (r *loopReader) choosesMore(decl ast.Node, clauses []*ast.CommClause) bool {
	return slices.ContainsFunc(clauses, func(c *ast.CommClause) bool {
		if send, ok := c.Comm.(*ast.SendStmt); ok && r.nodeDoesMore(decl, send.Value, maxCalls) {
			return true
		}
		channel := ast.Unparen(channelOf(c))
		if call, ok := channel.(*ast.CallExpr); ok && nameOf(call.Fun) == "Done" && r.called(decl, call.Fun) == nil {
			channel = call.Fun
		}
		return r.nodeDoesMore(decl, channel, maxCalls)
	})
}

// doesMore reports whether statements of a declaration have an effect that others may notice, or
// that may end the function: they start a goroutine, use a channel, or call a function not known to
// be harmless. It follows nested calls up to a depth.
func (r *loopReader) doesMore(decl ast.Node, list []ast.Stmt, calls int) bool {
	return slices.ContainsFunc(list, func(stmt ast.Stmt) bool { return r.nodeDoesMore(decl, stmt, calls) })
}

// nodeDoesMore is doesMore for one node of the declaration.
func (r *loopReader) nodeDoesMore(decl, root ast.Node, calls int) bool {
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

// changes reports whether an assignment may change the channels of the statement.
func (r *loopReader) changes(to ast.Expr) bool {
	name := nameOf(to)
	return name == "" || r.waitsOn[name]
}

// callsMore reports whether the called function does more. If it is not in the file, its name
// decides.
func (r *loopReader) callsMore(decl ast.Node, call *ast.CallExpr, calls int) bool {
	f := r.called(decl, call.Fun)
	if f == nil {
		return !r.isQuiet(decl, call.Fun)
	}
	return f.Body == nil || calls == 0 || r.doesMore(f, f.Body.List, calls-1)
}

// called returns the function of the file that is called in a declaration; nil if there is none.
// Its name must have no other meaning there, or it is a method of the declaration's receiver.
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

// receiverOf returns the receiver of a method; nil for other declarations.
func receiverOf(decl ast.Node) *ast.Field {
	if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil && len(f.Recv.List) == 1 {
		return f.Recv.List[0]
	}
	return nil
}

// typeOf returns the type of a receiver without a pointer; "" if there is none.
func typeOf(receiver *ast.Field) string {
	if receiver == nil {
		return ""
	}
	return strings.TrimPrefix(types.ExprString(receiver.Type), "*")
}

// declares reports whether a declaration declares a variable with this name.
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

// isQuiet reports whether a function is known by its name to wake no other goroutine and to return:
// those of package time except AfterFunc, methods of timers, those that print, conversions, and
// built-in functions except close and panic.
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
		slices.ContainsFunc([]string{"time.", "fmt.Print", "fmt.Sprint", "log.Print"}, func(p string) bool {
			return strings.HasPrefix(name, p)
		})
}
