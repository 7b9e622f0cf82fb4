package clause

import (
	"go/ast"
	"go/token"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// reader reads the code that a goroutine may reach behind a case: to the end of its function, the
// deferred calls there, and the rest of its callers.
type reader struct {
	file  *ast.File
	whole bool // the parser has understood all of it

	comes  bool // the goroutine may use the channel again
	unread bool // it may do so in code that was not read
}

func (r *reader) conclusion() builtin.Behind {
	switch {
	case r.comes:
		return builtin.ComesBack
	case r.unread:
		return builtin.Unread
	}
	return builtin.Leaves
}

// site is a node of the file with the path to it, and the names that the channel has there.
type site struct {
	path    []ast.Node
	channel *names
	calls   int // remaining calls to follow
}

// maxCalls limits the calls that are followed, to callers and callees.
const maxCalls = 4

// label returns the label of node i of the path; "" if it has none.
func (s *site) label(i int) string {
	if i > 0 {
		if l, ok := s.path[i-1].(*ast.LabeledStmt); ok {
			return l.Label.Name
		}
	}
	return ""
}

// readBehind reads the code after a site, which control leaves by the exits.
func (r *reader) readBehind(s site, e exits) {
	for i := len(s.path) - 2; i >= 0 && !r.comes; i-- {
		r.unread = r.unread || slices.ContainsFunc(e.jumps, func(j jump) bool { return j.tok == token.GOTO })
		switch n := s.path[i].(type) {
		case *ast.GoStmt:
			return
		case *ast.DeferStmt, *ast.ReturnStmt:
			e = exits{returns: true}
		case *ast.FuncDecl:
			r.read(deferredCalls(n.Body), s)
			r.callers(n, s)
			return
		case *ast.FuncLit:
			r.read(deferredCalls(n.Body), s)
			if !r.isCalledThere(s, i) {
				return
			}
			e = exits{falls: true}
		case *ast.ForStmt:
			e = r.rereadLoop(n, exitsOfLoop(n.Body, s.label(i), n.Cond != nil), s.label(i), e, s)
		case *ast.RangeStmt:
			e = r.rereadLoop(n, exitsOfLoop(n.Body, s.label(i), true), s.label(i), e, s)
		case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			if parts := partsBehind(n, s.path[i+1]); len(parts) > 0 {
				r.read(parts, s)
				e.falls = false
				e.add(exitsOf(n.(ast.Stmt), s.label(i)))
			} else if _, isIf := n.(*ast.IfStmt); !isIf {
				e.falls = e.removeJumps(token.BREAK, s.label(i)) || e.falls
			}
		case *ast.BlockStmt:
			if !isBodyOfClauses(s.path, i) {
				e = r.readRest(n.List, s.path[i+1], e, s)
			}
		case *ast.CaseClause:
			e = r.readRest(n.Body, s.path[i+1], e, s)
		case *ast.CommClause:
			e = r.readRest(n.Body, s.path[i+1], e, s)
		}
	}
}

// partsBehind returns the parts of a statement after one of them, which is not the last one.
func partsBehind(n, part ast.Node) []ast.Node {
	var parts []ast.Node
	switch n := n.(type) {
	case *ast.IfStmt:
		if part == ast.Node(n.Body) || part == ast.Node(n.Else) {
			return nil // clauses do not follow each other
		}
		parts = []ast.Node{n.Cond, n.Body, n.Else}
	case *ast.SwitchStmt:
		parts = []ast.Node{n.Tag, n.Body}
	case *ast.TypeSwitchStmt:
		parts = []ast.Node{n.Assign, n.Body}
	}
	return slices.DeleteFunc(parts, func(p ast.Node) bool { return p == nil || p.Pos() <= part.Pos() })
}

// isBodyOfClauses reports whether node i of the path is the body of a switch or select statement.
func isBodyOfClauses(path []ast.Node, i int) bool {
	if i > 0 {
		switch path[i-1].(type) {
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			return true
		}
	}
	return false
}

// rereadLoop reads a loop if control may reach it once more, and returns how control leaves it.
func (r *reader) rereadLoop(loop ast.Node, of exits, label string, e exits, s site) exits {
	ends := e.removeJumps(token.BREAK, label)
	if again := e.removeJumps(token.CONTINUE, label) || e.falls; again {
		r.read([]ast.Node{loop}, s)
		e.add(of)
	}
	e.falls = e.falls && of.falls || ends
	return e
}

// readRest reads the statements of a list after one of them, and returns how control leaves them.
func (r *reader) readRest(list []ast.Stmt, from ast.Node, e exits, s site) exits {
	if !e.falls {
		return e
	}
	behind := slices.IndexFunc(list, func(stmt ast.Stmt) bool { return stmt.Pos() > from.Pos() })
	if behind < 0 {
		return e
	}
	reached, of := follow(list[behind:])
	r.read(nodes(reached), s)
	e.falls = false
	e.add(of)
	return e
}

func nodes(list []ast.Stmt) []ast.Node {
	all := make([]ast.Node, len(list))
	for i, stmt := range list {
		all[i] = stmt
	}
	return all
}

// deferredCalls returns the defer statements of a function, and calls of similar methods, such as
// Cleanup of package testing.
func deferredCalls(body *ast.BlockStmt) []ast.Node {
	var all []ast.Node
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			all = append(all, n)
		case *ast.CallExpr:
			if nameOf(n.Fun) == "Cleanup" {
				all = append(all, n)
			}
		}
		return true
	})
	return all
}

// isCalledThere reports whether the function literal that is node i of the path is called where it
// stands. Otherwise a goroutine is assumed to run it, as for arguments of methods Go, or its
// callers are unknown.
func (r *reader) isCalledThere(s site, i int) bool {
	call, ok := s.path[i-1].(*ast.CallExpr)
	if ok && call.Fun == s.path[i] {
		return true
	}
	if !(ok && nameOf(call.Fun) == "Go") && !s.channel.isDeclaredIn(s.path[i].(*ast.FuncLit).Body) {
		r.unread = true
	}
	return false
}

// read looks for the channel in nodes, and in the functions they call.
func (r *reader) read(all []ast.Node, s site) {
	if slices.ContainsFunc(all, s.channel.mentionsChannel) {
		r.comes = true
		return
	}
	for _, n := range all {
		ast.Inspect(n, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				r.call(call, s)
			}
			return !r.comes
		})
	}
}

// call reads a called function if it may use the channel: a function in a variable of the same
// function, or one that gets the owner of the channel.
func (r *reader) call(call *ast.CallExpr, s site) {
	if id, ok := call.Fun.(*ast.Ident); ok {
		if lit := literalOf(s.path[1], id.Name); lit != nil {
			r.comes = r.comes || s.channel.mentionsChannel(lit)
			return
		}
	}
	if !s.channel.isReachedBy(call) {
		r.unread = r.unread || r.mayReachKept(call, s)
		return
	}
	found := r.functionsOf(call, s)
	if len(found) == 0 || s.calls == 0 {
		r.unread = true
	}
	for _, f := range found {
		if s.calls > 0 && f.Body != nil {
			there := s.channel.elsewhere(f)
			r.read([]ast.Node{f.Body}, site{[]ast.Node{r.file, f}, there, s.calls - 1})
			r.unread = r.unread || there.count() == 0 && r.mayUse(f)
		}
	}
}

// mayReachKept reports whether a call may use the channel through a function that has kept it.
func (r *reader) mayReachKept(call *ast.CallExpr, s site) bool {
	l := loopReader{file: r.file}
	return l.callsMore(s.path[1], call, maxCalls) && keeper{r.file, map[param]bool{}}.keeps(s.channel)
}

// functionsOf returns the functions that a call may mean; none if it calls a variable.
func (r *reader) functionsOf(call *ast.CallExpr, s site) []*ast.FuncDecl {
	if id, ok := call.Fun.(*ast.Ident); ok && declares(s.path[1], id.Name) {
		return nil
	}
	return r.functions(nameOf(call.Fun))
}

// mayUse reports whether a function may use a channel by an unknown name.
func (r *reader) mayUse(f *ast.FuncDecl) bool {
	l := loopReader{file: r.file}
	return l.doesMore(f, f.Body.List, maxCalls)
}

// origin reads the functions that returned the channel, since they may have other names for it.
func (r *reader) origin(n *names) {
	for _, made := range n.made {
		found := r.functions(nameOf(made.call.Fun))
		if len(found) == 0 || slices.ContainsFunc(found, func(f *ast.FuncDecl) bool { return !isFresh(f, made.i, n) }) {
			r.unread = true
		}
	}
}

// isFresh reports whether result i of a function is a channel that it makes, or one whose names are
// known. It adds fields with the channel to the names.
func isFresh(f *ast.FuncDecl, i int, n *names) bool {
	fresh := f.Body != nil
	ast.Inspect(f, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if i >= len(node.Results) {
				fresh = false
				return false
			}
			of := namesOf(f, node.Results[i])
			maps.Copy(n.fields, of.fields)
			n.shared = n.shared || len(of.fields) > 0
			fresh = fresh && (isMake(node.Results[i]) || len(of.made) == 0 &&
				(len(of.fields) > 0 || of.isDeclaredIn(f.Body)))
		}
		return true
	})
	return fresh
}

// isMake reports whether an expression makes a channel.
func isMake(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && nameOf(call.Fun) == "make"
}

// functions returns the functions and methods with this name in the file.
func (r *reader) functions(name string) []*ast.FuncDecl {
	var all []*ast.FuncDecl
	for _, d := range r.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name {
			all = append(all, f)
		}
	}
	r.unread = r.unread || !r.whole
	return all
}

// literalOf returns the function literal in a variable; nil if it is unknown.
func literalOf(decl ast.Node, name string) *ast.FuncLit {
	var found *ast.FuncLit
	assigned := func(to, from []ast.Expr) {
		for i := range min(len(to), len(from)) {
			if lit, ok := from[i].(*ast.FuncLit); ok && nameOf(to[i]) == name {
				found = lit
			}
		}
	}
	ast.Inspect(decl, func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.AssignStmt:
			assigned(s.Lhs, s.Rhs)
		case *ast.ValueSpec:
			assigned(expressions(s.Names), s.Values)
		}
		return found == nil
	})
	return found
}

// callers reads the code after the calls of f, to which control returns. It does nothing if f
// declares the channel: then the callers do not have it.
func (r *reader) callers(f *ast.FuncDecl, s site) {
	if r.comes || isEntry(f.Name.Name) || s.channel.isDeclaredIn(f.Body) {
		return
	}
	if s.calls == 0 || s.channel.isResultOf(f) {
		r.unread = true
		return
	}
	known := false
	for path := range uses(r.file, f) {
		known = true
		use := path[len(path)-1]
		parent := path[len(path)-2]
		call, ok := parent.(*ast.CallExpr)
		switch {
		case ok && call.Fun == use:
			path = path[:len(path)-1]
			r.readBehind(site{path, s.channel.ofCaller(path[1], f, call), s.calls - 1}, exits{falls: true})
		case !ok || nameOf(call.Fun) != "Go":
			r.unread = true // it is called later, from unknown code
		}
	}
	r.unread = r.unread || !known || !r.whole
}

// isEntry reports whether only the runtime or package testing calls a function of this name.
func isEntry(name string) bool {
	return name == "main" || name == "init" || strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Benchmark")
}

// uses yields the paths to uses of a function.
func uses(file *ast.File, f *ast.FuncDecl) iter.Seq[[]ast.Node] {
	return func(yield func([]ast.Node) bool) {
		var path []ast.Node
		more := true
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				path = path[:len(path)-1]
				return true
			}
			path = append(path, n)
			if e, ok := n.(ast.Expr); more && ok && nameOf(e) == f.Name.Name && isUse(path, f) {
				more = yield(slices.Clone(path))
			}
			return true
		})
	}
}

// isUse reports whether the name at the end of the path is a use of a function; for a method, with
// a receiver.
func isUse(path []ast.Node, f *ast.FuncDecl) bool {
	last, parent := path[len(path)-1], path[len(path)-2]
	if parent == ast.Node(f) {
		return false
	}
	_, isSelector := last.(*ast.SelectorExpr)
	of, isSelected := parent.(*ast.SelectorExpr)
	return isSelector == (f.Recv != nil) && !(isSelected && of.Sel == last)
}

// nameOf returns the unqualified name of a function or variable; "" if it has none.
func nameOf(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.IndexExpr: // of a generic function
		return nameOf(e.X)
	case *ast.IndexListExpr:
		return nameOf(e.X)
	}
	return ""
}
