package goroot

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// library is a standard library in memory: the packages that overlays change. Copies share what has
// been scanned.
type library struct {
	root    string
	files   fstest.MapFS
	sources map[string]*sourceFile
}

var libraries sync.Map // root -> *library

// readLibrary returns a copy of the library at root.
func readLibrary(t testing.TB, root string) *library {
	t.Helper()
	if l, ok := libraries.Load(root); ok {
		return l.(*library).clone()
	}
	l := &library{root: root, files: fstest.MapFS{}, sources: map[string]*sourceFile{}}
	packages := map[string]bool{"internal/race": true, "sync/atomic": true}
	for _, c := range capabilities {
		for _, d := range c.disables {
			packages[path.Dir(d.file)] = true
		}
		for _, p := range c.patches {
			packages[path.Dir(p.file)] = true
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(packages)) {
		dir := filepath.Join(root, "src", filepath.FromSlash(pkg))
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // this release has no such package
		}
		for _, e := range entries {
			if e.IsDir() || strings.HasSuffix(e.Name(), "_test.go") || !strings.HasSuffix(e.Name(), ".go") &&
				e.Name() != "asm.s" {
				continue
			}
			b, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			l.files[path.Join(pkg, e.Name())] = &fstest.MapFile{Data: b, Mode: 0o600}
		}
	}
	g := l.generator(Options{})
	if err := g.generate(); err != nil {
		t.Fatal(err)
	}
	libraries.Store(root, l)
	return l.clone()
}

func (l *library) clone() *library {
	return &library{l.root, maps.Clone(l.files), maps.Clone(l.sources)}
}

func (l *library) text(name string) string {
	b, _ := fs.ReadFile(l.files, name)
	return string(b)
}

func (l *library) set(name, text string) {
	l.files[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o600}
	delete(l.sources, name)
}

// generator returns a generator of overlays for the library.
func (l *library) generator(opt Options) *generator {
	g := newGenerator(l.root, opt)
	g.tree, g.sources = l.files, maps.Clone(l.sources)
	for name := range g.sources {
		if l.files[name] == nil {
			delete(g.sources, name)
		}
	}
	if len(l.sources) == 0 {
		g.sources = l.sources // to be shared
	}
	return g
}

// overlay returns the files of an overlay and what it lacks.
func (l *library) overlay(t testing.TB, opt Options) (files map[string]string, lacks []Lack) {
	t.Helper()
	g := l.generator(opt)
	if err := g.generate(); err != nil {
		t.Fatal(err)
	}
	return g.files, g.missing()
}

// patchedFiles are the Go files of the library that patches of this release look at.
func (l *library) patchedFiles() []string {
	minor := ReleaseOf(l.root).Minor
	names := map[string]bool{}
	for _, c := range capabilities {
		for _, d := range c.disables {
			if isFor(minor, d.since, d.until) {
				names[d.file] = true
			}
		}
		for _, p := range c.patches {
			if isFor(minor, p.since, p.until) {
				names[p.file] = true
			}
		}
	}
	for _, name := range []string{"doc.go", "doc_64.go", "type.go", "value.go"} {
		names["sync/atomic/"+name] = true
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if l.files[name] != nil {
			all = append(all, name)
		}
	}
	return all
}
