//go:build linux && (amd64 || arm64)

package builtin_test

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

var (
	runs    = flag.Int("runs", 1, "run each program of TestRacePrograms so often")
	against = flag.Bool("against-race", false, "compare TestRacePrograms with as many runs under go build -race")
)

const raceDir = "testdata/race"

// TestRacePrograms runs programs with and without data races. A line that takes part in a race, as
// the program's comments have it, is reported, and nothing else is; and whatever the race detector
// reports is.
func TestRacePrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	dir := t.TempDir()
	ours, theirs := filepath.Join(dir, "ours"), filepath.Join(dir, "theirs")
	buildInstrumented(t, dir, ours)
	if *against {
		if out, err := exec.Command("go", "build", "-race", "-o", theirs, "./"+raceDir).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	racy := racyLines(t)
	for name := range programNames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, reported := conflicts{}, conflicts{}
			for range *runs {
				found.add(tracedRaces(t, ours, name))
				if *against {
					reported.add(detectedRaces(t, theirs, name))
				}
			}
			if bad := strings.HasPrefix(name, "racy"); bad != (len(found) > 0) {
				t.Errorf("reported: %v", found)
			}
			for pair := range found {
				if !racy[pair.a] || !racy[pair.b] {
					t.Errorf("%v is reported, where there is no race", pair)
				}
			}
			for pair := range reported {
				if !found.has(pair) {
					t.Errorf("the race detector reports %v, we %v", pair, found)
				}
			}
		})
	}
}

func buildInstrumented(t *testing.T, dir, binary string) {
	t.Helper()
	b, err := instrument.Prepare(t.Context(), instrument.Config{
		Packages: []string{"./" + raceDir}, CacheDir: filepath.Join(dir, "cache"), Memory: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Lacks) > 0 {
		t.Fatal(b.Lacks)
	}
	if err := b.CompileAgain(t.Context(), binary); err != nil {
		t.Fatal(err)
	}
}

// conflict is the lines of two accesses, "file.go:12", the lesser first; "" stands for any.
type conflict struct{ a, b string }

func newConflict(a, b string) conflict { return conflict{min(a, b), max(a, b)} }

type conflicts map[conflict]bool

func (c conflicts) add(more conflicts) { maps.Copy(c, more) }

func (c conflicts) has(pair conflict) bool {
	if c[pair] {
		return true
	}
	for known := range c {
		if pair.a == "" && (pair.b == "" || pair.b == known.a || pair.b == known.b) {
			return true
		}
	}
	return false
}

// tracedRaces returns what we report on one run of a program.
func tracedRaces(t *testing.T, binary, name string) conflicts {
	t.Helper()
	checker, err := builtin.New(builtin.Race)
	if err != nil {
		t.Fatal(err)
	}
	run, err := launch.Start(t.Context(), launch.Config{Binary: binary, Args: []string{name}, Watch: checker, Accesses: true})
	if err != nil {
		t.Fatal(err)
	}
	res, err := run.Wait()
	if err != nil || res.ExitCode != 0 || res.Missing != 0 || !res.Program.Accesses {
		t.Fatalf("%v, %+v", err, res)
	}
	found := conflicts{}
	for _, f := range checker.Findings(run.Names()) {
		var at [2]string
		for i, p := range f.Parties {
			place := run.Names().Place(p.At)
			frames := []string{place.At}
			for _, frame := range place.Stack {
				frames = append(frames, frame.At)
			}
			at[i] = lineIn(strings.Join(frames, "\n"))
		}
		found[newConflict(at[0], at[1])] = true
	}
	return found
}

// detectedRaces returns what the race detector reports on one run.
func detectedRaces(t *testing.T, binary, name string) conflicts {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, name)
	cmd.Env = append(os.Environ(), "GORACE=exitcode=0")
	var out bytes.Buffer
	cmd.Stderr = &out
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	reported := conflicts{}
	for _, report := range strings.Split(out.String(), "WARNING: DATA RACE\n")[1:] {
		parts := strings.Split(report, "\n\n")
		if len(parts) < 2 {
			t.Fatalf("half a report:\n%s", report)
		}
		reported[newConflict(lineIn(parts[0]), lineIn(parts[1]))] = true
	}
	return reported
}

var ownLine = regexp.MustCompile(`race/((?:library|memory|maps|order|sync)\.go:\d+)`)

// lineIn returns the first line of the programs that a stack mentions, "" if there is none: the
// race detector does not always know where an atomic operation was called.
func lineIn(stack string) string {
	if m := ownLine.FindStringSubmatch(stack); m != nil {
		return m[1]
	}
	return ""
}

// racyLines returns the lines with the comment "race".
func racyLines(t *testing.T) map[string]bool {
	lines := map[string]bool{}
	for name, text := range programLines(t) {
		if strings.HasSuffix(text, "// race") {
			lines[name] = true
		}
	}
	return lines
}

// programNames returns the functions that are programs.
func programNames(t *testing.T) map[string]bool {
	t.Helper()
	declared := regexp.MustCompile(`^func ((?:racy|clean)\w+)\(\) {`)
	names := map[string]bool{}
	racy, clean := 0, 0
	for _, text := range programLines(t) {
		if m := declared.FindStringSubmatch(text); m != nil {
			names[m[1]] = true
			if strings.HasPrefix(m[1], "racy") {
				racy++
			} else {
				clean++
			}
		}
	}
	if racy < 40 || clean < 40 {
		t.Fatalf("%d racy programs and %d others", racy, clean)
	}
	return names
}

// programLines returns the text of each line of the programs.
func programLines(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(raceDir + "/*.go")
	if err != nil || !slices.Contains(files, raceDir+"/sync.go") {
		t.Fatal(files, err)
	}
	lines := map[string]string{}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for n, in := 1, bufio.NewScanner(f); in.Scan(); n++ {
			lines[fmt.Sprintf("%s:%d", filepath.Base(file), n)] = in.Text()
		}
	}
	return lines
}
