package instrument

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tracer/instrument/goroot"
	"github.com/antichain-go/antichain/tracer/instrument/rewrite"
)

// listed is a package as go list describes it.
type listed struct {
	ImportPath, Name, Dir string
	ForTest               string
	GoFiles, CgoFiles     []string
	Imports               []string
	ImportMap             map[string]string
	Export                string
	Standard, DepOnly     bool
	Module                *struct {
		Path, Dir, GoVersion string
		Main                 bool
	}
	Error      *listError
	DepsErrors []*listError
}

type listError struct {
	Pos, Err string
}

const listFields = "ImportPath,Name,Dir,ForTest,GoFiles,CgoFiles,Imports,ImportMap,Export,Standard,DepOnly,Module,Error,DepsErrors"

// program is the packages of a build. It is the rewriter's view of them.
type program struct {
	packages []*listed
	export   map[string]string // import path as go list writes it -> export data
	locked   func(p *listed) string
	replace  map[string]string // the user's overlay
	fset     *token.FileSet
}

// list describes the packages that the patterns match and all that they depend on.
// Export data costs a build of what is listed, in which the standard library is
// compiled with the overlay and so not in vain.
func (c *Config) list(ctx context.Context, flags []goFlag, overlayFile string, export bool) ([]*listed, error) {
	args := []string{"list", "-e", "-deps", "-json=" + listFields}
	if export {
		args = append(args, "-export")
	}
	if c.Verb == Test {
		args = append(args, "-test")
	}
	if overlayFile != "" {
		args = append(args, "-overlay="+overlayFile)
	}
	for _, f := range flags {
		if buildGoFlags[f.name] {
			args = append(args, f.words...)
		}
	}
	out, err := c.output(ctx, append(append(args, "--"), c.Packages...)...)
	if err != nil {
		return nil, err
	}
	var packages []*listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(listed)
		if err := dec.Decode(p); err == io.EOF {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		packages = append(packages, p)
	}
}

// errorsIn collects what is wrong with the listed packages.
func errorsIn(packages []*listed) error {
	var errs []error
	seen := map[string]bool{}
	for _, p := range packages {
		if p.Error == nil {
			continue
		}
		text := strings.TrimSpace(p.Error.Err)
		if p.Error.Pos != "" && !strings.Contains(text, p.Error.Pos) {
			text = p.Error.Pos + ": " + text
		}
		if !seen[text] {
			seen[text] = true
			errs = append(errs, errors.New(text))
		}
	}
	return errors.Join(errs...)
}

func newProgram(packages []*listed, env *goEnv, replace map[string]string) *program {
	p := &program{packages: packages, export: map[string]string{}, replace: replace, fset: token.NewFileSet()}
	for _, l := range packages {
		if l.Export != "" {
			p.export[l.ImportPath] = l.Export
		}
	}
	p.locked = func(l *listed) string {
		if below(l.Dir, env.GOMODCACHE) {
			return "it lies in the module cache, whose files go build does not replace; use go mod vendor, a replace directive or a workspace"
		}
		return ""
	}
	return p
}

// plainPath is an import path without the mark of a test variant.
func plainPath(path string) string {
	path, _, _ = strings.Cut(path, " ")
	return path
}

// named reports whether names can mean a package: not the standard library, not the
// generated main packages of tests, not a package compiled again for another's test.
func (l *listed) named() bool {
	if l.Standard || l.Name == "" || strings.HasSuffix(l.ImportPath, ".test") {
		return false
	}
	path := plainPath(l.ImportPath)
	return l.ForTest == "" || path == l.ForTest || path == l.ForTest+"_test"
}

// Packages lists every package once, a test variant before the package itself.
func (p *program) Packages() []rewrite.Meta {
	var metas []rewrite.Meta
	seen := map[string]bool{}
	for _, l := range p.packages {
		path := plainPath(l.ImportPath)
		if !l.named() || seen[path] {
			continue
		}
		seen[path] = true
		metas = append(metas, p.meta(l))
	}
	return metas
}

func (p *program) meta(l *listed) rewrite.Meta {
	m := rewrite.Meta{Path: plainPath(l.ImportPath), Name: l.Name, Root: l.root(), Locked: p.locked(l)}
	if l.Module != nil {
		m.Module = l.Module.Path
	}
	return m
}

// root is the directory of the module of a package, or else of the package.
func (l *listed) root() string {
	if l.Module != nil && l.Module.Dir != "" {
		return l.Module.Dir
	}
	return l.Dir
}

// find returns the variant of a package that has the most files: with the files of its
// own test.
func (p *program) find(path string) *listed {
	var found *listed
	for _, l := range p.packages {
		if l.named() && plainPath(l.ImportPath) == path && (found == nil || l.ForTest != "") {
			found = l
		}
	}
	return found
}

// fileList is the import path that go gives to a package whose files are named one by one.
const fileList = "command-line-arguments"

// main returns the program that is built, nil if there is none.
func (p *program) main() *listed {
	for _, l := range p.packages {
		if !l.DepOnly && l.Name == "main" {
			return l
		}
	}
	return nil
}

// addedToList returns the names of those files that are new in a package whose files are
// named one by one: they must be named, too. Elsewhere go finds new files by itself.
func (p *program) addedToList(files map[string][]byte) []string {
	l := p.find(fileList)
	if l == nil {
		return nil
	}
	var added []string
	for path := range files {
		dir, name := filepath.Split(path)
		if filepath.Clean(dir) == l.Dir && !slices.Contains(l.GoFiles, name) && !slices.Contains(l.CgoFiles, name) {
			added = append(added, name)
		}
	}
	slices.Sort(added)
	return added
}

// Load parses and checks a package.
func (p *program) Load(path string) (*rewrite.Package, error) {
	l := p.find(path)
	if l == nil {
		return nil, fmt.Errorf("package %s of the specification is not part of the build", path)
	}
	pkg := &rewrite.Package{Meta: p.meta(l), Dir: l.Dir, Fset: p.fset}
	if pkg.Locked != "" {
		return nil, fmt.Errorf("package %s cannot be traced: %s", path, pkg.Locked)
	}
	names := slices.Concat(l.GoFiles, l.CgoFiles)
	slices.Sort(names)
	var files []*ast.File
	for _, name := range names {
		f, err := p.parse(absolute(l.Dir, name))
		if err != nil {
			return nil, err
		}
		pkg.Files = append(pkg.Files, f)
		files = append(files, f.Syntax)
	}
	return pkg, p.check(l, pkg, files)
}

// mayUse returns those of the kinds missing that a package outside of the standard library may
// use, its tests included.
func (p *program) mayUse(missing []string) ([]string, error) {
	if len(missing) == 0 {
		return nil, nil
	}
	standard := map[string]bool{}
	for _, l := range p.packages {
		standard[l.ImportPath] = l.Standard
	}
	used := map[string]bool{}
	for _, l := range p.packages {
		if l.Standard {
			continue
		}
		if strings.HasSuffix(l.ImportPath, ".test") { // generated, and the tests run in parallel
			return missing, nil
		}
		for _, name := range slices.Concat(l.GoFiles, l.CgoFiles) {
			f, err := p.parse(absolute(l.Dir, name))
			if err != nil {
				return nil, err
			}
			for _, kind := range goroot.MayUse(f.Syntax, missing, func(path string) bool { return standard[path] }) {
				used[kind] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(missing), func(kind string) bool { return !used[kind] }), nil
}

// atomics rewrites the calls of sync/atomic in all packages whose files can be replaced;
// files holds what was rewritten before. It returns the packages that have such calls
// and whose files cannot, without marks of test variants.
func (p *program) atomics(files map[string][]byte) (unseen []string, err error) {
	for _, m := range p.Packages() {
		l := p.find(m.Path)
		if !slices.Contains(l.Imports, "sync/atomic") {
			continue
		}
		found := false
		for _, name := range slices.Concat(l.GoFiles, l.CgoFiles) {
			path := absolute(l.Dir, name)
			src := files[path]
			if src == nil {
				if src, err = p.read(path); err != nil {
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

// read reads a file of the user's, or what the user's overlay has in its place.
func (p *program) read(name string) ([]byte, error) {
	if to, ok := p.replace[name]; ok {
		name = to
	}
	return os.ReadFile(name)
}

func (p *program) parse(name string) (*rewrite.File, error) {
	src, err := p.read(name)
	if err != nil {
		return nil, err
	}
	syntax, err := parser.ParseFile(p.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	return &rewrite.File{Name: name, Src: src, Syntax: syntax}, err
}

const maxTypeErrors = 10

// check type-checks a package against the export data of what it imports.
func (p *program) check(l *listed, pkg *rewrite.Package, files []*ast.File) error {
	lookup := func(path string) (io.ReadCloser, error) {
		if to, ok := l.ImportMap[path]; ok {
			path = to
		}
		file, ok := p.export[path]
		if !ok {
			return nil, fmt.Errorf("no export data of package %s", path)
		}
		return os.Open(file)
	}
	var errs []error
	conf := types.Config{
		Importer:    importer.ForCompiler(p.fset, "gc", lookup),
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
	pkg.Types, _ = conf.Check(pkg.Path, p.fset, files, pkg.Info)
	return errors.Join(errs...)
}
