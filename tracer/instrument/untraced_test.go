package instrument

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/antichain-go/antichain/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/tracer/site"
	"github.com/google/go-cmp/cmp"
)

// An executable knows what its version of Go was not traced for, also one that was built for
// no specification.
func TestUntracedIsInTheBinary(t *testing.T) {
	dir := writeModule(t, `
-- go.mod --
module m
go 1.26
-- main.go --
package main
import "sync"
func main() { f() }
func f() { sync.NewCond(nil) }
`)
	missing := []string{"sync.Cond", "functions started by time.AfterFunc", "one more"}
	want := []string{"sync.Cond", "one more"} // the program uses no timers
	for name, specs := range map[string][]rewrite.Spec{
		"no specification": nil,
		"specification":    {{Package: "m", Request: parseRequest(t, "func f")}},
	} {
		b := prepared(t, Config{Dir: dir, CacheDir: t.TempDir(), Packages: []string{"main.go"}, Specs: specs})
		full := tableIn(t, b)
		b.Missing = missing
		rewriteAgain(t, b)
		table := tableIn(t, b)
		if d := cmp.Diff(want, table.Instrumented.Untraced); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		if full != nil && full.SpecID == table.SpecID {
			t.Errorf("%s: the identity is that of a full overlay", name)
		}
	}
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
	if err := b.Compile(context.Background(), binary); err != nil {
		t.Fatal(err)
	}
	table, err := TableOf(binary)
	if err != nil && len(b.Tables) > 0 {
		t.Fatal(err)
	}
	return table
}

// What is added to a package whose files are named one by one is built with them.
func TestFileListWithAddedFile(t *testing.T) {
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
	if err := b.Compile(context.Background(), binary); err != nil {
		t.Fatal(err)
	}
	want := "sharedinit   shared:n=1\nenter f f.go:2\nstmt f f.go:2 shared:n=2\nexit f return\n"
	if d := cmp.Diff(want, traced(t, binary, b.Tables[0])); d != "" {
		t.Errorf("records (-want +got):\n%s", d)
	}
}
