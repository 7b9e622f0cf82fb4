package report

import (
	"os"
	"path/filepath"
	"testing"
)

func TestSourceLine(t *testing.T) {
	outside := t.TempDir()
	dir := t.TempDir()
	write := func(dir, name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte("one\n\ttwo\nthree"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(dir, "a.go")
	write(dir, "secret.txt")
	write(outside, "b.go")
	if err := os.Symlink(filepath.Join(outside, "b.go"), filepath.Join(dir, "link.go")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "dir.go"), 0o700); err != nil {
		t.Fatal(err)
	}
	up, err := filepath.Rel(dir, filepath.Join(outside, "b.go"))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		at, want string
		ok       bool
	}{
		{"a.go:1", "one", true},
		{"a.go:2", "\ttwo", true},
		{"a.go:3", "three", true},
		{"a.go:4", "", false},
		{"a.go:0", "", false},
		{"a.go:-1", "", false},
		{"a.go:x", "", false},
		{"a.go", "", false},
		{"", "", false},
		{"missing.go:1", "", false},
		{"dir.go:1", "", false},
		{"secret.txt:1", "", false},
		{filepath.Join(outside, "b.go") + ":1", "", false},
		{up + ":1", "", false},
		{"link.go:1", "", false},
	}
	source := Source{Dirs: []string{filepath.Join(dir, "missing"), dir}}
	for _, test := range tests {
		if got, ok := source.Line(test.at); got != test.want || ok != test.ok {
			t.Errorf("Line(%q) = %q, %v; want %q, %v", test.at, got, ok, test.want, test.ok)
		}
	}
}

// Positions are shown as seen from a directory.
func TestSourcePath(t *testing.T) {
	top := t.TempDir()
	for _, name := range []string{"app/main.go", "app/cmd/cmd.go", "lib/sub/sub.go", "one/same/x.go", "two/same/x.go",
		"cache/example.com/x@v1/x.go"} {
		file := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in := func(name string) string { return filepath.Join(top, filepath.FromSlash(name)) }
	source := Source{Dirs: []string{in("app")}, Cache: in("cache")}
	source.Modules = map[string]string{"example.com/app": in("app"), "example.com/lib@v1.0.0": in("lib"),
		"example.com/app/cmd": in("app/cmd"), "one": in("one/same"), "two": in("two/same")}
	for _, test := range []struct{ from, at, want, line string }{
		{"app", "example.com/app/cmd/cmd.go:1", "cmd/cmd.go:1", "app/cmd/cmd.go"},
		{"app", "example.com/lib@v1.0.0/sub/sub.go:1", "../lib/sub/sub.go:1", "lib/sub/sub.go"},
		{"app", "example.com/lib/sub/sub.go:1", "example.com/lib/sub/sub.go:1", ""},
		{"", "main.go:1", "main.go:1", "app/main.go"},
		{"app", "main.go:1", "main.go:1", "app/main.go"},
		{"app", "cmd/cmd.go:1", "cmd/cmd.go:1", "app/cmd/cmd.go"},
		{"app/cmd", "cmd/cmd.go:1", "cmd.go:1", "app/cmd/cmd.go"},
		{"app/cmd", "main.go:1", "../main.go:1", "app/main.go"},
		{"lib", "main.go:1", "../app/main.go:1", "app/main.go"},
		{"app", "lib/sub/sub.go:1", "../lib/sub/sub.go:1", "lib/sub/sub.go"},
		{"lib/sub", "lib/sub/sub.go:1", "sub.go:1", "lib/sub/sub.go"},
		{"app", "same/x.go:1", "same/x.go:1", ""},
		{"app", "example.com/x@v1/x.go:1", "example.com/x@v1/x.go:1", "cache/example.com/x@v1/x.go"},
		{"app", "sync/mutex.go:1", "sync/mutex.go:1", ""},
		{"app", "", "", ""},
	} {
		if source.From = ""; test.from != "" {
			source.From = in(test.from)
		}
		if got := source.Path(test.at); got != test.want {
			t.Errorf("%q from %q: %q, want %q", test.at, test.from, got, test.want)
		}
		if line, _ := source.Line(test.at); line != test.line {
			t.Errorf("the line at %q is %q, want %q", test.at, line, test.line)
		}
	}
	source.From = in("app/cmd")
	const text = "main waits at main.go:1 (see cmd/cmd.go:1), not at x.go:1, main.go"
	if got, want := source.sentence(text),
		"main waits at ../main.go:1 (see cmd.go:1), not at x.go:1, main.go"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
