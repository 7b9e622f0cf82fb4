package instrument

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/antichain-go/antichain/internal/cachedir"
)

// cacheDir returns the directory of this name in the cache, for files that later builds for a
// toolchain or program can use again.
func (c *Config) cacheDir(name string) (string, error) {
	cache, _, err := cachedir.Find(c.Cache)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, name)
	if err := cachedir.Private(dir); err != nil {
		return "", &cachedir.UnusableError{Dir: cache, Err: err}
	}
	return dir, nil
}

// helperDirs returns the directories for programs that read source for newer toolchains (package
// helper), the best one first. The directory of the build is the last resort where programs may not
// be run from the cache.
func (c *Config) helperDirs() []string {
	var dirs []string
	if dir, err := c.cacheDir("helpers"); err == nil {
		dirs = append(dirs, dir)
	}
	if dir := filepath.Join(c.CacheDir, "helpers"); c.CacheDir != "" && cachedir.Private(dir) == nil {
		dirs = append(dirs, dir)
	}
	return dirs
}

// withoutRoom replaces an error of a go command that had no room to write: without room in its
// cache it reports that packages of the standard library are missing.
func (c *Config) withoutRoom(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	env, envErr := c.goEnv(ctx)
	if envErr != nil {
		return err
	}
	if full := cachedir.Full(env.GOCACHE); full != nil {
		return fmt.Errorf("the build cache of go in %s is full: %w; make room there, or name another directory with "+
			"GOCACHE", env.GOCACHE, full)
	}
	if full := cachedir.Full(os.TempDir()); full != nil {
		return fmt.Errorf("the directory for temporary files is full: %w; make room there, or name another directory "+
			"with TMPDIR", full)
	}
	return err
}
