package instrument

import (
	"slices"
	"testing"
)

// Who tells accesses to memory: the packages of the modules that are built, and those asked for.
func TestMemoryPackages(t *testing.T) {
	t.Parallel()
	dir := writeModule(t, `
-- go.mod --
module m
go 1.26
-- main.go --
package main
import ("bytes"; "fmt"; "m/sub")
func main() { fmt.Println(bytes.Clone(nil), sub.X) }
-- sub/sub.go --
package sub
var X int
`)
	all := []string{"m", "m/sub", "bytes", "fmt", "internal/fmtsort", "reflect", "sync/atomic"}
	for _, tt := range []struct{ patterns, want []string }{
		{nil, []string{"m", "m/sub"}},
		{[]string{"bytes"}, []string{"m", "m/sub", "bytes"}},
		{[]string{"internal/..."}, []string{"m", "m/sub", "internal/fmtsort"}},
		{[]string{"./sub"}, []string{"m", "m/sub"}},
		{[]string{"std"}, []string{"m", "m/sub", "bytes", "fmt", "internal/fmtsort"}},
	} {
		b, err := Prepare(t.Context(), Config{Dir: dir, CacheDir: t.TempDir(), Memory: true, MemoryPackages: tt.patterns})
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range all {
			if got, want := slices.Contains(b.compiler, "-gcflags="+path+"=-race"), slices.Contains(tt.want, path); got != want {
				t.Errorf("%q: %s tells its accesses: %v, want %v", tt.patterns, path, got, want)
			}
		}
	}
}

// Package testing tells its accesses where tests are built, and not to whoever imports it otherwise.
func TestMemoryTesting(t *testing.T) {
	t.Parallel()
	dir := writeModule(t, `
-- go.mod --
module m
go 1.26
-- main.go --
package main
import "testing"
func main() { testing.Benchmark(func(*testing.B) {}) }
-- main_test.go --
package main
import "testing"
func Test(t *testing.T) { t.Log(t.Name()) }
`)
	for verb, want := range map[Verb]bool{Executable: false, Test: true} {
		b, err := Prepare(t.Context(), Config{Verb: verb, Dir: dir, CacheDir: t.TempDir(), Memory: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Contains(b.compiler, "-gcflags=testing=-race"); got != want {
			t.Errorf("verb %v: testing tells its accesses: %v, want %v", verb, got, want)
		}
	}
}
