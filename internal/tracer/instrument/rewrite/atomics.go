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

// Atomics makes a file call the functions of sync/atomic through variables of the agent: the
// compiler replaces a direct call by an instruction, which cannot be recorded. It returns nil if
// the file calls none. The file may have been rewritten before.
func Atomics(name string, src []byte) ([]byte, error) {
	if !bytes.Contains(src, []byte("sync/atomic")) {
		return nil, nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	e := &edits{fset: fset}
	prefix := "__antichain_atomic"
	for bytes.Contains(src, []byte(prefix)) {
		prefix += "_"
	}
	var used []string // an expression for each import that would otherwise be unused
	for _, local := range importNames(file, "sync/atomic") {
		fn := ""
		if local == "." {
			fn = e.atomicNames(file, prefix)
		} else if fn = e.atomicSelectors(file, local, prefix); fn != "" {
			fn = local + "." + fn
		}
		if fn != "" {
			used = append(used, fn)
		}
	}
	if used == nil {
		return nil, nil
	}
	e.insert(file.Name.End(), fmt.Sprintf("; import %s %q", prefix, AgentPath))
	src = e.apply(src)
	for _, fn := range used {
		src = fmt.Appendf(src, "\nvar _ = %s\n", fn)
	}
	return src, nil
}

// atomicSelectors replaces the functions that a file selects from an import by functions of the
// agent. It returns the name of one of these.
func (e *edits) atomicSelectors(file *ast.File, local, prefix string) (used string) {
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		// Obj is nil for a name that the file does not declare: the import.
		if id, ok := sel.X.(*ast.Ident); ok && id.Name == local && id.Obj == nil && isAtomicFunc(sel.Sel.Name) {
			used = sel.Sel.Name
			e.replace(id.Pos(), id.End(), prefix)
		}
		return true
	})
	return used
}

// atomicNames does the same for a dot import. No other file of the package may declare one of its
// names, so a name that this file does not declare is the import's.
func (e *edits) atomicNames(file *ast.File, prefix string) (used string) {
	for _, id := range file.Unresolved {
		if isAtomicFunc(id.Name) {
			used = id.Name
			e.insert(id.Pos(), prefix+".")
		}
	}
	return used
}

// importNames are the names under which a file imports a package, "." among them.
func importNames(file *ast.File, path string) []string {
	var names []string
	for _, spec := range file.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err != nil || p != path {
			continue
		}
		switch {
		case spec.Name == nil:
			names = append(names, path[strings.LastIndexByte(path, '/')+1:])
		case spec.Name.Name != "_":
			names = append(names, spec.Name.Name)
		}
	}
	return names
}

// isAtomicFunc distinguishes functions of sync/atomic from its types. The functions on
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
