package docs

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Programs of others can name every type that a public package mentions in what it exports:
// none is of an internal package.
func TestPublicTypes(t *testing.T) {
	all := publicPackages(t)
	exports := exportData(t, all)
	open := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	imports := importer.ForCompiler(token.NewFileSet(), "gc", open)
	for _, p := range all {
		loaded, err := imports.Import("github.com/antichain-go/antichain/" + p.path)
		if err != nil {
			t.Fatal(err)
		}
		for _, mentioned := range internalTypes(loaded) {
			t.Error(mentioned)
		}
	}
}

// exportData returns the files with the types of packages and of what they import.
func exportData(t *testing.T, all []*publicPackage) map[string]string {
	t.Helper()
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}"}
	for _, p := range all {
		args = append(args, "./"+p.path)
	}
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Stderr = "..", os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		files[path] = file
	}
	return files
}

// internalTypes returns what a package exports that mentions an internal type, and the type.
func internalTypes(p *types.Package) []string {
	v := &visitor{pkg: p, seen: map[types.Type]bool{}}
	for _, name := range p.Scope().Names() {
		if o := p.Scope().Lookup(name); o.Exported() {
			v.object(o)
		}
	}
	return v.found
}

// visitor goes through the types that others can see in a package.
type visitor struct {
	pkg   *types.Package
	seen  map[types.Type]bool
	found []string
}

func (v *visitor) object(o types.Object) {
	at := v.pkg.Path() + "." + o.Name()
	if name, ok := o.(*types.TypeName); ok {
		v.declared(at, name)
		return
	}
	v.visit(at, o.Type())
}

// declared visits the definition of a type that the package declares, and its method set.
func (v *visitor) declared(at string, name *types.TypeName) {
	switch t := name.Type().(type) {
	case *types.Alias:
		v.visit(at, t.Rhs())
	case *types.Named:
		v.parameters(at, t.TypeParams())
		v.visit(at, t.Underlying())
		methods := types.NewMethodSet(types.NewPointer(t))
		for method := range methods.Methods() {
			if m := method.Obj(); m.Exported() {
				v.visit(at+"."+m.Name(), m.Type())
			}
		}
	}
}

func (v *visitor) parameters(at string, ps *types.TypeParamList) {
	for p := range ps.TypeParams() {
		v.visit(at, p.Constraint())
	}
}

// visit visits a type that stands at a place.
func (v *visitor) visit(at string, t types.Type) {
	switch t := t.(type) {
	case *types.Alias:
		v.named(at, t.Obj())
		v.arguments(at, t.TypeArgs())
	case *types.Named:
		v.named(at, t.Obj())
		v.arguments(at, t.TypeArgs())
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() || f.Embedded() {
				v.visit(at+"."+f.Name(), f.Type())
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			v.visit(at+"."+m.Name(), m.Type())
		}
		for e := range t.EmbeddedTypes() {
			v.visit(at, e)
		}
	case *types.Signature:
		v.parameters(at, t.TypeParams())
		v.visit(at, t.Params())
		v.visit(at, t.Results())
	case *types.Tuple:
		for o := range t.Variables() {
			v.visit(at, o.Type())
		}
	case *types.Union:
		for term := range t.Terms() {
			v.visit(at, term.Type())
		}
	case *types.Map:
		v.visit(at, t.Key())
		v.visit(at, t.Elem())
	case interface{ Elem() types.Type }: // pointer, slice, array, channel
		v.visit(at, t.Elem())
	}
}

func (v *visitor) arguments(at string, list *types.TypeList) {
	for t := range list.Types() {
		v.visit(at, t)
	}
}

// named visits a type by its name. One that the package does not export is seen by what it has.
func (v *visitor) named(at string, name *types.TypeName) {
	switch {
	case name.Pkg() == nil:
	case isInternal(name.Pkg().Path()):
		v.found = append(v.found, fmt.Sprintf("%s mentions %s.%s", at, name.Pkg().Path(), name.Name()))
	case name.Pkg() == v.pkg && !token.IsExported(name.Name()) && !v.seen[name.Type()]:
		v.seen[name.Type()] = true
		v.declared(at, name)
	}
}

func isInternal(path string) bool { return slices.Contains(strings.Split(path, "/"), "internal") }

// What TestPublicTypes looks at: whatever others can reach, and nothing else.
func TestInternalTypes(t *testing.T) {
	files := token.NewFileSet()
	declare := func(path, src string, imports importMap) *types.Package {
		f, err := parser.ParseFile(files, path, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		config := types.Config{Importer: imports}
		p, err := config.Check(path, files, []*ast.File{f}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	hidden := declare("m/internal/hidden", `package hidden
type T struct{}
func (T) Self() T { return T{} }
`, nil)
	p := declare("m/p", `package p
import "m/internal/hidden"
type Alias = hidden.T
type Embeds struct{ hidden.T }
type inner struct{ *inner; Field []hidden.T }
func (inner) Method(map[string]hidden.T) {}
type Outer struct{ inner }
type Interface interface{ Method(hidden.T) }
type List[E interface{ hidden.T | int }] struct{ elements []E }
type Unseen struct{ field hidden.T }
func (Unseen) method() (t hidden.T) { return }
var Variable func() chan hidden.T
var Instance List[hidden.T]
const Constant = 1
func unexported() (t hidden.T) { return }
`, importMap{"m/internal/hidden": hidden})
	var got []string
	for _, mentioned := range internalTypes(p) {
		got = append(got, strings.TrimSuffix(mentioned, " mentions m/internal/hidden.T"))
	}
	slices.Sort(got)
	want := []string{
		"m/p.Alias", "m/p.Embeds.Self", "m/p.Embeds.T", "m/p.Instance", "m/p.Interface.Method",
		"m/p.List", "m/p.Outer.Method", "m/p.Outer.inner.Field", "m/p.Outer.inner.Method", "m/p.Variable",
	}
	if d := cmp.Diff(want, slices.Compact(got)); d != "" {
		t.Error("-want +got:", d)
	}
}

type importMap map[string]*types.Package

func (m importMap) Import(path string) (*types.Package, error) { return m[path], nil }
