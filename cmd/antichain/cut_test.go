//go:build linux && (amd64 || arm64)

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// cutSpec has a property for each thing that can become of it in a run that is cut off behind
// "enter f": decided by the beginning, waiting for what comes next, not violated so far.
const cutSpec = `
property begins initially: t:(not in.f)
property later: t:(start.f) -> next t:(in.g)
property never: t:(not in.g)
`

// cutWrong is violated by then.
const cutWrong = "\nproperty wrong: t:(not in.f)\n"

const (
	cutHead  = `{"antichain":1,"tasks":["main"],"run":"R"}` + "\n"
	cutEvent = `{"t":"main","enter":"f"}` + "\n"
)

// stopped is a run that ends, or whose checking does, before it is over.
type stopped struct {
	verb  string
	flags []string
	words []string
	stdin string
	begin func(*stoppedProcess) // feeds it; nil if it is fed otherwise
	stop  func(*stoppedProcess) // once it has opened its sources; nil if it ends by itself
	late  bool                  // it can be stopped only when it has said something
	how   string                // of the run, in the verdicts
	code  int                   // without a violation
}

// stoppedProcess is an antichain that checks such a run.
type stoppedProcess struct {
	*exec.Cmd
	t *testing.T
}

// interrupt is ctrl-C.
func (p *stoppedProcess) interrupt() { p.must(p.Process.Signal(os.Interrupt)) }

func (p *stoppedProcess) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Error(err)
	}
}

// awaitOpen waits until the process has opened a file: from then on an interrupt does not simply
// kill it.
func (p *stoppedProcess) awaitOpen(path string) {
	for {
		files, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", p.Process.Pid))
		p.must(err)
		for _, f := range files {
			name, err := os.Readlink(f)
			if err != nil || name != path {
				continue
			}
			info, err := os.ReadFile(strings.Replace(f, "/fd/", "/fdinfo/", 1))
			if err == nil && !strings.HasPrefix(string(info), "pos:\t0\n") {
				return
			}
		}
		if len(files) == 0 {
			p.t.Error("it has ended")
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// What is said of a run that is cut off does not depend on what has cut it off. It never exits with
// 0.
func TestStoppedRuns(t *testing.T) {
	t.Parallel()
	file := func(t *testing.T, text string) string { return written(t, "trace.jsonl", text) }
	followed := func(stop func(*stoppedProcess, string)) func(t *testing.T) stopped {
		return func(t *testing.T) stopped {
			path := file(t, cutHead+cutEvent)
			return stopped{verb: "monitor", words: []string{path}, how: "cut off", code: exit.Unknown, stop: func(p *stoppedProcess) {
				p.awaitOpen(path)
				stop(p, path)
			}}
		}
	}
	topic := func(how string, code int, send func(*feed)) func(t *testing.T) stopped {
		return func(t *testing.T) stopped {
			s := newFeed(t)
			send(s)
			return stopped{verb: "monitor", flags: []string{"--until-eof", "--log-level", "error"}, words: []string{s.address()}, how: how, code: code}
		}
	}
	for name, prepare := range map[string]func(*testing.T) stopped{
		"monitor, standard input breaks off": func(*testing.T) stopped {
			return stopped{verb: "monitor", words: []string{"-"}, stdin: cutHead + cutEvent + `{"t":`, how: "cut off", code: exit.Unknown}
		},
		"monitor, the file ends too early": func(t *testing.T) stopped {
			return stopped{verb: "monitor", flags: []string{"--until-eof"}, words: []string{file(t, cutHead+cutEvent+`{"t":`)}, how: "cut off", code: exit.Unknown}
		},
		"monitor, garbage": func(*testing.T) stopped {
			return stopped{verb: "monitor", words: []string{"-"}, stdin: cutHead + cutEvent + "garbage\n", how: "cut off", code: exit.Error}
		},
		"monitor, interrupt": func(t *testing.T) stopped {
			s := followed(func(p *stoppedProcess, _ string) { p.interrupt() })(t)
			s.how = "interrupted"
			return s
		},
		"monitor, file removed":  followed(func(p *stoppedProcess, path string) { p.must(os.Remove(path)) }),
		"monitor, file replaced": followed(func(p *stoppedProcess, path string) { p.must(os.Rename(written(p.t, "new", cutEvent), path)) }),
		"monitor, file emptied":  followed(func(p *stoppedProcess, path string) { p.must(os.Truncate(path, 0)) }),
		"monitor, a source that does not end": func(t *testing.T) stopped {
			path := written(t, "other.jsonl", strings.ReplaceAll(cutHead, "main", "other"))
			s := followed(func(p *stoppedProcess, _ string) { p.awaitOpen(path); p.interrupt() })(t)
			s.words, s.how = append(s.words, path), "interrupted"
			return s
		},
		"monitor, connection reset": func(t *testing.T) stopped {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { l.Close() })
			var conn net.Conn
			return stopped{verb: "monitor", words: []string{"tcp+connect:" + l.Addr().String()}, how: "cut off", late: true, begin: func(p *stoppedProcess) {
				var err error
				conn, err = l.Accept()
				p.must(err)
				_, err = io.WriteString(conn, cutHead+cutEvent)
				p.must(err)
			}, stop: func(p *stoppedProcess) {
				p.must(conn.(*net.TCPConn).SetLinger(0))
				p.must(conn.Close())
			}}
		},
		"topic, interrupt": func(t *testing.T) stopped {
			s := topic("interrupted", 0, func(s *feed) { s.send("R", 1, cutHead+cutEvent, 0) })(t)
			s.flags, s.late, s.stop = []string{"--log-level", "error"}, true, (*stoppedProcess).interrupt
			return s
		},
		"topic, the end says cut": topic("cut off", exit.Unknown, func(s *feed) { s.send("R", 1, cutHead+cutEvent, record.EndSource|record.EndRun|record.EndCut) }),
		"topic, no end":           topic("cut off", exit.Unknown, func(s *feed) { s.send("R", 1, cutHead+cutEvent, 0) }),
		"check, the trace ends too early": func(t *testing.T) stopped {
			return stopped{verb: "check", flags: []string{"--partial", "--builtin", "none"}, words: []string{file(t, cutHead+cutEvent+`{"t":`)}, how: "cut off", code: exit.Error}
		},
	} {
		for _, violated := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, violated=%v", name, violated), func(t *testing.T) {
				t.Parallel()
				if s := prepare(t); violated || !s.late {
					s.check(t, violated)
				}
			})
		}
	}
}

func (s *stopped) check(t *testing.T, violated bool) {
	text, code := cutSpec, s.code
	if violated {
		text, code = text+cutWrong, exit.Violated
	}
	junit := filepath.Join(t.TempDir(), "junit.xml")
	args := append([]string{s.verb, "--json", "--report", "junit=" + junit, "--spec", written(t, "spec.tl", text)}, s.flags...)
	if s.verb == "monitor" && !strings.HasPrefix(s.words[0], "kafka:") {
		args = append(args, "--keep-going")
	}
	cmd := exec.Command(os.Args[0], append(args, s.words...)...)
	cmd.Args[0] = "antichain"
	cmd.Stdin = strings.NewReader(s.stdin)
	var said strings.Builder
	cmd.Stderr = &said
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	p := &stoppedProcess{cmd, t}
	if s.begin != nil {
		s.begin(p)
	}
	got := map[string][2]string{}
	for out := bufio.NewScanner(stdout); ; {
		// A violation shows that what was there has been read.
		if s.stop != nil && (!violated || got["wrong"][0] != "") {
			s.stop(p)
			s.stop = nil
		}
		if !out.Scan() {
			break
		}
		var v struct{ Property, Verdict, Covered, Run, Trace string }
		if err := json.Unmarshal(out.Bytes(), &v); err != nil {
			t.Errorf("%s: %v", out.Text(), err)
		}
		if strings.Contains(v.Trace, "other.jsonl") {
			continue
		}
		got[v.Property] = [2]string{v.Verdict, v.Covered}
	}
	err = cmd.Wait()
	if got, err := exit.CodeOf(err); err != nil || got != code {
		t.Errorf("exit code %d, want %d; %s", got, code, said.String())
	}
	if len(got) == 0 && strings.Contains(said.String(), "interrupted before") {
		return // before it had read the header
	}
	rests := "the run was " + s.how
	want := map[string][2]string{
		"begins": {"holds", ""},
		"later":  {"unknown", rests + ", and the verdict rests on what would have come next"},
		"never":  {"unknown", rests + "; the property holds in what came before, and what would have come next may violate it"},
	}
	if violated {
		want["wrong"] = [2]string{"violated", ""}
	}
	for property, verdict := range want {
		if property == "later" && !violated && got[property] == [2]string{"unknown", want["never"][1]} {
			continue // the event was not read any more
		}
		if got[property] != verdict {
			t.Errorf("%s: %q, want %q; %s", property, got[property], verdict, said.String())
		}
	}
	report, err := os.ReadFile(junit)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if n := strings.Count(string(report), `<error message="unknown: `+rests); n < 2 {
		t.Errorf("the report has %d verdicts unknown: %s", n, report)
	}
}

// With --follow-name the file that takes the place of the one that is followed is what comes next.
func TestFollowedByName(t *testing.T) {
	t.Parallel()
	path := written(t, "trace.jsonl", `{"antichain":1,"tasks":["main"]}`+"\n"+`{"t":"main","enter":"f"}`+"\n")
	cmd := exec.Command(os.Args[0], "monitor", "--follow-name", "--keep-going", "-e", "t:(not in.f)", "-e", "t:(in.g) -> next t:(in.h)", "-e", "t:(not in.h)", path)
	cmd.Args[0] = "antichain"
	_, reports, messages := startPiped(t, cmd)
	await := func(from output, want string) {
		for {
			line, err := from.r.ReadString('\n')
			if line == want+"\n" {
				return
			}
			if err != nil {
				t.Fatalf("%q was not said: %v", want, err)
			}
		}
	}
	await(reports, "-e 1: violated")
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	for _, add := range [][2]string{{path + ".1", `{"t":"main","enter":"g"}`}, {path, `{"t":"main","enter":"k"}`}} {
		f, err := os.OpenFile(add[0], os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(add[1] + "\n"); err != nil {
			t.Fatal(err)
		}
	}
	await(messages, "antichain: "+path+" is another file now, which is followed from its beginning")
	await(reports, "-e 2: violated")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	await(reports, "-e 3: unknown: the run was interrupted; the property holds in what came before, and what would have come next may violate it")
	if code, err := exit.CodeOf(cmd.Wait()); err != nil || code != exit.Violated {
		t.Errorf("exit code %d, %v", code, err)
	}
}
