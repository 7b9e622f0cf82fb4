package clause

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// names are the expressions by which code may refer to a channel.
type names struct {
	decl   ast.Node        // a declaration
	here   map[string]bool // expressions, in that declaration
	fields map[string]bool // fields with the channel, anywhere
	leads  map[string]bool // variables in the declaration through which calls may use the channel
	made   []result        // results that are the channel
	shared bool            // the function that returns the channel has a name for it, too
}

// result is one of the results of a call.
type result struct {
	call *ast.CallExpr
	i    int
}

// namesOf returns the names of a channel in a declaration, if one is known. They include those it
// is assigned to or from.
func namesOf(decl ast.Node, channel ast.Expr) *names {
	n := &names{decl: decl, here: map[string]bool{}, fields: map[string]bool{}, leads: map[string]bool{}}
	n.add(channel)
	n.isMadeBy(channel, 0)
	for before := 0; before < n.count(); {
		before = n.count()
		ast.Inspect(decl, func(node ast.Node) bool {
			switch s := node.(type) {
			case *ast.AssignStmt:
				n.assigned(s.Lhs, s.Rhs)
			case *ast.ValueSpec:
				n.assigned(expressions(s.Names), s.Values)
			case *ast.RangeStmt:
				n.addFromRange(s)
			case *ast.KeyValueExpr:
				if key, ok := s.Key.(*ast.Ident); ok && n.mayBeChannel(s.Value) {
					n.fields[key.Name] = true
				}
			case *ast.CallExpr:
				if n.isGiven(s) {
					n.leadsBy(s.Fun)
				}
			}
			return true
		})
	}
	return n
}

func (n *names) count() int { return len(n.here) + len(n.fields) + len(n.leads) + len(n.made) }

func expressions(ids []*ast.Ident) []ast.Expr {
	all := make([]ast.Expr, len(ids))
	for i, id := range ids {
		all[i] = id
	}
	return all
}

// elsewhere returns the names that remain valid in another declaration.
func (n *names) elsewhere(decl ast.Node) *names {
	left := &names{decl: decl, here: map[string]bool{}, fields: n.fields, leads: map[string]bool{}, shared: n.shared}
	for name := range n.here {
		if owner := ownerOf(name); owner != "" && !declares(n.decl, owner) && !declares(decl, owner) {
			left.here[name] = true
		}
	}
	return left
}

// ofCaller translates the names into those of decl, which calls f: parameters become arguments.
func (n *names) ofCaller(decl ast.Node, f *ast.FuncDecl, call *ast.CallExpr) *names {
	caller := n.elsewhere(decl)
	known := n.variables()
	for i, param := range parameters(f) {
		switch {
		case i >= len(call.Args):
		case n.here[param] && isName(call.Args[i]):
			argument := namesOf(decl, call.Args[i])
			maps.Copy(argument.fields, n.fields)
			maps.Copy(argument.leads, caller.leads)
			caller = argument
		case known[param]:
			caller.leadsBy(call.Args[i])
		}
	}
	if r := receiverOf(f); r != nil && len(r.Names) == 1 && known[r.Names[0].Name] {
		caller.leadsBy(call.Fun)
	}
	return caller
}

// add adds an expression for the channel, or for its owner.
func (n *names) add(e ast.Expr) {
	e = ast.Unparen(e)
	n.here[types.ExprString(e)] = true
	switch e := e.(type) {
	case *ast.SelectorExpr:
		n.fields[e.Sel.Name] = true
	case *ast.IndexExpr:
		n.add(e.X)
	}
}

// isMadeBy records that the channel is a result of e, if e calls a function that may use it
// further.
func (n *names) isMadeBy(e ast.Expr, i int) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	made := result{call, i}
	if !ok || nameOf(call.Fun) == "make" || slices.Contains(n.made, made) {
		return
	}
	n.made = append(n.made, made)
	n.leadsBy(call.Fun)
}

func (n *names) assigned(to, from []ast.Expr) {
	if len(to) != len(from) {
		n.addFromCall(to, from)
		return
	}
	for i := range to {
		switch {
		case isBlank(to[i]):
		case n.mayBeChannel(from[i]) || n.isElementOf(from[i]):
			n.add(to[i])
		case n.mayBeChannel(to[i]) && isName(from[i]):
			n.add(from[i])
		case n.mayBeChannel(to[i]):
			n.isMadeBy(from[i], 0)
		case n.isIn(from[i]):
			n.leadsBy(to[i])
		}
	}
}

// addFromCall processes an assignment from a call. If a result may be the channel, or the call gets
// the channel, the other results lead to it.
func (n *names) addFromCall(to, from []ast.Expr) {
	if len(from) != 1 {
		return
	}
	call, ok := ast.Unparen(from[0]).(*ast.CallExpr)
	if !ok {
		return
	}
	i := slices.IndexFunc(to, n.mayBeChannel)
	if i >= 0 {
		n.isMadeBy(call, i)
	}
	for j := range to {
		if j != i && !isBlank(to[j]) && (i >= 0 || n.isGiven(call)) {
			n.leadsBy(to[j])
		}
	}
}

// addFromRange adds the loop variable if the slice or map has the channel, and the slice or map if
// the loop variable may be the channel.
func (n *names) addFromRange(s *ast.RangeStmt) {
	switch {
	case s.Value == nil || isBlank(s.Value):
	case n.mayBeChannel(s.Value):
		n.add(s.X)
	case n.mayBeChannel(s.X):
		n.add(s.Value)
	}
}

// leadsBy records that calls through the first variable of e may use the channel, if that is a
// variable of the declaration.
func (n *names) leadsBy(e ast.Expr) {
	if owner := ownerOf(types.ExprString(e)); declares(n.decl, owner) {
		n.leads[owner] = true
	}
}

// isElementOf reports whether the channel is an element of a composite slice or map.
func (n *names) isElementOf(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		return nameOf(e.Fun) == "append" && slices.ContainsFunc(e.Args, n.mayBeChannel)
	case *ast.CompositeLit:
		switch e.Type.(type) {
		case *ast.ArrayType, *ast.MapType:
			return n.mentionsChannel(e)
		}
	}
	return false
}

// isIn reports whether the value of an expression may contain the channel: it is a composite
// literal that mentions the channel, or the result of a call with the channel as an argument.
func (n *names) isIn(e ast.Expr) bool {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	switch e := e.(type) {
	case *ast.CallExpr:
		return n.isGiven(e)
	case *ast.CompositeLit:
		return n.mentionsChannel(e)
	}
	return false
}

// isGiven reports whether a function, other than a built-in one, is called with the channel or with
// its owner.
func (n *names) isGiven(call *ast.CallExpr) bool {
	if id, ok := call.Fun.(*ast.Ident); ok && types.Universe.Lookup(id.Name) != nil {
		return false
	}
	return slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return n.mayBeChannel(e) || n.holdsChannel(e) })
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// isName reports whether an expression names something that has a value.
func isName(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e.Name != "nil"
	case *ast.SelectorExpr, *ast.IndexExpr:
		return true
	}
	return false
}

// mayBeChannel reports whether an expression may be the channel. A field that has the channel
// counts if its owner is unknown.
func (n *names) mayBeChannel(e ast.Expr) bool {
	e = ast.Unparen(e)
	if n.here[types.ExprString(e)] {
		return true
	}
	switch e := e.(type) {
	case *ast.SelectorExpr:
		return n.fields[e.Sel.Name] && !n.isChannelField(e.Sel.Name)
	case *ast.CallExpr: // a conversion
		_, ok := ast.Unparen(e.Fun).(*ast.ChanType)
		return ok && len(e.Args) == 1 && n.mayBeChannel(e.Args[0])
	}
	return false
}

// isChannelField reports whether a field with this name is among the names of the channel in this
// declaration.
func (n *names) isChannelField(field string) bool {
	for name := range n.here {
		if strings.HasSuffix(name, "."+field) {
			return true
		}
	}
	return false
}

// mentionsChannel reports whether a node names the channel.
func (n *names) mentionsChannel(root ast.Node) bool {
	return pathTo(root, func(node ast.Node) bool {
		e, ok := node.(ast.Expr)
		return ok && n.mayBeChannel(e)
	}) != nil
}

// ownerOf returns the variable with which an expression begins; "" for a function.
func ownerOf(expression string) string {
	name := strings.TrimLeft(expression, "*(&")
	end := strings.IndexAny(name, ".[()")
	switch {
	case end < 0:
		return name
	case name[end] == '(':
		return ""
	}
	return name[:end]
}

// holders returns the variables that may hold the channel of the select case, directly or in a
// field.
func (n *names) holders() map[string]bool {
	all := map[string]bool{}
	for name := range n.here {
		if owner := ownerOf(name); owner != "" {
			all[owner] = true
		}
	}
	return all
}

// variables returns the variables that have the channel or lead to it.
func (n *names) variables() map[string]bool {
	all := n.holders()
	maps.Copy(all, n.leads)
	return all
}

// holdsChannel reports whether an expression is a variable that is the channel or has it in a
// field, or points to one.
func (n *names) holdsChannel(e ast.Expr) bool { return n.holders()[variableName(e)] }

// leadsToChannel reports whether an expression is a variable that leads to the channel, or points
// to one.
func (n *names) leadsToChannel(e ast.Expr) bool { return n.leads[variableName(e)] }

// variableName returns the name of a variable, or of one whose address is taken; "" for other
// expressions.
func variableName(e ast.Expr) string {
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// isReachedBy reports whether a call involves an owner of the channel, or a variable that leads to
// it.
func (n *names) isReachedBy(call *ast.CallExpr) bool {
	return n.isReachedThrough(call) || slices.ContainsFunc(call.Args, n.holdsChannel) ||
		n.isOfPackage(call) && slices.ContainsFunc(call.Args, n.leadsToChannel)
}

// isOfPackage reports whether a call is to a function of the same package, or to a method of a
// local variable.
func (n *names) isOfPackage(call *ast.CallExpr) bool {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return types.Universe.Lookup(f.Name) == nil
	case *ast.SelectorExpr:
		id, ok := ast.Unparen(f.X).(*ast.Ident)
		return ok && declares(n.decl, id.Name)
	}
	return false
}

// isReachedThrough reports whether a call goes through a variable by which it may use the channel.
// Every function of the package may use a global one.
func (n *names) isReachedThrough(call *ast.CallExpr) bool {
	if n.isOfPackage(call) && n.isGlobal() {
		return true
	}
	if s, ok := call.Fun.(*ast.SelectorExpr); ok {
		return n.leadsToChannel(s.X) || n.holdsChannel(s.X)
	}
	return n.leadsToChannel(call.Fun)
}

// isGlobal reports whether a variable with the channel is declared outside of functions.
func (n *names) isGlobal() bool {
	for owner := range n.holders() {
		if !declares(n.decl, owner) {
			return true
		}
	}
	return false
}

// isDeclaredIn reports whether all owners of the channel are declared in a block, which hides them
// from other code.
func (n *names) isDeclaredIn(body *ast.BlockStmt) bool {
	if n.shared {
		return false
	}
	left := n.holders()
	ast.Inspect(body, func(node ast.Node) bool {
		switch s := node.(type) {
		case *ast.AssignStmt:
			for _, to := range s.Lhs {
				if id, ok := to.(*ast.Ident); ok && s.Tok == token.DEFINE {
					delete(left, id.Name)
				}
			}
		case *ast.ValueSpec:
			for _, id := range s.Names {
				delete(left, id.Name)
			}
		}
		return true
	})
	return len(left) == 0 && len(n.here) > 0
}

// isResultOf reports whether a function returns the channel, or an owner of it, by name.
func (n *names) isResultOf(f *ast.FuncDecl) bool {
	owners := n.holders()
	return f.Type.Results != nil && slices.ContainsFunc(f.Type.Results.List, func(r *ast.Field) bool {
		return slices.ContainsFunc(r.Names, func(id *ast.Ident) bool { return owners[id.Name] })
	})
}
