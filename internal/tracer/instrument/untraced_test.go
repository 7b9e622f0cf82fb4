package instrument

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/instrument/frontend"
	"github.com/antichain-go/antichain/internal/tracer/instrument/goroot"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/google/go-cmp/cmp"
)

// An executable knows what its version of Go was not traced for, also one that was built for
// no specification: what nothing can be said without, and what single properties need.
func TestUntracedIsInTheBinary(t *testing.T) {
	t.Parallel()
	dir := writeModule(t, `
-- go.mod --
module m
go 1.26
-- main.go --
package main
import "sync"
func main() { f() }
func f() { sync.NewCond(nil); new(sync.Mutex).Lock() }
`)
	why := errors.New("for a test")
	lacks := []goroot.Lack{
		{Name: frontend.Conditions, Gives: "sync.Cond", Order: true, Properties: []string{"deadlock", "stuck"},
			Why: why},
		// the program uses none
		{Name: frontend.Timers, Gives: "timers", Order: true, Properties: []string{"leak"}, Why: why},
		{Name: frontend.Mutexes, Gives: "operations on sync.Mutex", Properties: []string{"deadlock", "unlock"},
			Why: why},
		// nor these
		{Name: frontend.Coroutines, Gives: "coroutines", Properties: []string{"stuck"}, Why: why},
		{Name: "one more", Gives: "one more", Order: true, Why: why},
	}
	untraced := []string{"sync.Cond (for a test)", "one more (for a test)"}
	unwatched := []string{"deadlock: operations on sync.Mutex (for a test)",
		"unlock: operations on sync.Mutex (for a test)"}
	for name, specs := range map[string][]rewrite.Spec{
		"no specification": nil,
		"specification":    {{Package: "m", Request: parseRequest(t, "func f")}},
	} {
		b := prepared(t, Config{Dir: dir, CacheDir: t.TempDir(), Packages: []string{"main.go"}, Specs: specs})
		full := tableIn(t, b)
		b.Lacks = lacks
		rewriteAgain(t, b)
		table := tableIn(t, b)
		if d := cmp.Diff(untraced, table.Instrumented.Untraced); d != "" {
			t.Errorf("%s: untraced (-want +got):\n%s", name, d)
		}
		if d := cmp.Diff(unwatched, table.Instrumented.Unwatched); d != "" {
			t.Errorf("%s: unwatched (-want +got):\n%s", name, d)
		}
		if full != nil && full.SpecID == table.SpecID {
			t.Errorf("%s: the identity is that of a full overlay", name)
		}
	}
}

// To say so takes a file more, which go cannot measure coverage of.
func TestUntracedAndCovered(t *testing.T) {
	dir := t.TempDir()
	main := &frontend.Package{ImportPath: "m", Dir: dir}
	for _, c := range []struct {
		flags    []string
		untraced []string
		added    bool
		want     string // of the error
	}{
		{added: true},
		{flags: []string{"-cover"}},
		{flags: []string{"-cover=false"}, added: true},
		{untraced: []string{"sync.Cond (for a test)"}, added: true},
		{flags: []string{"-covermode", "atomic"}, untraced: []string{"sync.Cond (for a test)"},
			want: "-covermode cannot be combined with tracing this program, a part of which is not traced (sync.Cond " +
				"(for a test))"},
	} {
		b := &Build{all: parseGoFlags(c.flags), Untraced: c.untraced}
		res := &frontend.Result{Files: map[string][]byte{}}
		tables, err := b.linkAgent(main, &frontend.Program{Packages: []*frontend.Package{main}}, res)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v: error %v, want %q", c.flags, err, c.want)
		}
		if added := len(res.Files) > 0; added != c.added {
			t.Errorf("%v, untraced %v: added %v", c.flags, c.untraced, added)
		}
		if wants := c.added && c.untraced != nil; (len(tables) > 0) != wants {
			t.Errorf("%v, untraced %v: %d tables", c.flags, c.untraced, len(tables))
		}
	}
}

// The requirement of a flag or verb is reported, with the reason.
func TestAllows(t *testing.T) {
	b := &Build{Lacks: []goroot.Lack{{Name: "steering", Verbs: []string{"--seed"}, Why: errors.New("for a test")}}}
	if err := b.Allows("--live"); err != nil {
		t.Error(err)
	}
	if err := b.Allows("--seed"); err == nil || !strings.Contains(err.Error(), "--seed") ||
		!strings.Contains(err.Error(), "for a test") {
		t.Errorf("got %v", err)
	}
}

// allCapabilities are the names of all capabilities of tracing.
func allCapabilities() (names []string) {
	for _, c := range goroot.Capabilities() {
		names = append(names, c.Name)
	}
	return names
}

func prepared(t *testing.T, c Config) *Build {
	t.Helper()
	for i := range c.Specs {
		c.Specs[i].Package = fileList
	}
	b, err := Prepare(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// rewriteAgain repeats the last step of Prepare.
func rewriteAgain(t *testing.T, b *Build) {
	t.Helper()
	env, err := b.config.goEnv(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	replace, err := readUserOverlay(b.config.Dir, b.Overlay)
	if err != nil {
		t.Fatal(err)
	}
	o := &overlay{dir: b.config.CacheDir, replace: replace}
	if err := b.rewrite(context.Background(), o, env, nil); err != nil {
		t.Fatal(err)
	}
	if b.Overlay, err = o.write(); err != nil {
		t.Fatal(err)
	}
}

// tableIn builds the program and returns its table, nil if it has none.
func tableIn(t *testing.T, b *Build) *site.Table {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "program")
	if err := b.CompileAgain(context.Background(), binary); err != nil {
		t.Fatal(err)
	}
	table, err := TableOf(binary)
	if err != nil && len(b.Tables) > 0 {
		t.Fatal(err)
	}
	return table
}

// A file that is added to a package whose files are named one by one is built with them.
func TestFileListWithAddedFile(t *testing.T) {
	t.Parallel()
	dir := writeModule(t, `
-- go.mod --
module m
go 1.26
-- main.go --
package main
var n = 1
func main() { f() }
-- f.go --
package main
func f() { n++ }
-- other.go --
package main
func main() { not part of the program }
`)
	b := prepared(t, Config{
		Dir: dir, CacheDir: t.TempDir(), Packages: []string{"main.go", "f.go"},
		Specs: []rewrite.Spec{{Request: parseRequest(t, "func f\nshared n")}},
	})
	binary := filepath.Join(t.TempDir(), "program")
	if err := b.CompileAgain(context.Background(), binary); err != nil {
		t.Fatal(err)
	}
	want := "sharedinit   shared:n=1\nenter f f.go:2\nstmt f f.go:2 shared:n=2\nexit f return\n"
	if d := cmp.Diff(want, traced(t, binary, b.Tables[0])); d != "" {
		t.Errorf("records (-want +got):\n%s", d)
	}
}
