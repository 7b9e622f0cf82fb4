//go:build linux && (amd64 || arm64)

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
)

// orphan prints a line, then for each line of its input synchronises as often as its argument
// says and prints another.
const orphan = `package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"sync"
)

func main() {
	rounds, _ := strconv.Atoi(os.Args[1])
	var mu sync.Mutex
	fmt.Println("ready")
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		for range rounds {
			round(&mu)
		}
		fmt.Println("done")
	}
}

func round(mu *sync.Mutex) {
	mu.Lock()
	mu.Unlock()
}
`

// orphanFormula holds of orphan, and has its rounds recorded.
const orphanFormula = "not (t1:(in.round) and t2:(in.round)) if t1 != t2"

// gone is what a program says that has lost its checker.
const gone = "antichain: the antichain process is gone or does not respond; the program continues untraced"

// A program whose checker is killed goes on, and says once that it is not traced any more: when
// it has to wait for the checker, or else at its end.
func TestKilledChecker(t *testing.T) {
	t.Parallel()
	w := newMain(t, orphan)
	for _, tt := range []struct {
		name   string
		rounds string
		early  bool // said before the program ends
	}{
		{"more events than the ring holds", "200000", true},
		{"few events", "1", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cmd := w.command("antichain", "run", "main.go", tt.rounds)
			stdin, out, errs := startPiped(t, cmd)
			if line := out.next(); line != "ready" {
				t.Fatalf("the program's first line is %q; standard error:\n%s", line, errs.rest())
			}
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_, _ = cmd.Process.Wait() // it was killed; that is no error here
			if _, err := io.WriteString(stdin, "go on\n"); err != nil {
				t.Fatal(err)
			}
			if tt.early {
				if line := errs.next(); line != gone {
					t.Errorf("standard error: %q, want %q", line, gone)
				}
			}
			if line := out.next(); line != "done" {
				t.Errorf("standard output: %q, want done", line)
			}
			if _, err := io.WriteString(stdin, "and on\n"); err != nil {
				t.Error(err)
			}
			stdin.Close()
			if got := out.rest(); got != "done\n" {
				t.Errorf("standard output ends with %q, want done", got)
			}
			want := gone + "\n"
			if tt.early {
				want = ""
			}
			if got := errs.rest(); got != want {
				t.Errorf("standard error ends with %q, want %q", got, want)
			}
		})
	}
}

// busy synchronises more often than antichain judges meanwhile, whatever the terminal says.
const busy = `package main

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
)

func main() {
	signal.Ignore(os.Interrupt)
	fmt.Println(os.Getpid())
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			var mu sync.Mutex
			for range 2_000_000 {
				mu.Lock()
				mu.Unlock()
			}
		})
	}
	group.Wait()
}
`

// An interrupt ends the reading of what a program has left when it ends. What is known then is
// said, and nothing is left behind.
func TestInterruptOfTheRest(t *testing.T) {
	t.Parallel()
	w := newMain(t, busy)
	for _, flags := range [][]string{{"--full"}, {"-e", "not (t1:(in.main) and t2:(in.main)) if t1 != t2"}} {
		cmd := w.command("antichain", append(append([]string{"run"}, flags...), "main.go")...)
		_, out, errs := startPiped(t, cmd)
		pid, err := strconv.Atoi(out.next())
		if err != nil {
			t.Fatalf("%v; standard error:\n%s", err, errs.rest())
		}
		for syscall.Kill(pid, 0) == nil {
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(100 * time.Millisecond) // antichain learns of it a little later
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		if code, err := exit.CodeOf(cmd.Wait()); err != nil || code != exit.Unknown {
			t.Errorf("%q: exit code %d, %v", flags, code, err)
		}
		if got := errs.rest(); !strings.Contains(got, "operations of the run are judged: interrupted") {
			t.Errorf("%q: standard error:\n%s", flags, got)
		}
		w.checkEmpty("after an interrupt")
	}
}

// Who ends antichain test ends the tests: nobody waits for them any more. Those that only hold the
// pipe open would show.
func TestTerminatedTests(t *testing.T) {
	t.Parallel()
	w := newMain(t, "package main\n\nfunc main() {}\n")
	w.write("go.mod", "module m\n\ngo 1.26\n")
	w.write("main_test.go", endless)
	cmd := w.command("antichain", "test", "-v", ".")
	_, out, errs := startPiped(t, cmd)
	for line := out.next(); line != "begun"; line = out.next() {
		if line == "" {
			t.Fatalf("the test did not begin; standard error:\n%s", errs.rest())
		}
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code, err := exit.CodeOf(cmd.Wait()); err != nil || code != 128+int(syscall.SIGTERM) {
		t.Errorf("exit code %d, %v", code, err)
	}
	out.rest() // until the last of them has ended
	if got := errs.rest(); !strings.Contains(got, "antichain: terminated") {
		t.Errorf("standard error:\n%s", got)
	}
}

const endless = `package main

import (
	"fmt"
	"testing"
	"time"
)

func TestEndless(t *testing.T) {
	fmt.Println("begun")
	time.Sleep(time.Hour)
}
`

// startPiped starts a command with pipes of its own, which outlive it in its children.
func startPiped(t *testing.T, cmd *exec.Cmd) (stdin io.WriteCloser, stdout, stderr output) {
	t.Helper()
	pipe := func() (r, w *os.File) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close(); w.Close() })
		return r, w
	}
	inR, inW := pipe()
	outR, outW := pipe()
	errR, errW := pipe()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = inR, outW, errW
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, theirs := range []*os.File{inR, outW, errW} {
		theirs.Close()
	}
	return inW, output{bufio.NewReader(outR)}, output{bufio.NewReader(errR)}
}

// output is what a process writes.
type output struct{ r *bufio.Reader }

// next is the next line, without its end; what there is of it if the process has ended.
func (o output) next() string {
	line, _ := o.r.ReadString('\n')
	return strings.TrimSuffix(line, "\n")
}

// rest is everything until the process ends.
func (o output) rest() string {
	b, _ := io.ReadAll(o.r)
	return string(b)
}
