package clause

import (
	"go/ast"
	"go/token"
	"slices"
)

// keeper finds functions of a file that keep an argument that is the channel: in a variable, a
// function, or something else that remains when they have returned. Other code may then use the
// channel under unknown names.
type keeper struct {
	file *ast.File
	seen map[param]bool // examined ones, not known to be kept
}

// keeps reports whether the declaration calls a function of the file that keeps the channel.
func (k keeper) keeps(n *names) bool {
	return pathTo(n.decl, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		return ok && slices.ContainsFunc(k.channelParams(call, n.mayBeChannel), k.keepsParam)
	}) != nil
}

type param struct {
	of   *ast.FuncDecl
	name string
}

// channelParams returns the parameters of functions of the file that get certain arguments of a
// call.
func (k keeper) channelParams(call *ast.CallExpr, is func(ast.Expr) bool) []param {
	var all []param
	for _, d := range k.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || f.Name.Name != nameOf(call.Fun) {
			continue
		}
		names := parameters(f)
		for i, arg := range call.Args {
			if is(arg) && len(names) > 0 {
				all = append(all, param{f, names[min(i, len(names)-1)]})
			}
		}
	}
	return all
}

// parameters returns the names of the parameters of a function.
func parameters(f *ast.FuncDecl) []string {
	var all []string
	for _, field := range f.Type.Params.List {
		for _, id := range field.Names {
			all = append(all, id.Name)
		}
	}
	return all
}

// keepsParam reports whether a function uses a parameter for more than channel operations, or
// passes it on to one that does.
func (k keeper) keepsParam(p param) bool {
	if k.seen[p] {
		return false
	}
	k.seen[p] = true
	return firstPath(p.of.Body, func(path []ast.Node) bool {
		id, ok := path[len(path)-1].(*ast.Ident)
		return ok && id.Name == p.name && (isInFunctionForLater(path) || k.isMoreThanUse(path))
	}) != nil
}

// isMoreThanUse reports whether the name at the end of a path is used for more than an operation of
// the channel.
func (k keeper) isMoreThanUse(path []ast.Node) bool {
	id := path[len(path)-1].(*ast.Ident)
	is := func(e ast.Expr) bool { return e == ast.Expr(id) }
	switch parent := path[len(path)-2].(type) {
	case *ast.UnaryExpr:
		return parent.Op != token.ARROW
	case *ast.SendStmt:
		return !is(parent.Chan)
	case *ast.RangeStmt:
		return !is(parent.X)
	case *ast.BinaryExpr: // a comparison
		return false
	case *ast.SelectorExpr: // a field of something else
		return is(parent.X)
	case *ast.CallExpr:
		if slices.Contains([]string{"close", "len", "cap"}, nameOf(parent.Fun)) {
			return false
		}
		given := k.channelParams(parent, is)
		return len(given) == 0 || slices.ContainsFunc(given, k.keepsParam)
	}
	return true
}

// isInFunctionForLater reports whether a node is in a function literal that may be called after the
// enclosing function has returned: one that is neither called where it stands nor run by a
// goroutine.
func isInFunctionForLater(path []ast.Node) bool {
	for i, n := range path[1:] {
		if lit, ok := n.(*ast.FuncLit); ok {
			call, ok := path[i].(*ast.CallExpr)
			if !ok || call.Fun != ast.Expr(lit) && nameOf(call.Fun) != "Go" {
				return true
			}
		}
	}
	return false
}
