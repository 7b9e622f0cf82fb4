package rewrite

import (
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/site"
)

// position is the position of a declaration or statement, relative to the module in the directory
// home: "dir/file.go:line" in that module; in another "module/dir/file.go:line" with the
// directory's name; and without a directory if the file is in neither, being generated.
func position(home string, pkg *Package, pos token.Pos) string {
	p := pkg.Fset.Position(pos)
	file, ok := relPath(home, p.Filename)
	if !ok {
		file, ok = relPath(pkg.Root, p.Filename)
		file = filepath.Join(filepath.Base(pkg.Root), file)
	}
	if !ok {
		file = filepath.Base(p.Filename)
	}
	return fmt.Sprintf("%s:%d", filepath.ToSlash(file), p.Line)
}

// relPath is the path of a file relative to a directory that it lies in.
func relPath(dir, file string) (string, bool) {
	rel, err := filepath.Rel(dir, file)
	return rel, err == nil && filepath.IsLocal(rel)
}

// tables builds one site table per specification side by side.
type tables struct {
	r    *resolver
	list []*site.Table
}

// frameName is the name of a function in traces for one specification.
func (t *tables) frameName(spec int, fn *function) string {
	if fn.pkg.Path == t.r.specs[spec].Package {
		return fn.name
	}
	return fn.pkg.Name + "." + fn.name
}

// value is one value of a record under construction.
type value struct {
	item  *item
	write bool
	named map[int]string // of a value of an operation, instead of an item: its name by spec
}

// enterExit makes the site of a traced function.
func (t *tables) enterExit(kind site.Kind, fn *function, values []value) int {
	return t.add(fn.pkg, fn, fn.node.Pos(), values, func(spec int, _ []site.Var) site.Kind {
		if fn.traced[spec] {
			return kind
		}
		return site.None
	})
}

// stmt makes the site of a statement, or returns false if no specification wants it.
func (t *tables) stmt(fn *function, pos token.Pos, values []value) (int, bool) {
	wanted := false
	kind := func(spec int, vars []site.Var) site.Kind {
		if t.steps(spec, fn) {
			wanted = true
			return site.Stmt
		}
		for _, v := range vars {
			if v.Name != "" {
				wanted = true
				return site.Stmt
			}
		}
		return site.None
	}
	id := t.add(fn.pkg, fn, pos, values, kind)
	if !wanted {
		for _, table := range t.list {
			table.Sites = table.Sites[:id]
		}
	}
	return id, wanted
}

func (t *tables) steps(spec int, fn *function) bool {
	return t.r.specs[spec].Steps && fn.traced[spec]
}

// anySteps reports whether some specification wants every statement of fn.
func (t *tables) anySteps(fn *function) bool {
	for spec := range t.list {
		if t.steps(spec, fn) {
			return true
		}
	}
	return false
}

func (t *tables) sharedInit(pkg *Package, values []value) int {
	return t.add(pkg, nil, token.NoPos, values, func(_ int, vars []site.Var) site.Kind {
		for _, v := range vars {
			if v.Name != "" {
				return site.SharedInit
			}
		}
		return site.None
	})
}

// add appends a site to every table and returns its id.
func (t *tables) add(pkg *Package, fn *function, pos token.Pos, values []value,
	kind func(spec int, vars []site.Var) site.Kind) int {
	id := 0
	for spec, table := range t.list {
		id = len(table.Sites)
		vars := t.variables(spec, values)
		s := site.Site{Kind: kind(spec, vars)}
		if s.Kind != site.None {
			s.Vars = vars
			if fn != nil {
				s.Func = t.frameName(spec, fn)
				s.At = position(t.r.homes[spec], pkg, pos)
			}
		}
		table.Sites = append(table.Sites, s)
	}
	return id
}

// variables returns the meaning of the values for one specification. A name that is both a local's
// and a package variable's goes to the local, which hides the other. One that an operation records,
// too, goes to the operation.
func (t *tables) variables(spec int, values []value) []site.Var {
	if len(values) == 0 {
		return nil
	}
	vars := make([]site.Var, len(values))
	frame, operation := map[string]bool{}, map[string]bool{}
	for i, v := range values {
		vars[i] = t.variable(spec, v)
		if vars[i].Scope == site.Frame {
			frame[vars[i].Name] = true
			operation[vars[i].Name] = operation[vars[i].Name] || v.named != nil
		}
	}
	for i, v := range vars {
		if v.Scope != site.Frame && frame[v.Name] || values[i].named == nil && operation[v.Name] {
			vars[i] = site.Var{}
		}
	}
	return vars
}

func (t *tables) variable(spec int, v value) site.Var {
	if v.named != nil {
		if name, ok := v.named[spec]; ok {
			return site.Var{Name: name, Scope: site.Frame}
		}
		return site.Var{}
	}
	b, ok := v.item.names[spec]
	switch {
	case !ok || b.shared && !v.write:
		return site.Var{}
	case b.shared:
		return site.Var{Name: b.name, Scope: site.Shared}
	case v.item.global:
		return site.Var{Name: b.name, Scope: site.Global}
	}
	return site.Var{Name: b.name, Scope: site.Frame}
}

// text writes the statements that record values.
type text struct {
	prefix string // name under which the agent is imported; also starts every name of ours
}

// record is the statement that sends a record of the values; begin names the function
// that starts it. It declares nothing in the scope that it stands in, and uses no
// feature that a package of an old language version does not have.
func (x text) record(begin string, id int, parts []string, end string) string {
	return fmt.Sprintf("if %[1]s.On { %[1]s_r := %[1]s.%[2]s(%[3]d); %[4]s%[5]s }", x.prefix, begin, id,
		strings.Join(parts, ""), end)
}

func (x text) end() string { return x.prefix + "_r.End()" }

// appendStatement is the statement that adds the value of an item reached by a chain.
func (x text) appendStatement(way *chain, typ types.Type) string {
	value := x.encode(way.String(), typ)
	if guard := x.guards(way); guard != "" {
		return fmt.Sprintf("if %s { %s } else { %s_r.Opaque() }; ", guard, value, x.prefix)
	}
	return value + "; "
}

// unread is the statement that adds a value that has not been read.
func (x text) unread() string { return x.prefix + "_r.Unread(); " }

// aliasPart is part for locations that are the item only if the addresses agree: the
// first one that does is recorded.
func (x text) aliasPart(ways []*chain, it *item) string {
	var b strings.Builder
	for _, way := range ways {
		location := way.String()
		guard := fmt.Sprintf("%s.Same(%s, &%s)", x.prefix, x.accessor(it), location)
		if way.deref {
			guard = fmt.Sprintf("%s.Same(%s, %s)", x.prefix, x.accessor(it), strings.TrimPrefix(location, "*"))
		}
		if nils := x.guards(way); nils != "" {
			guard = nils + " && " + guard
		}
		fmt.Fprintf(&b, "if %s { %s } else ", guard, x.encode(location, it.typ()))
	}
	fmt.Fprintf(&b, "{ %s_r.Skip() }; ", x.prefix)
	return b.String()
}

// accessor is the package-level variable that holds the function which returns an item's address.
// It is set by an init function: anything that mentioned the item itself could close a cycle of
// package initialisation.
func (x text) accessor(it *item) string { return fmt.Sprintf("%s_a%d", x.prefix, it.index) }

// guards is the condition under which the chain has no nil pointer, "" if always.
func (x text) guards(way *chain) string {
	var conds []string
	prefix := way.root.Name()
	t := way.root.Type()
	for _, f := range way.fields {
		if _, ok := t.Underlying().(*types.Pointer); ok {
			conds = append(conds, fmt.Sprintf("!%s.Nil(%s)", x.prefix, prefix))
		}
		prefix += "." + f.Name()
		t = f.Type()
	}
	if way.deref {
		conds = append(conds, fmt.Sprintf("!%s.Nil(%s)", x.prefix, prefix))
	}
	return strings.Join(conds, " && ")
}

// encode is the call that adds a value. The types decide how, which saves allocations for scalars.
// Conversions use the agent's names for the predeclared types, which some packages redefine.
func (x text) encode(location string, typ types.Type) string {
	if _, isParam := types.Unalias(typ).(*types.TypeParam); !isParam {
		if t, ok := typ.Underlying().(*types.Basic); ok {
			if method, conversion := scalarEncoder(t); method != "" {
				return fmt.Sprintf("%[1]s_r.%[2]s(%[1]s.%[3]s(%[4]s))", x.prefix, method, conversion, location)
			}
		}
	}
	return fmt.Sprintf("%s_r.Ref(&%s)", x.prefix, location)
}

func scalarEncoder(t *types.Basic) (method, conversion string) {
	switch info := t.Info(); {
	case info&types.IsBoolean != 0:
		return "Bool", "Boolean"
	case info&types.IsUnsigned != 0:
		return "Uint", "Uint64"
	case info&types.IsInteger != 0:
		return "Int", "Int64"
	case info&types.IsFloat != 0:
		return "Float", "Float64"
	case info&types.IsString != 0:
		return "String", "Text"
	}
	return "", ""
}

// String is the chain as a Go expression.
func (ch *chain) String() string {
	var b strings.Builder
	if ch.deref {
		b.WriteString("*")
	}
	b.WriteString(ch.root.Name())
	for _, f := range ch.fields {
		b.WriteString("." + f.Name())
	}
	return b.String()
}

// path is the item's own chain.
func (it *item) path() *chain {
	return &chain{root: it.root, fields: it.fields, complete: true}
}
