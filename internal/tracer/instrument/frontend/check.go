package frontend

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
)

// checker parses and type-checks packages. It is the rewriter's view of them.
type checker struct {
	*Program
	export map[string]string // import path as go list writes it -> export data
	fset   *token.FileSet
}

func newChecker(p *Program) *checker {
	c := &checker{Program: p, export: map[string]string{}, fset: token.NewFileSet()}
	for _, l := range p.Packages {
		if l.Export != "" {
			c.export[l.ImportPath] = l.Export
		}
	}
	return c
}

// Packages lists every package once, a test variant before the package itself.
func (c *checker) Packages() []rewrite.Meta {
	var metas []rewrite.Meta
	seen := map[string]bool{}
	for _, l := range c.Program.Packages {
		path := PlainPath(l.ImportPath)
		if !l.isNameable() || seen[path] {
			continue
		}
		seen[path] = true
		metas = append(metas, c.meta(l))
	}
	return metas
}

func (c *checker) meta(l *Package) rewrite.Meta {
	m := rewrite.Meta{Path: PlainPath(l.ImportPath), Name: l.Name, Root: l.Root(), Locked: c.Locked(l)}
	if l.Module != nil {
		m.Module = l.Module.Path
	}
	return m
}

// Load parses and checks a package.
func (c *checker) Load(path string) (*rewrite.Package, error) {
	l := c.Find(path)
	if l == nil {
		return nil, fmt.Errorf("package %s of the specification is not part of the build", path)
	}
	pkg := &rewrite.Package{Meta: c.meta(l), Dir: l.Dir, Fset: c.fset}
	if pkg.Locked != "" {
		return nil, fmt.Errorf("package %s cannot be traced: %s", path, pkg.Locked)
	}
	names := slices.Concat(l.GoFiles, l.CgoFiles)
	slices.Sort(names)
	var files []*ast.File
	for _, name := range names {
		f, err := c.parse(Absolute(l.Dir, name))
		if err != nil {
			return nil, err
		}
		pkg.Files = append(pkg.Files, f)
		files = append(files, f.Syntax)
	}
	return pkg, c.check(l, pkg, files)
}

// mayUse returns the missing capabilities that a package outside of the standard library may rest
// on, its tests included.
func (c *checker) mayUse(missing []string) ([]string, error) {
	if len(missing) == 0 {
		return nil, nil
	}
	standard := map[string]bool{}
	for _, l := range c.Program.Packages {
		standard[l.ImportPath] = l.Standard
	}
	used := map[string]bool{}
	for _, l := range c.Program.Packages {
		if l.Standard && !l.DepOnly { // one of Go's own programs, which is not analysed
			return missing, nil
		}
		if l.Standard {
			continue
		}
		if strings.HasSuffix(l.ImportPath, ".test") { // generated, and the tests run in parallel
			for _, name := range anything {
				used[name] = true
			}
			continue
		}
		for _, name := range slices.Concat(l.GoFiles, l.CgoFiles) {
			f, err := c.parse(Absolute(l.Dir, name))
			if err != nil {
				return nil, err
			}
			for _, name := range MayUse(f.Syntax, missing, func(path string) bool { return standard[path] }) {
				used[name] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(missing), func(name string) bool { return !used[name] }), nil
}

// atomics rewrites the calls of sync/atomic in all packages whose files can be replaced; files
// holds the earlier rewrites. It returns the packages with such calls whose files cannot be
// replaced, without marks of test variants.
func (c *checker) atomics(files map[string][]byte) (unseen []string, err error) {
	for _, m := range c.Packages() {
		l := c.Find(m.Path)
		if !importsAtomic(l) {
			continue
		}
		found := false
		for _, name := range slices.Concat(l.GoFiles, l.CgoFiles) {
			path := Absolute(l.Dir, name)
			src := files[path]
			if src == nil {
				if src, err = c.read(path); err != nil {
					return nil, err
				}
			}
			changed, err := rewrite.Atomics(path, src)
			if err != nil {
				return nil, err
			}
			if changed != nil {
				found = true
				if m.Locked == "" {
					files[path] = changed
				}
			}
		}
		if found && m.Locked != "" {
			unseen = append(unseen, m.Path)
		}
	}
	return unseen, nil
}

func importsAtomic(l *Package) bool { return slices.Contains(l.Imports, "sync/atomic") }

// read reads a file of the user's, or its replacement in the user's overlay.
func (c *checker) read(name string) ([]byte, error) {
	if to, ok := c.Replace[name]; ok {
		name = to
	}
	return os.ReadFile(name)
}

func (c *checker) parse(name string) (*rewrite.File, error) {
	src, err := c.read(name)
	if err != nil {
		return nil, err
	}
	syntax, err := parser.ParseFile(c.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	return &rewrite.File{Name: name, Src: src, Syntax: syntax}, err
}

const maxTypeErrors = 10

// check type-checks a package against the export data of its imports.
func (c *checker) check(l *Package, pkg *rewrite.Package, files []*ast.File) error {
	lookup := func(path string) (io.ReadCloser, error) {
		if to, ok := l.ImportMap[path]; ok {
			path = to
		}
		file, ok := c.export[path]
		if !ok {
			return nil, fmt.Errorf("no export data of package %s", path)
		}
		return os.Open(file)
	}
	var errs []error
	conf := types.Config{
		Importer:    importer.ForCompiler(c.fset, "gc", lookup),
		FakeImportC: len(l.CgoFiles) > 0,
		Error: func(err error) {
			if len(errs) < maxTypeErrors {
				errs = append(errs, err)
			}
		},
	}
	if l.Module != nil && l.Module.GoVersion != "" {
		conf.GoVersion = "go" + l.Module.GoVersion
	}
	pkg.Info = &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Implicits:  map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes:     map[ast.Node]*types.Scope{},
	}
	pkg.Types, _ = conf.Check(pkg.Path, c.fset, files, pkg.Info)
	return errors.Join(errs...)
}
