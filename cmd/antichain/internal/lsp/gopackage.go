package lsp

import (
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/gosource"
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

// of returns the package in the directory of a document; nil if it cannot be read.
func (c *packageCache) of(d *document) *goPackage {
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
