package commandtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/antichain-go/antichain/internal/cachedir"
)

// directories is where Directory makes them. Tests may name another directory for temporary files.
var directories = filepath.Join(os.TempDir(), "antichain-tests-"+strconv.Itoa(os.Getuid()))

var unusual = regexp.MustCompile(`\W+`)

// Directory returns an empty directory for a test. Unlike that of t.TempDir it is the same one when
// the test runs again, unless it is in use. The build cache of Go has packages by their
// directories, and compiles anew what is in a new one.
func Directory(t testing.TB) string {
	t.Helper()
	if err := cachedir.Private(directories); err != nil {
		t.Fatal(err)
	}
	name := unusual.ReplaceAllString(filepath.Base(os.Args[0])+" "+t.Name(), "-")
	for n := 0; ; n++ {
		dir := filepath.Join(directories, name+strconv.Itoa(n))
		unlock, err := lock(dir + ".lock")
		if err != nil {
			t.Fatal(err)
		}
		if unlock == nil {
			continue
		}
		if remove(dir) != nil || os.Mkdir(dir, 0o700) != nil {
			unlock() // a process of an earlier run is still there
			continue
		}
		t.Cleanup(func() {
			_ = remove(dir) // else the next run does it
			unlock()
		})
		return dir
	}
}

// remove removes a directory, though those in it may be read-only.
func remove(dir string) error {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}
