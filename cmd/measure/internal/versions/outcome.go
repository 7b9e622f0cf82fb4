//go:build unix

package versions

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// An outcome is the result of one check with one release.
type outcome struct {
	OK      bool   // as it ought to be of a supported release
	Says    string // in a few words, in the table
	Details string // in many, below it
	Seconds float64

	Failing []part // what differs, if the check has parts

	Named []string // programs whose bug was named, if the check is about such
	Mean  float64  // of them in one run
}

// A part of a check differs from what is expected: a test or a command.
type part struct{ Name, Said string }

// writeParts writes what some parts said.
func writeParts(b *strings.Builder, parts []part) {
	const most = 4
	for _, p := range parts[:min(len(parts), most)] {
		fmt.Fprintf(b, "%s: %s", p.Name, p.Said)
	}
	if len(parts) <= most {
		return
	}
	fmt.Fprintf(b, "and also:")
	for _, p := range parts[most:] {
		b.WriteString(" " + p.Name)
	}
	b.WriteString("\n")
}

// A store keeps outcomes in files. An interrupted run finds them there and continues.
type store struct{ dir string }

// newStore keeps outcomes for one content of the repository.
func newStore(dir, key string) *store { return &store{filepath.Join(dir, key)} }

func (s *store) path(r *release, c *cell) string {
	return filepath.Join(s.dir, fileName(r.name), fileName(c.name)+".json")
}

// fileName is a name in which every character can be part of a file's.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\ :`, r) {
			return '-'
		}
		return r
	}, name)
}

// load returns the outcome that was kept, nil if there is none.
func (s *store) load(r *release, c *cell) (*outcome, error) {
	text, err := os.ReadFile(s.path(r, c))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	o := new(outcome)
	if err := json.Unmarshal(text, o); err != nil {
		return nil, fmt.Errorf("%s: %w", s.path(r, c), err)
	}
	return o, nil
}

func (s *store) save(r *release, c *cell, o *outcome) error {
	text, err := json.MarshalIndent(o, "", "\t")
	if err != nil {
		return err
	}
	name := s.path(r, c)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	// A file that is there is whole.
	if err := os.WriteFile(name+".new", text, 0o666); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// contentKey is a hash of the files that decide what the cells show: all but documents, results and
// the code that makes the table.
func contentKey(files fs.FS) (string, error) {
	sum := sha256.New()
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "cmd/measure/internal/versions" || name == "bin" || name == "docs" || strings.HasPrefix(d.Name(), ".") && name != "." && name != ".ci"):
			return fs.SkipDir
		case !d.Type().IsRegular() || !decides(name):
			return nil
		}
		f, err := files.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		fmt.Fprintf(sum, "%s\x00", name)
		_, err = io.Copy(sum, f)
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)[:8]), err
}

// decides reports whether a file may change what a cell shows.
func decides(name string) bool {
	if strings.HasPrefix(name, ".") {
		return name == ".ci/suites.txt"
	}
	switch path.Ext(name) {
	case ".md", ".test", ".prof", ".trace":
		return false
	}
	return name != "antichain" // that go build has left there
}
