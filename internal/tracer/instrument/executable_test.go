package instrument

import (
	"debug/elf"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/antichain-go/antichain/internal/cachedir"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
)

// A program that has not changed is not linked again. One that has is, and neither changes what was
// built before.
func TestCompileAgain(t *testing.T) {
	dir := writeModule(t, `
-- go.mod --
module example.org/again

go 1.25
-- main.go --
package main

func main() { print("one") }
`)
	var kept string
	var recorded []rewrite.Spec
	build := func(flags ...string) (binary string) {
		t.Helper()
		b, err := Prepare(t.Context(), Config{Dir: dir, CacheDir: t.TempDir(), GoFlags: flags, Specs: recorded})
		if err != nil {
			t.Fatal(err)
		}
		if kept, err = b.keptExecutable(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Remove(kept) })
		binary = filepath.Join(t.TempDir(), "binary")
		if err := b.CompileAgain(t.Context(), binary); err != nil {
			t.Fatal(err)
		}
		return binary
	}
	prints := func(binary, want string) {
		t.Helper()
		if out, err := exec.Command(binary).CombinedOutput(); err != nil || string(out) != want {
			t.Errorf("%s prints %q (%v), want %q", binary, out, err, want)
		}
	}
	same := func(a, b string) bool {
		t.Helper()
		x, err := os.Stat(a)
		if err != nil {
			t.Fatal(err)
		}
		y, err := os.Stat(b)
		if err != nil {
			t.Fatal(err)
		}
		return os.SameFile(x, y)
	}
	first := build()
	if !same(first, kept) {
		t.Skip("the directory for caches lies in another file system")
	}
	second := build()
	if !same(first, second) {
		t.Error("the program is linked again, though nothing has changed")
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\nfunc main() { print(\"two\") }\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	third := build()
	prints(first, "one")
	prints(second, "one")
	prints(third, "two")
	if same(first, third) || !same(third, kept) {
		t.Error("what is kept is not the program as it is now")
	}
	prints(build("-ldflags=-X main.nothing=1"), "two")
	recorded = []rewrite.Spec{{Package: "example.org/again", Request: parseRequest(t, "func main")}}
	fourth := build()
	recorded = nil
	if fifth := build(); same(fourth, fifth) || !same(third, fifth) {
		t.Error("what records more takes the place of what does not")
	}
	if err := cachedir.WriteFile(kept, []byte("no executable")); err != nil {
		t.Fatal(err)
	}
	prints(build(), "two")
	prints(third, "two")
}

// A temporary executable has no debug information, unless the user has flags for the linker.
func TestWithoutDebug(t *testing.T) {
	dir := writeModule(t, `
-- go.mod --
module example.org/debug

go 1.25
-- main.go --
package main

var name = "-"

func main() { print(name) }
`)
	const user = "-ldflags=-X=main.name=user"
	for _, tt := range []struct {
		flags  []string
		env    string
		keep   bool
		prints string
		debug  bool
	}{
		{prints: "-"},
		{keep: true, prints: "-", debug: true},
		{flags: []string{user}, prints: "user", debug: true},
		{env: "GOFLAGS=" + user, prints: "user", debug: true},
	} {
		b := prepared(t, Config{Dir: dir, CacheDir: t.TempDir(), GoFlags: tt.flags, Env: append(os.Environ(), tt.env)})
		if kept, err := b.keptExecutable(); err == nil {
			t.Cleanup(func() { os.Remove(kept) })
		}
		binary, compile := filepath.Join(t.TempDir(), "binary"), b.CompileAgain
		if tt.keep {
			compile = b.Compile
		}
		if err := compile(t.Context(), binary); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(binary).CombinedOutput(); err != nil || string(out) != tt.prints {
			t.Errorf("%+v: it prints %q (%v)", tt, out, err)
		}
		f, err := elf.Open(binary)
		if err != nil {
			t.Fatal(err)
		}
		if debug := f.Section(".debug_info") != nil || f.Section(".zdebug_info") != nil; debug != tt.debug {
			t.Errorf("%+v: debug information: %v", tt, debug)
		}
		f.Close()
	}
}

// The state of the repository is not asked for: a broken repository shows whether it is.
func TestWithoutVersionControl(t *testing.T) {
	dir := writeModule(t, `
-- go.mod --
module example.org/repository

go 1.25
-- main.go --
package main

func f() {}

func main() { f() }
-- .git/HEAD --
`)
	specs := []rewrite.Spec{{Package: "example.org/repository", Request: parseRequest(t, "func f")}}
	for _, tt := range []struct {
		flags  []string
		builds bool
	}{{nil, true}, {[]string{"-buildvcs=true"}, false}} {
		b, err := Prepare(t.Context(), Config{Dir: dir, CacheDir: t.TempDir(), GoFlags: tt.flags, Specs: specs,
			Env: append(os.Environ(), "GOFLAGS="), Stderr: io.Discard})
		if err != nil {
			t.Fatal(err)
		}
		if kept, err := b.keptExecutable(); err == nil {
			t.Cleanup(func() { os.Remove(kept) })
		}
		if err := b.CompileAgain(t.Context(), filepath.Join(t.TempDir(), "binary")); (err == nil) != tt.builds {
			t.Errorf("%q: %v", tt.flags, err)
		}
	}
}

// Where no link can be made there is a copy.
func TestShare(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	if err := linkOrCopy(from, to); err == nil {
		t.Error("a file that is not there is shared")
	}
	if err := os.WriteFile(from, []byte("content"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := linkOrCopy(from, to); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(to); err != nil || string(text) != "content" {
		t.Errorf("%q, %v", text, err)
	}
	if err := linkOrCopy(from, to); err == nil {
		t.Error("a file takes the place of another one")
	}
}
