package goroot

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The packages of the library are known also where the tree is one of links, as that for a
// toolchain in the module cache.
func TestLibraryRoots(t *testing.T) {
	src := filepath.Join(goroot(), "src")
	linked := filepath.Join(t.TempDir(), "src")
	if err := os.Mkdir(linked, 0o700); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(src)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if err := os.Symlink(filepath.Join(src, e.Name()), filepath.Join(linked, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	direct, err := newGenerator(goroot(), Options{}).libraryRoots()
	if err != nil {
		t.Fatal(err)
	}
	through, err := (&generator{tree: os.DirFS(linked)}).libraryRoots()
	if err != nil || !slices.Equal(direct, through) {
		t.Errorf("%v: %q, through links %q", err, direct, through)
	}
	if !slices.IsSorted(direct) {
		t.Errorf("not sorted: %q", direct)
	}
	for name, want := range map[string]bool{"bytes": true, "encoding": true, "vendor": true, "cmd": false,
		"main": false, "make.bash": false} {
		if slices.Contains(direct, name) != want {
			t.Errorf("%s is among %q: %v", name, direct, !want)
		}
	}
}
