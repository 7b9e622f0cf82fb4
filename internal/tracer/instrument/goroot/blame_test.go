//go:build linux && (amd64 || arm64)

package goroot

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A breakage takes something out of what a capability adds to a file.
type breakage struct {
	capability, file string
	old, new         string
}

// breakages has one for each capability whose failure the self-test can see.
var breakages = []breakage{
	{"goroutines", "runtime/proc.go", "antichainMainBegins()", ""},
	{"channels", "runtime/chan.go", "antichainMakeChan(c)", ""},
	{"joint transfers", "runtime/chan.go", "antichainHandoff(c, sg, true, antichainSkipOp(skip))", ""},
	{"channel waits", "runtime/chan.go", "antichainBlock(unsafe.Pointer(c), antichainOpSend)", ""},
	{"atomics", "sync/atomic/antichain.go", "antichainKindAtomicLoad", "antichainKindAtomicStore"},
	{"Mutex", "internal/sync/mutex.go", "race.BlockOp(unsafe.Pointer(m), race.OpLock)", ""},
	{"RWMutex", "sync/rwmutex.go", "race.BlockOp(unsafe.Pointer(rw), race.OpRLock)", ""},
	{"WaitGroup", "sync/waitgroup.go", "race.MisuseOp(unsafe.Pointer(wg), race.MisuseCounter)", ""},
	{"Once", "sync/once.go", "race.ReleaseOp(unsafe.Pointer(o), unsafe.Pointer(o), race.OpOnce)", ""},
	{"Cond", "runtime/sema.go", "antichainNotify(l, s, antichainOpSignal)", ""},
	{"Pool", "sync/pool.go", "race.Get(x, unsafe.Pointer(p))", ""},
	{"timers", "runtime/time.go", "antichainArm(&t.timer, ", "func(*timer, bool, any, int64) {}(&t.timer, "},
	{"coroutines", "runtime/coro.go", "racegoend()", ""},
	{"reuse of memory", "runtime/mgcsweep.go", "antichainSweep(s)", ""},
	{"signals", "os/signal/signal.go", "race.Outside(*(*unsafe.Pointer)(unsafe.Pointer(&c)), 1)", ""},
	{"inner order", "syscall/syscall_unix.go", "func Write(fd int, p []byte) (n int, err error) {",
		"func Write(fd int, p []byte) (n int, err error) {\n\trace.ReleaseMerge(unsafe.Pointer(&ioSync))\n"},
	{"cleanups", "runtime/mcleanup.go", "if false {", "if raceenabled {"},
	{"descriptors", "internal/poll/fd_mutex.go", "race.Acquire(unsafe.Pointer(&mu.state))", ""},
	{"connections", "internal/poll/fd_mutex.go", "fd.antichainReadUnlock()", ""},
	{"tests", "testing/testing.go", "race.BeginTest(t.name)", ""},
	{"reachability", "runtime/mgcmark.go", "antichainMarkWeak(s, uintptr(sp.offset), gcw)", ""},
}

// inert are capabilities that the self test sees nothing of: they steer, give names, or spare what
// only a race detector needs.
var inert = []string{
	"given functions", "turns", "bubbles", "C threads", "heap", MemoryAccesses, "halting", "steering", "lingering",
}

func TestBreakagesAreOfAll(t *testing.T) {
	var names []string
	for _, b := range breakages {
		names = append(names, b.capability)
	}
	names = append(names, inert...)
	slices.Sort(names)
	var want []string
	for _, c := range capabilities {
		want = append(want, c.name)
	}
	slices.Sort(want)
	if d := cmp.Diff(want, names); d != "" {
		t.Errorf("capabilities (-want +got):\n%s", d)
	}
}

// selfTestOf writes the overlay, breaks it and runs the self test.
func selfTestOf(t *testing.T, opt Options, broken ...breakage) (map[string]error, error) {
	t.Helper()
	ctx := context.Background()
	info, err := Toolchain{}.info(ctx)
	if err != nil {
		t.Fatal(err)
	}
	o, err := Write(t.TempDir(), info.GOROOT, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range broken {
		name := o.Replace[filepath.Join(info.GOROOT, "src", filepath.FromSlash(b.file))]
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), b.old) {
			t.Fatalf("%s has no %q", b.file, b.old)
		}
		if err := os.WriteFile(name, []byte(strings.ReplaceAll(string(text), b.old, b.new)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	blamed, _, err := o.selfTest(ctx, Toolchain{}, info, opt.Memory)
	return blamed, err
}

func namesOf(broken map[string]error) []string { return slices.Sorted(maps.Keys(broken)) }

// The self-test finds broken capabilities, and blames no others. Every second capability is broken
// at a time; with ANTICHAIN_LONG also each alone.
func TestSelfTestDecides(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	t.Parallel()
	var groups [][]breakage
	for parity := range 2 {
		var group []breakage
		for i, b := range breakages {
			if i%2 == parity {
				group = append(group, b)
			}
		}
		groups = append(groups, group)
	}
	if os.Getenv(longEnv) != "" {
		for _, b := range breakages {
			groups = append(groups, []breakage{b})
		}
	}
	for _, group := range groups {
		var want []string
		for _, b := range group {
			want = append(want, b.capability)
		}
		slices.Sort(want)
		t.Run(strings.Join(want, ","), func(t *testing.T) {
			t.Parallel()
			broken, err := selfTestOf(t, Options{}, group...)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, namesOf(broken)); d != "" {
				t.Errorf("broken (-want +got):\n%s\n%v", d, broken)
			}
		})
	}
}

// A file that does not compile is the fault of those who have changed it; the hooks are
// everybody's.
func TestSelfTestBlamesFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	t.Parallel()
	for _, tt := range []struct {
		file string
		want []string
	}{
		{"os/signal/signal.go", []string{"signals"}},
		{"internal/sync/mutex.go", []string{"Mutex", "steering", "turns"}},
		{"runtime/coro.go", []string{"coroutines"}},
	} {
		broken, err := selfTestOf(t, Options{},
			breakage{"", tt.file, "\n// In place of", "\nvar antichainWrong int = \"\"\n// In place of"})
		if err != nil {
			t.Errorf("%s: %v", tt.file, err)
		}
		if d := cmp.Diff(tt.want, namesOf(broken)); d != "" {
			t.Errorf("%s: broken (-want +got):\n%s", tt.file, d)
		}
		for name, why := range broken {
			if !strings.Contains(why.Error(), "antichainWrong") &&
				!strings.Contains(why.Error(), "untyped string constant") {
				t.Errorf("%s is broken for the reason %v", name, why)
			}
		}
	}
	all, without := []string{}, map[string]error{}
	for _, c := range capabilities {
		all = append(all, c.name)
		without[c.name] = errors.New("for a test")
	}
	slices.Sort(all)
	hooks := breakage{"", "runtime/race0.go", "\n// In place of", "\nvar antichainWrong int = \"\"\n// In place of"}
	broken, err := selfTestOf(t, Options{}, hooks)
	if d := cmp.Diff(all, namesOf(broken)); d != "" || err != nil {
		t.Errorf("hooks: broken (-want +got):\n%s\n%v", d, err)
	}
	if broken, err := selfTestOf(t, Options{Without: without}, hooks); err == nil ||
		!strings.Contains(err.Error(), "building") {
		t.Errorf("nothing is left to be blamed: %v, %v", broken, err)
	}
}

// A program that ends in a part, or hangs there, shows that the part does not work.
func TestSelfTestBlamesParts(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	t.Cleanup(func(old []byte) func() { return func() { selfTestProgram = old } }(selfTestProgram))
	const head = "package main\n\nimport (\n\t\"os\"\n\t_ \"unsafe\"\n)\n\n//go:linkname emit runtime.antichainEmit\n" +
		"func emit(kind uint8, addr, aux, arg uint64, payload []byte) bool\n\nfunc main() {\n\temit(23, 0, 0, 0, " +
		"[]byte(\"channels\"))\n\temit(23, 0, 0, 0, []byte(\"timers\"))\n"
	for end, want := range map[string][]string{
		"panic(\"for a test\")": {"timers"},
		"os.Exit(5)":            {"timers"},
		"select {}":             {"timers"},
		"*(*int)(nil) = 1":      {"timers"},
	} {
		selfTestProgram = []byte(head + "\tif len(os.Args) > 0 {\n\t\t" + end + "\n\t}\n}\n")
		broken, err := selfTestOf(t, Options{})
		if d := cmp.Diff(want, namesOf(broken)); d != "" || err != nil {
			t.Errorf("%s: broken (-want +got):\n%s\n%v", end, d, err)
		}
	}
}

// Files that are removed while they are in use say nothing about the toolchain.
func TestPrepareWithoutFiles(t *testing.T) {
	dir, cache := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	fake := filepath.Join(t.TempDir(), "go")
	script := fmt.Sprintf(`#!/bin/sh
[ "$1" = build ] || exec go "$@"
for file in %s/*/*.go; do echo "$file: no such file or directory"; rm "$file"; done
exit 1
`, dir)
	if err := os.WriteFile(fake, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := Prepare(t.Context(), Toolchain{Go: fake}, Options{}, dir, cache)
	var unusable *WriteError
	if !errors.As(err, &unusable) ||
		!strings.HasSuffix(err.Error(), "was changed or removed while it was in use: run it again") {
		t.Error(err)
	}
	if notes, err := os.ReadDir(cache); err == nil && len(notes) > 0 {
		t.Errorf("noted %v", notes)
	}
}

// Prepare leaves out what is broken, and remembers that as well as what works. Nothing is built
// here.
func TestPrepareRemembers(t *testing.T) {
	ctx, dir, cache := context.Background(), t.TempDir(), filepath.Join(t.TempDir(), "cache")
	tc := Toolchain{Env: append(os.Environ(), "GOCACHE=off")}
	info, err := tc.info(ctx)
	if err != nil {
		t.Fatal(err)
	}
	why := errors.New("self test: nobody has seen it")
	full, err := Write(dir, info.GOROOT, Options{})
	if err != nil {
		t.Fatal(err)
	}
	full.remember(info, cache, map[string]error{"timers": why})
	left, err := Write(dir, info.GOROOT, Options{Without: map[string]error{"timers": why}})
	if err != nil {
		t.Fatal(err)
	}
	left.remember(info, cache, nil)
	got, err := Prepare(ctx, tc, Options{}, dir, cache)
	if err != nil {
		t.Fatal(err)
	}
	if got.Hash != left.Hash || got.Hash == full.Hash {
		t.Error("not the overlay without what is broken")
	}
	if d := cmp.Diff([]string{"timers", "bubbles"}, lackNames(got.Lacks)); d != "" {
		t.Error(d)
	}
	for _, l := range got.Lacks {
		if !strings.Contains(l.Why.Error(), why.Error()) {
			t.Errorf("%s: %v", l.Name, l.Why)
		}
	}

	// Another toolchain, or another overlay, is another matter.
	other := info
	other.GOVERSION += "x"
	if _, ok := full.cachedResult(other, cache); ok {
		t.Error("what one toolchain does is taken for what another one does")
	}
	if _, ok := full.cachedResult(info, ""); ok {
		t.Error("something is remembered nowhere")
	}

	// A note that cannot be read is none, and then the test runs, which cannot build anything here:
	// everything is blamed in turn.
	for _, text := range []string{"", "{", `["timers"]`, `{"timers":`, "\x00"} {
		if err := os.WriteFile(full.mark(info, cache), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if known, ok := full.cachedResult(info, cache); ok {
			t.Errorf("%q: remembers %v", text, known)
		}
	}
	// A failed build may have many reasons, and is not remembered.
	if _, err := Prepare(ctx, tc, Options{}, dir, cache); err == nil || !strings.Contains(err.Error(), info.GOVERSION) {
		t.Errorf("nothing can be built: %v", err)
	}
	if known, ok := full.cachedResult(info, cache); ok {
		t.Errorf("after a failure: remembers %v", known)
	}
}
