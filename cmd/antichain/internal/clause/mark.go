package clause

import (
	"go/ast"
	"slices"
)

// isMadeUp reports whether another function may use the channel because of what these statements
// set, as where the default marks a signal as missed and another goroutine sends it later: it
// mentions a variable or field that is set here, and the channel.
func (r *reader) isMadeUp(body []ast.Stmt, s site) bool {
	set := map[string]bool{}
	for _, stmt := range body {
		ast.Inspect(stmt, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, to := range n.Lhs {
					set[nameOf(to)] = true
				}
			case *ast.CallExpr:
				if m, ok := n.Fun.(*ast.SelectorExpr); ok && m.Sel.Name == "Store" {
					set[nameOf(m.X)] = true
				}
			}
			return true
		})
	}
	delete(set, "")
	delete(set, "_")
	reads := func(n ast.Node) bool {
		found := false
		ast.Inspect(n, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			found = found || ok && set[nameOf(e)]
			return !found
		})
		return found
	}
	return len(set) > 0 && slices.ContainsFunc(r.file.Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		return ok && f.Body != nil && f != s.path[1] && reads(f.Body) &&
			s.channel.elsewhere(f).mentionsChannel(f.Body)
	})
}
