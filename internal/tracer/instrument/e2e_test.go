package instrument

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/google/go-cmp/cmp"
)

// traced runs a binary with its trace in a file and returns the records of its sites.
func traced(t *testing.T, binary string, table *site.Table) string {
	t.Helper()
	trace := filepath.Join(t.TempDir(), "trace")
	cmd := exec.Command(binary)
	cmd.Env = append(os.Environ(), "ANTICHAIN_TRACE="+trace)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return siteRecords(t, trace, table)
}

// siteRecords reads what the sites of a program recorded, in the form of the constructs.
func siteRecords(t *testing.T, trace string, table *site.Table) string {
	t.Helper()
	r, err := ring.OpenFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var b strings.Builder
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if rec.Kind == ring.KindAtomicRMW && rec.Aux == 77 {
			b.WriteString("atomic add\n")
		}
		kind, ok := map[ring.Kind]site.Kind{ring.KindEnter: site.Enter, ring.KindExit: site.Exit,
			ring.KindStmt: site.Stmt, ring.KindSharedInit: site.SharedInit}[rec.Kind]
		if !ok {
			continue
		}
		s, ok := table.Site(rec.Addr)
		if !ok {
			t.Fatalf("record of site %d", rec.Addr)
		}
		if s.Kind == site.None {
			continue
		}
		if s.Kind != kind {
			t.Errorf("record %s at a site %s", kind, s.Kind)
		}
		at := s.At
		if kind == site.Exit {
			at = [...]string{"return", "panic", "goexit"}[rec.Arg]
		}
		fmt.Fprintf(&b, "%s %s %s%s\n", kind, s.Func, at, formatValues(t, s, rec.Payload))
	}
	if n := r.Stats().Missing(); n > 0 {
		t.Errorf("%d records missing", n)
	}
	return b.String()
}

// treeSum is a fingerprint of all files below dir.
func treeSum(t *testing.T, dir string) string {
	t.Helper()
	sum := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(sum, "%s %x\n", path, sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// The same program in each layout: package main, and package lib in another module of
// the workspace, in vendor, or in a directory behind a replace directive.
const layoutMain = `package main

import (
	"runtime"
	"sync"
	"example.com/lib"
)

func deferred(n int) (r int) {
	defer func() { recover(); r = n }()
	panics()
	return 0
}

func panics() (r int) { r = 1; panic("x") }

func leaves() (r int) { r = 1; runtime.Goexit(); return }

func nested() (r int) {
	defer func() {
		defer func() { recover() }()
		panics()
	}()
	return 8
}

func main() {
	deferred(3)
	nested()
	var wg sync.WaitGroup
	wg.Go(func() { leaves() })
	wg.Wait()
	lib.Count()
}
`

const layoutLib = `package lib

import "sync/atomic"

var N int32

func Count() { atomic.AddInt32(&N, 77); N++ }
`

const layoutRequest = "func deferred\nfunc panics\nfunc leaves\nfunc nested\nvar r\nfunc lib.Count\nvar lib.N"

const layoutRecords = `enter deferred main.go:9
enter panics main.go:15
stmt panics main.go:15 frame:r=1
exit panics panic
stmt deferred.func1 main.go:10 frame:r=3
exit deferred return frame:r=3
enter nested main.go:19
enter panics main.go:15
stmt panics main.go:15 frame:r=1
exit panics panic
exit nested return frame:r=8
enter leaves main.go:17
stmt leaves main.go:17 frame:r=1
exit leaves goexit
enter lib.Count lib.go:7
atomic add
stmt lib.Count lib.go:7 global:lib.N=77
stmt lib.Count lib.go:7 global:lib.N=78
exit lib.Count return
`

func TestLayouts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, lib, archive string }{
		{"module", "lib dir/lib.go", `
-- app dir/go.mod --
module example.com/app
go 1.26
require example.com/lib v0.0.0
replace example.com/lib => ../lib dir
-- lib dir/go.mod --
module example.com/lib
go 1.26
-- lib dir/lib.go --
` + layoutLib},
		{"workspace", "lib/lib.go", `
-- go.work --
go 1.26
use "./app dir"
use ./lib
-- app dir/go.mod --
module example.com/app
go 1.26
require example.com/lib v0.0.0
-- lib/go.mod --
module example.com/lib
go 1.26
-- lib/lib.go --
` + layoutLib},
		{"vendor", "vendor/example.com/lib/lib.go", `
-- app dir/go.mod --
module example.com/app
go 1.26
require example.com/lib v1.0.0
-- app dir/vendor/modules.txt --
# example.com/lib v1.0.0
## explicit; go 1.26
example.com/lib
-- app dir/vendor/example.com/lib/lib.go --
` + layoutLib},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := writeModule(t, strings.ReplaceAll(tt.archive, "../lib dir", `"../lib dir"`)+
				"-- app dir/main.go --\n"+layoutMain)
			want := strings.ReplaceAll(layoutRecords, " lib.go:", " "+tt.lib+":")
			before := treeSum(t, dir)
			b, err := Prepare(context.Background(), Config{
				Dir: filepath.Join(dir, "app dir"), CacheDir: t.TempDir(),
				Specs: []rewrite.Spec{{Package: "example.com/app", Request: parseRequest(t, layoutRequest)}},
			})
			if err != nil {
				t.Fatal(err)
			}
			binary := filepath.Join(t.TempDir(), "program")
			if err := b.CompileAgain(context.Background(), binary); err != nil {
				t.Fatal(err)
			}
			if treeSum(t, dir) != before {
				t.Error("the user's files changed")
			}
			table, err := TableOf(binary)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(b.Tables[0].Sites, table.Sites); d != "" {
				t.Errorf("table in the binary (-want +got):\n%s", d)
			}
			if d := cmp.Diff(want, traced(t, binary, table)); d != "" {
				t.Errorf("records (-want +got):\n%s", d)
			}
		})
	}
}

// TestTestBinaries: internal and external test files, a specification for each of two
// packages, one go test for both.
func TestTestBinaries(t *testing.T) {
	t.Parallel()
	dir := writeModule(t, `
-- go.mod --
module m
go 1.26
-- p/p.go --
package p

var State int

func Step() { State++ }
-- p/p_test.go --
package p

import "testing"

func helper() { Step() }

func TestStep(t *testing.T) { helper(); State = 7 }
-- p/x_test.go --
package p_test

import ("m/p"; "testing")

func TestOutside(t *testing.T) { p.Step() }
-- q/q.go --
package q

import "m/p"

func Twice() { p.Step(); p.Step() }
-- q/q_test.go --
package q

import "testing"

func TestTwice(t *testing.T) { Twice() }
-- none/none.go --
package none
`)
	before := treeSum(t, dir)
	b, err := Prepare(context.Background(), Config{
		Verb: Test, Dir: dir, Packages: []string{"./..."}, GoFlags: []string{"-v", "-run", "Step|Outside|Twice"},
		CacheDir: t.TempDir(),
		Specs: []rewrite.Spec{
			{Package: "m/p", Request: parseRequest(t, "func Step\nfunc helper\nfunc p_test.TestOutside\nvar State")},
			{Package: "m/q", Request: parseRequest(t, "func Twice\nfunc p.Step")},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for round := range 2 { // the second must not come from the cache of test results
		cmd, err := b.TestCommand(context.Background(), []string{"env", "ANTICHAIN_TRACE=trace.out"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for i, want := range map[string]string{
			"p": `enter helper p/p_test.go:5
enter Step p/p.go:5
stmt Step p/p.go:5 global:State=1
exit Step return
exit helper return
stmt TestStep p/p_test.go:7 global:State=7
enter p_test.TestOutside p/x_test.go:5
enter Step p/p.go:5
stmt Step p/p.go:5 global:State=8
exit Step return
exit p_test.TestOutside return
`,
			"q": `enter Twice q/q.go:5
enter p.Step p/p.go:5
exit p.Step return
enter p.Step p/p.go:5
exit p.Step return
exit Twice return
`,
		} {
			trace := filepath.Join(dir, i, "trace.out")
			table := b.Tables[0]
			if i == "q" {
				table = b.Tables[1]
			}
			if d := cmp.Diff(want, siteRecords(t, trace, table)); d != "" {
				t.Errorf("round %d, package %s: records (-want +got):\n%s", round, i, d)
			}
			os.Remove(trace)
		}
	}
	if treeSum(t, dir) != before {
		t.Error("the user's files changed")
	}
	// Which table belongs to a test binary.
	binary := filepath.Join(t.TempDir(), "q.test")
	compile := b.config.command(t.Context(), "test", "-vet=off", "-overlay="+b.Overlay, "-c", "-o", binary, "./q")
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if table, err := TableOf(binary); err != nil || table.Package != "m/q" {
		t.Errorf("table of q's tests: %+v, %v", table, err)
	}
}

// TestUserOverlay: the user's overlay, here from GOFLAGS, changes a file and adds one;
// what it says is what is rewritten.
func TestUserOverlay(t *testing.T) {
	t.Parallel()
	dir := writeModule(t, `
-- go.mod --
module m
go 1.26
-- main.go --
package main
func main() { println("not this") }
-- over/main.txt --
package main
func main() { state = 2; added() }
-- over/added.txt --
package main
var state int
func added() { state++ }
-- over.json --
{"Replace": {"main.go": "over/main.txt", "added.go": "over/added.txt"}}
`)
	b, err := Prepare(context.Background(), Config{
		Dir: filepath.Dir(dir), GoFlags: []string{"-C", filepath.Base(dir)}, CacheDir: t.TempDir(),
		Env:   append(os.Environ(), "GOFLAGS=-overlay=over.json '-tags=a b'"),
		Specs: []rewrite.Spec{{Package: "m", Request: parseRequest(t, "func added\nvar state")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(t.TempDir(), "program")
	if err := b.CompileAgain(context.Background(), binary); err != nil {
		t.Fatal(err)
	}
	want := "stmt main main.go:2 global:state=2\nenter added added.go:3\nstmt added added.go:3 global:state=3\nexit " +
		"added return\n"
	if d := cmp.Diff(want, traced(t, binary, b.Tables[0])); d != "" {
		t.Errorf("records (-want +got):\n%s", d)
	}
}

// TestToolchainInModuleCache: go refuses to replace files of a toolchain that it has
// downloaded, unless it is reached by another path.
func TestToolchainInModuleCache(t *testing.T) {
	t.Parallel()
	dir := writeModule(t, `
-- go.mod --
module m
go 1.26
-- main.go --
package main
func main() { f() }
func f() {}
`)
	c := Config{Dir: dir}
	env, err := c.goEnv(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	b, err := Prepare(context.Background(), Config{
		Dir: dir, CacheDir: t.TempDir(), Packages: []string{"main.go"},
		Env:   append(os.Environ(), "GOMODCACHE="+filepath.Dir(env.GOROOT), "GOFLAGS=-trimpath"),
		Specs: []rewrite.Spec{{Package: fileList, Request: parseRequest(t, "func f")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(t.TempDir(), "program")
	if err := b.CompileAgain(context.Background(), binary); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff("enter f main.go:3\nexit f return\n", traced(t, binary, b.Tables[0])); d != "" {
		t.Errorf("records (-want +got):\n%s", d)
	}
}

// TestScalarsCostNoAllocation counts what a traced program allocates itself.
func TestScalarsCostNoAllocation(t *testing.T) {
	t.Parallel()
	dir := writeModule(t, `
-- go.mod --
module m
go 1.26
-- main.go --
package main

import "runtime"

type point struct{ x, y int; name string }

var (
	n    int
	f    float64
	s    string
	list = []int{1, 2, 3}
	p    point
)

func work(a int, b bool) (r int) {
	n += a
	f = float64(n)
	s = "text"
	list[0]++
	p.x++
	var local [4]int
	local[1] = a
	return a
}

func main() {
	for range 100 { work(1, true) } // the pool fills
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 1000 { work(1, true) }
	runtime.ReadMemStats(&after)
	// Results are recorded through a pointer: one allocation a call.
	if got := after.Mallocs - before.Mallocs; got > 1000+100 {
		println(got, "allocations")
		panic("too many")
	}
}
`)
	b, err := Prepare(context.Background(), Config{
		Dir: dir, CacheDir: t.TempDir(),
		Specs: []rewrite.Spec{{Package: "m",
			Request: parseRequest(t, "func work\nvar n\nvar f\nvar s\nvar list\nvar p\nvar local\nvar a\nvar "+
				"b\nvar r")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(t.TempDir(), "program")
	if err := b.CompileAgain(context.Background(), binary); err != nil {
		t.Fatal(err)
	}
	records := traced(t, binary, b.Tables[0])
	if n := strings.Count(records, "enter work"); n != 1100 {
		t.Errorf("%d calls recorded", n)
	}
}
