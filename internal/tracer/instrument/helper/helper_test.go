package helper

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/instrument/frontend"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/google/go-cmp/cmp"
)

func TestKnows(t *testing.T) {
	for _, tt := range []struct {
		own, toolchain string
		want           bool
	}{
		{"go1.26.8", "go1.26.8", true},
		{"go1.26.8", "go1.26.11", true},
		{"go1.26.0", "go1.25.14", true},
		{"go1.26.8", "go1.27.0", false},
		{"go1.26.8", "go1.27rc1", false},
		{"go1.27rc1", "go1.27.4", true},
		{"go1.9", "go1.10.1", false},
		{"go1.26.8 X:jsonv2", "go1.26.8", true},
		{"go1.26.8-X:jsonv2", "go1.26.8", true},
		{"go1.26.8-bigcorp", "go1.26.8", true},
		{"go1.26.8", "go1.27.4-bigcorp", false},
		{"go1.27.4", "devel go1.27-0123abc Mon Jan 2", false},
		{"go1.27.4", "go1.28-devel_0123abc", false},
		{"go1.27.4", "go1.26-devel_0123abc", false}, // where it came from is not known
		{"go1.27.4", "", false},
		{"go1.27.4", "go2.0", false},
		{"devel go1.28-0123abc Mon Jan 2", "go1.27.4", true},
		{"go1.28-devel_0123abc", "go1.28.0", false},
		{"go1.28-devel_0123abc", "go1.28-devel_0123abc", true},
		{"go1.28-devel_0123abc", "go1.28-devel_4567def", false},
		{"mine", "go1.27.4", false},
	} {
		if got := canRead(tt.own, tt.toolchain); got != tt.want {
			t.Errorf("%q knows %q: %v", tt.own, tt.toolchain, got)
		}
	}
}

func TestVersionsOfTheCopy(t *testing.T) {
	for _, tt := range []struct{ version, language, toolchain string }{
		{"go1.27.4", "1.27", "go1.27.4"},
		{"go1.27rc2", "1.27", "go1.27rc2"},
		{"go1.27.4-bigcorp", "1.27", "local"},
		{"devel go1.28-0123abc Mon Jan 2", "1.28", "local"},
		{"go1.28-devel_0123abc", "1.28", "local"},
		{"mine", "1.26", "local"},
	} {
		if got := languageOf(tt.version); got != tt.language {
			t.Errorf("language of %s: %s", tt.version, got)
		}
		if got := toolchainName(tt.version); got != tt.toolchain {
			t.Errorf("name of %s: %s", tt.version, got)
		}
	}
	if !isSame("go1.27.4 X:jsonv2", "go1.27.4") || isSame("go1.27.4", "go1.27.0") {
		t.Error("programs are taken for those of another toolchain")
	}
}

// The sources are those files of their packages that are compiled here, but for the ones that embed
// them.
func TestSourcesAreWhole(t *testing.T) {
	for dir, embedded := range sources() {
		here := map[string]string{}
		names, err := filepath.Glob(filepath.Join("../../../..", filepath.FromSlash(dir), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if base := filepath.Base(name); base != "embed.go" && !strings.HasSuffix(base, "_test.go") {
				text, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				here[base] = string(text)
			}
		}
		files, err := moduleFiles(map[string]fs.FS{"": embedded})
		if err != nil {
			t.Fatal(err)
		}
		there := map[string]string{}
		for name, text := range files {
			there[name] = string(text)
		}
		if d := cmp.Diff(slices.Sorted(maps.Keys(here)), slices.Sorted(maps.Keys(there))); d != "" {
			t.Errorf("%s: name the files in embed.go (-in the directory +embedded):\n%s", dir, d)
		}
	}
}

// The helper needs only the standard library and the embedded files: it can be compiled without a
// network.
func TestSourcesNeedNothingElse(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-json=ImportPath,Standard,CgoFiles", "./program").Output()
	if err != nil {
		t.Fatal(err)
	}
	var needed []string
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p struct {
			ImportPath string
			Standard   bool
		}
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		if !p.Standard {
			needed = append(needed, p.ImportPath)
		}
	}
	slices.Sort(needed)
	var embedded []string
	for _, dir := range slices.Sorted(maps.Keys(sources())) {
		embedded = append(embedded, path.Join(module, dir))
	}
	slices.Sort(embedded)
	if d := cmp.Diff(embedded, needed); d != "" {
		t.Errorf("(-embedded +needed):\n%s", d)
	}
}

// request has an error, which gives an answer without any file.
var request = &frontend.Request{Specs: []rewrite.Spec{{Package: "none"}}}

const answer = "package none of the specification is not part of the build"

// newReader returns a reader that needs a helper, which is kept in the directory.
func newReader(t *testing.T, dirs ...string) *Reader {
	t.Helper()
	out, err := exec.Command("go", "env", "-json", "GOROOT", "GOVERSION", "GOHOSTOS", "GOHOSTARCH").Output()
	if err != nil {
		t.Fatal(err)
	}
	var env struct{ GOROOT, GOVERSION, GOHOSTOS, GOHOSTARCH string }
	if err := json.Unmarshal(out, &env); err != nil {
		t.Fatal(err)
	}
	return &Reader{
		Toolchain: Toolchain{Root: env.GOROOT, Version: env.GOVERSION, HostOS: env.GOHOSTOS, HostArch: env.GOHOSTARCH},
		Caches:    func() []string { return dirs }, Own: "go1.1",
	}
}

// wantAnswer reads with a helper.
func wantAnswer(t *testing.T, r *Reader) {
	t.Helper()
	if _, err := r.Run(t.Context(), request); err == nil || err.Error() != answer {
		t.Errorf("error %v", err)
	}
}

// withMain replaces the main package of the helper.
func (r *Reader) withMain(src string) {
	r.packages = map[string]fs.FS{mainDir: fstest.MapFS{"main.go": {Data: []byte(src)}}}
}

func only(t *testing.T, pattern string) string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) != 1 {
		t.Fatalf("%s: %q, %v", pattern, names, err)
	}
	return names[0]
}

// A helper is compiled once, and again if its file is not what it was.
func TestHelperIsKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	r := newReader(t, dir)
	wantAnswer(t, r)
	exe := only(t, filepath.Join(dir, "helper-*"))
	note := only(t, filepath.Join(dir, "[0-9a-f]*[0-9a-f]"))
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("the directory has %v, want two files", entries)
	}
	sum, err := os.ReadFile(note)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(exe)
	if err != nil {
		t.Fatal(err)
	}

	kept := *r
	kept.Toolchain.Go = "no-such-go-command"
	wantAnswer(t, &kept)
	another := kept
	another.Toolchain.Experiment = "jsonv2"
	if _, err := another.Run(t.Context(), request); err == nil || err.Error() == answer {
		t.Errorf("the helper of another toolchain is taken: %v", err)
	}

	text, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	damaged := slices.Clone(text)
	damaged[len(damaged)/2] ^= 1
	for name, damage := range map[string]func() error{
		"a byte":         func() error { return os.WriteFile(exe, damaged, 0o700) },
		"cut":            func() error { return os.Truncate(exe, info.Size()/2) },
		"empty":          func() error { return os.Truncate(exe, 0) },
		"gone":           func() error { return os.Remove(exe) },
		"another hash":   func() error { return os.WriteFile(note, bytes.Repeat([]byte("0"), len(sum)), 0o600) },
		"no hash":        func() error { return os.WriteFile(note, nil, 0o600) },
		"path as a hash": func() error { return os.WriteFile(note, []byte(strings.Repeat("../", 22)[:64]), 0o600) },
		"no note":        func() error { return os.Remove(note) },
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		wantAnswer(t, r)
		if now, err := os.ReadFile(exe); err != nil || !bytes.Equal(now, text) {
			t.Errorf("%s: the helper was not compiled again (%v)", name, err)
		}
		if now, err := os.ReadFile(note); err != nil || !bytes.Equal(now, sum) {
			t.Errorf("%s: note %q, %v", name, now, err)
		}
	}
}

func TestUnusableDirectories(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	good := t.TempDir()
	wantAnswer(t, newReader(t, file, filepath.Join(file, "below"), good))
	only(t, filepath.Join(good, "helper-*"))

	for name, dirs := range map[string][]string{"none": nil, "no directory": {file}} {
		_, err := newReader(t, dirs...).Run(t.Context(), request)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), "with --cache-dir or ANTICHAIN_CACHE") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Log("directories that cannot be written to are not tried by this user")
		return
	}
	if err := os.Chmod(good, 0o500); err != nil {
		t.Fatal(err)
	}
	wantAnswer(t, newReader(t, good)) // is there already
	locked := t.TempDir()
	if err := os.Chmod(locked, 0o500); err != nil {
		t.Fatal(err)
	}
	wantAnswer(t, newReader(t, locked, t.TempDir()))
}

// Whatever goes wrong with a helper is one line that says what and what to do.
func TestHelpersThatDoNotWork(t *testing.T) {
	for name, tt := range map[string]struct{ main, want string }{
		"does not compile": {"package main\n\nfunc main() { nothing() }",
			"does not compile (go build: exit status 1: internal/tracer/instrument/helper/program/main.go:3:15: " +
				"undefined: nothing)"},
		"another module": {"package main\n\nimport _ \"example.com/m\"\n\nfunc main() {}",
			"does not compile (go build: exit status 1: internal/tracer/instrument/helper/program/main.go:3:8: "},
		"panic": {`package main; func main() { panic("no export data") }`,
			"has failed (exit status 2: panic: no export data)"},
		"silent failure": {`package main; import "os"; func main() { os.Exit(1) }`,
			"has failed (exit status 1: no reason given)"},
		"silence": {`package main; func main() {}`, "has given no answer (EOF)"},
		"nonsense": {`package main; import "fmt"; func main() { fmt.Println("0123456789") }`,
			"has given no answer ("},
	} {
		r := newReader(t, t.TempDir())
		r.withMain(tt.main)
		_, err := r.Run(t.Context(), request)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: error %v", name, err)
			continue
		}
		for _, part := range []string{"reading Go source of Go 1.",
			"antichain was built with: the program that does it ", tt.want,
			"; build antichain itself with that release (GOTOOLCHAIN=go1."} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v\nwant %s", name, err, part)
			}
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: several lines:\n%v", name, err)
		}
	}
	r := newReader(t, t.TempDir())
	r.Toolchain.Version, r.Toolchain.Env = "go1.99-devel_0123abc", append(os.Environ(), "GOTOOLCHAIN=local")
	r.packages = sources()
	if _, err := r.Run(t.Context(), request); err == nil ||
		!strings.Contains(err.Error(), "; build antichain itself with that release (go install ") {
		t.Errorf("toolchain that is another one: %v", err)
	}
}

// A context that ends, ends the helper and the compiler.
func TestCancelledHelper(t *testing.T) {
	r := newReader(t, t.TempDir())
	mark := filepath.Join(t.TempDir(), "runs")
	t.Setenv("HELPER_MARK", mark)
	r.withMain(`package main
import ("os"; "time")
func main() {
	os.WriteFile(os.Getenv("HELPER_MARK"), nil, 0o600)
	time.Sleep(5*time.Minute)
}`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error)
	go func() {
		_, err := r.Run(ctx, request)
		done <- err
	}()
	for { // the helper runs
		if _, err := os.Stat(mark); err == nil {
			break
		}
		select {
		case err := <-done:
			t.Fatal(err)
		case <-time.After(10 * time.Millisecond):
		}
	}
	cancel()
	begin := time.Now()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if d := time.Since(begin); d > time.Minute {
		t.Errorf("ended after %v", d)
	}

	dir := t.TempDir()
	r = newReader(t, dir)
	if _, err := r.Run(ctx, request); !errors.Is(err, context.Canceled) {
		t.Errorf("compiling: error %v", err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := r.Run(ctx, request); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("compiling: error %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	wantAnswer(t, r)
}

const envDir = "HELPER_TEST_DIR" // names the directory for the helper of another process

// Several processes and goroutines may need the same helper at once.
func TestManyAtOnce(t *testing.T) {
	if dir := os.Getenv(envDir); dir != "" {
		wantAnswer(t, newReader(t, dir))
		return
	}
	dir := t.TempDir()
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() { wantAnswer(t, newReader(t, dir)) })
		all.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestManyAtOnce$")
			cmd.Env = append(os.Environ(), envDir+"="+dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	all.Wait()
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("the directory has %v, want two files", entries)
	}
	kept := newReader(t, dir)
	kept.Toolchain.Go = "no-such-go-command"
	wantAnswer(t, kept)
}

// The user's settings for the go command or for other programs do not apply to the helper.
func TestEnvironmentOfTheUser(t *testing.T) {
	settings := filepath.Join(t.TempDir(), "env")
	if err := os.WriteFile(settings, []byte("GOFLAGS=-mod=vendor\nGOWORK=/none/go.work\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GODEBUG", "httplaxcontentlength=1")
	r := newReader(t, t.TempDir())
	r.Toolchain.Env = append(os.Environ(), "GOENV="+settings, "GOFLAGS=-race -tags=none", "GO111MODULE=off",
		"GOOS=plan9", "GOARCH=386", "CGO_ENABLED=1")
	r.packages = map[string]fs.FS{mainDir: fstest.MapFS{"main.go": {Data: []byte(`package main
import ("fmt"; "os"; "runtime"; "runtime/debug")
func main() {
	info, _ := debug.ReadBuildInfo()
	fmt.Fprintln(os.Stderr, runtime.GOOS, runtime.GOARCH, os.Getenv("GODEBUG"), info.Settings)
	os.Exit(1)
}`)}}}
	_, err := r.Run(t.Context(), request)
	want := "failed (exit status 1: " + r.Toolchain.HostOS + " " + r.Toolchain.HostArch +
		"  [{-buildmode exe} {-compiler gc} {-trimpath true} "
	if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "{CGO_ENABLED 0}") {
		t.Errorf("error %v\nwant %s", err, want)
	}
}
