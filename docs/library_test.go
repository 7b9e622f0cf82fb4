//go:build linux && (amd64 || arm64)

package docs

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	// What the programs import, so that the modules that they are built from are there where these
	// tests are.
	"github.com/antichain-go/antichain/internal/commandtest"
	_ "github.com/antichain-go/antichain/onthefly"
	_ "github.com/antichain-go/antichain/tlcheck/tltest"
	_ "github.com/antichain-go/antichain/tlcheck/trace"
	_ "github.com/antichain-go/antichain/tracer/op/stamp"
)

// buildLibrary builds the programs that docs/library.md shows, in a copy of their module, against
// this checkout. It returns the directory, where they are executables.
func buildLibrary(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs")
	}
	if err := commandtest.LookAt(repository); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/library")); err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(repository, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600); err != nil {
		t.Fatal(err)
	}
	requireAsHere(t, filepath.Join(dir, "go.mod"))
	checkout, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"mod", "edit", "-replace", "github.com/antichain-go/antichain=" + checkout},
		{"build", "-o", "bin/", "./..."},
	} {
		if out, err := libraryCommand(dir, args...).CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	return dir
}

// libraryCommand is a command of go in the module.
func libraryCommand(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off", "GOTOOLCHAIN=local", "GOWORK=off")
	return cmd
}

// requireAsHere adds what this module requires to a go.mod, as go mod tidy does: else the go
// command reads the files of modules that nothing is built from, which are not there unless it can
// fetch them.
func requireAsHere(t *testing.T, file string) {
	t.Helper()
	theirs, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := os.ReadFile(filepath.Join(repository, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	_, requirements, found := strings.Cut(string(ours), "\nrequire (")
	if !found {
		t.Fatalf("no requirements in\n%s", ours)
	}
	if err := os.WriteFile(file, []byte(string(theirs)+"\nrequire ("+requirements), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The programs and tests of another module: they read and make runs, and check them.
func TestLibrary(t *testing.T) {
	dir := buildLibrary(t)
	for _, name := range []string{"check", "builtins", "calls", "events", "operations"} {
		t.Run(name, func(t *testing.T) { comparePrinted(t, dir, name) })
	}
	t.Run("watch", func(t *testing.T) { watch(t, dir) })
	t.Run("store", func(t *testing.T) { testStore(t, dir) })
}

// comparePrinted compares what a program prints with its file. UPDATE_DOCS=1 refreshes that.
func comparePrinted(t *testing.T, dir, name string) {
	cmd := exec.Command(filepath.Join(dir, "bin", name))
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	got, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata/library", name, "output.txt")
	if os.Getenv("UPDATE_DOCS") != "" {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Error(d)
	}
}

// testStore runs the tests of a package. One of them fails, with the lines that docs/library.md
// shows.
func testStore(t *testing.T, dir string) {
	out, err := libraryCommand(dir, "test", "./store").CombinedOutput()
	if _, failed := err.(*exec.ExitError); !failed || strings.Contains(string(out), "FAIL: TestWrite") {
		t.Fatalf("%v\n%s", err, out)
	}
	page, err := os.ReadFile("library.md")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(page), "```text\n--- FAIL: TestHurriedWrite (0.00s)\n")
	shown, _, ended := strings.Cut(shown, "```")
	if !ended {
		t.Fatal("docs/library.md does not show how the test fails")
	}
	for line := range strings.Lines(shown) {
		if line = strings.TrimSpace(line); !strings.Contains(line, elision) && !strings.Contains(string(out), line) {
			t.Errorf("no %q in\n%s", line, out)
		}
	}
}

// watch runs a program that reports a violation before the trace has ended.
func watch(t *testing.T, dir string) {
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "bin", "watch"))
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		if _, err := io.WriteString(in, text); err != nil {
			t.Fatal(err)
		}
	}
	lines := bufio.NewScanner(out)
	write(`{"antichain":1,"tasks":["web","db"]}
{"t":"web","enter":"write"}
{"t":"db","enter":"write"}
`)
	if !lines.Scan() || lines.Text() != "exclusive: violated" {
		t.Fatalf("printed %q, %v", lines.Text(), lines.Err())
	}
	write(`{"t":"db","exit":"write"}` + "\n")
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	var last string
	for lines.Scan() {
		last = lines.Text()
	}
	if !strings.HasPrefix(last, `{"trace":"standard input","property":"exclusive",`) || !strings.Contains(last, `"verdict":"violated"`) {
		t.Errorf("printed %q", last)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
