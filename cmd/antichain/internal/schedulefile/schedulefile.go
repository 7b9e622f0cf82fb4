// Package schedulefile keeps schedules in files.
package schedulefile

import (
	"fmt"
	"hash/fnv"
	"path"
	"path/filepath"
	"strings"

	"github.com/antichain-go/antichain/internal/cachedir"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
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
	file := filepath.Join(dir, fmt.Sprintf("%s-%s-%08x.schedule", base(pkg), base(property), h.Sum32()))
	return file, cachedir.WriteFile(file, []byte(s.String()))
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
