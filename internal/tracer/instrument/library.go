package instrument

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/antichain-go/antichain/internal/cachedir"
)

// library is the standard library as a build traces it. The go command builds it once, which takes
// most of the time of a first run.
type library struct {
	dir  string // of the records: each has the time that such a build took
	name string // of this one's
}

// newLibrary identifies the library of a build: its patches, and whether accesses to memory are
// recorded.
func newLibrary(c *Config, release string, patches map[string]string) library {
	dir, err := c.cacheDir("library")
	if err != nil {
		return library{} // builds are not announced
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %v", release, c.Memory)
	for _, file := range slices.Sorted(maps.Keys(patches)) {
		fmt.Fprintf(sum, " %q %q", file, patches[file])
	}
	return library{dir, hex.EncodeToString(sum.Sum(nil)[:16])}
}

// LibraryTime reports whether the standard library is to be built for tracing, as far as is known:
// with this release of Go and these patches for the first time. took is how long such a build took
// the last time, 0 if there was none.
func (b *Build) LibraryTime() (isNew bool, took time.Duration) {
	if b.library.dir == "" {
		return false, 0
	}
	if cachedir.Use(b.library.path()); isFile(b.library.path()) {
		return false, 0
	}
	records, err := os.ReadDir(b.library.dir)
	if err != nil {
		return true, 0
	}
	var last time.Time
	for _, r := range records {
		info, err := r.Info()
		if err != nil || info.ModTime().Before(last) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(b.library.dir, r.Name()))
		if d, parseErr := time.ParseDuration(string(text)); err == nil && parseErr == nil {
			took, last = d, info.ModTime()
		}
	}
	return true, took
}

func (l library) path() string { return filepath.Join(l.dir, l.name) }

func isFile(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

// noteBuilt records how long the first build with this library took. If that fails, the next build
// is announced as the first one, too.
func (l library) noteBuilt(took time.Duration) {
	if l.dir != "" && !isFile(l.path()) {
		_ = cachedir.WriteFile(l.path(), []byte(took.Round(time.Second).String()))
	}
}
