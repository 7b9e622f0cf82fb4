package rewrite

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// Atomics makes a file call the functions of sync/atomic through variables of the agent:
// the compiler replaces a direct call by an instruction, which nobody sees. It returns
// nil if the file calls none. The file may be one that has been rewritten.
func Atomics(name string, src []byte) ([]byte, error) {
	if !bytes.Contains(src, []byte(`"sync/atomic"`)) {
		return nil, nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	local := importName(file, "sync/atomic")
	if local == "" {
		return nil, nil
	}
	e := &edits{fset: fset}
	prefix := "__antichain_atomic"
	for bytes.Contains(src, []byte(prefix)) {
		prefix += "_"
	}
	used := ""
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		// Obj is nil for a name that nothing in the file declares: the import.
		if id, ok := sel.X.(*ast.Ident); ok && id.Name == local && id.Obj == nil && isAtomicFunc(sel.Sel.Name) {
			used = sel.Sel.Name
			e.replace(id.Pos(), id.End(), prefix)
		}
		return true
	})
	if used == "" {
		return nil, nil
	}
	e.insert(file.Name.End(), fmt.Sprintf("; import %s %q", prefix, agentPath))
	// The import of sync/atomic must stay in use.
	return fmt.Appendf(e.apply(src), "\nvar _ = %s.%s\n", local, used), nil
}

// importName is the name under which a file imports a package, "" if it has none.
func importName(file *ast.File, path string) string {
	for _, spec := range file.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err != nil || p != path {
			continue
		}
		switch {
		case spec.Name == nil:
			return path[strings.LastIndexByte(path, '/')+1:]
		case spec.Name.Name != "_" && spec.Name.Name != ".":
			return spec.Name.Name
		}
	}
	return ""
}

// isAtomicFunc tells functions of sync/atomic from its types. The functions on
// unsafe.Pointer are not instructions.
func isAtomicFunc(name string) bool {
	for _, op := range []string{"Add", "And", "CompareAndSwap", "Load", "Or", "Store", "Swap"} {
		typ, ok := strings.CutPrefix(name, op)
		if !ok {
			continue
		}
		switch typ {
		case "Int32", "Int64", "Uint32", "Uint64", "Uintptr":
			return true
		case "Pointer":
			return op == "Load"
		}
	}
	return false
}
