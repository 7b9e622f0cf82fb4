// Package schedulefile keeps schedules in files.
package schedulefile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/internal/cachedir"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/internal/wording"
)

// Place says where schedule files are kept: in a directory that the user has named, or else in the
// cache.
type Place struct {
	Dir   string // "" if none is named
	Cache string // "" if none is named; see cachedir.Find
}

// dir returns the directory of schedule files.
func (p Place) dir() (string, error) {
	if p.Dir != "" {
		return filepath.Abs(p.Dir)
	}
	cache, _, err := cachedir.Find(p.Cache)
	if err != nil {
		return "", fmt.Errorf("no place for schedule files: %w", err)
	}
	return filepath.Join(cache, "schedules"), nil
}

// extension is that of schedule files.
const extension = ".schedule"

// Write writes the schedule of a finding in a package, and returns the name of the file. Another
// schedule of the same steps is written over.
func (p Place) Write(pkg, property string, s *schedule.Schedule) (string, error) {
	dir, err := p.dir()
	if err != nil {
		return "", err
	}
	steps := *s
	steps.Keep = schedule.Keep{}
	h := fnv.New32a()
	h.Write([]byte(pkg + "\n" + steps.String()))
	file := filepath.Join(dir, fmt.Sprintf("%s-%s-%08x", base(pkg), base(property), h.Sum32())+extension)
	return file, cachedir.WriteFile(file, []byte(s.String()))
}

// Kept is a schedule in a file.
type Kept struct {
	File  string    `json:"file"`
	Shows string    `json:"shows"` // the violation that it was made for
	Test  bool      `json:"test"`  // it is the schedule of a test
	Made  time.Time `json:"made"`
}

// List returns the schedules of the module that a directory is in, the newest first: at most so
// many, and how many there are besides. It leaves out files that are no schedules.
func (p Place) List(module string, most int) (all []Kept, further int, err error) {
	dir, err := p.dir()
	if err != nil {
		return nil, 0, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !(p.Dir == "" && errors.Is(err, fs.ErrNotExist)) { // a cache may have none yet
		return nil, 0, err
	}
	all = []Kept{}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if filepath.Ext(name) != extension {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		info, gone := e.Info()
		s, err := schedule.Parse(bytes.NewReader(text))
		if gone == nil && err == nil && hasPlaces(module, s) {
			shows := wording.Beginning(strings.Join(s.Comment, " "), maxShown)
			all = append(all, Kept{name, shows, s.OfTest(), info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b Kept) int { return cmp.Or(b.Made.Compare(a.Made), cmp.Compare(a.File, b.File)) })
	shown := min(len(all), most)
	return all[:shown], len(all) - shown, nil
}

// maxShown bounds what a list says of a schedule, in bytes.
const maxShown = 300

// hasPlaces reports whether a directory, or one above it, has the file of a schedule's first step:
// places are relative to the root of the module.
func hasPlaces(dir string, s *schedule.Schedule) bool {
	file, _, _ := strings.Cut(s.Steps[0].At, ":")
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(file))); err == nil {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// base is the last element of a package's path, fit for the name of a file.
func base(pkg string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>| `, r) || r < ' ' {
			return '_'
		}
		return r
	}, path.Base(filepath.ToSlash(pkg)))
}
