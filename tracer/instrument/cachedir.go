package instrument

import (
	"fmt"
	"os"
	"path/filepath"
)

// testedDir is where it is noted which toolchains have passed the self test; "" if the user
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
	if dir == "" || privateDir(dir) != nil {
		return ""
	}
	return dir
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
		return fmt.Errorf("%s is not a directory that only you can write to: remove it", dir)
	}
	return nil
}

// helperDirs are the directories for programs that read source for newer toolchains (package helper).
func (c *Config) helperDirs() []string { return c.cacheDirs("helpers") }

// cacheDirs are the directories of this name, the best one
// first. That of the build is there for this build alone, and so the last resort.
func (c *Config) cacheDirs(name string) []string {
	var dirs []string
	for _, parent := range []string{testedDir(), c.CacheDir} {
		if parent == "" || privateDir(parent) != nil {
			continue
		}
		if dir := filepath.Join(parent, name); privateDir(dir) == nil {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}
