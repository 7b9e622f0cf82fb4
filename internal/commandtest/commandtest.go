// Package commandtest builds the command for tests outside its package.
package commandtest

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/cachedir"
)

// Build builds antichain into a directory, from the repository of the tests. A test calls it, not
// TestMain: then go test does not use a cached result if any file of the repository has changed. In
// tests built with -cover the command is, too, and adds its counters to those in GOCOVERDIR.
func Build(dir string) error {
	repository, err := Repository()
	if err != nil {
		return err
	}
	if err := LookAt(repository); err != nil {
		return err
	}
	binary, mode := filepath.Join(dir, "antichain"), testing.CoverMode()
	kept := keptExecutable(repository, mode)
	_ = os.Link(kept, binary) // the go command does not link again what is up to date
	args := []string{"build", "-o", binary}
	if mode != "" {
		args = append(args, "-cover", "-covermode="+mode, "-coverpkg=./...")
	}
	cmd := exec.Command("go", append(args, "./cmd/antichain")...)
	cmd.Dir = repository
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building antichain: %w\n%s", err, out)
	}
	temp := binary + ".kept"
	if os.Link(binary, temp) == nil {
		_ = os.Rename(temp, kept)
		_ = os.Remove(temp) // rename leaves it if the two are the same file
	}
	return nil
}

// keptExecutable is the name under which the command is kept for other tests, "" if it cannot be.
func keptExecutable(repository, coverMode string) string {
	if cachedir.Private(directories) != nil {
		return ""
	}
	return filepath.Join(directories, unusual.ReplaceAllString("antichain of "+repository+" "+coverMode, "-"))
}

// TakeInterrupts makes programs that tests start react to interrupts. Otherwise those of a
// background job would inherit that it ignores them.
func TakeInterrupts() {
	if signal.Ignored(os.Interrupt) {
		signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	}
}

// Repository is the directory of the module of the working directory.
func Repository() (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("%s is not in a module", start)
		}
	}
}

// LookAt stats all files of a repository. go test records the files that a test looks at, but not
// those of an executable that the test has built.
func LookAt(repository string) error {
	return filepath.WalkDir(repository, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && path != repository && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		return err
	})
}
