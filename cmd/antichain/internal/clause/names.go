package clause

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// names are the words by which code may mean a channel.
type names struct {
	here   map[string]bool // expressions, in one declaration
	fields map[string]bool // that have it, anywhere
}

// namesOf returns the names that a channel has in a declaration, if one is known: what it is assigned to or taken from has it as well.
func namesOf(decl ast.Node, channel ast.Expr) *names {
	n := &names{here: map[string]bool{}, fields: map[string]bool{}}
	n.add(channel)
	for before := 0; before < len(n.here)+len(n.fields); {
		before = len(n.here) + len(n.fields)
		ast.Inspect(decl, func(node ast.Node) bool {
			switch s := node.(type) {
			case *ast.AssignStmt:
				n.assigned(s.Lhs, s.Rhs)
			case *ast.ValueSpec:
				to := make([]ast.Expr, len(s.Names))
				for i, name := range s.Names {
					to[i] = name
				}
				n.assigned(to, s.Values)
			case *ast.KeyValueExpr:
				if key, ok := s.Key.(*ast.Ident); ok && n.is(s.Value) {
					n.fields[key.Name] = true
				}
			}
			return true
		})
	}
	return n
}

// elsewhere returns what is left of the names in another declaration.
func (n *names) elsewhere() *names { return &names{here: map[string]bool{}, fields: n.fields} }

// ofCaller returns the names in a declaration that calls a function: an argument is what a parameter is.
func (n *names) ofCaller(decl ast.Node, f *ast.FuncDecl, call *ast.CallExpr) *names {
	caller, i := n.elsewhere(), 0
	for _, field := range f.Type.Params.List {
		for _, param := range field.Names {
			if i < len(call.Args) && n.here[param.Name] && isName(call.Args[i]) {
				caller = namesOf(decl, call.Args[i])
				maps.Copy(caller.fields, n.fields)
			}
			i++
		}
	}
	return caller
}

func (n *names) add(e ast.Expr) {
	n.here[types.ExprString(e)] = true
	if s, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
		n.fields[s.Sel.Name] = true
	}
}

func (n *names) assigned(to, from []ast.Expr) {
	if len(to) != len(from) {
		return
	}
	for i := range to {
		switch {
		case n.is(from[i]) && !isBlank(to[i]):
			n.add(to[i])
		case n.is(to[i]) && isName(from[i]):
			n.add(from[i])
		}
	}
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// isName reports whether an expression is the name of something that has a value.
func isName(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e.Name != "nil"
	case *ast.SelectorExpr, *ast.IndexExpr:
		return true
	}
	return false
}

// is reports whether an expression may be the channel. It is that where a field has it and nothing is known of whose field that is.
func (n *names) is(e ast.Expr) bool {
	e = ast.Unparen(e)
	if n.here[types.ExprString(e)] {
		return true
	}
	s, ok := e.(*ast.SelectorExpr)
	return ok && n.fields[s.Sel.Name] && !n.knows(s.Sel.Name)
}

// knows reports whether a field of that name is among the names of the channel in this declaration.
func (n *names) knows(field string) bool {
	for name := range n.here {
		if strings.HasSuffix(name, "."+field) {
			return true
		}
	}
	return false
}

// in reports whether a node names the channel.
func (n *names) in(root ast.Node) bool {
	return pathTo(root, func(node ast.Node) bool {
		e, ok := node.(ast.Expr)
		return ok && n.is(e)
	}) != nil
}

// owners returns the variables that have the channel or that it is a field of.
func (n *names) owners() map[string]bool {
	all := map[string]bool{}
	for name := range n.here {
		owner, _, _ := strings.Cut(strings.TrimLeft(name, "*(&"), ".")
		all[owner] = true
	}
	return all
}

// isReachedBy reports whether a call has something to do with what the channel is a field of.
func (n *names) isReachedBy(call *ast.CallExpr) bool {
	owners := n.owners()
	isOwner := func(e ast.Expr) bool {
		if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
			e = u.X
		}
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && owners[id.Name]
	}
	s, ok := call.Fun.(*ast.SelectorExpr)
	return ok && isOwner(s.X) || slices.ContainsFunc(call.Args, isOwner)
}

// isDeclaredIn reports whether all variables that have the channel, or that it is a field of, are declared in a block, so that
// nobody outside of it knows them.
func (n *names) isDeclaredIn(body *ast.BlockStmt) bool {
	left := n.owners()
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
