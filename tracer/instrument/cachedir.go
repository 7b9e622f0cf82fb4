package instrument

import (
	"os"
	"path/filepath"

	"github.com/antichain-go/antichain/internal/cachedir"
)

// testedDir is where it is noted which toolchains have passed the self-test, and what was made for them is kept; "" if the user
// has no directory for such things. The name of one in the directory for temporary files
// could be guessed and taken by others.
func testedDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "antichain")
}

// notesDir is testedDir if nobody else can write there, else "".
func notesDir() string {
	dir := testedDir()
	if dir == "" || cachedir.Private(dir) != nil {
		return ""
	}
	return dir
}

// helperDirs are the directories for programs that read source for newer toolchains (package helper).
func (c *Config) helperDirs() []string { return c.cacheDirs("helpers") }

// cacheDirs are the directories of this name, the best one
// first. That of the build is there for this build alone, and so the last resort.
func (c *Config) cacheDirs(name string) []string {
	var dirs []string
	for _, parent := range []string{testedDir(), c.CacheDir} {
		if parent == "" || cachedir.Private(parent) != nil {
			continue
		}
		if dir := filepath.Join(parent, name); cachedir.Private(dir) == nil {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}
