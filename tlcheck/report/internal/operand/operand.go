// Package operand finds the source expression for the object of an operation: a lock that is locked
// there is from.mu, memory that is written is counts.
//
// It only reads the syntax. So it returns nothing if that is ambiguous: two locks that are locked
// on one line, a lock that a function returns.
package operand

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/tracer/op"
)

// maxLength bounds the length of an expression that serves as a name.
const maxLength = 40

// Of returns the expression for the object of an operation on a line of src, "" if the line does
// not determine it. For a write the object is the memory that it changes; an element of a map or
// slice goes by the name of the whole.
func Of(src []byte, line int, kind op.Kind) string {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return ""
	}
	s := search{file: file, line: line, lineOf: func(p token.Pos) int { return fset.PositionFor(p, false).Line },
		names: map[string]bool{}}
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || s.lineOf(n.Pos()) > line || s.lineOf(n.End()) < line {
			return false
		}
		if kind == op.Write {
			s.written(n)
		} else {
			s.addOperand(n, kind)
		}
		return true
	})
	return s.name()
}

// search collects the expressions on a line that an operation may be on.
type search struct {
	file   *ast.File
	line   int
	lineOf func(token.Pos) int
	names  map[string]bool // "" stands for an operand without a name
}

// name returns the name if there is exactly one.
func (s *search) name() string {
	if len(s.names) == 1 {
		for name := range s.names {
			return name
		}
	}
	return ""
}

// add adds an expression at pos if that is on the line.
func (s *search) add(pos token.Pos, e ast.Expr) {
	if s.lineOf(pos) == s.line {
		s.names[nameOf(e)] = true
	}
}

// nameOf returns an expression as a name, "" if it would be a bad one: an expression that calls or
// creates something may denote another object each time.
func nameOf(e ast.Expr) string {
	if e == nil {
		return ""
	}
	named := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr, *ast.ParenExpr, *ast.BasicLit:
		default:
			named = false
		}
		return named
	})
	if !named {
		return ""
	}
	if name := types.ExprString(ast.Unparen(e)); len(name) <= maxLength {
		return name
	}
	return ""
}

// methods has the methods that perform the operations of each kind.
var methods = map[op.Kind][]string{
	op.Lock: {"Lock", "TryLock"}, op.Unlock: {"Unlock"}, op.RLock: {"RLock", "TryRLock"}, op.RUnlock: {"RUnlock"},
	op.Add: {"Add", "Go"}, op.Done: {"Done", "Add"}, op.Wait: {"Wait"}, op.CondWait: {"Wait"},
	op.Signal: {"Signal"}, op.Broadcast: {"Broadcast"}, op.Once: {"Do"},
}

// addOperand adds the operand of n, if n is an operation of that kind.
func (s *search) addOperand(n ast.Node, kind op.Kind) {
	switch n := n.(type) {
	case *ast.CallExpr:
		s.addCallOperand(n, kind)
	case *ast.SendStmt:
		if kind == op.Send || kind == op.Handoff {
			s.add(n.Arrow, n.Chan)
		}
	case *ast.UnaryExpr:
		if n.Op == token.ARROW && receives(kind) {
			s.add(n.OpPos, n.X)
		}
	case *ast.RangeStmt:
		if receives(kind) {
			s.add(n.For, n.X)
		}
	case *ast.AssignStmt:
		if kind == op.MakeChan && len(n.Lhs) == 1 && len(n.Rhs) == 1 && isCall(n.Rhs[0], "make") {
			s.add(n.TokPos, n.Lhs[0])
		}
	}
}

func receives(kind op.Kind) bool { return kind == op.Recv || kind == op.RecvClosed }

func (s *search) addCallOperand(call *ast.CallExpr, kind op.Kind) {
	if kind == op.Close && isCall(call, "close") && len(call.Args) == 1 {
		s.add(call.Lparen, call.Args[0])
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	for _, name := range methods[kind] {
		if method.Sel.Name == name {
			s.add(method.Sel.Pos(), method.X)
		}
	}
}

func isCall(e ast.Expr, function string) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	f, ok := call.Fun.(*ast.Ident)
	return ok && f.Name == function
}

// written adds the memory that n writes. Creating memory counts.
func (s *search) written(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, e := range n.Lhs {
			s.addWriteOperand(n.TokPos, e)
		}
		for _, e := range n.Rhs {
			if _, makes := ast.Unparen(e).(*ast.FuncLit); makes {
				s.add(n.TokPos, nil)
			}
		}
	case *ast.IncDecStmt:
		s.addWriteOperand(n.TokPos, n.X)
	case *ast.RangeStmt:
		s.addWriteOperand(n.For, n.Key)
		s.addWriteOperand(n.For, n.Value)
	case *ast.ValueSpec:
		for _, name := range n.Names {
			s.addWriteOperand(name.Pos(), name)
		}
	case *ast.CallExpr:
		for _, builtin := range [...]string{"append", "copy", "delete", "clear", "close"} {
			if isCall(n, builtin) && len(n.Args) > 0 {
				s.addWriteOperand(n.Lparen, n.Args[0])
			}
		}
		if s.writesElsewhere(n) {
			s.add(n.Lparen, nil)
		}
	case *ast.CompositeLit:
		s.add(n.Lbrace, nil)
	case *ast.ReturnStmt:
		if len(n.Results) > 0 {
			s.add(n.Return, nil) // named results
		}
	}
}

// addWriteOperand adds the operand of a write at pos. The syntax does not show whether an element
// belongs to a map or a slice.
func (s *search) addWriteOperand(pos token.Pos, e ast.Expr) {
	if e == nil {
		return
	}
	e = ast.Unparen(e)
	if id, ok := e.(*ast.Ident); ok && id.Name == "_" {
		return
	}
	if element, ok := e.(*ast.IndexExpr); ok {
		e = element.X
	}
	s.add(pos, e)
}

// direct are packages of the standard library that write the memory of their callers, and whose
// writes are attributed to these.
var direct = map[string]bool{"io": true, "net": true, "os": true, "reflect": true, "syscall": true}

// writesElsewhere reports whether a call may write its arguments: a function of these packages, or
// a method with the name of one of theirs.
func (s *search) writesElsewhere(call *ast.CallExpr) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if x, ok := f.X.(*ast.Ident); ok && direct[s.importPath(x.Name)] {
		return true
	}
	return strings.HasPrefix(f.Sel.Name, "Read") || strings.HasPrefix(f.Sel.Name, "Set")
}

// importPath returns the path of the package imported by that name, "" if there is none.
func (s *search) importPath(name string) string {
	for _, i := range s.file.Imports {
		pkg, err := strconv.Unquote(i.Path.Value)
		if err == nil && (i.Name == nil && path.Base(pkg) == name || i.Name != nil && i.Name.Name == name) {
			return pkg
		}
	}
	return ""
}
