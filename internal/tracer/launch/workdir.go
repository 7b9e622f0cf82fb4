//go:build unix

package launch

import (
	"fmt"
	"os"
	"path/filepath"
)

// Dir is a directory of this process alone: mode 0700, with a random name. It is removed with the
// process. If the process is killed, the next one removes it.
type Dir struct{ dir *privateDir }

// NewDir makes a Dir in the directory for temporary files, for files that are built before a run
// and exchanged during it. XDG_RUNTIME_DIR is not used: it is small, and often mounted noexec.
func NewDir() (*Dir, error) {
	base, err := filepath.Abs(os.TempDir())
	if err == nil {
		removeDead(base)
		var d *privateDir
		if d, err = makeDir(base); err == nil {
			return &Dir{d}, nil
		}
	}
	return nil, fmt.Errorf("no directory for temporary files: %w; set TMPDIR to one that you can write to", err)
}

func (d *Dir) Path() string { return d.dir.path }

// Remove removes the directory and its contents.
func (d *Dir) Remove() error { return d.dir.remove() }
