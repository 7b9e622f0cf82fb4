// Package schedulefile keeps schedules in files.
package schedulefile

import (
	"fmt"
	"hash/fnv"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/antichain-go/antichain/internal/cachedir"
	"github.com/antichain-go/antichain/tracer/schedule"
)

// Dir returns the directory of schedule files that a user has named, or else one below the user's cache.
func Dir(named string) (string, error) {
	if named != "" {
		return filepath.Abs(named)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no place for schedule files (%w): name one with --schedule-dir", err)
	}
	return filepath.Join(cache, "antichain", "schedules"), nil
}

// Write writes the schedule of a finding in a package, and returns the name of the file. Another schedule of the same steps is
// written over.
func Write(named, pkg, property string, s *schedule.Schedule) (string, error) {
	dir, err := Dir(named)
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
