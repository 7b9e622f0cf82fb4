package kernel

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// Short is a name in the kernel's package without what tells it from those of other kernels, which
// all end in _ and the kernel's name.
func (k *Kernel) Short(name string) string {
	return strings.ReplaceAll(name, "_"+strings.ToLower(k.Name), "")
}

// Lines are the lines on which the operations of this kind are in a function: of all, or of the
// n-th in the order of the source if n is not 0. The function is named as Short names it; of a
// method the name alone is enough if no other function has it. A select statement is on the lines
// of its cases, too.
//
// The kinds are lock, rlock, wait (also of a sync.Cond), once, send, recv and select. What is a
// case of a select statement is no operation of its own.
func (k *Kernel) Lines(function, kind string, n int) ([]int, error) {
	body, err := k.body(function)
	if err != nil {
		return nil, err
	}
	found := &operations{kind: kind, cases: make(map[ast.Node]bool)}
	ast.Walk(found, body)
	nodes := found.nodes
	if n < 0 || n > len(nodes) || len(nodes) == 0 {
		return nil, fmt.Errorf("%s: %s has %d operations of kind %s", k.Path, function, len(nodes), kind)
	}
	if n > 0 {
		nodes = nodes[n-1 : n]
	}
	var lines []int
	for _, node := range nodes {
		lines = append(lines, k.lines(node)...)
	}
	return lines, nil
}

// lines are those of one operation.
func (k *Kernel) lines(n ast.Node) []int {
	switch n := n.(type) {
	case *ast.SelectStmt:
		lines := []int{k.line(n.Pos())}
		for _, c := range n.Body.List {
			lines = append(lines, k.line(c.Pos()))
		}
		return lines
	case *ast.CallExpr:
		return []int{k.line(n.Lparen)}
	default:
		return []int{k.line(n.Pos())}
	}
}

// Started tells of the go statement on a line: the name of the function or method that it starts,
// "" if that has none, and the lines of the function literal that it starts instead.
func (k *Kernel) Started(line int) (name string, body []int) {
	ast.Inspect(k.file, func(n ast.Node) bool {
		s, ok := n.(*ast.GoStmt)
		if !ok || k.line(s.Pos()) != line {
			return true
		}
		switch f := s.Call.Fun.(type) {
		case *ast.Ident:
			name = f.Name
		case *ast.SelectorExpr:
			name = f.Sel.Name
		case *ast.FuncLit:
			for at := k.line(f.Pos()); at <= k.line(f.End()); at++ {
				body = append(body, at)
			}
		}
		return false
	})
	return name, body
}

func (k *Kernel) line(p token.Pos) int { return k.fset.Position(p).Line }

// body is the body of the function or method that Short names so.
func (k *Kernel) body(name string) (*ast.BlockStmt, error) {
	var found []*ast.BlockStmt
	for _, d := range k.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		switch full := k.fullName(f); name {
		case full:
			return f.Body, nil
		case k.Short(f.Name.Name):
			found = append(found, f.Body)
		}
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("%s has %d functions named %s", k.Path, len(found), name)
	}
	return found[0], nil
}

// fullName is the name of a function with its receiver, as in a stack trace.
func (k *Kernel) fullName(f *ast.FuncDecl) string {
	name := f.Name.Name
	if f.Recv != nil {
		switch t := f.Recv.List[0].Type.(type) {
		case *ast.Ident:
			name = t.Name + "." + name
		case *ast.StarExpr:
			name = "(*" + nameOf(t.X) + ")." + name
		}
	}
	return k.Short(name)
}

// operations collects the operations of a kind.
type operations struct {
	kind  string
	cases map[ast.Node]bool // sends and receives that are cases
	nodes []ast.Node
}

// Visit implements ast.Visitor.
func (o *operations) Visit(n ast.Node) ast.Visitor {
	if c, ok := n.(*ast.CommClause); ok {
		o.cases[operationOf(c.Comm)] = true
	}
	if n != nil && kindOf(n) == o.kind && !o.cases[n] {
		o.nodes = append(o.nodes, n)
	}
	return o
}

// operationOf is the send or receive that a case of a select statement is.
func operationOf(s ast.Stmt) ast.Node {
	switch s := s.(type) {
	case *ast.ExprStmt:
		return s.X
	case *ast.AssignStmt:
		return s.Rhs[0]
	default:
		return s
	}
}

// kindOf is the kind of the operation that a node is, else "". Types are not known: any method
// Lock is one of a lock.
func kindOf(n ast.Node) string {
	switch n := n.(type) {
	case *ast.SendStmt:
		return "send"
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			return "recv"
		}
	case *ast.SelectStmt:
		return "select"
	case *ast.CallExpr:
		if s, ok := n.Fun.(*ast.SelectorExpr); ok {
			return map[string]string{"Lock": "lock", "RLock": "rlock", "Wait": "wait", "Do": "once"}[s.Sel.Name]
		}
	}
	return ""
}
