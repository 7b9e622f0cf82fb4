//go:build linux && (amd64 || arm64)

package main

import (
	"bufio"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/internal/ptytest"
)

// A program whose live checker is killed goes on, and says so once: whether it stands at that time
// or waits for the checker at each of its records.
func TestKilledLiveChecker(t *testing.T) {
	t.Parallel()
	w := newMain(t, orphan)
	for _, busy := range []bool{false, true} {
		cmd := w.command("antichain", "run", "--live", "-e", orphanFormula, "main.go", "20000")
		stdin, out, errs := startPiped(t, cmd)
		if line := out.next(); line != "ready" {
			t.Fatalf("the program's first line is %q; standard error:\n%s", line, errs.rest())
		}
		write := func(line string) {
			if _, err := io.WriteString(stdin, line); err != nil {
				t.Fatal(err)
			}
		}
		if busy {
			write("go on\n")
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_, _ = cmd.Process.Wait() // it was killed; that is no error here
		if !busy {
			write("go on\n")
		}
		if line := errs.next(); line != gone {
			t.Errorf("busy=%v: standard error: %q, want %q", busy, line, gone)
		}
		write("and on\n")
		stdin.Close()
		if got := out.rest(); got != "done\ndone\n" {
			t.Errorf("busy=%v: standard output ends with %q", busy, got)
		}
		if got := errs.rest(); got != "" {
			t.Errorf("busy=%v: standard error ends with %q", busy, got)
		}
	}
}

// An interrupt is for the program; the verdict is on what it did until then.
func TestInterruptOfLiveRun(t *testing.T) {
	t.Parallel()
	w := newMain(t, orphan)
	cmd := w.command("antichain", "run", "--live", "-e", orphanFormula, "main.go", "100")
	screen := ptytest.Start(t, cmd)
	screen.Await("ready\r\n")
	screen.Type("go on\r")
	screen.Await("done\r\n")
	screen.Type("\x03")
	shown := screen.Rest()
	if code := exitCodeOf(t, cmd); code != 130 {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{
		"-e: unknown: the run was ended by a signal (interrupt); the property holds in what came before, and what would have come next may violate it\r\n",
		"antichain: exit code 130 is the program's own\r\n",
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("shown %q, want %q", shown, want)
		}
	}
}

// deaf closes sockets that it did not open: the one at which it is to listen, and a connection that
// is just being accepted. Then it does what is forbidden, and stays until its input ends.
const deaf = `package main

import (
	"fmt"
	"io"
	"os"
	"syscall"
)

func main() {
	for range 10 {
		for fd := 3; fd < 100; fd++ {
			if _, err := syscall.Getsockname(fd); err == nil {
				syscall.Close(fd)
			}
		}
		syscall.Nanosleep(&syscall.Timespec{Nsec: 1e6}, nil)
	}
	bad()
	io.Copy(io.Discard, os.Stdin)
	fmt.Println("over")
}

func bad() {}

func never() {}
`

// A violation by a program that cannot be halted is told while that goes on.
func TestLiveCannotHalt(t *testing.T) {
	t.Parallel()
	w := newMain(t, deaf)
	cmd := w.command("antichain", "run", "--live", "-e", "not t:(in.bad)", "-e", "not t:(in.never)", "main.go")
	stdin, out, errs := startPiped(t, cmd)
	var said []string
	const unhalted = "antichain: the program could not be halted, and continues unchecked"
	for len(said) == 0 || said[len(said)-1] != unhalted {
		line, err := errs.r.ReadString('\n')
		if err != nil {
			t.Fatalf("said %q", said)
		}
		said = append(said, strings.TrimSuffix(line, "\n"))
	}
	if !slices.Contains(said, "-e 1: violated") {
		t.Errorf("said %q", said)
	}
	stdin.Close()
	if got := out.rest(); got != "over\n" {
		t.Errorf("the program prints %q", got)
	}
	if got, want := errs.rest(), "-e 2: unknown: the program could not be halted\n"; !strings.Contains(got, want) {
		t.Errorf("said at the end %q, want %q", got, want)
	}
	if code := exitCodeOf(t, cmd); code != exit.Violated {
		t.Errorf("exit code %d", code)
	}
}

// patient does what is forbidden when it is told to, and stays until its input ends.
const patient = `package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	fmt.Println("ready")
	in := bufio.NewScanner(os.Stdin)
	in.Scan()
	bad()
	for in.Scan() {
	}
	fmt.Println("over")
}

func bad() {}
`

// A program is ended at a violation also if nobody reads the report.
func TestLiveUnread(t *testing.T) {
	t.Parallel()
	w := newMain(t, patient)
	unread, reports, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	unread.Close()
	cmd := w.command("antichain", "run", "--live", "-e", "not t:(in.bad)", "main.go")
	cmd.Stderr = reports
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	reports.Close()
	out := output{bufio.NewReader(stdout)}
	if line := out.next(); line != "ready" {
		t.Fatalf("the program's first line is %q", line)
	}
	if _, err := io.WriteString(stdin, "go on\n"); err != nil {
		t.Fatal(err)
	}
	if state, err := cmd.Process.Wait(); err != nil || state.ExitCode() != exit.Violated {
		t.Errorf("%v, %v", state, err)
	}
	stdin.Close()
	if got := out.rest(); got != "" {
		t.Errorf("the program goes on: %q", got)
	}
}
