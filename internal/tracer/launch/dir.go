//go:build unix

package launch

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/antichain-go/antichain/internal/tracer/control"
)

const (
	dirPrefix = "antichain-"
	ownerName = "owner"

	// unfinishedAge is how old a directory without an owner file must be to count as a leftover. A
	// younger one may be under construction.
	unfinishedAge = time.Hour
)

// privateDir is a directory of this run alone.
type privateDir struct {
	path  string
	owner *os.File // locked as long as the run lives
}

// newPrivateDir makes a private directory, and removes those of runs that were killed. With socket
// its path is short enough for the address of a socket in it.
func newPrivateDir(socket bool) (*privateDir, error) {
	bases := baseDirs(socket)
	for _, base := range bases {
		removeDead(base)
	}
	var errs []error
	for _, base := range bases {
		d, err := makeDir(base)
		if err == nil {
			return d, nil
		}
		errs = append(errs, err)
	}
	return nil, fmt.Errorf("no directory for the shared memory: %w; set TMPDIR to one that you can write to",
		errors.Join(errs...))
}

// baseDirs returns the directories to try, in that order.
func baseDirs(socket bool) []string {
	var bases []string
	if dir := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) && isPrivate(dir) && !(socket && isLong(dir)) {
		bases = append(bases, dir)
	}
	if dir, err := filepath.Abs(os.TempDir()); err == nil {
		if socket && isLong(dir) {
			dir = "/tmp" // where a program that waits for a checker makes its own
		}
		bases = append(bases, dir)
	}
	return bases
}

// isLong reports whether the path of a socket in a private directory of base is too long for an
// address, which ends with a zero.
func isLong(base string) bool {
	dir := filepath.Join(base, dirPrefix+rand.Text())
	name := max(len(control.SocketName), len(control.DialogueName))
	return len(dir)+len("/")+name >= len(unix.RawSockaddrUnix{}.Path)
}

// isPrivate reports whether path is a directory, not a link to one, that only our user can enter.
func isPrivate(path string) bool {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return false
	}
	return st.Mode&unix.S_IFMT == unix.S_IFDIR && st.Uid == uint32(os.Getuid()) && st.Mode&0o077 == 0
}

func makeDir(base string) (*privateDir, error) {
	d := &privateDir{path: filepath.Join(base, dirPrefix+rand.Text())}
	if err := os.Mkdir(d.path, 0o700); err != nil {
		return nil, err
	}
	if err := d.claim(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(d.path))
	}
	return d, nil
}

// claim makes the owner file. The file is locked before it appears under its name: no other process
// takes a new directory for that of a dead run.
func (d *privateDir) claim() error {
	temp := filepath.Join(d.path, ownerName+".new")
	f, err := os.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		return fmt.Errorf("%s: lock: %w", temp, err)
	}
	if err := os.Rename(temp, filepath.Join(d.path, ownerName)); err != nil {
		f.Close()
		return err
	}
	d.owner = f
	return nil
}

// base is the parent directory.
func (d *privateDir) base() string { return filepath.Dir(d.path) }

func (d *privateDir) remove() error {
	return errors.Join(os.RemoveAll(d.path), d.owner.Close())
}

// removeDead removes the directories of dead runs. It leaves those that it cannot remove, or that
// may be in use: a failure here is no reason not to run.
func removeDead(base string) {
	entries, err := os.ReadDir(base)
	if err != nil {
		return
	}
	for _, e := range entries {
		if path := filepath.Join(base, e.Name()); strings.HasPrefix(e.Name(), dirPrefix) && isPrivate(path) {
			sweepDir(path)
		}
	}
}

func sweepDir(path string) {
	f, err := os.OpenFile(filepath.Join(path, ownerName), os.O_RDWR|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if errors.Is(err, os.ErrNotExist) {
		if info, err := os.Lstat(path); err == nil && time.Since(info.ModTime()) > unfinishedAge {
			os.RemoveAll(path)
		}
		return
	}
	if err != nil {
		return
	}
	defer f.Close()
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
		os.RemoveAll(path)
	}
}

// spillDirs returns the directories to try for records that exceed the memory. The directory for
// temporary files may itself be in memory.
func spillDirs() []string { return []string{os.TempDir(), "/var/tmp"} }
