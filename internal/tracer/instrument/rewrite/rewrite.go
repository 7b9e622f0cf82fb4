package rewrite

import (
	"bytes"
	"fmt"
	"go/constant"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/site"
)

// AgentPath is the import path of the agent, which is put into GOROOT.
const AgentPath = "antichain/agent"

func itoa(i int) string { return strconv.Itoa(i) }

// Rewrite resolves the names of all specifications and rewrites the packages that they
// concern.
func Rewrite(specs []Spec, prog Program) (*Result, error) {
	r, err := resolve(specs, prog)
	if err != nil {
		return nil, err
	}
	res := &Result{Files: map[string][]byte{}, Warnings: r.warnings}
	t := &tables{r: r}
	for range specs {
		t.list = append(t.list, &site.Table{})
	}
	for _, u := range r.order {
		rewriteUnit(u, t, res.Files)
	}
	for i, table := range t.list {
		if err := r.describe(i, table); err != nil {
			return nil, err
		}
	}
	res.Tables = t.list
	return res, nil
}

// rewriteUnit rewrites the files of a package and adds one for code that belongs to none of them.
func rewriteUnit(u *unit, t *tables, files map[string][]byte) {
	x := text{prefix: freePrefix(u.pkg)}
	linked := false
	for _, f := range u.pkg.Files {
		w := &walker{u: u, t: t, edits: &edits{fset: u.pkg.Fset}, text: x, test: isTest(f)}
		for _, fn := range u.fns {
			if fn.file == f {
				w.function(fn)
			}
		}
		if !w.used {
			continue
		}
		w.insert(f.Syntax.Name.End(), fmt.Sprintf("; import %s %q", x.prefix, AgentPath))
		files[f.Name] = w.edits.apply(f.Src)
		linked = true
	}
	for _, test := range []bool{false, true} {
		if src := support(u, t, x, test); src != nil {
			files[filepath.Join(u.pkg.Dir, supportName(u.pkg, test))] = src
			linked = true
		}
	}
	if !linked && u.home {
		onlyTests := !slices.ContainsFunc(u.pkg.Files, func(f *File) bool { return !isTest(f) })
		files[filepath.Join(u.pkg.Dir, supportName(u.pkg, onlyTests))] = Link(u.pkg.Name)
	}
}

// Link is a file that makes a package carry the agent, and so the tables, although nothing of it is
// recorded: a specification may name constants alone.
func Link(name string) []byte {
	return fmt.Appendf(nil, "package %s\n\nimport _ %q\n", name, AgentPath)
}

func isTest(f *File) bool { return strings.HasSuffix(f.Name, "_test.go") }

// freePrefix finds a name for the agent that a package uses nowhere.
func freePrefix(pkg *Package) string {
	prefix := "__antichain"
	for n := 2; ; n++ {
		if !slices.ContainsFunc(pkg.Files, func(f *File) bool { return bytes.Contains(f.Src, []byte(prefix)) }) {
			return prefix
		}
		prefix = fmt.Sprintf("__antichain%d", n)
	}
}

// support writes the added file of a package: the addresses of package variables, the record of the
// shared ones at the end of its initialisation, and the variables for the operator. Declarations of
// test files have a file of their own, since the package is also built without them.
func support(u *unit, t *tables, x text, test bool) []byte {
	var vars, inits strings.Builder
	var shared []value
	for _, it := range u.order {
		if !it.global || u.inTest(it) != test {
			continue
		}
		way := it.path()
		get := fmt.Sprintf("return %s.Addr(&%s)", x.prefix, way)
		if guards := x.guards(way); guards != "" {
			get = fmt.Sprintf("if %s { %s }; return 0", guards, get)
		}
		fmt.Fprintf(&vars, "var %s func() %s.Address\n", x.accessor(it), x.prefix)
		fmt.Fprintf(&inits, "func init() { %s = func() %s.Address { %s } }\n", x.accessor(it), x.prefix, get)
		if it.anyShared() {
			shared = append(shared, value{item: it, write: true})
		}
	}
	if vars.Len() == 0 {
		return nil
	}
	if len(shared) > 0 {
		var parts []string
		for _, v := range shared {
			parts = append(parts, x.appendStatement(v.item.path(), v.item.typ()))
		}
		id := t.sharedInit(u.pkg, shared)
		fmt.Fprintf(&inits, "func init() { %s }\n", x.record("SharedInit", id, parts, x.end()))
	}
	inits.WriteString(register(u, t, x, test))
	return fmt.Appendf(nil, "package %s\n\nimport %s %q\n\n%s\n%s", u.pkg.Name, x.prefix, AgentPath, vars.String(),
		inits.String())
}

// register writes the init function that makes package variables known to the operator,
// under the names that each specification has for them and for their parts.
func register(u *unit, t *tables, x text, test bool) string {
	type root struct {
		spec int
		obj  *types.Var
	}
	var order []root
	names, paths := map[root]string{}, map[root]string{}
	for _, it := range u.order {
		if !it.global || u.inTest(it) != test {
			continue
		}
		for _, i := range slices.Sorted(maps.Keys(it.names)) {
			r, b := root{i, it.root}, it.names[i]
			if _, ok := names[r]; !ok {
				order = append(order, r)
			}
			names[r] = b.root
			paths[r] += fmt.Sprintf(", %q", b.name)
		}
	}
	var b strings.Builder
	b.WriteString("func init() {\n")
	for _, r := range order {
		fmt.Fprintf(&b, "\t%[1]s.Register(%[2]q, %[3]q, func() %[1]s.Pointer { return &%[4]s }%[5]s)\n",
			x.prefix, t.r.specs[r.spec].Package, names[r], r.obj.Name(), paths[r])
	}
	b.WriteString("}\n")
	return b.String()
}

// inTest reports whether a test file declares an item.
func (u *unit) inTest(it *item) bool {
	return strings.HasSuffix(u.pkg.Fset.PositionFor(it.root.Pos(), false).Filename, "_test.go")
}

// supportName returns the name of an added file. It sorts behind all other files of the package,
// since its init functions must run last.
func supportName(pkg *Package, test bool) string {
	suffix := "_antichain.go"
	switch {
	case strings.HasSuffix(pkg.Path, "_test"): // in one directory with the tested package
		suffix = "_antichain_x_test.go"
	case test:
		suffix = "_antichain_test.go"
	}
	last := ""
	for _, f := range pkg.Files {
		last = max(last, filepath.Base(f.Name))
	}
	z := "zz"
	for len(z) < 64 && z+suffix <= last {
		z += "z"
	}
	return z + suffix
}

// describe fills in the parts of a table beside its sites.
func (r *resolver) describe(i int, table *site.Table) error {
	spec := r.specs[i]
	u, err := r.unit(spec.Package)
	if err != nil {
		return err
	}
	t := &tables{r: r}
	table.Module = u.pkg.Module
	table.Package = spec.Package
	inst := site.Instrumentation{Package: spec.Package, Steps: spec.Steps}
	variables, shared := map[string]bool{}, map[string]bool{}
	for _, u := range r.order {
		for _, fn := range u.fns {
			if fn.traced[i] {
				inst.Functions = append(inst.Functions, t.frameName(i, fn))
				inst.Operations = append(inst.Operations, t.operationsOf(i, fn)...)
			}
		}
		for _, it := range u.order {
			if b, ok := it.names[i]; ok {
				variables[b.name] = true
				if b.shared {
					shared[b.name] = true
				}
			}
		}
	}
	slices.Sort(inst.Functions)
	slices.Sort(inst.Operations)
	inst.Names = t.framesNamed(i)
	for _, name := range slices.Sorted(maps.Keys(r.consts[i])) {
		v, err := constValue(r.consts[i][name])
		if err != nil {
			return err
		}
		table.Consts = append(table.Consts, site.Const{Name: name, Value: v})
	}
	inst.Variables = slices.Sorted(maps.Keys(variables))
	table.Shared = slices.Sorted(maps.Keys(shared))
	table.Instrumented = inst
	table.SpecID = table.ID()
	return nil
}

// framesNamed returns the frame names of the functions that a specification calls by other names.
// Without them, a later check that lacks the program could mistake these functions for other ones.
func (t *tables) framesNamed(spec int) map[string]string {
	frames := map[string]string{}
	for name, fn := range t.r.named[spec] {
		if frame := t.frameName(spec, fn); frame != name {
			frames[name] = frame
		}
	}
	return frames
}

// constValue is the value of a constant as a site.Const.
func constValue(c *types.Const) (any, error) {
	v := c.Val()
	if b, ok := c.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsFloat != 0 {
		f, _ := constant.Float64Val(v) // also of a float constant that is represented as an integer
		return f, nil
	}
	switch v.Kind() {
	case constant.Bool:
		return constant.BoolVal(v), nil
	case constant.String:
		return constant.StringVal(v), nil
	case constant.Int:
		if i, ok := constant.Int64Val(v); ok {
			return i, nil
		}
		if u, ok := constant.Uint64Val(v); ok {
			return u, nil
		}
	}
	return nil, fmt.Errorf("constant %s has no value that a trace can hold: %s", c.Name(), c.Val())
}
