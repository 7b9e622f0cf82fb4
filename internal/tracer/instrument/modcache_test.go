package instrument

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
)

// fileProxy makes a module proxy of the one module in a directory, and a module cache that is
// filled from it. It returns the environment of go commands that use both.
func fileProxy(t *testing.T, module string, files map[string]string) []string {
	t.Helper()
	dir := t.TempDir()
	versions := filepath.Join(dir, "proxy", filepath.FromSlash(module), "@v")
	if err := os.MkdirAll(versions, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"list": "v1.0.0\n", "v1.0.0.info": `{"Version":"v1.0.0"}`,
		"v1.0.0.mod": files["go.mod"]} {
		if err := os.WriteFile(filepath.Join(versions, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Create(filepath.Join(versions, "v1.0.0.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	archive := zip.NewWriter(f)
	for name, content := range files {
		w, err := archive.Create(module + "@v1.0.0/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return append(os.Environ(), "GOPROXY=file://"+filepath.ToSlash(filepath.Join(dir, "proxy")), "GONOSUMDB=*",
		"GOFLAGS=-modcacherw",
		"GOMODCACHE="+filepath.Join(dir, "modules"))
}

// Calls of sync/atomic in packages of the module cache are recorded, also where a function of
// theirs is inlined.
func TestModuleCache(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	env := fileProxy(t, "example.com/lib", map[string]string{
		"go.mod": "module example.com/lib\n\ngo 1.26\n",
		"lib.go": `package lib

import "sync/atomic"

var N int32

func Inlined() { atomic.AddInt32(&N, 77) }

//go:noinline
func Called() { Inlined() }

func Reset() { atomic.StoreInt32(&N, 0) }
`})
	dir := writeModule(t, `
-- go.mod --
module example.com/app

go 1.26

require example.com/lib v1.0.0
-- main.go --
package main

import "example.com/app/between"

func main() { between.Both() }
-- between/between.go --
package between

import (
	"crypto/subtle"

	"example.com/lib"
)

func Both() {
	if subtle.ConstantTimeByteEq(1, 1) != 1 || subtle.ConstantTimeEq(1, 2) != 0 {
		panic("what is inlined here relies on the compiler")
	}
	lib.Inlined()
	lib.Reset()
	lib.Called()
}
`)
	tidy := exec.Command("go", "mod", "tidy")
	tidy.Dir, tidy.Env = dir, env
	if out, err := tidy.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	spec := []rewrite.Spec{{Package: "example.com/app", Request: parseRequest(t, "func main")}}
	for _, flags := range [][]string{nil, {"-gcflags=-e"}, {"-gcflags=all=-e"}} {
		config := Config{Dir: dir, Env: env, GoFlags: flags, CacheDir: t.TempDir(), Specs: spec}
		build, err := Prepare(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		binary := filepath.Join(t.TempDir(), "app")
		if err := build.Compile(t.Context(), binary); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(traced(t, binary, build.Tables[0]), "atomic add\n"); n != 2 {
			t.Errorf("%q: %d additions recorded, want 2", flags, n)
		}
		if len(build.Warnings) > 0 {
			t.Errorf("%q: warnings %q", flags, build.Warnings)
		}
	}
}
