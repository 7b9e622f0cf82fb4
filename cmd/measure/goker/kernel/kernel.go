// Package kernel reads the programs of GoKer, kernels of real concurrency bugs, that are a part of
// every Go distribution, and makes programs with a single copy of each bug out of them.
//
// GoKer is described by T. Yuan et al., "GoBench: A Benchmark Suite of Real-World Go Concurrency
// Bugs", CGO 2021. The kernels in a distribution test the goroutine leak profile: each starts up to
// thousands of copies of its bug, yields where that makes the bug more likely, and writes a profile
// at its end.
package kernel

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// dir is where the kernels are in a distribution.
const dir = "src/runtime/testdata/testgoroutineleakprofile/goker"

// A Kernel is one program with one bug.
type Kernel struct {
	Name  string // by which the program that has all of them runs it
	Entry string // the function that it begins with
	Path  string // of its file

	src  []byte
	fset *token.FileSet
	file *ast.File
}

// Dir is the directory of the kernels in the Go distribution at this GOROOT.
func Dir(goroot string) string {
	return filepath.Join(goroot, filepath.FromSlash(dir))
}

// Load reads the kernels in a directory, in the order of their names.
func Load(dir string) ([]*Kernel, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var kernels []*Kernel
	for _, path := range paths {
		k, err := read(path)
		if errors.Is(err, errNoKernel) {
			continue
		}
		if err != nil {
			return nil, err
		}
		kernels = append(kernels, k)
	}
	if len(kernels) == 0 {
		return nil, fmt.Errorf("%s has no kernels: they come with Go 1.26 and later", dir)
	}
	slices.SortFunc(kernels, func(a, b *Kernel) int { return strings.Compare(a.Name, b.Name) })
	return kernels, nil
}

// errNoKernel says that a file registers no kernel.
var errNoKernel = errors.New("no kernel")

// read reads the kernel in a file.
func read(path string) (*Kernel, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, src)
}

// Parse reads the kernel in a file that has this text.
func Parse(path string, src []byte) (*Kernel, error) {
	k, err := parse(path, src)
	if err != nil {
		return nil, err
	}
	call := k.registration()
	if call == nil {
		return nil, errNoKernel
	}
	name, isLiteral := call.Args[0].(*ast.BasicLit)
	entry, isName := call.Args[1].(*ast.Ident)
	if !isLiteral || !isName {
		return nil, fmt.Errorf("%s: register has other arguments than a name and a function", k.fset.Position(call.Pos()))
	}
	if k.Name, err = strconv.Unquote(name.Value); err != nil {
		return nil, fmt.Errorf("%s: %w", k.fset.Position(name.Pos()), err)
	}
	k.Entry = entry.Name
	return k, nil
}

// parse reads a file, which may be of another program.
func parse(path string, src []byte) (*Kernel, error) {
	k := &Kernel{Path: path, src: src, fset: token.NewFileSet()}
	var err error
	if k.file, err = parser.ParseFile(k.fset, path, src, parser.SkipObjectResolution); err != nil {
		const hint = "%w; if that is no mistake but a later Go than the %s of this program, " +
			"build it with the toolchain that the kernels come with"
		return nil, fmt.Errorf(hint, err, runtime.Version())
	}
	return k, nil
}

// registration is the call that registers the kernel, or nil.
func (k *Kernel) registration() *ast.CallExpr {
	f := k.function("init")
	if f == nil || f.Body == nil || len(f.Body.List) != 1 {
		return nil
	}
	if call := callOf(f.Body.List[0], "register"); call != nil && len(call.Args) == 2 {
		return call
	}
	return nil
}

// function is the declaration of the function with this name, or nil.
func (k *Kernel) function(name string) *ast.FuncDecl {
	for _, d := range k.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == name {
			return f
		}
	}
	return nil
}

// callOf is the call of the function with this name, as it is written, that a statement is, or nil.
func callOf(s ast.Stmt, name string) *ast.CallExpr {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return nil
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok || nameOf(call.Fun) != name {
		return nil
	}
	return call
}

// nameOf is an expression that is a name or a qualified one, as it is written, else "".
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok {
			return x.Name + "." + e.Sel.Name
		}
	}
	return ""
}
