package rewrite

import (
	"errors"
	"fmt"
	"go/types"
	"path"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/site"
)

// unit is a package with its tracked functions and variables.
type unit struct {
	pkg    *Package
	home   bool // of a specification
	fns    []*function
	byName map[string]*function
	locals []local
	items  map[*types.Var][]*item // by root
	order  []*item                // in order of creation
}

// item is a tracked variable, or a part of one.
type item struct {
	root   *types.Var
	fields []*types.Var // path from root, embedded structs included
	global bool         // root is a package variable
	names  map[int]binding
	index  int // in unit.order
}

// binding is the name of an item in a specification.
type binding struct {
	name   string
	root   string // the part of name that means the item's root
	shared bool
}

func (it *item) typ() types.Type {
	if len(it.fields) == 0 {
		return it.root.Type()
	}
	return it.fields[len(it.fields)-1].Type()
}

// resolver resolves the names of all specifications.
type resolver struct {
	prog     Program
	specs    []Spec
	units    map[string]*unit
	order    []*unit
	homes    []string                  // per spec, the root of its package
	consts   []map[string]*types.Const // per spec, by name as written
	named    []map[string]*function    // likewise
	warnings []string
	errs     []error
}

// resolve resolves all names of the specifications. Errors are joined: one run shows all of them.
func resolve(specs []Spec, prog Program) (*resolver, error) {
	r := &resolver{prog: prog, specs: specs, units: map[string]*unit{}}
	roots := map[string]string{}
	for _, m := range prog.Packages() {
		roots[m.Path] = m.Root
	}
	for i := range specs {
		r.homes = append(r.homes, roots[specs[i].Package])
		r.consts = append(r.consts, map[string]*types.Const{})
		r.named = append(r.named, map[string]*function{})
		home, err := r.unit(specs[i].Package)
		if err != nil {
			r.fail(err)
			continue
		}
		home.home = true
		r.functions(i)
		r.operations(i)
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
		if err == nil && fn.locked != "" {
			err = errorAt(n, nil, "function %s cannot be traced: %s", n.Text, fn.locked)
		}
		if err != nil {
			r.fail(err)
			continue
		}
		fn.traced[i] = true
		r.named[i][n.Text] = fn
	}
	for _, pattern := range spec.FuncPatterns {
		r.pattern(i, pattern)
	}
}

// trace traces a function that a --func pattern matches, if that is possible.
func (r *resolver) trace(i int, fn *function) {
	if fn.locked != "" {
		r.warnings = append(r.warnings,
			fmt.Sprintf("%s: %s is not traced: %s", position(r.homes[i], fn.pkg, fn.node.Pos()), fn.name, fn.locked))
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
	text := site.PlainFunction(n.Text)
	if found := home.functionsMatching(text); len(found) == 1 {
		return found[0], nil
	} else if len(found) > 1 {
		return nil, errorAt(n, namesOf(found, ""), "function %s is ambiguous", n.Text)
	}
	var found []*function
	var names []string
	for _, m := range r.prog.Packages() {
		rest, qualified := m.withoutQualifier(text)
		if !qualified {
			continue
		}
		if m.Locked != "" {
			return nil, errorAt(n, nil, "function %s: package %s cannot be traced: %s", n.Text, m.Path, m.Locked)
		}
		u, err := r.unit(m.Path)
		if err != nil {
			return nil, err
		}
		for _, fn := range u.functionsMatching(rest) {
			found = append(found, fn)
			names = append(names, m.Path+"."+fn.name)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		all := namesOf(home.fns, "")
		return nil, errorAt(n, joinNames(all), "no function %s in package %s%s", n.Text, home.pkg.Path,
			Suggest(text, all))
	}
	return nil, errorAt(n, joinNames(names), "function %s is ambiguous", n.Text)
}

// functionsMatching returns the functions that a canonical name may mean within a package.
func (u *unit) functionsMatching(text string) []*function {
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

// withoutQualifier cuts a qualifier for the package off a name: its path, the last element of that,
// as in reports, or its name.
func (m *Meta) withoutQualifier(name string) (rest string, ok bool) {
	for _, q := range []string{m.Path, path.Base(m.Path), m.Name} {
		if rest, ok := strings.CutPrefix(name, q+"."); ok {
			return rest, true
		}
	}
	return "", false
}

func (r *resolver) packagesNamed(name string) []Meta {
	var metas []Meta
	for _, m := range r.prog.Packages() {
		if m.Name == name {
			metas = append(metas, m)
		}
	}
	return metas
}

// pattern traces the matches of a --func pattern: names of the specification's package, or of
// another one after "pkg.".
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
		for _, m := range r.packagesNamed(qualifier) {
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
		r.fail(&Error{Msg: fmt.Sprintf("--func %q matches no function", pattern),
			Candidates: joinNames(namesOf(home.fns, ""))})
	}
}

func namesOf(fns []*function, prefix string) []string {
	var names []string
	for _, fn := range fns {
		names = append(names, prefix+fn.name)
	}
	return names
}
