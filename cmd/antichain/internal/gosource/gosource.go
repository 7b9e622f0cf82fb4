// Package gosource reads a Go package in a directory, for the names that a specification beside it
// can use. It tolerates mistakes in the package.
package gosource

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
)

// Limits for reading a package.
const (
	maxFiles = 2000
	maxBytes = 1 << 24 // of all files
)

// Package is a Go package.
type Package struct {
	*rewrite.Index
	Name    string
	Fset    *token.FileSet
	Sources map[string]string // by path
	// go statements, by the position of the function they start (PosOf)
	Started map[token.Pos][]token.Pos
}

// Files returns the Go files of a directory, and a stamp that changes when they do.
func Files(dir string) (paths []string, stamp string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, "", err
	}
	var text strings.Builder
	var bytes int64
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue
		}
		fmt.Fprintln(&text, e.Name(), info.Size(), info.ModTime().UnixNano())
		paths = append(paths, filepath.Join(dir, e.Name()))
		if bytes += info.Size(); bytes > maxBytes || len(paths) > maxFiles {
			return nil, "", errors.New("the package is too large")
		}
	}
	return paths, text.String(), nil
}

// Load reads the package of files; nil if there is none. Mistakes in it, and imports, which are not
// read, make names unknown.
func Load(paths []string) *Package {
	p := &Package{Fset: token.NewFileSet(), Sources: map[string]string{}}
	var parsed []*rewrite.File
	for _, path := range paths {
		if built, err := build.Default.MatchFile(filepath.Split(path)); err != nil || !built {
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		syntax, _ := parser.ParseFile(p.Fset, path, src, parser.ParseComments|parser.SkipObjectResolution)
		if syntax == nil || syntax.Name == nil {
			continue
		}
		parsed = append(parsed, &rewrite.File{Name: path, Src: src, Syntax: syntax})
		if p.Name == "" && !strings.HasSuffix(path, "_test.go") {
			p.Name = syntax.Name.Name
		}
	}
	parsed = slices.DeleteFunc(parsed, func(f *rewrite.File) bool { return f.Syntax.Name.Name != p.Name })
	if len(parsed) == 0 {
		return nil
	}
	pkg := &rewrite.Package{Meta: rewrite.Meta{Path: p.Name, Name: p.Name}, Fset: p.Fset, Files: parsed,
		Info: &types.Info{
			Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
			Implicits: map[ast.Node]types.Object{}, Scopes: map[ast.Node]*types.Scope{},
		}}
	var files []*ast.File
	for _, f := range parsed {
		files = append(files, f.Syntax)
		p.Sources[f.Name] = string(f.Src)
	}
	config := types.Config{Importer: noImports{}, Error: func(error) {}, FakeImportC: true}
	pkg.Types, _ = config.Check(p.Name, p.Fset, files, pkg.Info)
	p.Index = rewrite.NewIndex(pkg)
	p.Started = goStatements(files, pkg.Info)
	return p
}

type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) {
	return nil, fmt.Errorf("package %s is not read", path)
}

// goStatements finds the starts of goroutines: go statements, and calls of methods Go with a
// function, such as those of wait groups.
func goStatements(files []*ast.File, info *types.Info) map[token.Pos][]token.Pos {
	started := map[token.Pos][]token.Pos{}
	add := func(fun ast.Expr, at token.Pos) {
		switch f := ast.Unparen(fun).(type) {
		case *ast.FuncLit:
			started[f.Pos()] = append(started[f.Pos()], at)
		case *ast.Ident:
			if obj := info.Uses[f]; obj != nil {
				started[obj.Pos()] = append(started[obj.Pos()], at)
			}
		case *ast.SelectorExpr:
			if obj := info.Uses[f.Sel]; obj != nil {
				started[obj.Pos()] = append(started[obj.Pos()], at)
			}
		}
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				add(n.Call.Fun, n.Pos())
			case *ast.CallExpr:
				if sel, ok := n.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Go" && len(n.Args) == 1 {
					add(n.Args[0], n.Pos())
				}
			}
			return true
		})
	}
	return started
}

// PosOf returns the position of a function's name, or its beginning if it has none.
func PosOf(f rewrite.Function) token.Pos {
	if d, ok := f.Node.(*ast.FuncDecl); ok {
		return d.Name.Pos()
	}
	return f.Node.Pos()
}

// Place returns a position for messages.
func (p *Package) Place(pos token.Pos) string {
	at := p.Fset.PositionFor(pos, false)
	return fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
}

// Line returns the source line of a position.
func (p *Package) Line(pos token.Pos) string {
	at := p.Fset.PositionFor(pos, false)
	src := p.Sources[at.Filename]
	if at.Offset > len(src) {
		return ""
	}
	line, _, _ := strings.Cut(src[strings.LastIndexByte(src[:at.Offset], '\n')+1:], "\n")
	return strings.TrimSpace(line)
}

// Signature returns the source of a function without its body.
func (p *Package) Signature(f rewrite.Function) string {
	var body *ast.BlockStmt
	switch n := f.Node.(type) {
	case *ast.FuncDecl:
		body = n.Body
	case *ast.FuncLit:
		body = n.Body
	}
	if body == nil || !body.Lbrace.IsValid() {
		return p.Line(f.Node.Pos())
	}
	from, to := p.Fset.PositionFor(f.Node.Pos(), false), p.Fset.PositionFor(body.Lbrace, false)
	src := p.Sources[from.Filename]
	if from.Offset > to.Offset || to.Offset > len(src) {
		return p.Line(f.Node.Pos())
	}
	return strings.TrimSpace(src[from.Offset:to.Offset])
}
