//go:build linux && (amd64 || arm64)

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/builtins"
	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exploration"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/live"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/commandtest"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/instrument/goroot"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// Where a capability of tracing is missing, verdicts that need it are unknown and name the reason,
// and the others stand. "signals" rests on one package that little depends on, and so is built
// quickly.
func TestWithoutSignals(t *testing.T) {
	if testing.Short() {
		t.Skip("builds part of the standard library once more")
	}
	t.Parallel()
	const waitsForSignal = `package main
import ("os"; "os/signal"; "sync")
func main() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	go func() { <-c }()
	var mu sync.Mutex
	mu.Lock()
	mu.Unlock()
}
`
	const otherwise = `package main
import ("bytes"; "runtime")
func main() {
	c := make(chan int)
	go func() { <-c }()
	for all := make([]byte, 1<<16); !bytes.Contains(all[:runtime.Stack(all, true)], []byte("[chan receive")); {
		runtime.Gosched()
	}
}
`
	for _, tt := range []struct {
		name, source string
		want         map[string]string // verdicts
		reason       string
	}{
		{
			"a program that waits for signals", waitsForSignal,
			map[string]string{"deadlock": "unknown", "stuck": "unknown", "closed": "holds", "waitgroup": "holds", "unlock": "holds"},
			"channels over which signals come (left out on request)",
		},
		{
			"another program", otherwise,
			map[string]string{"deadlock": "holds", "stuck": "violated", "closed": "holds", "waitgroup": "holds", "unlock": "holds"}, "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := judgeSource(t, tt.source, findings.Usual(), []string{"signals"})
			if err != nil {
				t.Fatal(err)
			}
			for property, want := range tt.want {
				if v := got[property]; v.verdict != want {
					t.Errorf("%s: %s (%s), not %s", property, v.verdict, v.reason, want)
				} else if want == "unknown" && !strings.Contains(v.reason, tt.reason) {
					t.Errorf("%s: unknown for the reason %q", property, v.reason)
				}
			}
		})
	}
}

// What the records of variables do to memory is none of the program's.
func TestRecordsDoNotRace(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library once more")
	}
	t.Parallel()
	plan, binary, err := buildProgram(t, nil, "../../examples/mergesort", findings.Flag{builtin.Race}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		got, err := judge(t, plan, binary)
		if err != nil {
			t.Fatal(err)
		}
		if v := got["race"]; v.verdict != "holds" {
			t.Errorf("race: %s %s", v.verdict, v.reason)
		}
	}
}

// A flag that needs what is missing is refused before the program runs.
func TestPossible(t *testing.T) {
	build := &instrument.Build{
		Release: goroot.Release{Name: "go1.99", Minor: 99},
		Lacks:   []goroot.Lack{{Name: "steering", Verbs: []string{"--seed", "--explore"}, Why: errors.New("patch pick: no place")}},
	}
	for _, tt := range []struct {
		flags traceFlags
		want  string
	}{
		{traceFlags{}, ""},
		{traceFlags{live: live.Settings{Flag: live.Flag{On: true}}}, ""},
		{traceFlags{steerFlags: steerFlags{Steering: execution.Steering{Seed: 1}}}, "--seed does not work with go1.99: patch pick: no place; use another"},
		{traceFlags{steerFlags: steerFlags{Extent: exploration.Extent{Explore: 1}}}, "--explore does not work with go1.99: patch pick: no place; use another"},
	} {
		err := tt.flags.possible(build)
		if (err == nil) != (tt.want == "") || err != nil && !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
}

// explainedVerdict is a verdict on a property, and why it is unknown.
type explainedVerdict struct{ verdict, reason string }

// judgeSource runs a program without some capabilities, and returns the verdicts.
func judgeSource(t *testing.T, source string, on findings.Flag, without []string) (map[string]explainedVerdict, error) {
	t.Helper()
	dir := commandtest.Directory(t)
	writeProgram(t, dir, source)
	return judgeProgram(t, []string{"-C", dir}, ".", on, without)
}

func writeProgram(t *testing.T, dir, source string) {
	t.Helper()
	for name, text := range map[string]string{"main.go": source, "go.mod": "module m\n\ngo 1.25\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func usualFlags(on findings.Flag, without []string) *traceFlags {
	f := new(traceFlags)
	f.flagSet("", true)
	f.builtins, f.json, f.without = on, true, without
	return f
}

// judgeProgram runs the program that a pattern names, and returns the verdicts on all properties,
// the worst one where there are several.
func judgeProgram(t *testing.T, goFlags []string, pattern string, on findings.Flag, without []string) (map[string]explainedVerdict, error) {
	plan, binary, err := buildProgram(t, goFlags, pattern, on, without)
	if err != nil {
		return nil, err
	}
	return judge(t, plan, binary)
}

// buildProgram builds the program that a pattern names without some capabilities, and makes a plan
// for running it.
func buildProgram(t *testing.T, goFlags []string, pattern string, on findings.Flag, without []string) (plan *exploration.Plan, binary string, err error) {
	f := usualFlags(on, without)
	dir := t.TempDir()
	p, err := f.tracedBuild(goFlags, []string{pattern}, dir).Program(t.Context(), io.Discard)
	if err != nil {
		return nil, "", err
	}
	binary = filepath.Join(dir, "program")
	if err := p.Build.CompileAgain(t.Context(), binary); err != nil {
		return nil, "", err
	}
	plan = f.plan(p.Specification, p.Build, p.Package, report.Style{})
	plan.Limit = time.Minute
	return plan, binary, nil
}

// judge runs a program as planned, and returns the verdicts on all properties, the worst one where
// there are several.
func judge(t *testing.T, plan *exploration.Plan, binary string) (map[string]explainedVerdict, error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	var told bytes.Buffer
	if _, err := plan.Trace(t.Context(), binary, nil, terminal.Streams{In: null, Out: null, Err: null}, &told); err != nil {
		return nil, err
	}
	return verdictsIn(told.Bytes())
}

// verdictsIn reads the verdicts from what --json prints.
func verdictsIn(told []byte) (map[string]explainedVerdict, error) {
	verdicts := map[string]explainedVerdict{}
	for line := range bytes.Lines(told) {
		var o struct {
			Property, Builtin, Verdict, Covered string
			Unknown                             string // why the verdict is
		}
		if err := json.Unmarshal(line, &o); err != nil {
			return nil, fmt.Errorf("%w in %s", err, line)
		}
		name := o.Builtin + o.Property
		if worse := verdicts[name].verdict != "violated"; worse {
			verdicts[name] = explainedVerdict{o.Verdict, o.Covered + o.Unknown}
		}
	}
	return verdicts, nil
}

// A wholeProgram is what TestWithoutEachCapability runs.
type wholeProgram struct {
	name    string
	goFlags []string
	pattern string
}

// longResults is the environment variable with a file of results that are there already and need
// not be found again.
const longResults = "ANTICHAIN_RESULTS"

// TestWithoutEachCapability leaves out each capability in turn and runs the programs that explain
// the built-in properties, and the examples: each verdict is the one that there is with all
// capabilities, or unknown.
func TestWithoutEachCapability(t *testing.T) {
	if os.Getenv(longTests) == "" {
		t.Skipf("takes an hour; set %s=1", longTests)
	}
	known := resultsSoFar(t)
	programs := wholePrograms(t)
	lost := map[string]map[string]int{} // capability -> property -> programs
	for _, without := range append([]string{""}, capabilityNames()...) {
		lost[without] = map[string]int{}
		for _, program := range programs {
			key := without + " | " + program.name
			if _, ok := known[key]; !ok {
				known[key] = judgeWithout(t, program, without)
				noteResult(t, key, known[key])
			}
			compareVerdicts(t, key, known[" | "+program.name], known[key], lost[without])
		}
		t.Logf("%-16s %v", without, lost[without])
	}
}

func capabilityNames() []string {
	var names []string
	for _, c := range goroot.Capabilities() {
		names = append(names, c.Name)
	}
	return names
}

// judgeWithout returns the verdicts on a program as one line: "deadlock=holds stuck=unknown".
func judgeWithout(t *testing.T, program wholeProgram, without string) string {
	var left []string
	if without != "" {
		left = []string{without}
	}
	got, err := judgeProgram(t, program.goFlags, program.pattern, findings.Flag(findings.Known), left)
	if err != nil {
		return "error=" + strings.Join(strings.Fields(err.Error()), "_")
	}
	var all []string
	for _, property := range slices.Sorted(maps.Keys(got)) {
		all = append(all, property+"="+got[property].verdict)
	}
	return strings.Join(all, " ")
}

// compareVerdicts complains about a verdict that is neither unknown nor the one that there is with
// everything.
func compareVerdicts(t *testing.T, key, want, got string, lost map[string]int) {
	t.Helper()
	all := func(line string) map[string]string {
		verdicts := map[string]string{}
		for _, pair := range strings.Fields(line) {
			name, verdict, _ := strings.Cut(pair, "=")
			verdicts[name] = verdict
		}
		return verdicts
	}
	full, reduced := all(want), all(got)
	for _, property := range slices.Sorted(maps.Keys(full)) {
		switch {
		case reduced[property] == full[property]:
		case reduced[property] == "unknown":
			lost[property]++
		default:
			t.Errorf("%s: %s is %q, and %q with everything", key, property, reduced[property], full[property])
		}
	}
}

// wholePrograms are the programs that explain the built-in properties, and the examples.
func wholePrograms(t *testing.T) []wholeProgram {
	var programs []wholeProgram
	for _, property := range findings.Known {
		topic, _ := builtins.Find(string(property))
		for _, p := range topic.Programs {
			source, err := p.Source()
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(t.TempDir(), p.Name)
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			writeProgram(t, dir, source)
			if property == builtin.Leak { // function literals of main must finish
				if err := os.WriteFile(filepath.Join(dir, "main.tl"), []byte("must_finish main.func1\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			programs = append(programs, wholeProgram{fmt.Sprint(property, " ", p.Name), []string{"-C", dir}, "."})
		}
	}
	for _, example := range []string{"ringbuffer", "ringbuffer/fixed", "bank", "workers", "mergesort", "peterson", "checkout"} {
		programs = append(programs, wholeProgram{name: "example " + example, pattern: "../../examples/" + example})
	}
	return programs
}

func resultsSoFar(t *testing.T) map[string]string {
	known := map[string]string{}
	f, err := os.Open(os.Getenv(longResults))
	if err != nil {
		return known
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if key, verdicts, ok := strings.Cut(lines.Text(), "\t"); ok {
			known[key] = verdicts
		}
	}
	return known
}

func noteResult(t *testing.T, key, verdicts string) {
	name := os.Getenv(longResults)
	if name == "" {
		return
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fmt.Fprintf(f, "%s\t%s\n", key, verdicts)
}
