package instrument

import (
	"fmt"
	"os"
	"path/filepath"
)

// DefaultCacheDir is where generated files go if nothing else is said. There is one
// without HOME too.
func DefaultCacheDir() string {
	if dir, err := os.UserCacheDir(); err == nil {
		return filepath.Join(dir, "antichain")
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("antichain-cache-%d", os.Getuid()))
}

// privateDir makes a directory for the user alone, or checks that it is one: whoever
// could write there would decide what is compiled.
func privateDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() || !ownedByUser(info) {
		return fmt.Errorf("%s is not a directory that only you can write to: remove it, or choose another with XDG_CACHE_HOME", dir)
	}
	return nil
}
