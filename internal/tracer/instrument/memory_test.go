package instrument

import (
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/instrument/frontend"
	"github.com/antichain-go/antichain/internal/tracer/instrument/goroot"
)

// Accesses to memory are reported by the packages of the modules that are built, the standard
// library, and those asked for. The others are listed as silent.
func TestMemoryPackages(t *testing.T) {
	t.Parallel()
	dir := writeModule(t, `
-- go.mod --
module m
go 1.26
require x.org/dep v0.0.0
replace x.org/dep => ./dep
-- dep/go.mod --
module x.org/dep
go 1.26
-- dep/dep.go --
package dep
import _ "x.org/dep/sub"
-- dep/sub/sub.go --
package sub
-- main.go --
package main
import ("bytes"; "fmt"; "m/sub"; _ "testing"; _ "x.org/dep")
func main() { fmt.Println(bytes.Clone(nil), sub.X) }
-- sub/sub.go --
package sub
var X int
`)
	always := []string{"m", "m/sub", "bytes", "fmt", "internal/fmtsort", "reflect", "testing"}
	all := append([]string{"sync", "sync/atomic", "x.org/dep", "x.org/dep/sub"}, always...)
	for _, tt := range []struct{ patterns, more, silent []string }{
		{nil, nil, []string{"x.org/dep", "x.org/dep/sub"}},
		{[]string{"bytes", "./sub"}, nil, []string{"x.org/dep", "x.org/dep/sub"}},
		{[]string{"x.org/dep"}, []string{"x.org/dep"}, []string{"x.org/dep/sub"}},
		{[]string{"x.org/..."}, []string{"x.org/dep", "x.org/dep/sub"}, nil},
		{[]string{"all"}, []string{"x.org/dep", "x.org/dep/sub"}, nil},
	} {
		b, err := Prepare(t.Context(),
			Config{Dir: dir, CacheDir: t.TempDir(), Memory: true, MemoryPackages: tt.patterns})
		if err != nil {
			t.Fatal(err)
		}
		want := slices.Concat(always, tt.more)
		for _, path := range all {
			isOwn := strings.Contains(path, ".") || strings.HasPrefix(path, "m")
			got := slices.Contains(b.compiler, "-gcflags="+path+"="+goroot.InstrumentMemory) || !isOwn &&
				!slices.Contains(b.compiler, "-gcflags="+path+"=")
			if want := slices.Contains(want, path); got != want {
				t.Errorf("%q: %s tells its accesses: %v, want %v", tt.patterns, path, got, want)
			}
		}
		if b.compiler[0] != "-gcflags=std="+goroot.InstrumentMemory {
			t.Errorf("%q: the first flag is %s", tt.patterns, b.compiler[0])
		}
		if !slices.Equal(b.Silent, tt.silent) {
			t.Errorf("%q: silent are %q, want %q", tt.patterns, b.Silent, tt.silent)
		}
	}
}

// Functions that are marked //go:norace stay in packages that report no accesses: the mark would be
// lost elsewhere.
func TestNoRaceStays(t *testing.T) {
	t.Parallel()
	dir := writeModule(t, `
-- go.mod --
module m
go 1.26
require (
	example.com/marked v0.0.0
	example.com/plain v0.0.0
)
replace example.com/marked => ./marked
replace example.com/plain => ./plain
-- main.go --
package main
import (_ "example.com/marked"; _ "example.com/plain")
//go:norace
func main() {}
-- marked/go.mod --
module example.com/marked
-- marked/marked.go --
package marked
//go:norace
func F() {}
-- plain/go.mod --
module example.com/plain
-- plain/plain.go --
package plain
func F() {}
`)
	for _, tt := range []struct {
		pattern, flags string
		want           []string
	}{
		{want: []string{"example.com/marked=-l=1", "m=" + goroot.InstrumentMemory}},
		{flags: "-gcflags=all=-l", want: []string{"example.com/marked=-l -l=1", "m=-l " + goroot.InstrumentMemory}},
		{pattern: "example.com/marked",
			want: []string{"example.com/marked=" + goroot.InstrumentMemory, "m=" + goroot.InstrumentMemory}},
	} {
		c := Config{Dir: dir, CacheDir: t.TempDir(), Memory: true}
		if tt.pattern != "" {
			c.MemoryPackages = []string{tt.pattern}
		}
		if tt.flags != "" {
			c.GoFlags = []string{tt.flags}
		}
		b, err := Prepare(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, flag := range b.compiler {
			if rest := strings.TrimPrefix(flag, "-gcflags="); strings.HasPrefix(rest, "m=") ||
				strings.HasPrefix(rest, "example.com/") {
				got = append(got, rest)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q %q: %q, want %q", tt.pattern, tt.flags, got, tt.want)
		}
	}
}

// Flags of the user's for packages of the library stay.
func TestMemoryBesideFlags(t *testing.T) {
	t.Parallel()
	dir := writeModule(t, `
-- go.mod --
module m
go 1.26
-- main.go --
package main
import ("bytes"; "sync/atomic")
func main() { println(bytes.Clone(nil), atomic.AddInt32(new(int32), 1)) }
`)
	b, err := Prepare(t.Context(),
		Config{Dir: dir, CacheDir: t.TempDir(), GoFlags: []string{"-gcflags=bytes=-N"}, Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"-gcflags=bytes=-N " + goroot.InstrumentMemory, "-gcflags=m=" +
		goroot.InstrumentMemory, "-gcflags=unicode/utf8=" + goroot.InstrumentMemory} {
		if !slices.Contains(b.compiler, want) {
			t.Errorf("no %s in %q", want, b.compiler)
		}
	}
	if all := strings.Join(b.compiler, " "); strings.Contains(all, "=std=") || strings.Contains(all, "=sync/atomic=") {
		t.Error(all)
	}
}

// Whether all accesses to memory are reported follows from the imports and contents of packages.
func TestHidden(t *testing.T) {
	dir := writeModule(t, `
-- harmless.go --
package p
import ("bufio"; "fmt")
type T struct{}
func (t T) clear(s *bufio.Scanner, m map[int]int) { t.clear(s, m); s.Scan(); fmt.Print() }
-- clear.go --
package p
func f(s []int) { clear(s) }
-- scan.go --
package p
import format "fmt"
var scan = format.Sscan
-- append.go --
package p
import . "strconv"
func f(b []byte) { AppendInt(b, 1, 10) }
-- chacha.go --
package p
import "math/rand/v2"
type source struct{ *rand.ChaCha8 }
-- callers.go --
package p
import "runtime"
func f(pcs []uintptr) int { runtime.Gosched(); return runtime.Callers(0, pcs) }
-- samples.go --
package p
import "runtime/metrics"
var read = metrics.Read
-- stat.go --
package p
import "syscall"
func f(s *syscall.Stat_t) { syscall.Stat("/", s) }
-- signal.go --
package p
import ("math/rand/v2"; "runtime"; "syscall")
func f(s *syscall.Stat_t) { runtime.GC(); syscall.Kill(rand.Int(), syscall.SIGTERM) }
-- norace.go --
package p
//go:norace
func f() {}
`)
	std := &frontend.Package{ImportPath: "bytes", Standard: true, Imports: []string{"unsafe"}}
	for _, test := range []struct {
		name    string
		program frontend.Package
		untold  bool
		want    string
	}{
		{name: "all is told", program: frontend.Package{Imports: []string{"fmt", "math"}}},
		{name: "not instrumented", untold: true,
			want: "what package p does to memory is not recorded: add --race-in all"},
		{name: "C", program: frontend.Package{CgoFiles: []string{"c.go"}},
			want: "what package p does to memory in other languages than Go is not recorded"},
		{name: "reflect", program: frontend.Package{Imports: []string{"reflect"}},
			want: "what package p does to memory through package reflect may be recorded in part"},
		{name: "unsafe", program: frontend.Package{Imports: []string{"unsafe"}},
			want: "what package p does to memory with package unsafe may be recorded in part"},
		{name: "bytes", program: frontend.Package{Imports: []string{"bytes"}},
			want: "what package bytes does to memory for package p in assembly is not recorded"},
		{name: "clear", program: frontend.Package{GoFiles: []string{"harmless.go", "clear.go"}},
			want: "what clear does to memory in package p is not recorded"},
		{name: "a method clear", program: frontend.Package{GoFiles: []string{"harmless.go"}}},
		{name: "reads by reflection", program: frontend.Package{GoFiles: []string{"scan.go"}},
			want: "what fmt.Sscan does to memory in package p is not recorded"},
		{name: "in a package of the runtime", program: frontend.Package{GoFiles: []string{"append.go"}},
			want: "what strconv.AppendInt does to memory in package p is not recorded"},
		{name: "in assembly", program: frontend.Package{GoFiles: []string{"chacha.go"}},
			want: "what math/rand/v2.ChaCha8 does to memory in package p is not recorded"},
		{name: "in the runtime", program: frontend.Package{GoFiles: []string{"callers.go"}},
			want: "what runtime.Callers does to memory in package p is not recorded"},
		{name: "in a folder of the runtime", program: frontend.Package{GoFiles: []string{"samples.go"}},
			want: "what runtime/metrics.Read does to memory in package p is not recorded"},
		{name: "in the kernel", program: frontend.Package{GoFiles: []string{"stat.go"}},
			want: "what syscall.Stat does to memory in package p is not recorded"},
		{name: "harmless calls of these", program: frontend.Package{GoFiles: []string{"signal.go"}}},
		{name: "not instrumented by itself", program: frontend.Package{GoFiles: []string{"norace.go"}},
			want: "what //go:norace does to memory in package p is not recorded"},
		{name: "gone", program: frontend.Package{GoFiles: []string{"gone.go"}},
			want: "what a file that cannot be read does to memory in package p is not recorded"},
		{name: "hash", program: frontend.Package{Imports: []string{"fmt", "crypto/sha256"}},
			want: "what package crypto/sha256 does to memory for package p in assembly is not recorded"},
	} {
		test.program.ImportPath, test.program.Dir = "p", dir
		got := hidden(&frontend.Program{Packages: []*frontend.Package{std, &test.program}},
			map[string]bool{"bytes": true, "p": !test.untold})
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
