//go:build linux && (amd64 || arm64)

package instrument

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The first build with a toolchain tests it and notes so; without a place for notes it works
// all the same.
func TestToolchainIsTested(t *testing.T) {
	app := writeModule(t, `
-- go.mod --
module example.com/app
go 1.26
-- main.go --
package main
func main() {}
`)
	goCache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(string(goCache)))
	notes := t.TempDir()
	for _, dir := range []string{notes, filepath.Join(app, "go.mod", "no directory")} {
		t.Setenv("XDG_CACHE_HOME", dir)
		b, err := Prepare(context.Background(),
			Config{Dir: app, Packages: []string{"."}, CacheDir: t.TempDir(), Env: os.Environ()})
		if err != nil {
			t.Fatalf("XDG_CACHE_HOME=%s: %v", dir, err)
		}
		if len(b.Lacks) > 0 {
			t.Errorf("XDG_CACHE_HOME=%s: the overlay lacks %v", dir, b.Lacks)
		}
	}
	if marks, _ := filepath.Glob(filepath.Join(notes, "antichain", "selftest-*")); len(marks) != 1 {
		t.Errorf("notes of the self test: %q, want one", marks)
	}
}
