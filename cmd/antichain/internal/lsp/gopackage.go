package lsp

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/gosource"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

const maxPackages = 16 // limit of the cache

// goPackage is the Go package in the directory of a specification.
type goPackage struct {
	*gosource.Package
	lines map[string][]int // byte offsets of the lines of the sources, by path
}

// loadPackage reads a package; nil if there is none.
func loadPackage(paths []string) *goPackage {
	p := gosource.Load(paths)
	if p == nil {
		return nil
	}
	lines := map[string][]int{}
	for path, text := range p.Sources {
		lines[path] = linesOf(text)
	}
	return &goPackage{p, lines}
}

// packageCache keeps packages until their files change.
type packageCache struct {
	kept []keptPackage // the most recently used one is last
}

type keptPackage struct {
	dir   string
	stamp string
	pkg   *goPackage
}

// packageOf returns the package in the directory of a document; nil if it cannot be read.
func (c *packageCache) packageOf(d *document) *goPackage {
	if d.path == "" {
		return nil
	}
	dir := filepath.Dir(d.path)
	paths, stamp, err := gosource.Files(dir)
	if err != nil || len(paths) == 0 {
		return nil
	}
	i := slices.IndexFunc(c.kept, func(k keptPackage) bool { return k.dir == dir })
	if i < 0 && len(c.kept) >= maxPackages {
		i = 0
	}
	k := keptPackage{dir: dir, stamp: stamp}
	if i >= 0 {
		if c.kept[i].dir == dir && c.kept[i].stamp == stamp {
			k = c.kept[i]
		}
		c.kept = slices.Delete(c.kept, i, i+1)
	}
	if k.pkg == nil {
		k.pkg = loadPackage(paths)
	}
	c.kept = append(c.kept, k)
	return k.pkg
}

// location returns the position of a name.
func (p *goPackage) location(pos token.Pos, name string) (Location, bool) {
	at := p.Fset.PositionFor(pos, false)
	src, ok := p.Sources[at.Filename]
	if !ok {
		return Location{}, false
	}
	end := at.Offset
	if strings.HasPrefix(src[min(end, len(src)):], name) {
		end += len(name)
	}
	return Location{uriOf(at.Filename), Range{positionIn(src, p.lines[at.Filename], at.Offset),
		positionIn(src, p.lines[at.Filename], end)}}, true
}

// object is a meaning of a name in a specification.
type object struct {
	name string
	pos  token.Pos
	text string // Markdown
}

// objects returns the meanings of a word in a package.
func (p *goPackage) objects(d *document, w word) (all []object) {
	if w.phase != "" {
		for _, f := range p.functionsNamed(w.name) {
			all = append(all, object{lastPart(f.Name), gosource.PosOf(f), p.aboutFunction(f)})
		}
		return all
	}
	for _, v := range p.variablesNamed(d, strings.Split(w.name, ".")) {
		all = append(all, object{v.Name(), v.Pos(), p.aboutVariable(v)})
	}
	return all
}

// functionsNamed returns the functions with a name, which may include the name of the package.
func (p *goPackage) functionsNamed(name string) []rewrite.Function {
	all := p.FunctionsNamed(name)
	if rest, ok := strings.CutPrefix(name, p.Name+"."); ok && len(all) == 0 {
		all = p.FunctionsNamed(rest)
	}
	return all
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// variablesNamed returns the meanings of a dotted name: variables, constants and fields. Those of
// the package, or of functions that the specification names, take precedence over those of other
// functions.
func (p *goPackage) variablesNamed(d *document, path []string) []rewrite.Variable {
	var near, far []rewrite.Variable
	file, _ := spec.ParseAll("", d.text)
	named := map[string]bool{"": true}
	for _, n := range file.Functions() {
		for _, f := range p.functionsNamed(n.Name) {
			named[f.Name] = true
		}
	}
	for _, v := range p.Variables() {
		found, ok := p.follow(v, path)
		switch {
		case ok && named[v.In]:
			near = append(near, found)
		case ok:
			far = append(far, found)
		}
	}
	if len(near) > 0 {
		return near
	}
	return far
}

// follow resolves a dotted name that begins with a variable. The package precedes it if that
// declares it.
func (p *goPackage) follow(v rewrite.Variable, path []string) (rewrite.Variable, bool) {
	if v.In == "" && len(path) > 1 && path[0] == p.Name && path[1] == v.Name() {
		path = path[1:]
	}
	if v.Name() != path[0] {
		return v, false
	}
	if len(path) > 1 {
		field := p.Field(v, path[1:])
		v.Object = field
		return v, field != nil
	}
	return v, true
}

func (p *goPackage) aboutFunction(f rewrite.Function) string {
	var b strings.Builder
	b.WriteString("```go\n" + p.Signature(f) + "\n```\n")
	if d, ok := f.Node.(*ast.FuncDecl); ok && d.Doc != nil {
		b.WriteString("\n" + escape(strings.TrimSpace(d.Doc.Text())) + "\n")
	}
	b.WriteString("\n" + escape(f.Name) + ", " + p.Place(f.Node.Pos()))
	if f.Name == "main" && p.Name == "main" {
		b.WriteString("; the main goroutine runs it")
	}
	for _, at := range p.Started[gosource.PosOf(f)] {
		b.WriteString("; started as a goroutine at " + p.Place(at))
	}
	if f.Locked != "" {
		b.WriteString("\n\nThis function cannot be traced: " + f.Locked + ".")
	}
	return b.String()
}

// aboutVariable describes a variable, a constant or a field.
func (p *goPackage) aboutVariable(v rewrite.Variable) string {
	kind := "variable"
	switch obj := v.Object.(type) {
	case *types.Const:
		kind = "constant"
	case *types.Var:
		if obj.IsField() {
			kind = "field"
		}
	}
	of := "package " + p.Name
	if v.In != "" {
		of = v.In
	}
	return "```go\n" + p.Line(v.Pos()) + "\n```\n\n" + kind + " of " + escape(of) + ", " + p.Place(v.Pos())
}

// maxUnknown limits the unknown names that are reported.
const maxUnknown = 100

// unknownNames returns the names of a specification that its package does not have, with
// suggestions. If the package has none of them, it returns nothing: then the specification is about
// something else, such as the traces of services.
func (p *goPackage) unknownNames(d *document, f *spec.File) []Diagnostic {
	known := 0
	var all []Diagnostic
	report := func(n spec.Name, what, suggestion string) {
		if len(all) < maxUnknown {
			text := "no " + what + " " + n.Name + " in package " + p.Name + " of this directory" + suggestion
			all = append(all, Diagnostic{d.wordAt(n.Pos), severityInformation, "antichain", text})
		}
	}
	for _, n := range slices.Concat(f.Functions(), f.MustFinish, f.MayWait) {
		root, _, dotted := strings.Cut(n.Name, ".")
		switch {
		case len(p.functionsNamed(n.Name)) > 0:
			known++
		case !dotted || len(p.functionsNamed(root)) > 0:
			// otherwise it may belong to another package
			report(n, "function", p.SuggestFunction(n.Name))
		}
	}
	roots := map[string]bool{p.Name: true}
	for _, v := range p.Variables() {
		roots[v.Name()] = true
	}
	for _, n := range slices.Concat(f.Variables(), f.Shared) {
		root, _, dotted := strings.Cut(n.Name, ".")
		switch {
		case roots[root]:
			known++
		case !dotted:
			report(n, "variable", p.SuggestVariable(n.Name))
		}
	}
	if known == 0 {
		return nil
	}
	return all
}
