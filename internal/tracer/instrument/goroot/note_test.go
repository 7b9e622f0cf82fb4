package goroot

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An overlay is used again as long as nothing that it was made of, and none of its files, has
// changed.
func TestNoted(t *testing.T) {
	tree := mirror(t, goroot(), "runtime", "internal")
	dir := t.TempDir()
	if o := cachedOverlay(dir, tree, Options{}); o != nil {
		t.Fatal("there is a note before an overlay was made")
	}
	write := func() *Overlay {
		t.Helper()
		made, err := Write(dir, tree, Options{})
		if err != nil {
			t.Fatal(err)
		}
		again := cachedOverlay(dir, tree, Options{})
		if again == nil {
			t.Fatal("it is not used again")
		}
		if d := cmp.Diff([]any{made.Replace, made.Release, made.Hash, made.contents},
			[]any{again.Replace, again.Release, again.Hash, again.contents}); d != "" {
			t.Fatalf("it is another one:\n%s", d)
		}
		return made
	}
	write()
	if cachedOverlay(dir, tree, Options{Memory: true}) != nil || cachedOverlay(dir, goroot(), Options{}) != nil ||
		cachedOverlay(dir, tree, Options{Without: map[string]error{"timers": errors.New("on request")}}) != nil {
		t.Error("it is used for something else")
	}
	for i, file := range []string{"runtime/chan.go", "internal/race/race.go", "sync/pool.go",
		"runtime/antichain_emit.go"} {
		changed := filepath.Join(tree, "src", filepath.FromSlash(file))
		if i >= 2 {
			changed = write().Replace[changed]
		}
		f, err := os.OpenFile(changed, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteString("\n// Changed.\n")
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		if cachedOverlay(dir, tree, Options{}) != nil {
			t.Errorf("it is used again after a change of %s", changed)
		}
		write()
	}
	if err := os.WriteFile(filepath.Join(tree, "VERSION"), []byte("go1.25.1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if cachedOverlay(dir, tree, Options{}) != nil {
		t.Error("it is used again for another release")
	}
}

// mirror returns a Go tree that is like root. It has copies of these directories of the standard
// library, and links to the others.
func mirror(t *testing.T, root string, copied ...string) string {
	t.Helper()
	tree := t.TempDir()
	src := filepath.Join(tree, "src")
	entries, err := os.ReadDir(filepath.Join(root, "src"))
	if err := errors.Join(err, os.Mkdir(src, 0o700)); err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		from, to := filepath.Join(root, "src", e.Name()), filepath.Join(src, e.Name())
		if slices.Contains(copied, e.Name()) {
			err = os.CopyFS(to, os.DirFS(from))
		} else {
			err = os.Symlink(from, to)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	version, err := os.ReadFile(filepath.Join(root, "VERSION"))
	if err := errors.Join(err, os.WriteFile(filepath.Join(tree, "VERSION"), version, 0o600)); err != nil {
		t.Fatal(err)
	}
	return tree
}

// An overlay without some capability has no note: why it is missing can change.
func TestNoNote(t *testing.T) {
	dir := t.TempDir()
	if _, err := Write(dir, goroot(),
		Options{Without: map[string]error{"timers": errors.New("on request")}}); err != nil {
		t.Fatal(err)
	}
	if notes, err := filepath.Glob(filepath.Join(dir, "note-*")); err != nil || len(notes) > 0 {
		t.Errorf("%v, %v", notes, err)
	}
}
