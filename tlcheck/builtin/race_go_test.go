//go:build linux && (amd64 || arm64)

package builtin_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/instrument"
	"github.com/antichain-go/antichain/tracer/launch"
)

var withGo = flag.Bool("go-testdata", false, "let TestGoRaceTestdata run the tests of the race detector that come with Go")

// otherwise are the tests of the race detector on which we judge otherwise, and why.
var otherwise = map[string]string{
	"TestRaceBetweenCleanups":   "cleanups that one goroutine runs one after the other are ordered",
	"TestRaceIssue5567":         "both accesses are in the standard library, which is not instrumented",
	"TestRaceIssue51618":        "both accesses are in the standard library, which is not instrumented",
	"TestRaceReflectRW":         "both accesses are in the standard library, which is not instrumented",
	"TestRaceRangeFuncIterator": "skips itself",
	"TestNoRaceIOFile":          "what comes by way of a file is not ordered",
	"TestNoRaceCgoSync":         "builds a program with -race",
}

// untilRaced is how often at least a test with a race is run before that is missed. Some of their runs have none: in TestRaceAsFunc3 a goroutine
// reads and then locks, and where it is first the lock orders this before what the other one writes under the lock.
const untilRaced = 10

// TestGoRaceTestdata runs the tests of the race detector, whose names say whether they have a race.
func TestGoRaceTestdata(t *testing.T) {
	if !*withGo {
		t.Skip("takes minutes; -go-testdata runs it")
	}
	dir := t.TempDir()
	binary := buildGoRaceTests(t, dir)
	out, err := exec.Command(binary, "-test.list", "^TestRace|^TestNoRace").Output()
	names := slices.DeleteFunc(strings.Fields(string(out)), func(name string) bool { return !strings.HasPrefix(name, "Test") })
	if err != nil || len(names) < 300 {
		t.Fatal(len(names), err)
	}
	slots := make(chan bool, 2*runtime.GOMAXPROCS(0))
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			slots <- true
			defer func() { <-slots }()
			if why := otherwise[name]; why != "" {
				t.Skip(why)
			}
			racy := strings.HasPrefix(name, "TestRace")
			times := *runs
			if racy {
				times = max(times, untilRaced)
			}
			said := ""
			for i := 0; i < times && said == ""; i++ {
				for _, f := range goTestRaces(t, binary, name) {
					said = f.Text
				}
			}
			if racy != (said != "") {
				t.Errorf("racy: %v\n%s", !racy, said)
			}
		})
	}
}

// buildGoRaceTests builds these tests as a package of their own, without what that cannot use.
func buildGoRaceTests(t *testing.T, dir string) (binary string) {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "src/runtime/race/testdata/*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	src := filepath.Join(dir, "src")
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(src, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(src, 0o700); err != nil {
		t.Fatal(err)
	}
	write("go.mod", "module racetests\n\ngo 1.26\n")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), `"internal/`) {
			// With the race detector there is one more function in package runtime.
			write(filepath.Base(file), strings.ReplaceAll(string(text), "runtime.RaceDisable()", ""))
		}
	}
	binary = filepath.Join(dir, "tests")
	b, err := instrument.Prepare(t.Context(), instrument.Config{
		Verb: instrument.Test, Dir: src, GoFlags: []string{"-c", "-o", binary}, CacheDir: filepath.Join(dir, "cache"), Memory: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	cmd, err := b.TestCommand(t.Context(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// goTestRaces returns what is reported on one test, without the race that the package begins with.
func goTestRaces(t *testing.T, binary, name string) []builtin.Finding {
	t.Helper()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	checker := builtin.New(builtin.Race)
	run, err := launch.Start(t.Context(), launch.Config{
		Binary: binary, Args: []string{"-test.run", "^" + name + "$"}, Watch: checker, Accesses: true,
		Stdout: null, Stderr: null,
	})
	if err != nil {
		t.Fatal(err)
	}
	res, err := run.Wait()
	if err != nil || res.Missing != 0 || !res.Program.Accesses {
		t.Fatalf("%v, %+v", err, res)
	}
	return slices.DeleteFunc(checker.Findings(run.Names()), func(f builtin.Finding) bool {
		return strings.Count(f.Text, "/regression_test.go:2") == 2
	})
}
