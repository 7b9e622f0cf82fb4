package frontend

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
)

// holdAt inserts calls of the agent before lines; files holds the earlier rewrites. The number of a
// line is the index of the first equal one in the list.
func (c *checker) holdAt(lines []rewrite.Line, files map[string][]byte) error {
	numbers := make(map[string]map[int]int)
	var errs []error
	for i, l := range lines {
		first := l.First(lines)
		if first < i {
			continue
		}
		name, err := c.fileToHoldIn(l)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if numbers[name] == nil {
			numbers[name] = make(map[int]int)
		}
		numbers[name][l.Line] = first
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for name, lines := range numbers {
		src := files[name]
		var err error
		if src == nil {
			if src, err = c.read(name); err != nil {
				return err
			}
		}
		if files[name], err = rewrite.HoldAt(name, src, lines); err != nil {
			return err
		}
	}
	return nil
}

// fileToHoldIn returns the file of a line, or why goroutines cannot be held before that.
func (c *checker) fileToHoldIn(l rewrite.Line) (string, error) {
	name, pkg, err := c.fileNamed(l.File)
	if err != nil {
		return "", err
	}
	if why := c.Locked(pkg); why != "" {
		return "", fmt.Errorf("%s: no goroutine can be held there: %s", l.Text, why)
	}
	f, err := c.parse(name)
	if err != nil {
		return "", err
	}
	return name, rewrite.CheckLine(f, c.fset, l)
}

// fileNamed returns the file of the user's packages that a name means: that file itself, or the
// only one whose path ends so.
func (p *Program) fileNamed(name string) (file string, of *Package, err error) {
	found := make(map[string]*Package)
	for _, l := range p.Packages {
		if !l.isNameable() {
			continue
		}
		for _, file := range slices.Concat(l.GoFiles, l.CgoFiles) {
			path := Absolute(l.Dir, file)
			if path == name {
				return path, l, nil
			}
			if strings.HasSuffix(filepath.ToSlash(path), "/"+filepath.ToSlash(name)) {
				found[path] = l
			}
		}
	}
	paths := slices.Sorted(maps.Keys(found))
	switch len(paths) {
	case 0:
		return "", nil, fmt.Errorf("%s is no file of the program, outside of the standard library", name)
	case 1:
		return paths[0], found[paths[0]], nil
	}
	return "", nil, fmt.Errorf("%s can be each of these files: %s", name, strings.Join(paths, ", "))
}
