package rewrite

import (
	"go/ast"
	"go/types"

	"github.com/antichain-go/antichain/internal/tracer/site"
)

// Index resolves the names of a specification in its package. It needs no build, and tolerates
// errors in the package, so an editor can use it.
type Index struct{ u *unit }

// NewIndex returns the index of a package.
func NewIndex(pkg *Package) *Index {
	u := &unit{pkg: pkg, fns: functionsOf(pkg), byName: map[string]*function{}}
	for _, fn := range u.fns {
		u.byName[fn.name] = fn
	}
	u.locals = localsOf(pkg, u.fns)
	return &Index{u}
}

// Function is a function that a specification can name.
type Function struct {
	Name   string   // append, Queue.append, main.func1
	Node   ast.Node // *ast.FuncDecl or *ast.FuncLit
	Locked string   // why it cannot be traced; "" if it can
}

// Functions returns all functions of the package, in the order of the source.
func (x *Index) Functions() []Function { return exported(x.u.fns) }

// FunctionsNamed returns the functions that a name can mean; it is ambiguous if these are several.
func (x *Index) FunctionsNamed(name string) []Function {
	return exported(x.u.functionsMatching(site.PlainFunction(name)))
}

// FunctionNames returns the names of the functions in the files of a package, which need not be
// type-checked.
func FunctionNames(pkg *Package) []string { return namesOf(functionsOf(pkg), "") }

func exported(fns []*function) []Function {
	var all []Function
	for _, fn := range fns {
		all = append(all, Function{fn.name, fn.node, fn.locked})
	}
	return all
}

// SuggestFunction returns ` (did you mean "X"?)` for the function nearest to name, or "".
func (x *Index) SuggestFunction(name string) string {
	return Suggest(site.PlainFunction(name), namesOf(x.u.fns, ""))
}

// SuggestVariable does the same for variables and constants.
func (x *Index) SuggestVariable(name string) string { return Suggest(name, x.u.variableNames()) }

// Variable is a variable or constant that a specification can name.
type Variable struct {
	types.Object
	In string // the function that declares it, "" for one of the package
}

// Variables returns all variables and constants: first of the package, by name, then of its
// functions, in the order of the source.
func (x *Index) Variables() []Variable {
	var all []Variable
	scope := x.u.pkg.Types.Scope()
	for _, name := range scope.Names() {
		switch obj := scope.Lookup(name).(type) {
		case *types.Var, *types.Const:
			all = append(all, Variable{Object: obj})
		}
	}
	for _, l := range x.u.locals {
		all = append(all, Variable{l.obj, l.fn.name})
	}
	return all
}

// Field follows names of fields from a variable. It returns nil if there is no such field, or if it
// is known only at run time.
func (x *Index) Field(of Variable, names []string) *types.Var {
	root, ok := of.Object.(*types.Var)
	if !ok || len(names) == 0 {
		return nil
	}
	fields, used, err := fieldPath(x.u.pkg.Types, root, names)
	if err != nil || used < len(names) {
		return nil
	}
	return fields[len(fields)-1]
}

// Fields returns the fields of a type that the package can name, embedded ones by their types'
// names.
func (x *Index) Fields(t types.Type) []*types.Var {
	s, ok := derefType(t).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var all []*types.Var
	for f := range s.Fields() {
		if accessible([]*types.Var{f}, x.u.pkg.Types) && f.Name() != "_" {
			all = append(all, f)
		}
	}
	return all
}
