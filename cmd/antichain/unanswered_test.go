//go:build linux && (amd64 || arm64)

package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
)

// The tests below stop commands in every way, and look into everything that they write. Each
// property that was asked must have a verdict there. It is unknown, since no command comes to its
// end.

// specified is a property that the runs of these tests do not violate.
const specified = "property calm: t:(not in.g)\n"

// formatsOfUnknown report whether a text says that the verdict on a property is unknown, by what
// the text is.
var formatsOfUnknown = map[string]func(text, property string) bool{
	"text": func(text, property string) bool {
		// A line of its own, or that of all built-in properties.
		line := regexp.MustCompile(`(?m)(^|: )(` + property + `: unknown: .+|built-in properties: unknown: .+\((.*, )?` + property + `[,;)].*)$`)
		return line.MatchString(text)
	},
	"json": func(text, property string) bool {
		verdicts := map[string]string{}
		for line := range strings.Lines(text) {
			var o struct{ Property, Builtin, Verdict, Covered string }
			if json.Unmarshal([]byte(line), &o) == nil && (o.Verdict == "unknown") == (o.Covered != "") {
				verdicts[o.Property+o.Builtin] = o.Verdict
			}
		}
		return verdicts[property] == "unknown"
	},
	"junit": func(text, property string) bool {
		var all struct {
			Errors int `xml:"errors,attr"`
			Cases  []struct {
				Name  string `xml:"name,attr"`
				Error *struct {
					Message string `xml:"message,attr"`
				} `xml:"error"`
			} `xml:"testsuite>testcase"`
		}
		if xml.Unmarshal([]byte(text), &all) != nil {
			return false
		}
		for _, c := range all.Cases {
			if strings.TrimPrefix(c.Name, "antichain/") == property {
				return all.Errors > 0 && c.Error != nil && strings.HasPrefix(c.Error.Message, "unknown: ")
			}
		}
		return false
	},
	"sarif": func(text, property string) bool {
		var log struct {
			Runs []struct {
				Invocations []struct {
					ExecutionSuccessful        bool
					ToolExecutionNotifications []struct{ Message struct{ Text string } }
				}
			}
		}
		if json.Unmarshal([]byte(text), &log) != nil || log.Runs[0].Invocations[0].ExecutionSuccessful {
			return false
		}
		for _, n := range log.Runs[0].Invocations[0].ToolExecutionNotifications {
			if strings.HasPrefix(n.Message.Text, property+" of ") && strings.Contains(n.Message.Text, ": unknown: ") {
				return true
			}
		}
		return false
	},
	"github": func(text, property string) bool {
		return strings.Contains(text, "::warning title="+property+" (unknown)::")
	},
	"markdown": func(text, property string) bool {
		return regexp.MustCompile(`(?m)^\| .* \| ` + property + ` \| unknown: .+ \|$`).MatchString(text)
	},
	"html": func(text, property string) bool {
		return strings.Contains(text, `"`+property+`"`) && strings.Contains(text, `"unknown"`)
	},
}

// unanswered is a command that comes to no end.
type unanswered struct {
	name   string
	args   []string        // behind the verb
	feed   func(io.Writer) // writes standard input, which stays open; nil closes it
	signal bool            // then the command is interrupted
	code   int             // the exit code
	asked  []string        // properties
}

// run runs the command and returns what it writes, by format. Text and JSON need a run each.
func (s *unanswered) run(t *testing.T, dir string, env []string, verb ...string) (written map[string]string) {
	t.Helper()
	written = map[string]string{}
	reports := t.TempDir()
	baseline := filepath.Join(reports, "known.yaml")
	const known = "known:\n  - {fingerprint: 5d1f0c0de7a1b2c3d4e5f60718293a4b, property: deadlock, finding: f, reason: mine}\n"
	if err := os.WriteFile(baseline, []byte(known), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"text", "json"} {
		args := slices.Clone(verb)
		if form == "json" {
			args = append(args, "--json")
		} else {
			for name := range formatsOfUnknown {
				if name != "text" {
					args = append(args, "--report", name+"="+filepath.Join(reports, name))
				}
			}
			args = append(args, "--write-baseline", baseline)
		}
		cmd := exec.Command("antichain", append(args, s.args...)...)
		cmd.Dir, cmd.Env = dir, env
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if s.feed == nil {
			stdin.Close()
		} else {
			s.feed(stdin) // more than a pipe holds: when it is over, the command reads
		}
		if s.signal {
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
		code, err := exit.CodeOf(cmd.Wait())
		if err != nil {
			t.Fatal(err)
		}
		stdin.Close()
		written[form] = out.String()
		if code != s.code {
			t.Errorf("%s, %s: exit code %d, want %d\n%s", s.name, form, code, s.code, out.String())
		}
	}
	for name := range formatsOfUnknown {
		if name == "text" || name == "json" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(reports, name))
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		written[name] = string(text)
	}
	if text, err := os.ReadFile(baseline); err != nil || !strings.Contains(string(text), "5d1f0c0de7a1b2c3d4e5f60718293a4b") {
		t.Errorf("%s: the baseline has lost its entry: %s, %v", s.name, text, err)
	}
	return written
}

// check fails for each property without a verdict.
func (s *unanswered) check(t *testing.T, written map[string]string) {
	t.Helper()
	for name, isUnknown := range formatsOfUnknown {
		for _, p := range s.asked {
			if !isUnknown(written[name], p) {
				t.Errorf("%s: %s does not say that %s is unknown:\n%s", s.name, name, p, written[name])
			}
		}
	}
	if strings.Contains(written["text"], ": holds") || strings.Contains(written["text"], "no violation") {
		t.Errorf("%s: something holds:\n%s", s.name, written["text"])
	}
}

// stdLog is a log with races and a lock.
func stdLog(lines int) string {
	var b strings.Builder
	b.WriteString("T0|fork(T1)|1\n")
	for i := range lines {
		fmt.Fprintf(&b, "T%d|acq(m)|2\nT%d|rel(m)|3\nT%d|r(x%d)|4\n", i%2, i%2, i%2, i%7)
	}
	return b.String()
}

const longLog = 20_000 // lines, which are more than a pipe holds

func feedLog(w io.Writer) { _, _ = io.WriteString(w, stdLog(longLog)) }

// A check that is stopped, however that is, has a verdict on everything that was asked, in every
// format.
func TestUnansweredChecks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"calm.tl": specified, "short.std": stdLog(3), "wrong.std": stdLog(3) + "T0|dance(x)|5\n" + stdLog(3), "header.jsonl": "{\"antichain\":1,\n",
		"cut.jsonl": `{"antichain":1,"tasks":["a"]}` + "\n" + `{"t":"a","enter":"f"}` + "\n" + `{"t":"a","exi`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	std := []string{"--format", "std", "--spec", "calm.tl", "--builtin", "deadlock,race"}
	both := []string{"calm", "deadlock", "race"}
	with := func(more ...string) []string { return slices.Concat(std, more) }
	for _, s := range []unanswered{
		{name: "time", args: with("--timeout", "1ns", "short.std"), code: exit.Unknown, asked: both},
		{name: "memory", args: with("--memory", "1M", "short.std"), code: exit.Unknown, asked: both},
		{name: "time, two files", args: with("--timeout", "1ns", "short.std", "short.std"), code: exit.Unknown, asked: both},
		{name: "time, built-in properties alone", args: []string{"--format", "std", "--builtin", "race", "--timeout", "1ns", "short.std"}, code: exit.Unknown, asked: []string{"race"}},
		{name: "time, nothing named", args: []string{"--format", "std", "--timeout", "1ns", "short.std"}, code: exit.Unknown, asked: []string{"deadlock"}},
		{name: "interrupt", args: with("-"), feed: feedLog, signal: true, code: exit.Unknown, asked: both},
		{name: "interrupt, built-in properties alone", args: []string{"--format", "std", "--builtin", "deadlock", "-"}, feed: feedLog, signal: true, code: exit.Unknown, asked: []string{"deadlock"}},
		{name: "a mistake", args: with("wrong.std"), code: exit.Error, asked: both},
		{name: "no file", args: with("missing.std"), code: exit.Error, asked: both},
		{name: "no file, nothing named", args: []string{"missing.trace"}, code: exit.Error, asked: []string{"deadlock", "stuck"}},
		{name: "a broken header", args: []string{"--spec", "calm.tl", "--builtin", "deadlock", "header.jsonl"}, code: exit.Error, asked: []string{"calm", "deadlock"}},
		{name: "cut off", args: []string{"--spec", "calm.tl", "--builtin", "deadlock", "cut.jsonl"}, code: exit.Error, asked: []string{"calm", "deadlock"}},
	} {
		t.Run(s.name, func(t *testing.T) {
			written := s.run(t, dir, os.Environ(), "check")
			s.check(t, written)
		})
	}
}

// A monitor that is stopped, or has nothing to read, has a verdict on everything that was asked, in
// every format.
func TestUnansweredMonitors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const header = `{"antichain":1,"tasks":["a"]}` + "\n"
	for name, text := range map[string]string{
		"calm.tl": specified, "empty.jsonl": "", "header.jsonl": "{\"antichain\":1,\n", "cut.jsonl": header + `{"t":"a","enter":"f"}` + "\n" + `{"t":"a","exi`,
		"wrong.jsonl": header + "dance\n", "race.std": stdLog(3),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	feed := func(w io.Writer) {
		_, _ = io.WriteString(w, header+strings.Repeat(`{"t":"a","enter":"f"}`+"\n"+`{"t":"a","exit":"f"}`+"\n", longLog))
	}
	asked := []string{"calm", "deadlock"}
	for _, s := range []unanswered{
		{name: "interrupt", args: []string{"-"}, feed: feed, signal: true, code: exit.Unknown, asked: asked},
		{name: "cut off", args: []string{"--until-eof", "cut.jsonl"}, code: exit.Unknown, asked: asked},
		{name: "a mistake", args: []string{"--until-eof", "wrong.jsonl"}, code: exit.Error, asked: asked},
		{name: "a broken header", args: []string{"--until-eof", "header.jsonl"}, code: exit.Error, asked: asked},
		{name: "an empty file", args: []string{"--until-eof", "empty.jsonl"}, code: exit.Error, asked: asked},
		{name: "no file", args: []string{"missing.jsonl"}, code: exit.Error, asked: asked},
		{name: "memory", args: []string{"--memory", "1M", "--until-eof", "cut.jsonl"}, code: exit.Unknown, asked: asked},
		{name: "no file beside another one", args: []string{"cut.jsonl", "missing.jsonl"}, code: exit.Error, asked: asked},
		{name: "an empty file beside another one", args: []string{"--until-eof", "--keep-going", "cut.jsonl", "empty.jsonl"}, code: exit.Error, asked: asked},
	} {
		t.Run(s.name, func(t *testing.T) {
			written := s.run(t, dir, os.Environ(), "monitor", "--spec", "calm.tl", "--builtin", "deadlock")
			s.check(t, written)
		})
	}
}

// A source on which no run began is not passed over beside one that holds.
func TestUnbegun(t *testing.T) {
	t.Parallel()
	const whole = `{"antichain":1,"tasks":["a"]}` + "\n" + `{"t":"a","op":"end"}` + "\n"
	good, empty := written(t, "good.jsonl", whole), written(t, "empty.jsonl", "")
	code, stdout, stderr := verb("monitor", "--until-eof", "-e", "t:(not in.g)", good, empty)
	if code != exit.Error || !strings.Contains(stdout, good+": -e: holds\n") || !strings.Contains(stdout, empty+": -e: unknown: no run began") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

// Where nothing can leak, leak is not asked for in vain.
func TestLeakOfNothing(t *testing.T) {
	t.Parallel()
	trace := written(t, "a.jsonl", `{"antichain":1,"tasks":["a"]}`+"\n"+`{"t":"a","op":"end"}`+"\n")
	spec := written(t, "a.tl", "must_finish f\nproperty calm: t:(not in.g)\n")
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"check", "-e", "t:(not in.g)", "--builtin", "leak", trace}, exit.Error, "no specification names a function with must_finish"},
		{[]string{"monitor", "--until-eof", "-e", "t:(not in.g)", "--builtin", "leak", trace}, exit.Error, "no specification names a function with must_finish"},
		{[]string{"check", "--spec", spec, trace}, exit.Unknown, "leak: unknown: recorded without operations"},
		{[]string{"monitor", "--until-eof", "--spec", spec, trace}, exit.Holds, "must_finish has no effect without --builtin leak"},
		{[]string{"monitor", "--until-eof", "--spec", written(t, "b.tl", "must_finish f\n"), trace}, exit.Error, "nothing to check"},
	} {
		if code, stdout, stderr := verb(tt.args...); code != tt.code || !strings.Contains(stdout+stderr, tt.want) {
			t.Errorf("%q: exit code %d, want %d and %q\n%s%s", tt.args, code, tt.code, tt.want, stdout, stderr)
		}
	}
}

// A pipe that nothing is written to keeps a check for as long as it may take, or up to an
// interrupt.
func TestUnwrittenPipe(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, format := range [][]string{nil, {"--format", "std"}} {
		args := append([]string{"check", "--timeout", "10ms", "-e", "t:(not in.g)"}, format...)
		if code, stdout, stderr := verb(append(args, pipe)...); code != exit.Unknown || !strings.HasPrefix(stdout, "-e: unknown: the time ran out") {
			t.Errorf("%q: exit code %d\n%s%s", format, code, stdout, stderr)
		}
	}
}

// A run that is not judged, whatever the reason, has a verdict on everything that was asked, in
// every format.
func TestUnansweredRuns(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, map[string]string{
		"go.mod": "module m\n\ngo 1.26\n", "calm.tl": specified,
		"main.go": `package main

import "sync"

func main() {
	var mu sync.Mutex
	mu.Lock()
	g()
	mu.Unlock()
}

func g() {}
`,
		"main_test.go": `package main

import (
	"os"
	"syscall"
	"testing"
)

func TestMain(m *testing.M) { main(); os.Exit(m.Run()) }

func TestKillsParent(t *testing.T) {
	if err := syscall.Kill(os.Getppid(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	select {}
}

func TestPasses(t *testing.T) {}
`,
	})
	asked := []string{"calm", "deadlock", "stuck"}
	how := []string{"--spec", "calm.tl", "--builtin", "deadlock,stuck"}
	for _, s := range []struct {
		unanswered
		verb []string
	}{
		{unanswered{name: "run, memory", args: []string{"--memory", "1M", "."}, code: exit.Unknown, asked: asked}, []string{"run"}},
		{unanswered{name: "run, time", args: []string{"--timeout", "1ns", "."}, code: exit.Unknown, asked: asked}, []string{"run"}},
		{unanswered{name: "live, memory", args: []string{"--live", "--memory", "1M", "."}, code: exit.Unknown, asked: asked}, []string{"run"}},
		{unanswered{name: "several runs, memory", args: []string{"--runs", "2", "--explore", "1", "--memory", "1M", "."}, code: exit.Unknown, asked: asked}, []string{"run"}},
		{unanswered{name: "tests, memory", args: []string{"--memory", "1M", ".", "-run", "TestPasses"}, code: exit.Unknown, asked: asked}, []string{"test"}},
		{unanswered{name: "tests, killed", args: []string{".", "-run", "TestKillsParent"}, code: exit.Violated, asked: asked}, []string{"test"}},
	} {
		t.Run(s.name, func(t *testing.T) {
			s.verb = append(s.verb, how...)
			written := s.run(t, w.dir, w.env, s.verb...)
			s.check(t, written)
		})
	}
}
