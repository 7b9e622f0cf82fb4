//go:build linux && (amd64 || arm64)

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/internal/ptytest"
)

// waitingProgram is the counting program, which waits for a checker.
type waitingProgram struct {
	*exec.Cmd
	pid, socket string
	in          io.WriteCloser
	out, said   output // what it prints, and on standard error, behind what it says at first
}

// buildCounting builds the program of a workspace.
func buildCounting(t *testing.T, w *workspace) {
	t.Helper()
	if text, err := w.command("antichain", "build", "-o", "counting", ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

// startWaiting starts what buildCounting has built, without a checker.
func startWaiting(t *testing.T, w *workspace) *waitingProgram {
	t.Helper()
	p := &waitingProgram{Cmd: w.command("./counting")}
	p.Env = append(w.env, "ANTICHAIN_TRACE=wait")
	p.in, p.out, p.said = startPiped(t, p.Cmd)
	t.Cleanup(func() { _ = p.Process.Kill(); _ = p.Wait() })
	p.pid = strconv.Itoa(p.Process.Pid)
	line, ok := p.said.next(), false
	if p.socket, ok = strings.CutPrefix(line, "antichain: process "+p.pid+" waits for a checker at "); !ok {
		t.Fatalf("the program says %q", line)
	}
	return p
}

// A waiting program is attached to by its process id or its socket, changed, and left; it goes on
// as it was changed.
func TestAttach(t *testing.T) {
	t.Parallel()
	w := newCounting(t)
	buildCounting(t, w)
	for _, leave := range []string{"detach\r", "\x04", "quit\r", "resume\r"} {
		p := startWaiting(t, w)
		target := p.pid
		if leave == "\x04" {
			target = p.socket
		}
		cmd := w.command("antichain", "attach", "--spec", "m.tl", target)
		screen := ptytest.Start(t, cmd)
		if shown := screen.Await(question); !strings.Contains(shown, "antichain: attaching to process "+p.pid) || !strings.Contains(shown, "few: violated") {
			t.Fatalf("shown %q", shown)
		}
		answer(t, screen, "set stop true", "stop = true, of type bool")
		screen.Type(leave)
		shown := screen.Rest()
		if code := exitCodeOf(t, cmd); code != exit.Violated {
			t.Errorf("%q: exit code %d after %q", leave, code, shown)
		}
		if got := p.out.rest(); got != "stopped\n" {
			t.Errorf("%q: the program prints %q", leave, got)
		}
		if code := exitCodeOf(t, p.Cmd); code != 0 {
			t.Errorf("%q: the program's exit code is %d", leave, code)
		}
		if got := p.said.rest(); got != "" {
			t.Errorf("%q: the program says %q", leave, got)
		}
		w.checkEmpty(fmt.Sprintf("%q", leave))
	}
}

// An interrupt halts a program that is attached to; "end" ends it.
func TestAttachInterrupt(t *testing.T) {
	t.Parallel()
	w := newCounting(t)
	buildCounting(t, w)
	p := startWaiting(t, w)
	cmd := w.command("antichain", "attach", "--memory", "1GiB", "-e", "t:(counter >= 0 or stop)", p.pid)
	screen := ptytest.Start(t, cmd)
	screen.Await("antichain: attaching to process " + p.pid + "; ctrl-C halts it\r\n")
	for range 2 {
		screen.Type("\x03")
		screen.Await(question)
		answer(t, screen, "violation", "no violation to show: the program was halted for another reason")
		answer(t, screen, "print counter", "of type int")
		screen.Type("resume\r")
		screen.Await("antichain: the program continues; ctrl-C halts it\r\n")
	}
	screen.Type("\x03")
	screen.Await(question)
	screen.Type("end\r")
	screen.Await("(y or n) ")
	screen.Type("y\r")
	if shown := screen.Rest(); exitCodeOf(t, cmd) != exit.Unknown {
		t.Errorf("%v after %q", cmd.ProcessState, shown)
	}
	if code := exitCodeOf(t, p.Cmd); code != 128+int(syscall.SIGKILL) || p.out.rest() != "" {
		t.Errorf("the program's exit code is %d", code)
	}
}

// Without a terminal a violation, and an interrupt, make antichain detach.
func TestAttachWithoutTerminal(t *testing.T) {
	t.Parallel()
	w := newCounting(t)
	buildCounting(t, w)
	for _, tt := range []struct {
		formula   string
		interrupt bool
		code      int
		want      string
	}{
		{"t:(counter < 5 or stop)", false, exit.Violated, `^-e: violated`},
		{"t:(counter >= 0 or stop)", true, exit.Unknown, `^-e: unknown: the run was left to itself; the property holds in what came before, `},
	} {
		p := startWaiting(t, w)
		cmd := w.command("antichain", "attach", "-e", tt.formula, p.pid)
		_, reports, messages := startPiped(t, cmd)
		if line := messages.next(); line != "antichain: attaching to process "+p.pid+"; ctrl-C detaches" {
			t.Fatalf("antichain says %q", line)
		}
		if tt.interrupt {
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
		if line := messages.next(); line != "antichain: detached: the program continues untraced" {
			t.Errorf("antichain says %q", line)
		}
		if got := reports.rest(); !regexp.MustCompile(tt.want).MatchString(got) {
			t.Errorf("reported %q, want %q", got, tt.want)
		}
		if code := exitCodeOf(t, cmd); code != tt.code {
			t.Errorf("exit code %d, want %d", code, tt.code)
		}
	}
}

// What rests on the next steps of a program that others have killed is unknown: nobody says how it
// ended.
func TestAttachBroken(t *testing.T) {
	t.Parallel()
	w := newMain(t, orphan)
	const formula = "t:(in.round) -> sometime t:(in.round)"
	binary := w.path("orphan")
	if text, err := w.command("antichain", "build", "-o", binary, "-e", formula, "main.go").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	for _, killed := range []bool{false, true} {
		program := w.command(binary, "1")
		program.Env = append(w.env, "ANTICHAIN_TRACE=wait")
		stdin, out, said := startPiped(t, program)
		said.next() // it waits
		cmd := w.command("antichain", "attach", "--defer", "-e", formula, strconv.Itoa(program.Process.Pid))
		_, reports, messages := startPiped(t, cmd)
		out.next() // it is ready
		if _, err := io.WriteString(stdin, "go on\n"); err != nil {
			t.Fatal(err)
		}
		out.next() // it is done
		if killed {
			if err := program.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
		stdin.Close()
		_ = program.Wait() // how it ended is not the question
		want, code := "-e: violated", exit.Violated
		if killed {
			want, code = "-e: unknown: the run was cut off, and the verdict rests on what would have come next", exit.Unknown
		}
		if line := reports.next(); line != want {
			t.Errorf("killed=%v: reported %q, want %q (%s)", killed, line, want, messages.rest())
		}
		reports.rest()
		if got := exitCodeOf(t, cmd); got != code {
			t.Errorf("killed=%v: exit code %d, want %d", killed, got, code)
		}
	}
}

// A program that has not waited any longer for an antichain that was stopped is not watched any
// more when that goes on: it says so, and ends.
func TestAttachAfterStop(t *testing.T) {
	t.Parallel()
	w := newMain(t, orphan)
	const formula = "t:(in.round) -> next t:(in.round)"
	binary := w.path("orphan")
	if text, err := w.command("antichain", "build", "-o", binary, "-e", formula, "main.go").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	program := w.command(binary, "200000")
	program.Env = append(w.env, "ANTICHAIN_TRACE=wait")
	stdin, out, said := startPiped(t, program)
	said.next() // it waits
	cmd := w.command("antichain", "attach", "--defer", "-e", formula, strconv.Itoa(program.Process.Pid))
	_, reports, messages := startPiped(t, cmd)
	out.next() // it is ready
	if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(stdin, "go on\n"); err != nil {
		t.Fatal(err)
	}
	const gone = "antichain: the antichain process is gone or does not respond; the program continues untraced"
	if line := said.next(); line != gone {
		t.Errorf("the program says %q, want %q", line, gone)
	}
	if err := cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	// It ends while the program waits for more input.
	if got, want := reports.rest(), "the program could not wait for antichain any longer"; !strings.HasPrefix(got, "-e: unknown: at least ") || !strings.Contains(got, want) {
		t.Errorf("reported %q, want %q (%s)", got, want, messages.rest())
	}
	if code := exitCodeOf(t, cmd); code != exit.Unknown {
		t.Errorf("exit code %d", code)
	}
	stdin.Close()
	_ = program.Wait() // how it ended is not the question
}

// The program goes on when antichain is killed in the middle of a dialogue, and says so once.
func TestAttachKilled(t *testing.T) {
	t.Parallel()
	w := newCounting(t)
	buildCounting(t, w)
	p := startWaiting(t, w)
	cmd := w.command("antichain", "attach", "--spec", "m.tl", p.pid)
	screen := ptytest.Start(t, cmd)
	screen.Await(question)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	const gone = "antichain: the antichain process is gone or does not respond; the program continues untraced"
	if got := p.said.next(); got != gone {
		t.Errorf("the program says %q", got)
	}
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if code := exitCodeOf(t, p.Cmd); code != 128+int(syscall.SIGKILL) {
		t.Errorf("the program has ended by itself, with exit code %d", code)
	}
	if got := p.said.rest(); got != "" {
		t.Errorf("the program says %q, too", got)
	}
}

// What cannot be attached to, or checked there, is an error, and the program waits on.
func TestAttachErrors(t *testing.T) {
	t.Parallel()
	w := newCounting(t)
	buildCounting(t, w)
	p := startWaiting(t, w)
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--spec", "m.tl"}, "name one program, by its process id or its socket"},
		{[]string{"--builtin", "none", p.pid}, "nothing to check: give a specification with --spec FILE or -e FORMULA"},
		{[]string{"--spec", "m.tl", "nobody"}, "nobody is neither a process id nor a socket"},
		{[]string{"--spec", "m.tl", "main.go"}, "main.go is neither a process id nor a socket"},
		{[]string{"--spec", "m.tl", strconv.Itoa(os.Getpid())}, "does not wait for a checker"},
		{[]string{"-e", "t:(number < 5)", p.pid}, "variable number is not recorded"},
		{[]string{"-e", "t:(counter < 5) -> sometime t:(stop)", p.pid}, "cannot be checked on-the-fly"},
		{[]string{"--spec", "m.tl", "-o", "main.go", p.pid}, "main.go exists and is not a trace"},
		{[]string{"--logic", "l4", "--spec", "m.tl", p.pid}, "--logic l4"},
	} {
		text, err := w.command("antichain", append([]string{"attach"}, tt.args...)...).CombinedOutput()
		var status *exec.ExitError
		if !errors.As(err, &status) || status.ExitCode() != exit.Error || !strings.Contains(string(text), tt.want) {
			t.Errorf("%q: %v, %q, want %q", tt.args, err, text, tt.want)
		}
	}
	cmd := w.command("antichain", "attach", "--spec", "m.tl", p.pid)
	if text, err := cmd.CombinedOutput(); exit.StatusOf(cmd.ProcessState) != exit.Violated {
		t.Errorf("%v, %q", err, text)
	}
}

// run --wait-for-checker says how to attach, and passes the program's end on.
func TestWaitForChecker(t *testing.T) {
	t.Parallel()
	w := newCounting(t)
	cmd := w.command("antichain", "run", "--wait-for-checker", ".")
	_, out, said := startPiped(t, cmd)
	const says = "antichain: to check it, type in another terminal: antichain attach --spec "
	line := said.next()
	for line != "" && !strings.HasPrefix(line, says) {
		line = said.next() // the program says that it waits
	}
	words := strings.Fields(strings.TrimPrefix(line, "antichain: to check it, type in another terminal: "))
	if len(words) != 5 {
		t.Fatalf("antichain says %q", line)
	}
	checker := w.command(words[0], words[1:]...)
	screen := ptytest.Start(t, checker)
	screen.Await(question)
	answer(t, screen, "set stop true", "stop = true, of type bool")
	screen.Type("detach\r")
	screen.Rest()
	if code := exitCodeOf(t, checker); code != exit.Violated {
		t.Errorf("exit code %d", code)
	}
	if got := out.rest(); got != "stopped\n" {
		t.Errorf("the program prints %q", got)
	}
	if got := said.rest(); !strings.HasSuffix(got, "antichain: exit code 0 is the program's own\n") {
		t.Errorf("said %q", got)
	}
	if code := exitCodeOf(t, cmd); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
