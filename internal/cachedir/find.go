package cachedir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// Variable is the environment variable that names the directory for cached files.
const Variable = "ANTICHAIN_CACHE"

// UnusableError reports that a directory cannot hold cached files.
type UnusableError struct {
	Dir string
	Err error
}

func (e *UnusableError) Error() string {
	remedy := "name another directory with --cache-dir or " + Variable
	if isFull(e.Err) {
		remedy = "make room there, or " + remedy
	}
	return fmt.Sprintf("the cache in %s cannot be written: %v; %s", e.Dir, e.Err, remedy)
}

func (e *UnusableError) Unwrap() error { return e.Err }

// Find returns the directory for files of later runs: the named one, else that of ANTICHAIN_CACHE,
// else one in the user's cache directory. A user without one gets a directory among the temporary
// files, and a warning. A directory that the user has named is used or refused, never replaced. The
// error is an *UnusableError.
func Find(named string) (dir, warning string, err error) {
	if named == "" {
		named = os.Getenv(Variable)
	}
	if named != "" {
		if dir, err = filepath.Abs(named); err == nil {
			err = writable(dir)
		}
		if err != nil {
			return "", "", &UnusableError{named, err}
		}
		return dir, "", nil
	}
	dir, why := userDir()
	if why == nil {
		why = writable(dir)
	}
	switch {
	case why == nil:
		return dir, "", nil
	case isFull(why):
		return "", "", &UnusableError{dir, why}
	}
	dir, err = temporary()
	if err != nil {
		return "", "", &UnusableError{dir, fmt.Errorf("%w (there because of: %w)", err, why)}
	}
	return dir, fmt.Sprintf("the cache is in %s (%v): set %s to a directory that stays, or use --cache-dir", dir, why,
		Variable), nil
}

// userDir is the directory of antichain in the user's cache directory.
func userDir() (string, error) {
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "antichain"), err
}

// temporary makes a directory for this user among the temporary files. Others can guess its name,
// so it must be owned by the user, in a place where no other user can replace it. Its name differs
// from those of the directories of single runs, which are removed.
func temporary() (string, error) {
	parent, err := filepath.Abs(os.TempDir())
	if err != nil {
		return os.TempDir(), err
	}
	dir := filepath.Join(parent, fmt.Sprintf("antichain.cache-%d", os.Getuid()))
	info, err := os.Stat(parent)
	if err != nil {
		return dir, err
	}
	if info.Mode()&os.ModeSticky == 0 && !ownedByUser(info) {
		return dir, fmt.Errorf("others can rename files in %s", parent)
	}
	return dir, writable(dir)
}

// writable makes a private directory, or checks that files can be made in it.
func writable(dir string) error {
	if err := Private(dir); err != nil {
		return err
	}
	probe, err := os.CreateTemp(dir, ".probe-*")
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// Full returns an error if a directory has no room for even a small file.
func Full(dir string) error {
	probe, err := os.CreateTemp(dir, ".probe-*")
	if err == nil {
		_, err = probe.Write(make([]byte, 1<<16))
		_ = errors.Join(probe.Close(), os.Remove(probe.Name())) // errors here are not about room
	}
	if !isFull(err) {
		return nil
	}
	return err
}

// isFull reports whether an error is that a file system is full, or the user's quota exhausted.
func isFull(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }
