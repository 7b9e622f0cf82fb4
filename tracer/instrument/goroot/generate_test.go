package goroot

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func goroot() string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		panic(err) // there is no test without a go command
	}
	return strings.TrimSpace(string(out))
}

// copyTree copies the files that the overlay reads from GOROOT, so that a test can
// change them.
func copyTree(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	files := map[string]bool{"internal/race/race.go": true}
	for _, d := range disables {
		files[d.file] = true
	}
	for _, list := range patches {
		for _, p := range list {
			files[p.file] = true
		}
	}
	for _, name := range []string{"doc.go", "doc_64.go", "asm.s", "type.go", "value.go"} {
		files["sync/atomic/"+name] = true
	}
	for name := range files {
		b, err := os.ReadFile(filepath.Join(goroot(), "src", name))
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(root, "src", name)
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestWriteIsStable(t *testing.T) {
	a, err := Write(t.TempDir(), goroot(), Options{})
	if err != nil || a.Why != nil {
		t.Fatal(err, a)
	}
	dir := t.TempDir()
	b, err := Write(dir, goroot(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if a.Hash != b.Hash || len(a.Replace) != len(b.Replace) {
		t.Error("two overlays of the same tree differ")
	}
	if len(a.Missing) != 0 {
		t.Errorf("the full overlay lacks %q", a.Missing)
	}
	times := func() (all []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			info, err := e.Info()
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, e.Name(), info.ModTime().String())
		}
		return all
	}
	before := times()
	if _, err := Write(dir, goroot(), Options{}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(before, times()); d != "" {
		t.Error("files with the same content were written again:", d)
	}
}

// Objects of one GOROOT have its names in them, and must not be taken for those of another one: Go's cache
// tells them apart by the content of the files only.
func TestWriteKnowsGoroot(t *testing.T) {
	link := filepath.Join(t.TempDir(), "go")
	if err := os.Symlink(goroot(), link); err != nil {
		t.Fatal(err)
	}
	here, err1 := generate(goroot(), Options{})
	there, err2 := generate(link, Options{})
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	for name, text := range here {
		if there[name] == text {
			t.Errorf("%s is the same file in another GOROOT", name)
		}
	}
}

// A standard library that has changed anywhere that matters gets the small overlay,
// and the error names the patch.
func TestFallback(t *testing.T) {
	for _, test := range []struct{ file, old, new, want string }{
		{"runtime/chan.go", "racenotify(c, c.sendx, nil)", "racenotify(c, c.sendx)", "buffered send"},
		{"runtime/proc.go", "const randomizeScheduler = raceenabled", "", "scheduler"},
		{"sync/once.go", "done atomic.Bool", "done atomic.Uint32", "once field"},
		{"sync/atomic/asm.s", "TEXT ·AddInt32(SB)", "TEXT ·AddInt33(SB)", "AddInt32"},
		{"sync/atomic/doc.go", "func AddInt32(addr *int32", "func AddInt32(at *int32", "AddInt32"},
		{"runtime/metrics.go", "raceenabled", "raceon", "runtime/metrics.go"},
		{"internal/sync/mutex.go", "", "", "internal/sync/mutex.go"},
	} {
		root := copyTree(t)
		name := filepath.Join(root, "src", test.file)
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if test.old == "" {
			err = os.Remove(name)
		} else {
			if !strings.Contains(string(b), test.old) {
				t.Fatalf("%s has no %q", test.file, test.old)
			}
			err = os.WriteFile(name, []byte(strings.ReplaceAll(string(b), test.old, test.new)), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		o, err := Write(t.TempDir(), root, Options{})
		if err != nil {
			t.Errorf("%s: %v", test.file, err)
			continue
		}
		if o.Why == nil || !strings.Contains(o.Why.Error(), test.want) {
			t.Errorf("%s: reason %v does not name %q", test.file, o.Why, test.want)
		}
		if d := cmp.Diff(MissingMinimal, o.Missing); d != "" {
			t.Errorf("%s: missing %s", test.file, d)
		}
		if _, ok := o.Replace[filepath.Join(root, "src/runtime/race0.go")]; !ok {
			t.Errorf("%s: the small overlay does not replace race0.go", test.file)
		}
		if _, ok := o.Replace[filepath.Join(root, "src/runtime/chan.go")]; ok {
			t.Errorf("%s: the small overlay replaces chan.go", test.file)
		}
	}
}

func TestNoOverlayAtAll(t *testing.T) {
	root := t.TempDir()
	var mismatch *MismatchError
	if _, err := Write(t.TempDir(), root, Options{}); !errors.As(err, &mismatch) {
		t.Errorf("overlay for an empty tree: %v", err)
	}
}

// Patches have names of their own and change something.
func TestPatchTable(t *testing.T) {
	seen := map[string]bool{}
	for _, list := range patches {
		for _, p := range list {
			id := p.file + " " + p.name
			if seen[id] {
				t.Errorf("two patches are called %s", id)
			}
			seen[id] = true
			if p.reason == "" || p.old == p.new || p.old == "" {
				t.Errorf("patch %s has no reason or no effect", id)
			}
		}
	}
}
