package goroot

import (
	"errors"
	"fmt"
	"go/build"
	"io"
	"io/fs"
	"maps"
	"path"
	"strings"
)

// change is the set of changes of a capability.
type change struct {
	edits   map[string][]edit // by file
	imports map[string][]string
	files   map[string]string // new contents of whole files
}

// patches makes the changes of all capabilities whose patches fit. For each other capability it
// stores the reason in g.without.
func (g *generator) patches() error {
	changes := make(map[string]*change)
	for _, c := range g.capabilities {
		if g.without[c.name] != nil {
			continue
		}
		made, err := g.changeOnce(c)
		if _, ok := errors.AsType[*MismatchError](err); ok {
			g.without[c.name] = err
		} else if err != nil {
			return err
		}
		changes[c.name] = made
	}
	g.dropDependents()
	edits, imports := make(map[string][]edit), make(map[string][]string)
	for _, c := range g.capabilities {
		if g.without[c.name] != nil {
			continue
		}
		made := changes[c.name]
		for name, e := range made.edits {
			edits[name] = append(edits[name], e...)
			g.changedBy[name] = append(g.changedBy[name], c.name)
		}
		for name, paths := range made.imports {
			imports[name] = append(imports[name], paths...)
		}
		for name, text := range made.files {
			g.files[name] = text
			g.changedBy[name] = append(g.changedBy[name], c.name)
		}
	}
	for name, e := range edits {
		text, err := applyEdits(g.sources[name].text, e)
		if err == nil {
			text, err = g.withImports(text, imports[name])
		}
		if err != nil { // in an unknown release; the latest one goes
			changers := g.changedBy[name]
			g.without[changers[len(changers)-1]] = fmt.Errorf("patches of %s: %w", name, err)
			clear(g.files)
			clear(g.changedBy)
			return g.patches()
		}
		g.files[name] = text
	}
	return nil
}

// dropDependents leaves out the capabilities that need a capability that is left out.
func (g *generator) dropDependents() {
	for again := true; again; {
		again = false
		for _, c := range g.capabilities {
			for _, n := range c.needs {
				if why := g.without[n.name]; why != nil && g.without[c.name] == nil {
					g.without[c.name] = fmt.Errorf("it needs %s: %w", n.name, why)
					again = true
				}
			}
		}
	}
}

// changeResult is the result of change.
type changeResult struct {
	made *change
	err  error
}

// changeOnce is change, which is asked for once.
func (g *generator) changeOnce(c *capability) (*change, error) {
	if known, ok := g.changes[c]; ok {
		return known.made, known.err
	}
	made, err := g.change(c)
	g.changes[c] = changeResult{made, err}
	return made, err
}

// withImports is the function of this name, which is asked for once.
func (g *generator) withImports(text string, wanted []string) (string, error) {
	key := fmt.Sprintf("%q\n%s", wanted, text)
	if known, ok := g.finished[key]; ok {
		return known, nil
	}
	finished, err := withImports(text, wanted)
	if err == nil {
		g.finished[key] = finished
	}
	return finished, err
}

// change returns the changes of a capability, or a MismatchError if one of its patches does not
// fit.
func (g *generator) change(c *capability) (*change, error) {
	made := &change{edits: make(map[string][]edit), imports: make(map[string][]string), files: maps.Clone(c.files)}
	if made.files == nil {
		made.files = make(map[string]string)
	}
	for i := range c.disables {
		d := &c.disables[i]
		if !isFor(g.release.Minor, d.since, d.until) {
			continue
		}
		f, err := g.source(d.file)
		if err != nil {
			return nil, patchError(d.name(), err)
		}
		e, err := d.edits(f.all)
		if err != nil {
			return nil, patchError(d.name(), &MismatchError{err})
		}
		made.edits[d.file] = append(made.edits[d.file], e...)
	}
	for i := range c.patches {
		p := &c.patches[i]
		if !isFor(g.release.Minor, p.since, p.until) {
			continue
		}
		name, e, err := g.locate(p)
		if err != nil {
			return nil, patchError(p.name, err)
		}
		made.edits[name] = append(made.edits[name], e...)
		made.imports[name] = append(made.imports[name], p.imports...)
	}
	if c.rewrites != nil {
		files, err := c.rewrites(g.text)
		if err != nil {
			return nil, patchError(c.name, &MismatchError{err})
		}
		maps.Copy(made.files, files)
	}
	return made, nil
}

// text returns the text of a file of the standard library that need not be Go.
func (g *generator) text(name string) (string, error) {
	b, err := fs.ReadFile(g.tree, name)
	if err != nil {
		g.searched = true
		return "", err
	}
	g.read[name] = string(b)
	return string(b), nil
}

func patchError(name string, err error) error { return fmt.Errorf("patch %s: %w", name, err) }

// locate returns the changes of a patch, in its file or, if the declaration is not there, in
// another one of the package.
func (g *generator) locate(p *patch) (name string, e []edit, err error) {
	e, err = g.editsIn(p, p.file)
	if err == nil {
		return p.file, e, nil
	}
	var mismatch *MismatchError
	if !errors.Is(err, errNoDeclaration) && !(errors.As(err, &mismatch) && g.sources[p.file] == nil) {
		return "", nil, err
	}
	var found []string
	for _, other := range g.packageFiles(path.Dir(p.file)) {
		if other == p.file {
			continue
		}
		if edits, otherErr := g.editsIn(p, other); otherErr == nil {
			found, e = append(found, other), edits
		} else if !errors.Is(otherErr, errNoDeclaration) {
			return "", nil, otherErr
		}
	}
	if len(found) != 1 {
		declared, _ := p.declaration()
		return "", nil, &MismatchError{fmt.Errorf("%s is declared in %d files of package %s besides %s", declared,
			len(found), path.Dir(p.file), p.file)}
	}
	return found[0], e, nil
}

// editsIn returns the changes of a patch in a file.
func (g *generator) editsIn(p *patch, name string) ([]edit, error) {
	f, err := g.source(name)
	if err != nil {
		return nil, err
	}
	e, err := p.edits(f.text, f.all)
	if err != nil {
		return nil, &MismatchError{fmt.Errorf("%s: %w", name, err)}
	}
	return e, nil
}

// packageFiles returns the Go files of a package that are built for Linux.
func (g *generator) packageFiles(pkg string) []string {
	g.searched = true
	entries, err := fs.ReadDir(g.tree, pkg)
	if err != nil {
		return nil
	}
	ctx := build.Default
	ctx.GOOS, ctx.CgoEnabled, ctx.JoinPath = "linux", true, path.Join
	ctx.OpenFile = func(name string) (io.ReadCloser, error) { return g.tree.Open(name) }
	var names []string
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		if ok, err := ctx.MatchFile(pkg, e.Name()); ok && err == nil {
			names = append(names, path.Join(pkg, e.Name()))
		}
	}
	return names
}
