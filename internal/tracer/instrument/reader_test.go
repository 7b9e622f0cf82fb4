package instrument

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/instrument/frontend"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// oldGo is a release of Go that knows no toolchain there is: what was built with it needs a helper.
const oldGo = "go1.1"

// ownCaches has helpers and notes about toolchains kept for this test alone.
func ownCaches(t *testing.T) {
	t.Helper()
	goCache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(string(goCache)))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
}

// sourceCase is a case for both ways to read source.
type sourceCase struct {
	name    string
	prog    frontend.Program
	specs   []rewrite.Spec
	missing []string
}

func sourceCases(t *testing.T) []sourceCase {
	t.Helper()
	dir := t.TempDir()
	constructs := readConstructs(t)
	all := writeConstructs(t, dir, constructs)
	prog := loadModule(t, dir)
	cases := []sourceCase{
		{name: "constructs", prog: prog, specs: all},
		{name: "constructs, which are not seen", prog: prog, specs: all,
			missing: append(slices.Clip(allCapabilities()), "one more")},
		{name: "no specification", prog: prog, missing: allCapabilities()},
		{name: "no package", prog: prog, specs: []rewrite.Spec{{Package: "cases/none"}}},
	}
	for i, c := range constructs {
		cases = append(cases, sourceCase{name: c.name, prog: prog, specs: all[i : i+1]})
	}

	prog = loadModule(t, writeModule(t, namesModule))
	for _, request := range []string{
		"var b.last\nvar N\nvar mask\nvar local", // constants
		"func ring.Put\nvar ring.Len\nfunc append\npattern *.put",
		"pattern tiny\npattern linked", // warnings
		"func nope\nvar nix\nshared nada",
		"func apend",
		"var v\nvar v[0]",
	} {
		cases = append(cases, sourceCase{name: request, prog: prog,
			specs: []rewrite.Spec{{Package: "m", Request: parseRequest(t, request)}}})
	}
	cases = append(cases, sourceCase{name: "two wrong ones", prog: prog, specs: []rewrite.Spec{
		{Package: "m", Request: parseRequest(t, "func nope")},
		{Package: "m/ring", Request: parseRequest(t, "func nope")},
	}})

	dir = writeModule(t, `
-- go.mod --
module m
go 1.26
-- types/b.go --
package types
var a, b, c, d, e, f int = "", "", "", "", "", ""
-- types/a.go --
package types
//line elsewhere.go:77
var g, h, i, j, k, l int = "", "", "", "", "", ""
func f() {}
-- syntax/main.go --
package syntax
func f() { if }
func g() { for for }
-- atomics/main.go --
package atomics
import "sync/atomic"
var n int32
func f() { atomic.AddInt32(&n, 1) }
-- atomics/main_test.go --
package atomics
import ("sync/atomic"; "testing")
func TestF(t *testing.T) { f(); atomic.LoadInt32(&n) }
-- replaced/main.go --
package replaced
func old() {}
-- new.go --
package replaced
func f() int { return 1 }
`)
	c := Config{Verb: Test, Dir: dir, Packages: []string{"./..."}}
	packages, err := c.list(context.Background(), nil, "", "-deps", "-export")
	if err != nil {
		t.Fatal(err)
	}
	prog = frontend.Program{Packages: packages,
		Replace: map[string]string{filepath.Join(dir, "replaced/main.go"): filepath.Join(dir, "new.go")}}
	for _, name := range []string{"types", "syntax", "atomics", "replaced"} {
		cases = append(cases, sourceCase{name: name, prog: prog,
			specs: []rewrite.Spec{{Package: "m/" + name, Request: parseRequest(t, "func f")}}})
	}
	cases = append(cases, sourceCase{name: "syntax of what may be used", prog: prog, missing: allCapabilities()})
	locked := prog
	locked.ModCache = filepath.Join(dir, "atomics")
	cases = append(cases, sourceCase{name: "module cache", prog: locked},
		sourceCase{name: "specification in the module cache", prog: locked,
			specs: []rewrite.Spec{{Package: "m/atomics", Request: parseRequest(t, "func f")}}})
	return cases
}

// A helper and this process read the same source alike, and say the same about what is wrong with
// it.
func TestBothWaysReadAlike(t *testing.T) {
	ownCaches(t)
	results, errs := 0, 0
	for _, tt := range sourceCases(t) {
		c := Config{Dir: t.TempDir(), CacheDir: t.TempDir()}
		env, err := c.goEnv(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		req := &frontend.Request{Program: tt.prog, Specs: tt.specs, Missing: tt.missing}
		want, wantErr := c.readSource(t.Context(), env, req)
		c.ownGo = oldGo
		got, gotErr := c.readSource(t.Context(), env, req)
		if d := cmp.Diff(parts(wantErr), parts(gotErr)); d != "" {
			t.Errorf("%s: errors (-in process +helper):\n%s", tt.name, d)
		}
		if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%s: (-in process +helper):\n%s", tt.name, d)
		}
		if wantErr != nil {
			errs++
		} else {
			results++
		}
	}
	if results < 15 || errs < 7 {
		t.Errorf("%d cases have results and %d errors, fewer than were meant to", results, errs)
	}
	if dirs, _ := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "antichain", "helpers",
		"helper-*")); len(dirs) != 1 {
		t.Errorf("helpers: %q, want one", dirs)
	}
}

// parts are the messages of an error.
func parts(err error) []string {
	if err == nil {
		return nil
	}
	all := []string{err.Error()}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			all = append(all, e.Error())
		}
	}
	return all
}

// Where there is nothing to read, no helper is compiled.
func TestNothingToRead(t *testing.T) {
	ownCaches(t)
	prog := loadModule(t, writeModule(t, namesModule))
	c := Config{Dir: t.TempDir(), CacheDir: t.TempDir(), Go: "no-such-go-command", ownGo: oldGo}
	if _, err := c.readSource(t.Context(), &goEnv{GOVERSION: "go1.99.1"},
		&frontend.Request{Program: prog}); err != nil {
		t.Error(err)
	}
}

// newerGo is a toolchain whose programs this program cannot read by itself.
const newerGo = "go1.27.4"

// newerEnv is an environment in which go is that of newerGo.
func newerEnv(t *testing.T) []string {
	t.Helper()
	env := append(os.Environ(), "GOTOOLCHAIN="+newerGo, "GOPROXY=off")
	cmd := exec.Command("go", "version")
	cmd.Env = env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("%s is not in the module cache, and tests need no network (GOTOOLCHAIN=%s go version gets it): %s",
			newerGo, newerGo, out)
	}
	return env
}

const genericMethod = `
-- go.mod --
module m

go 1.27
-- main.go --
package main

import (
	"fmt"
	"sync/atomic"
)

type Box struct{ n int }

func (b *Box) Map[T any](f func(int) T) T {
	b.n++
	return f(b.n)
}

var b Box
var calls int32

func main() {
	fmt.Println(b.Map[string](func(n int) string { atomic.AddInt32(&calls, 1); return fmt.Sprint(n) }))
}
-- types/types.go --
package types

func (b *Box) Map[T any](f func(int) T) T { return f(b) }

type Box struct{}
`

// A program in the language of a later release than that of this program is traced, and compiles
// then.
func TestNewerLanguage(t *testing.T) {
	env := newerEnv(t)
	dir := writeModule(t, genericMethod)
	c := Config{Dir: dir, Env: env, CacheDir: t.TempDir(), ownGo: "go1.26.0", Specs: []rewrite.Spec{
		{Package: "m", Request: parseRequest(t, "func Box.Map\nvar b.n\nfunc main.func1")},
	}}
	b, err := Prepare(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	var entered []string
	for _, s := range b.Tables[0].Sites {
		if s.Kind == site.Enter {
			entered = append(entered, s.Func+" "+s.At)
		}
	}
	if d := cmp.Diff([]string{"Box.Map main.go:10", "main.func1 main.go:19"}, entered); d != "" {
		t.Errorf("functions entered (-want +got):\n%s", d)
	}
	if err := b.Compile(t.Context(), filepath.Join(t.TempDir(), "m")); err != nil {
		t.Error(err)
	}
	c.Packages, c.Specs[0].Package = []string{"./types"}, "m/types"
	c.Specs[0].Request = parseRequest(t, "func Box.Map")
	if _, err = Prepare(t.Context(), c); err == nil ||
		!strings.Contains(err.Error(), "types/types.go:3:54: cannot use b (variable of type *Box)") {
		t.Errorf("type error: %v", err)
	}
}

// The build is the same in both ways.
func TestPrepareWithHelper(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	ownCaches(t)
	dir := writeModule(t, namesModule)
	c := Config{Dir: dir, CacheDir: t.TempDir(),
		Specs: []rewrite.Spec{{Package: "m", Request: parseRequest(t, "func append\nvar N\nvar count")}}}
	want, err := Prepare(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	c.ownGo = oldGo
	got, err := Prepare(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	got.config.ownGo = ""
	// The name of an overlay is made of its content, and so are those of the files in it.
	if d := cmp.Diff(want, got, cmp.AllowUnexported(Build{}, Config{}, goFlag{}, testBinary{}, loan{}, library{}),
		cmpopts.EquateEmpty()); d != "" {
		t.Errorf("(-in process +helper):\n%s", d)
	}
}

// A user who has no directory for caches has one for helpers in that for temporary files.
func TestHelperWithoutUserCache(t *testing.T) {
	prog := loadModule(t, writeModule(t, namesModule))
	goCache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(string(goCache)))
	for _, dir := range []string{"", file} {
		t.Setenv("XDG_CACHE_HOME", dir)
		t.Setenv("TMPDIR", t.TempDir())
		if dir == "" {
			t.Setenv("HOME", "")
		}
		c := Config{Dir: t.TempDir(), CacheDir: t.TempDir(), ownGo: oldGo}
		env, err := c.goEnv(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		req := &frontend.Request{Program: prog,
			Specs: []rewrite.Spec{{Package: "m", Request: parseRequest(t, "func append")}}}
		if _, err := c.readSource(t.Context(), env, req); err != nil {
			t.Errorf("XDG_CACHE_HOME=%s: %v", dir, err)
		}
		if helpers, _ := filepath.Glob(filepath.Join(os.TempDir(), "antichain.cache-*", "helpers",
			"helper-*")); len(helpers) != 1 {
			t.Errorf("XDG_CACHE_HOME=%s: helpers in the directory for temporary files: %q", dir, helpers)
		}
	}
}
