//go:build linux && (amd64 || arm64)

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/internal/commandtest"
)

// Where a patch of the standard library does not match, what rests on it is lost: programs that may
// use it get no verdict, others do.
func TestFallback(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	t.Parallel()
	goroot := otherGoroot(t)
	for _, tt := range []struct {
		name, program string
		code          int
		want          string
	}{
		{"mutex", `package main

import (
	"fmt"
	"sync"
)

var (
	mu    sync.Mutex
	wg    sync.WaitGroup
	count int
)

func main() {
	wg.Go(update)
	wg.Go(update)
	wg.Wait()
	fmt.Println(count)
}

func update() {
	mu.Lock()
	change()
	mu.Unlock()
}

func change() { count++ }
`, exit.Holds, "-e: holds\n"},
		{"unordered", `package main

import "sync"

func main() {
	var wg sync.WaitGroup
	wg.Go(change)
	wg.Go(change)
	wg.Wait()
}

func change() {}
`, exit.Violated, "-e: violated\n"},
		{"cond", `package main

import "sync"

var (
	cond = sync.NewCond(new(sync.Mutex))
	done bool
)

func main() {
	go change()
	cond.L.Lock()
	for !done {
		cond.Wait()
	}
	cond.L.Unlock()
}

func change() {
	cond.L.Lock()
	done = true
	cond.L.Unlock()
	cond.Signal()
}
`, exit.Unknown, "-e: unknown: the program was traced without " + lostCond},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newMain(t, tt.program)
			w.env = append(w.env, "GOROOT="+goroot)
			run := func(args ...string) (code int, said string) {
				cmd := w.command("antichain", append(append([]string{"run"}, args...), "main.go")...)
				text, _ := cmd.CombinedOutput() // the exit code says it
				return exit.StatusOf(cmd.ProcessState), string(text)
			}
			code, said := run("--builtin", "none", "-e", "not (a:(in.change) and b:(in.change)) if a != b")
			if code != tt.code || !strings.Contains(said, tt.want) {
				t.Errorf("exit code %d, want %d with %q\n%s", code, tt.code, tt.want, said)
			}
			if !strings.Contains(said, " is traced without "+lostCond) {
				t.Errorf("no warning:\n%s", said)
			}
			code, said = run()
			want := "built-in properties: no violation ("
			if tt.code == exit.Unknown {
				want = "built-in properties: unknown: the program was traced without " + lostCond
			}
			if !strings.Contains(said, want) {
				t.Errorf("exit code %d, want %q\n%s", code, want, said)
			}
		})
	}
}

// lostCond is what is said of the capability that rests on the patch.
const lostCond = "sync.Cond (patch cond broadcast: runtime/sema.go: notifyListNotifyAll has 0 places for it, not 1)"

// otherGoroot is the Go tree with one file changed so that a patch does not match it. The rest
// is links to the real one.
func otherGoroot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	real, other := strings.TrimSpace(string(out)), commandtest.Directory(t)
	linkAllBut(t, real, other, "src")
	linkAllBut(t, filepath.Join(real, "src"), filepath.Join(other, "src"), "runtime")
	linkAllBut(t, filepath.Join(real, "src/runtime"), filepath.Join(other, "src/runtime"), "sema.go")
	sema, err := os.ReadFile(filepath.Join(real, "src/runtime/sema.go"))
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Replace(sema, []byte("readyWithTime(s, 4)\n\t\ts = next"), []byte("readyWithTime(s, 2+2)\n\t\ts = next"), 1)
	if bytes.Equal(sema, changed) {
		t.Fatal("sema.go is not as expected")
	}
	if err := os.WriteFile(filepath.Join(other, "src/runtime/sema.go"), changed, 0o600); err != nil {
		t.Fatal(err)
	}
	return other
}

// linkAllBut makes the directory to, with a link to everything in from but one entry.
func linkAllBut(t *testing.T, from, to, except string) {
	t.Helper()
	if err := os.MkdirAll(to, 0o700); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != except {
			if err := os.Symlink(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
}
