package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// function is a declared function, method or closure with a name of its own.
type function struct {
	pkg  *Package
	file *File
	name string // canonical within its package: "append", "Queue.append", "main.func1"

	node   ast.Node // *ast.FuncDecl or *ast.FuncLit
	recv   *ast.FieldList
	typ    *ast.FuncType
	body   *ast.BlockStmt // nil if there is none
	locked string         // why it cannot be traced; "" if it can

	traced map[int]bool // indexes of the specs that trace it

	operation *operation // what its calls record as those of an operation; nil if it is none
}

// functionsOf lists the functions of a package. The outer one of two nested functions
// comes first.
func functionsOf(pkg *Package) []*function {
	ix := &functionIndex{pkg: pkg, closures: map[string]int{}}
	for _, f := range pkg.Files {
		linknamed := linknames(f.Syntax)
		for _, d := range f.Syntax.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				ix.declared(f, d, linknamed)
			case *ast.GenDecl:
				ix.closuresIn(f, "glob.", true, d)
			}
		}
	}
	return ix.list
}

type functionIndex struct {
	pkg      *Package
	list     []*function
	inits    int
	closures map[string]int // closures seen so far in the function of that name
}

func (ix *functionIndex) declared(f *File, d *ast.FuncDecl, linknamed map[string]bool) {
	name := d.Name.Name
	switch {
	case d.Recv != nil && len(d.Recv.List) == 1:
		name = receiverName(d.Recv.List[0].Type) + "." + name
	case name == "init":
		name = fmt.Sprintf("init.%d", ix.inits)
		ix.inits++
	}
	if d.Name.Name != "_" {
		ix.list = append(ix.list, &function{
			pkg: ix.pkg, file: f, name: name, node: d, recv: d.Recv, typ: d.Type, body: d.Body,
			locked: lockReason(d, linknamed[name]), traced: map[int]bool{},
		})
	}
	if d.Body != nil {
		ix.closuresIn(f, name, true, d.Body)
	}
}

// closuresIn names the closures directly in n as the compiler does: counted in the
// declared function, and again in each closure.
func (ix *functionIndex) closuresIn(f *File, outer string, declared bool, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if !ok {
			return true
		}
		ix.closures[outer]++
		name := fmt.Sprintf("%s.%d", outer, ix.closures[outer])
		if declared {
			name = fmt.Sprintf("%s.func%d", outer, ix.closures[outer])
		}
		ix.list = append(ix.list, &function{
			pkg: ix.pkg, file: f, name: name, node: lit, typ: lit.Type, body: lit.Body, traced: map[int]bool{},
		})
		ix.closuresIn(f, name, false, lit.Body)
		return false
	})
}

// receiverName is the name of the type in a receiver: Queue for *Queue[T].
func receiverName(t ast.Expr) string {
	for {
		switch x := t.(type) {
		case *ast.Ident:
			return x.Name
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		default:
			return "?"
		}
	}
}

func lockReason(d *ast.FuncDecl, linknamed bool) string {
	switch {
	case d.Body == nil:
		return "it has no body in Go"
	case linknamed:
		return "it is marked go:linkname"
	case hasDirective(d.Doc, "//go:nosplit"):
		return "it is marked go:nosplit"
	}
	return ""
}

func hasDirective(doc *ast.CommentGroup, directive string) bool {
	return doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool {
		return c.Text == directive || strings.HasPrefix(c.Text, directive+" ")
	})
}

// linknames returns the local names of a file's go:linkname directives, which may stand
// anywhere in it.
func linknames(f *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, group := range f.Comments {
		for _, c := range group.List {
			if words := strings.Fields(c.Text); len(words) > 1 && words[0] == "//go:linkname" {
				names[words[1]] = true
			}
		}
	}
	return names
}

// local is a variable or constant declared inside a function.
type local struct {
	obj types.Object
	fn  *function // the innermost one around the declaration
}

// localsOf lists what the functions of a package declare, in source order of functions.
func localsOf(pkg *Package, fns []*function) []local {
	owner := ownerOf(fns)
	foreign := typeScopes(pkg, fns)
	var list []local
	add := func(obj types.Object) {
		switch o := obj.(type) {
		case *types.Var:
			if o.IsField() {
				return
			}
		case *types.Const:
		default:
			return
		}
		if obj.Name() == "_" || obj.Parent() == pkg.Types.Scope() || foreign[obj.Parent()] {
			return
		}
		if fn := owner(obj.Pos()); fn != nil {
			list = append(list, local{obj, fn})
		}
	}
	for _, obj := range pkg.Info.Defs {
		if obj != nil {
			add(obj)
		}
	}
	for node, obj := range pkg.Info.Implicits {
		if _, ok := node.(*ast.CaseClause); ok { // one variable per clause of a type switch
			add(obj)
		}
	}
	sortLocals(list)
	return list
}

// ownerOf returns a function that finds the innermost function around a position.
func ownerOf(fns []*function) func(token.Pos) *function {
	return func(pos token.Pos) *function {
		var best *function
		for _, fn := range fns { // the outer one comes first, so the last match is the innermost
			if fn.node.Pos() <= pos && pos < fn.node.End() {
				best = fn
			}
		}
		return best
	}
}

// typeScopes returns the scopes of function types that belong to no function: the names of
// parameters in "var f func(x int)" declare nothing.
func typeScopes(pkg *Package, fns []*function) map[*types.Scope]bool {
	scopes := map[*types.Scope]bool{}
	for node, scope := range pkg.Info.Scopes {
		if _, ok := node.(*ast.FuncType); ok {
			scopes[scope] = true
		}
	}
	for _, fn := range fns {
		delete(scopes, pkg.Info.Scopes[fn.typ])
	}
	return scopes
}
