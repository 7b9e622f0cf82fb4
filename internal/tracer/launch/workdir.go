//go:build unix

package launch

import (
	"fmt"
	"os"
	"path/filepath"
)

// Dir is a directory of this process alone: mode 0700, a random name, gone with the
// process even if that is killed (the next one removes it).
type Dir struct{ dir *privateDir }

// NewDir makes one in the directory for temporary files, for what is built before a run
// and exchanged during it. XDG_RUNTIME_DIR is not for that: it is small, and programs
// may not be run from there.
func NewDir() (*Dir, error) {
	base, err := filepath.Abs(os.TempDir())
	if err == nil {
		sweep(base)
		var d *privateDir
		if d, err = makeDir(base); err == nil {
			return &Dir{d}, nil
		}
	}
	return nil, fmt.Errorf("no directory for temporary files: %w; set TMPDIR to one that you can write to", err)
}

// Path is the directory's name.
func (d *Dir) Path() string { return d.dir.path }

// Remove removes the directory with all that is in it.
func (d *Dir) Remove() error { return d.dir.remove() }
