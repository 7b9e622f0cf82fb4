//go:build linux && (amd64 || arm64)

package goroot

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// readers are the functions that have the lock for reading of a descriptor, and no outcome that
// eofError counts: why that does not matter.
var readers = map[string]string{
	"RawRead":       "the program reads: see the patch fd raw read",
	"spliceDrain":   "see the patch fd splice read",
	"Accept":        "reads no bytes",
	"ReadDirent":    "a directory is no stream",
	"copyFileRange": "fails on a stream",
}

// All ways to read from a stream count what they read: one that did not would lose order.
func TestReadsAreCounted(t *testing.T) {
	for name, root := range toolchains() {
		found := 0
		fset := token.NewFileSet()
		dir := filepath.Join(root, "src", "internal", "poll")
		pkg, err := build.ImportDir(dir, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range pkg.GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(dir, file), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || !calls(fn, "readLock") && !calls(fn, "readWriteLock") {
					continue
				}
				found++
				if !calls(fn, "eofError") && readers[fn.Name.Name] == "" {
					t.Errorf("%s: %s reads, and does not say what", name, fn.Name.Name)
				}
			}
		}
		if found < 5 {
			t.Errorf("%s: %d ways to read", name, found)
		}
	}
}

// calls reports whether a function calls a method of that name.
func calls(fn *ast.FuncDecl, method string) (found bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			s, ok := call.Fun.(*ast.SelectorExpr)
			found = found || ok && s.Sel.Name == method
		}
		return true
	})
	return found
}
