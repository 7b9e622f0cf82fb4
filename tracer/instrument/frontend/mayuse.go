package frontend

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// MayUse returns those of the missing kinds that a file outside of the standard library may
// use by itself. A run does not show what is not recorded, so this errs towards use: what is
// not known to be harmless may use everything. standard tells the import paths of the
// standard library.
func MayUse(file *ast.File, missing []string, standard func(path string) bool) []string {
	s := useScan{imports: map[string]string{}, kinds: map[string]bool{}}
	for _, spec := range file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err != nil || path == "C" {
			s.add(MissingMinimal)
		} else if standard(path) {
			s.imported(spec.Name, path)
		}
	}
	ast.Inspect(file, s.node)
	return slices.DeleteFunc(slices.Clone(missing), func(kind string) bool {
		return slices.Contains(MissingMinimal, kind) && !s.kinds[kind]
	})
}

// useScan looks for what one file may use.
type useScan struct {
	imports map[string]string // path by the name that the file has for it
	kinds   map[string]bool
}

func (s *useScan) add(kinds []string) {
	for _, k := range kinds {
		s.kinds[k] = true
	}
}

// imported notes an import. Where names do not show that they come from it, any of its names
// may be used.
func (s *useScan) imported(name *ast.Ident, path string) {
	local := path[strings.LastIndexByte(path, '/')+1:]
	if name != nil {
		local = name.Name
	}
	s.imports[local] = path
	uses, known := standardUse[path]
	switch {
	case !known:
		s.add(MissingMinimal)
	case local == ".":
		for _, kinds := range uses {
			s.add(kinds)
		}
	}
}

func (s *useScan) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		if n.Body == nil { // it is written in another language
			s.add(MissingMinimal)
		}
	case *ast.SelectorExpr:
		if x, ok := n.X.(*ast.Ident); ok && s.imports[x.Name] != "" {
			uses := standardUse[s.imports[x.Name]]
			kinds, ok := uses[n.Sel.Name]
			if !ok {
				kinds = uses["*"]
			}
			s.add(kinds)
		}
	case *ast.CallExpr:
		if fn, ok := n.Fun.(*ast.Ident); ok && fn.Name == "make" && !buffered(n.Args) {
			s.add([]string{missingJoint})
		}
	}
	return true
}

// buffered reports whether these arguments of make certainly make no unbuffered channel.
func buffered(args []ast.Expr) bool {
	if len(args) == 0 {
		return false
	}
	switch args[0].(type) {
	case *ast.MapType, *ast.ArrayType:
		return true
	}
	if len(args) < 2 {
		return false
	}
	size, ok := args[1].(*ast.BasicLit)
	if !ok || size.Kind != token.INT {
		return false
	}
	n, err := strconv.ParseInt(size.Value, 0, 64)
	return err == nil && n > 0
}
