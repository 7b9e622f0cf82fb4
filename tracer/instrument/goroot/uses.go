package goroot

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
)

// UsesAtomicFunctions reports whether one of the Go files mentions a function of
// sync/atomic, as opposed to its types only. Such a package is to be compiled with
// CallAtomics.
func UsesAtomicFunctions(files []string) (bool, error) {
	for _, name := range files {
		imports, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return false, err
		}
		local, ok := atomicName(imports)
		if !ok {
			continue
		}
		if local == "." {
			return true, nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return false, err
		}
		found := false
		ast.Inspect(file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == local && !atomicTypes[sel.Sel.Name] {
					found = true
				}
			}
			return !found
		})
		if found {
			return true, nil
		}
	}
	return false, nil
}

var atomicTypes = map[string]bool{
	"Bool": true, "Int32": true, "Int64": true, "Uint32": true, "Uint64": true,
	"Uintptr": true, "Pointer": true, "Value": true,
}

// atomicName is the name by which a file knows sync/atomic.
func atomicName(file *ast.File) (name string, ok bool) {
	for _, spec := range file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err != nil || path != "sync/atomic" {
			continue
		}
		switch {
		case spec.Name == nil:
			return "atomic", true
		case spec.Name.Name != "_":
			return spec.Name.Name, true
		}
	}
	return "", false
}
