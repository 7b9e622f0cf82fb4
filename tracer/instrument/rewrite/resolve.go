package rewrite

import (
	"errors"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// unit is a package with what is tracked in it.
type unit struct {
	pkg    *Package
	fns    []*function
	byName map[string]*function
	locals []local
	items  map[*types.Var][]*item // by root
	order  []*item                // in order of creation
}

// item is a tracked variable, or a part of one.
type item struct {
	root   *types.Var
	fields []*types.Var // way from root, embedded structs included
	global bool         // root is a package variable
	names  map[int]binding
	index  int // in unit.order
}

// binding is what a specification calls an item.
type binding struct {
	name   string
	shared bool
}

func (it *item) typ() types.Type {
	if len(it.fields) == 0 {
		return it.root.Type()
	}
	return it.fields[len(it.fields)-1].Type()
}

// resolver finds out what the names of all specifications mean.
type resolver struct {
	prog     Program
	specs    []Spec
	units    map[string]*unit
	order    []*unit
	consts   []map[string]*types.Const // per spec, by name as written
	warnings []string
	errs     []error
}

// resolve finds everything that the specifications name. Errors are joined, so that one
// run shows all of them.
func resolve(specs []Spec, prog Program) (*resolver, error) {
	r := &resolver{prog: prog, specs: specs, units: map[string]*unit{}}
	for i := range specs {
		r.consts = append(r.consts, map[string]*types.Const{})
		r.functions(i)
		r.variables(i)
	}
	return r, errors.Join(r.errs...)
}

func (r *resolver) fail(err error) { r.errs = append(r.errs, err) }

// unit loads a package once.
func (r *resolver) unit(path string) (*unit, error) {
	if u := r.units[path]; u != nil {
		return u, nil
	}
	pkg, err := r.prog.Load(path)
	if err != nil {
		return nil, err
	}
	u := &unit{pkg: pkg, fns: functionsOf(pkg), byName: map[string]*function{}, items: map[*types.Var][]*item{}}
	for _, fn := range u.fns {
		u.byName[fn.name] = fn
	}
	u.locals = localsOf(pkg, u.fns)
	r.units[path] = u
	r.order = append(r.order, u)
	return u, nil
}

func (r *resolver) functions(i int) {
	spec := r.specs[i]
	for _, n := range spec.Functions {
		fn, err := r.function(spec, n)
		if err != nil {
			r.fail(err)
			continue
		}
		r.trace(i, fn)
	}
	for _, pattern := range spec.FuncPatterns {
		r.pattern(i, pattern)
	}
}

func (r *resolver) trace(i int, fn *function) {
	if fn.locked != "" {
		r.warnings = append(r.warnings, fmt.Sprintf("%s: %s is not traced: %s", position(fn.pkg, fn.node.Pos()), fn.name, fn.locked))
		return
	}
	fn.traced[i] = true
}

// function finds the one function that a name means: of the specification's package by
// its full name; else a method by its last part alone; else pkg.name.
func (r *resolver) function(spec Spec, n Name) (*function, error) {
	home, err := r.unit(spec.Package)
	if err != nil {
		return nil, err
	}
	text := canonicalFunction(n.Text)
	if found := home.matching(text); len(found) == 1 {
		return found[0], nil
	} else if len(found) > 1 {
		return nil, errorAt(n, namesOf(found, ""), "function %s is ambiguous", n.Text)
	}
	qualifier, rest, qualified := strings.Cut(text, ".")
	var found []*function
	var names []string
	if qualified {
		for _, m := range r.named(qualifier) {
			if m.Locked != "" {
				return nil, errorAt(n, nil, "function %s: package %s cannot be traced: %s", n.Text, m.Path, m.Locked)
			}
			u, err := r.unit(m.Path)
			if err != nil {
				return nil, err
			}
			for _, fn := range u.matching(rest) {
				found = append(found, fn)
				names = append(names, m.Path+"."+fn.name)
			}
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		all := namesOf(home.fns, "")
		return nil, errorAt(n, listed(all), "no function %s in package %s%s", n.Text, home.pkg.Path, suggest(text, all))
	}
	return nil, errorAt(n, listed(names), "function %s is ambiguous", n.Text)
}

// matching returns the functions that a canonical name may mean within a package.
func (u *unit) matching(text string) []*function {
	if fn := u.byName[text]; fn != nil {
		return []*function{fn}
	}
	var found []*function
	for _, fn := range u.fns {
		if text == "init" && strings.HasPrefix(fn.name, "init.") && strings.Count(fn.name, ".") == 1 ||
			fn.recv != nil && strings.HasSuffix(fn.name, "."+text) && !strings.Contains(text, ".") {
			found = append(found, fn)
		}
	}
	return found
}

func (r *resolver) named(name string) []Meta {
	var metas []Meta
	for _, m := range r.prog.Packages() {
		if m.Name == name {
			metas = append(metas, m)
		}
	}
	return metas
}

// pattern traces what a --func pattern matches: names of the specification's package,
// or of another one after "pkg.".
func (r *resolver) pattern(i int, pattern string) {
	home, err := r.unit(r.specs[i].Package)
	if err != nil {
		r.fail(err)
		return
	}
	n := 0
	for _, fn := range home.fns {
		if matchPattern(pattern, fn.name) {
			r.trace(i, fn)
			n++
		}
	}
	if qualifier, rest, ok := strings.Cut(canonicalPattern(pattern), "."); ok {
		for _, m := range r.named(qualifier) {
			if m.Locked != "" || m.Path == home.pkg.Path {
				continue
			}
			u, err := r.unit(m.Path)
			if err != nil {
				r.fail(err)
				return
			}
			for _, fn := range u.fns {
				if matchPattern(rest, fn.name) {
					r.trace(i, fn)
					n++
				}
			}
		}
	}
	if n == 0 {
		r.fail(&Error{Msg: fmt.Sprintf("--func %q matches no function", pattern), Candidates: listed(namesOf(home.fns, ""))})
	}
}

func namesOf(fns []*function, prefix string) []string {
	var names []string
	for _, fn := range fns {
		names = append(names, prefix+fn.name)
	}
	return names
}

// variables resolves the variables of a specification. Names that only untraced
// functions declare come first, since they make their function a traced one.
func (r *resolver) variables(i int) {
	spec := r.specs[i]
	shared := map[string]bool{}
	for _, n := range spec.Shared {
		shared[strings.Join(variablePath(n.Text), ".")] = true
		if err := r.sharedVariable(i, n); err != nil {
			r.fail(err)
		}
	}
	var names []Name
	for _, n := range spec.Variables {
		if shared[strings.Join(variablePath(n.Text), ".")] {
			continue
		}
		names = append(names, n)
		if err := r.adoptDeclarer(i, n); err != nil {
			r.fail(err)
		}
	}
	for _, n := range names {
		if err := r.variable(i, n); err != nil {
			r.fail(err)
		}
	}
}

// adoptDeclarer makes the one function that declares a name traced if neither a package
// variable nor a traced function declares it.
func (r *resolver) adoptDeclarer(i int, n Name) error {
	u, err := r.unit(r.specs[i].Package)
	if err != nil {
		return err
	}
	parts := variablePath(n.Text)
	if u.pkg.Types.Scope().Lookup(parts[0]) != nil || r.qualified(parts) {
		return nil
	}
	declarers := map[*function]bool{}
	for _, l := range u.locals {
		if l.obj.Name() != parts[0] {
			continue
		}
		if _, isConst := l.obj.(*types.Const); isConst || l.fn.traced[i] {
			return nil
		}
		declarers[l.fn] = true
	}
	if len(declarers) > 1 {
		var names []string
		for fn := range declarers {
			names = append(names, fn.name)
		}
		return errorAt(n, listed(names), "variable %s is declared in several functions, none of them traced; choose with --func NAME", n.Text)
	}
	for fn := range declarers {
		r.trace(i, fn)
	}
	return nil
}

// qualified reports whether a path starts with the name of a package.
func (r *resolver) qualified(parts []string) bool {
	return len(parts) > 1 && len(r.named(parts[0])) > 0
}

// variable tracks what a name means: the locals of that name in traced functions, and a
// package variable or constant.
func (r *resolver) variable(i int, n Name) error {
	u, err := r.unit(r.specs[i].Package)
	if err != nil {
		return err
	}
	parts := variablePath(n.Text)
	found := false
	var pathErr error
	for _, l := range u.locals {
		if l.obj.Name() != parts[0] {
			continue
		}
		switch obj := l.obj.(type) {
		case *types.Const:
			if len(parts) == 1 {
				found = true
				r.consts[i][n.Text] = obj
			}
		case *types.Var:
			if !l.fn.traced[i] {
				continue
			}
			if err := u.track(i, obj, parts, parts[0], n, false, false); err != nil {
				pathErr = err
			} else {
				found = true
			}
		}
	}
	ok, err := r.packageLevel(i, n, parts, false)
	switch {
	case ok || found:
		return nil
	case err != nil:
		return err
	case pathErr != nil:
		return pathErr
	}
	candidates := u.variableNames()
	return errorAt(n, listed(candidates), "no variable %s in package %s%s", n.Text, u.pkg.Path, suggest(parts[0], candidates))
}

func (r *resolver) sharedVariable(i int, n Name) error {
	parts := variablePath(n.Text)
	ok, err := r.packageLevel(i, n, parts, true)
	if ok || err != nil {
		return err
	}
	u, err := r.unit(r.specs[i].Package)
	if err != nil {
		return err
	}
	var names []string
	for _, name := range u.pkg.Types.Scope().Names() {
		if v, ok := u.pkg.Types.Scope().Lookup(name).(*types.Var); ok {
			names = append(names, v.Name())
		}
	}
	return errorAt(n, listed(names), "shared variable %s is not a package variable of %s%s (a value set needs an initial value, which only those have)", n.Text, u.pkg.Path, suggest(parts[0], names))
}

// packageLevel tracks a package variable or constant: b.last of the specification's
// package, or pkg.b.last.
func (r *resolver) packageLevel(i int, n Name, parts []string, shared bool) (bool, error) {
	home, err := r.unit(r.specs[i].Package)
	if err != nil {
		return false, err
	}
	if obj := home.pkg.Types.Scope().Lookup(parts[0]); obj != nil {
		return r.packageObject(i, home, obj, parts, parts[0], n, shared)
	}
	if !r.qualified(parts) {
		return false, nil
	}
	var owners []*unit
	for _, m := range r.named(parts[0]) {
		if m.Locked != "" {
			return false, errorAt(n, nil, "variable %s: package %s cannot be traced: %s", n.Text, m.Path, m.Locked)
		}
		u, err := r.unit(m.Path)
		if err != nil {
			return false, err
		}
		if u.pkg.Types.Scope().Lookup(parts[1]) != nil {
			owners = append(owners, u)
		}
	}
	if len(owners) > 1 {
		var paths []string
		for _, u := range owners {
			paths = append(paths, u.pkg.Path)
		}
		return false, errorAt(n, listed(paths), "variable %s is ambiguous", n.Text)
	}
	if len(owners) == 0 {
		return false, nil
	}
	obj := owners[0].pkg.Types.Scope().Lookup(parts[1])
	return r.packageObject(i, owners[0], obj, parts[1:], parts[0]+"."+parts[1], n, shared)
}

func (r *resolver) packageObject(i int, u *unit, obj types.Object, parts []string, rootName string, n Name, shared bool) (bool, error) {
	switch obj := obj.(type) {
	case *types.Const:
		if shared || len(parts) > 1 {
			return false, errorAt(n, nil, "%s is a constant", parts[0])
		}
		r.consts[i][rootName] = obj
		return true, nil
	case *types.Var:
		if err := u.track(i, obj, parts, rootName, n, true, shared); err != nil {
			return false, err
		}
		return true, nil
	}
	return false, nil
}

// track adds an item for spec i: parts is the path with the root's own name in front,
// rootName what the specification calls the root.
func (u *unit) track(i int, root *types.Var, parts []string, rootName string, n Name, global, shared bool) error {
	fields, used, err := fieldPath(u.pkg.Types, root, parts[1:])
	if err != nil {
		return errorAt(n, nil, "variable %s: %v", n.Text, err)
	}
	it := u.item(root, fields, global)
	name := strings.Join(append([]string{rootName}, parts[1:1+used]...), ".")
	if b, ok := it.names[i]; ok && b.name != name {
		return errorAt(n, nil, "variable %s is also called %s; use one name", n.Text, b.name)
	}
	it.names[i] = binding{name: name, shared: shared}
	return nil
}

func (u *unit) item(root *types.Var, fields []*types.Var, global bool) *item {
	for _, it := range u.items[root] {
		if slices.Equal(it.fields, fields) {
			return it
		}
	}
	it := &item{root: root, fields: fields, global: global, names: map[int]binding{}, index: len(u.order)}
	u.items[root] = append(u.items[root], it)
	u.order = append(u.order, it)
	return it
}

// variableNames lists what a short name may mean.
func (u *unit) variableNames() []string {
	names := map[string]bool{}
	for _, l := range u.locals {
		names[l.obj.Name()] = true
	}
	for _, name := range u.pkg.Types.Scope().Names() {
		switch u.pkg.Types.Scope().Lookup(name).(type) {
		case *types.Var, *types.Const:
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}
