package instrument

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fakeToolchain is a Go tree whose go command looks for packages of the standard library by itself,
// or asks the overlay.
func fakeToolchain(t *testing.T, sees bool) string {
	t.Helper()
	root := t.TempDir()
	reads := "dirents, err := os.ReadDir(dir)\n"
	if sees {
		reads = "dirents, err := readDir(dir)\n"
	}
	for name, text := range map[string]string{
		"VERSION": "go1.26.0\n", "bin/go": "", "src/fmt/print.go": "package fmt\n", "src/go.mod": "module std\n",
		"src/internal/goroot/gc.go": reads,
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestRelocate(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, tt := range []struct {
		name          string
		sees, inCache bool
		moved         bool
	}{
		{"as it lies there", true, false, false},
		{"in the module cache", true, true, true},
		{"that sees no added packages", false, false, true},
		{"in the module cache that sees no added packages", false, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := fakeToolchain(t, tt.sees)
			env := &goEnv{GOROOT: root, GOMODCACHE: filepath.Join(t.TempDir(), "none")}
			if tt.inCache {
				env.GOMODCACHE = filepath.Dir(root)
			}
			var paths []string
			for range 2 { // the second time it is there
				c := &Config{CacheDir: t.TempDir()}
				moved, err := c.relocate(env)
				if err != nil || (moved.GOROOT != root) != tt.moved {
					t.Fatalf("moved to %+v, %v", moved, err)
				}
				paths = append(paths, c.Go)
			}
			if !tt.moved {
				return
			}
			if paths[0] != paths[1] {
				t.Errorf("two builds use the toolchain at %s and %s", paths[0], paths[1])
			}
			to := filepath.Dir(filepath.Dir(paths[0]))
			if text, err := os.ReadFile(filepath.Join(to, "src", "fmt", "print.go")); err != nil ||
				string(text) != "package fmt\n" {
				t.Errorf("package fmt: %q, %v", text, err)
			}
			if _, err := os.Stat(filepath.Join(to, "src", "antichain", "agent")); (err == nil) == tt.sees {
				t.Errorf("a directory for the agent: %v", err)
			}
		})
	}
}

// Another thing in the place of a link is not used.
func TestRelocateFindsSomethingElse(t *testing.T) {
	root := fakeToolchain(t, false)
	dir := t.TempDir()
	tree, err := treeOf(root, dir)
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(tree, "src", "fmt")
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	if _, err := treeOf(root, dir); err == nil || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("a link to something else: %v", err)
	}
}
