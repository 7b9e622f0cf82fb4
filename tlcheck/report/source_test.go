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
