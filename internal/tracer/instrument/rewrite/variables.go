package rewrite

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
)

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
		if err := r.adoptDeclarer(i, n); err != nil {
			r.fail(err)
			continue
		}
		names = append(names, n)
	}
	for _, n := range names {
		if err := r.variable(i, n); err != nil {
			r.fail(err)
		}
	}
}

// adoptDeclarer has the only function that declares a name traced, if neither a package variable
// nor a traced function declares it.
func (r *resolver) adoptDeclarer(i int, n Name) error {
	u, err := r.unit(r.specs[i].Package)
	if err != nil {
		return err
	}
	parts := variablePath(n.Text)
	if u.pkg.Types.Scope().Lookup(parts[0]) != nil || r.startsWithPackage(parts) {
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
		if err := r.misnamedLocal(i, n, parts); err != nil {
			return err // of a traced function of another package
		}
		var names []string
		for fn := range declarers {
			names = append(names, fn.name)
		}
		return errorAt(n, joinNames(names),
			"variable %s is declared in several functions, none of them traced; choose with --func NAME", parts[0])
	}
	for fn := range declarers {
		if fn.locked != "" {
			return errorAt(n, nil, "variable %s: function %s, which declares it, cannot be traced: %s", n.Text, fn.name,
				fn.locked)
		}
		fn.traced[i] = true
	}
	return nil
}

// startsWithPackage reports whether a path starts with the name of a package.
func (r *resolver) startsWithPackage(parts []string) bool {
	return len(parts) > 1 && len(r.packagesNamed(parts[0])) > 0
}

// variable tracks the variables that a name means: the locals of that name in traced functions, and
// a package variable or constant.
func (r *resolver) variable(i int, n Name) error {
	u, err := r.unit(r.specs[i].Package)
	if err != nil {
		return err
	}
	parts := variablePath(n.Text)
	found := false
	var pathErr error
	declared := map[*function][]*types.Var{}
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
				declared[l.fn] = append(declared[l.fn], obj)
			}
		}
	}
	for _, fn := range u.fns {
		r.warnMerged(i, fn, declared[fn])
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
	if err := r.misnamedLocal(i, n, parts); err != nil {
		return err
	}
	candidates := u.variableNames()
	return errorAt(n, joinNames(candidates), "no variable %s in package %s%s", n.Text, u.pkg.Path,
		Suggest(parts[0], candidates))
}

// warnMerged says that the variables of one name in fn, in source order, count as one: a
// trace names a variable by its function and name alone.
func (r *resolver) warnMerged(i int, fn *function, vars []*types.Var) {
	var places []string
	for _, v := range vars {
		p := fn.pkg.Fset.Position(v.Pos())
		place := fmt.Sprintf("%s:%d", position(r.homes[i], fn.pkg, v.Pos()), p.Column)
		if !slices.Contains(places, place) { // a type switch declares its variable in one place
			places = append(places, place)
		}
	}
	if len(places) < 2 {
		return
	}
	text := fmt.Sprintf("%s: %s is declared again in %s, at %s: these count as one variable, with the value that any "+
		"of them was given last; rename one to tell them apart",
		places[0], vars[0].Name(), fn.name, strings.Join(places[1:], ", "))
	if !slices.Contains(r.warnings, text) { // several names and specifications may begin with it
		r.warnings = append(r.warnings, text)
	}
}

// misnamedLocal explains a name that should mean a local variable x of a function f, and does not:
// x or f.x where f, of any package, is traced; pkg.x or pkg.f.x.
func (r *resolver) misnamedLocal(i int, n Name, parts []string) error {
	if !r.startsWithPackage(parts) {
		for _, u := range r.order {
			if l, ok := u.localNamed(parts, func(fn *function) bool { return fn.traced[i] }); ok {
				return r.localError(i, n, l)
			}
		}
		return nil
	}
	for _, m := range r.packagesNamed(parts[0]) {
		if m.Locked != "" {
			continue
		}
		u, err := r.unit(m.Path)
		if err != nil {
			return err
		}
		if l, ok := u.localNamed(parts[1:], func(*function) bool { return true }); ok {
			return r.localError(i, n, l)
		}
	}
	return nil
}

// localNamed finds a variable x of one of the functions f that a path x… or f.x… leads to.
func (u *unit) localNamed(parts []string, of func(*function) bool) (local, bool) {
	path := strings.Join(parts, ".") + "."
	for _, l := range u.locals {
		x := l.obj.Name() + "."
		if _, ok := l.obj.(*types.Var); ok && of(l.fn) &&
			(strings.HasPrefix(path, x) || strings.HasPrefix(path, l.fn.name+"."+x)) {
			return l, true
		}
	}
	return local{}, false
}

func (r *resolver) localError(i int, n Name, l local) error {
	pkg := l.fn.pkg
	if pkg.Path == r.specs[i].Package {
		return errorAt(n, nil, "variable %s: parameters and local variables are named by themselves: %s", n.Text,
			l.obj.Name())
	}
	return errorAt(n, nil, "variable %s: %s is a parameter or local variable of %s, in package %s; only a "+
		"specification of that package can name those: name a package variable (%s.NAME), or run antichain test %s "+
		"with a specification beside that package",
		n.Text, l.obj.Name(), l.fn.name, pkg.Path, pkg.Name, pkg.Path)
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
	return errorAt(n, joinNames(names),
		"shared variable %s is not a package variable of %s%s (a value set needs an initial value, which only "+
			"those have)", n.Text, u.pkg.Path, Suggest(parts[0], names))
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
	if !r.startsWithPackage(parts) {
		return false, nil
	}
	var owners []*unit
	for _, m := range r.packagesNamed(parts[0]) {
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
		return false, errorAt(n, joinNames(paths), "variable %s is ambiguous", n.Text)
	}
	if len(owners) == 0 {
		return false, nil
	}
	obj := owners[0].pkg.Types.Scope().Lookup(parts[1])
	return r.packageObject(i, owners[0], obj, parts[1:], parts[0]+"."+parts[1], n, shared)
}

func (r *resolver) packageObject(i int, u *unit, obj types.Object, parts []string, rootName string, n Name,
	shared bool) (bool, error) {
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

// track adds an item for spec i: parts is the path with the root's own name in front, rootName the
// specification's name for the root.
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
	it.names[i] = binding{name: name, root: rootName, shared: shared}
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

// variableNames lists the possible meanings of a short name.
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
