package exe

import (
	"context"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

func build(t *testing.T, dir, out string, flags ...string) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), out)
	cmd := exec.Command("go", append(append([]string{"build", "-o", bin}, flags...), ".")...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, text)
	}
	return bin
}

// The program's own runtime and this package agree about its addresses, however it was built.
func TestAgainstTheProgram(t *testing.T) {
	dir, err := filepath.Abs("testdata/prog")
	if err != nil {
		t.Fatal(err)
	}
	variants := [][]string{
		nil,
		{"-ldflags=-s -w"},
		{"-buildmode=pie"},
		{"-buildmode=pie", "-ldflags=-s -w"},
		{"-trimpath"},
	}
	if hasC() { // then code of C stands before that of Go
		variants = append(variants, []string{"-ldflags=-linkmode=external"},
			[]string{"-ldflags=-linkmode=external -s -w"},
			[]string{"-buildmode=pie", "-ldflags=-linkmode=external -s -w"})
	}
	for _, flags := range variants {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			bin := build(t, dir, "prog", flags...)
			f, err := Open(bin, Options{Root: dir})
			if err != nil {
				t.Fatal(err)
			}
			if f.HasUnstarted() {
				t.Error("HasUnstarted: the program has neither C code nor finalizers")
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			out, err := exec.CommandContext(ctx, bin).Output()
			if err != nil {
				t.Fatal(err)
			}
			checked := 0
			for line := range strings.Lines(string(out)) {
				checked++
				check(t, f, strings.TrimSpace(line))
			}
			if checked < 13 {
				t.Errorf("only %d lines:\n%s", checked, out)
			}
			wrappers := map[string]string{"main.started.gowrap1": "main.short", "main.started.gowrap2": "main.far"}
			for fn := range f.table.functions(f.start) {
				if want, ok := wrappers[fn.name()]; ok {
					delete(wrappers, fn.name())
					if got := f.Function(fn.entry + f.offset); got != want {
						t.Errorf("%s calls %q, want %q", fn.name(), got, want)
					}
				}
			}
			checkInlined(t, f)
			if len(wrappers) > 0 {
				t.Errorf("no functions %v", wrappers)
			}
		})
	}
}

// In the code of useOnce, what is inlined from package sync stands in its line 23.
func checkInlined(t *testing.T, f *File) {
	t.Helper()
	inlined := 0
	for fn := range f.table.functions(f.start) {
		for pc := fn.entry; pc < fn.end && fn.name() == "main.useOnce"; pc++ {
			if file, _ := fn.line(pc); !strings.HasSuffix(file, "sync/once.go") {
				continue
			}
			inlined++
			const want = "go.go:23"
			got, library := f.Position([ring.PCs]uint64{pc + 1 + f.offset})
			if strings.TrimPrefix(got, "example.com/prog/") != want || !library {
				t.Errorf("useOnce at %#x: %q (library %v), want %s (true)", pc, got, library, want)
			}
		}
	}
	if inlined == 0 {
		t.Error("sync.Once.Do is not inlined: the test tests nothing")
	}
}

func check(t *testing.T, f *File, line string) {
	t.Helper()
	what, rest, _ := strings.Cut(line, " ")
	switch what {
	case "at":
		var addr uint64
		var name string
		fmt.Sscan(rest, &addr, &name)
		for fn := range f.table.functions(f.start) {
			if fn.name() == name {
				f.Rebase(f.start + addr - fn.entry)
			}
		}
	case "stack":
		var pcs [ring.PCs]uint64
		var want string
		fmt.Sscanf(rest, "%d,%d,%d %s", &pcs[0], &pcs[1], &pcs[2], &want)
		if got, _ := f.Position(pcs); got != want && got != "example.com/prog/"+want {
			t.Errorf("%s: position %q", line, got)
		}
	case "func":
		var addr uint64
		var want string
		fmt.Sscan(rest, &addr, &want)
		if got := op.ShortName(f.Function(addr)); got != want {
			t.Errorf("%s: function %q", line, got)
		}
	default:
		t.Errorf("unknown line %q", line)
	}
}

// All addresses of the test itself, against runtime.CallersFrames.
func TestAgainstTheRuntime(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(self, Options{})
	if err != nil {
		t.Fatal(err)
	}
	here, _, _, _ := runtime.Caller(0)
	fn, ok := f.table.find(uint64(here), f.start)
	if !ok || !strings.HasSuffix(fn.name(), ".TestAgainstTheRuntime") {
		t.Skip("the test's own code was moved by the loader")
	}
	count, inlined := 0, 0
	for fn := range f.table.functions(f.start) {
		if strings.HasPrefix(fn.name(), "runtime.") {
			continue // CallersFrames leaves out some of its own
		}
		// One past the last byte is an entry to CallersFrames, not a return address.
		for pc := fn.entry; pc+1 < fn.end; pc += 7 {
			// The runtime returns the innermost of the calls inlined at pc.
			want, _ := runtime.CallersFrames([]uintptr{uintptr(pc) + 1}).Next()
			file, line := fn.line(pc)
			if file == "" {
				continue // padding behind the function
			}
			if want.File != "" && (file != want.File || line != want.Line) {
				t.Fatalf("%s at %#x: %s:%d, want %s:%d", fn.name(), pc, file, line, want.File, want.Line)
			}
			depth, name := 0, ""
			for range fn.frames(pc) {
				depth++
			}
			if call, ok := fn.inlinedCall(fn.inlineIndex(pc)); ok {
				name = text(f.table.names, uint64(call.name))
			} else {
				name = fn.name()
			}
			if want.Function != "" && want.Function != name && !strings.Contains(name, "[") {
				t.Fatalf("%s at %#x: in %s, want %s", fn.name(), pc, name, want.Function)
			}
			count++
			if depth > 1 {
				inlined++
			}
		}
	}
	if count < 10000 || inlined < 1000 {
		t.Errorf("compared %d addresses, %d of inlined code", count, inlined)
	}
}

func hasC() bool {
	_, err := exec.LookPath("gcc")
	return err == nil
}

func TestUnstarted(t *testing.T) {
	programs := map[string]string{
		"none":         `package main; import "net"; func main() { net.LookupHost("localhost") }`,
		"SetFinalizer": `package main; import "runtime"; func main() { x := new([]int); runtime.SetFinalizer(x, func(*[]int) {}) }`,
		"AddCleanup":   `package main; import "runtime"; func main() { x := new([]int); runtime.AddCleanup(x, func(int) {}, 1) }`,
	}
	if hasC() {
		programs["export"] = `package main
// extern void goCall(void);
// static void call(void) { goCall(); }
import "C"
//export goCall
func goCall() {}
func main() { C.call() }`
	}
	for name, src := range programs {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "go.mod"), "module example.com/fin\n\ngo 1.26\n")
			write(t, filepath.Join(dir, "main.go"), src)
			f, err := Open(build(t, dir, "fin"), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := f.HasUnstarted(); got != (name != "none") {
				t.Errorf("HasUnstarted is %v", got)
			}
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A program of the standard library, or a test, is the user's code to who traces it; what it uses
// is not.
func TestOfTheStandardLibrary(t *testing.T) {
	dir := filepath.Join(goroot(t), "src", "cmd", "test2json")
	bin := build(t, dir, "test2json")
	for _, root := range []string{dir, "", filepath.Dir(filepath.Dir(dir)), goroot(t)} {
		f, err := Open(bin, Options{Root: root})
		if err != nil {
			t.Fatal(err)
		}
		own := map[string]bool{}
		for fn := range f.table.functions(f.start) {
			if file, _ := fn.line(fn.entry); !f.isStd(file) {
				own[filepath.Base(file)] = true
			}
		}
		if want := root == dir; own["main.go"] != want || len(own) > 4 {
			t.Errorf("below %q: the user's are %v, main.go among them: want %v", root, own, want)
		}
	}
}

func goroot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func TestTrim(t *testing.T) {
	for name, want := range map[string]string{
		"main.main.func1":                         "main.main.func1",
		"github.com/x/y.(*T[...]).run-fm":         "y.(*T).run",
		"golang.org/x/sync/errgroup.(*Group).Go":  "errgroup.(*Group).Go",
		"main.f[go.shape.struct { a/b.c int }].g": "main.f.g",
	} {
		if got := op.ShortName(name); got != want {
			t.Errorf("ShortName(%q) = %q, want %q", name, got, want)
		}
	}
	other := filepath.Join(t.TempDir(), "other")
	if err := os.MkdirAll(filepath.Join(other, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(other, "go.mod"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f := &File{opt: Options{Root: "/home/u/mod"}, goroot: "/usr/local/go/src/"}
	for file, want := range map[string]string{
		"/home/u/mod/sub/a.go":                   "sub/a.go",
		"/home/u/module/a.go":                    "a.go",
		other + "/sub/a.go":                      "other/sub/a.go",
		"/usr/local/go/src/sync/mutex.go":        "sync/mutex.go",
		"/home/u/go/pkg/mod/x.org/y@v1.2.3/z.go": "x.org/y@v1.2.3/z.go",
		"x.org/y/z.go":                           "x.org/y/z.go",
	} {
		if got := f.trimFile(file); got != want {
			t.Errorf("trimFile(%q) = %q, want %q", file, got, want)
		}
	}
}

func TestNotExecutable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	for _, text := range []string{"", "#!/bin/sh\n", elf.ELFMAG + "\x02\x01\x01"} {
		write(t, path, text)
		if _, err := Open(path, Options{}); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// FuzzTable looks up everything in damaged tables.
func FuzzTable(f *testing.F) {
	self, err := os.Executable()
	if err != nil {
		f.Fatal(err)
	}
	e, err := elf.Open(self)
	if err != nil {
		f.Fatal(err)
	}
	defer e.Close()
	pcln, err := load(e, ".gopclntab")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint32(0), byte(0), uint32(0), byte(0), uint64(1000))
	f.Add(uint32(8), byte(255), uint32(30), byte(7), uint64(100000))
	f.Fuzz(func(t *testing.T, at uint32, v byte, at2 uint32, v2 byte, pc uint64) {
		data := append([]byte(nil), pcln.data[:min(len(pcln.data), 1<<16)]...)
		data[at%uint32(len(data))] = v
		data[at2%uint32(len(data))] = v2
		table, err := newPclntab(data, data[int(at)%len(data):])
		if err != nil {
			return
		}
		file := &File{table: table, arch: elf.EM_X86_64, text: section{0, make([]byte, 100)}}
		file.Position([ring.PCs]uint64{pc, pc % 1000, 0})
		file.Function(pc)
		if fn, ok := table.find(pc, 0); ok {
			fn.firstInlined()
			file.wrapped(fn)
		}
	})
}
