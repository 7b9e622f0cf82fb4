package frontend

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// MayUse returns the missing capabilities that a file outside of the standard library may rest on
// by itself. A run does not show what it fails to record, so the answer errs towards use: a package
// may use everything unless it is known to be harmless, and every file may use capabilities that
// are not in the tables. standard recognises the import paths of the standard library.
func MayUse(file *ast.File, missing []string, standard func(path string) bool) []string {
	s := useScan{imports: map[string]string{}, used: map[string]bool{}}
	for _, spec := range file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err != nil || path == "C" {
			s.add(anything)
			s.add([]string{Threads})
		} else if standard(path) {
			s.noteImport(spec.Name, path)
		}
	}
	ast.Inspect(file, s.node)
	return slices.DeleteFunc(slices.Clone(missing), func(name string) bool { return isOptional(name) && !s.used[name] })
}

// isOptional reports whether there are programs that do not rest on a capability.
func isOptional(name string) bool {
	return slices.Contains(anything, name) || slices.Contains(particular, name)
}

// useScan collects the capabilities that one file may use.
type useScan struct {
	imports map[string]string // path by local name
	used    map[string]bool   // capabilities
}

func (s *useScan) add(capabilities []string) {
	for _, name := range capabilities {
		s.used[name] = true
	}
}

// noteImport notes an import. Where names do not show their origin, any of its names may be used.
func (s *useScan) noteImport(name *ast.Ident, path string) {
	local := path[strings.LastIndexByte(path, '/')+1:]
	if name != nil {
		local = name.Name
	}
	s.imports[local] = path
	uses, known := standardUse[path]
	switch {
	case !known:
		s.add(anything)
	case local == ".":
		for _, used := range uses {
			s.add(used)
		}
	}
}

func (s *useScan) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		if n.Body == nil { // it is written in another language
			s.add(anything)
			s.add(particular)
		}
	case *ast.ChanType, *ast.SendStmt, *ast.SelectStmt:
		s.add([]string{Channels, ChannelWaits})
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			s.add([]string{Channels, ChannelWaits})
		}
	case *ast.SelectorExpr:
		if x, ok := n.X.(*ast.Ident); ok && s.imports[x.Name] != "" {
			uses := standardUse[s.imports[x.Name]]
			used, ok := uses[n.Sel.Name]
			if !ok {
				used = uses["*"]
			}
			s.add(used)
		}
	case *ast.CallExpr:
		if fn, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && fn.Name == "make" && !isBuffered(n.Args) {
			s.add([]string{Channels, ChannelWaits, JointTransfers})
		}
	}
	return true
}

// isBuffered reports whether these arguments of make certainly make no unbuffered channel.
func isBuffered(args []ast.Expr) bool {
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
