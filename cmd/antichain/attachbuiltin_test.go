//go:build linux && (amd64 || arm64)

package main

import (
	"os"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/internal/ptytest"
)

// late closes a channel on which a goroutine may still send, and waits for its end.
const late = `package main

import (
	"io"
	"os"
	"runtime"
)

func main() {
	results, sent := make(chan int, 1), false
	go func() {
		results <- 1
		sent = true
	}()
	for !look(&sent) { // which orders nothing
		runtime.Gosched()
	}
	close(results)
	os.Stdout.WriteString("closed\n")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

//go:noinline
func look(flag *bool) bool { return *flag }
`

// Built-in properties of a program that is attached to are checked without a specification, up to
// its end or an interrupt.
func TestAttachBuiltin(t *testing.T) {
	t.Parallel()
	w := newMain(t, late)
	w.write("go.mod", "module m\n\ngo 1.26\n")
	buildCounting(t, w)
	for _, interrupt := range []bool{false, true} {
		p := startWaiting(t, w)
		cmd := w.command("antichain", "attach", p.pid)
		_, reports, messages := startPiped(t, cmd)
		if line := messages.next(); line != "antichain: attaching to process "+p.pid+"; ctrl-C detaches" {
			t.Fatalf("antichain says %q", line)
		}
		if line := p.out.next(); line != "closed" {
			t.Fatalf("the program prints %q", line)
		}
		if interrupt {
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			if line := messages.next(); line != "antichain: detached: the program continues untraced" {
				t.Errorf("antichain says %q", line)
			}
		} else if err := p.in.Close(); err != nil {
			t.Fatal(err)
		}
		got := reports.rest()
		if code := exitCodeOf(t, cmd); code != exit.Violated || !strings.HasPrefix(got, "closed: violated (predicted)\n") {
			t.Errorf("interrupt=%v: exit code %d after %q", interrupt, code, got)
		}
		if !strings.Contains(got, "\nmain.func1 (main.1), started by main at ") || !strings.Contains(got,
			"\nbuilt-in properties: no other violation (") {
			t.Errorf("interrupt=%v: reported %q", interrupt, got)
		}
		if interrupt {
			p.in.Close()
		}
		if code := exitCodeOf(t, p.Cmd); code != 0 {
			t.Errorf("interrupt=%v: the program's exit code is %d", interrupt, code)
		}
	}
}

// With nothing to check there is nothing to attach for.
func TestAttachNothing(t *testing.T) {
	code, _, said := runVerb(t, "attach", "--builtin", "none", "1")
	if code != exit.Error || !strings.Contains(said, "nothing to check") {
		t.Errorf("exit code %d: %s", code, said)
	}
}

// abba lets two goroutines wait for each other's locks while main goes on.
const abba = `package main

import (
	"io"
	"os"
	"sync"
)

var both sync.WaitGroup

func transfer(from, to *sync.Mutex) {
	from.Lock()
	both.Done()
	both.Wait()
	to.Lock()
}

func main() {
	var a, b sync.Mutex
	both.Add(2)
	go transfer(&a, &b)
	go transfer(&b, &a)
	_, _ = io.Copy(io.Discard, os.Stdin)
}
`

// A program that is attached to is halted at a deadlock, also without a specification. A person can
// look at it; where nobody can be asked antichain detaches.
func TestAttachHalts(t *testing.T) {
	t.Parallel()
	w := newMain(t, abba)
	w.write("go.mod", "module m\n\ngo 1.26\n")
	buildCounting(t, w)
	p := startWaiting(t, w)
	cmd := w.command("antichain", "attach", p.pid)
	screen := ptytest.Start(t, cmd)
	if shown := screen.Await(question); !strings.Contains(shown, "deadlock: violated (observed)") || !strings.Contains(shown, "The program is halted:") {
		t.Fatalf("shown %q", shown)
	}
	answer(t, screen, "violation", "deadlock: violated (observed)")
	answer(t, screen, "goroutines", "transfer (main.1) waits (sync.Mutex.Lock) in transfer")
	answer(t, screen, "formula", "")
	screen.Type("resume\r")
	screen.Await("antichain: the program continues; ctrl-C halts it\r\n")
	p.in.Close()
	if shown := screen.Rest(); exitCodeOf(t, cmd) != exit.Violated || strings.Contains(shown, "deadlock") {
		t.Errorf("%v after %q", cmd.ProcessState, shown)
	}

	p = startWaiting(t, w)
	cmd = w.command("antichain", "attach", p.pid)
	_, reports, messages := startPiped(t, cmd)
	messages.next() // attaching
	if line := messages.next(); line != "antichain: detached: the program continues untraced" {
		t.Errorf("antichain says %q", line)
	}
	if got := reports.rest(); !strings.HasPrefix(got, "deadlock: violated (observed)\n") || strings.Count(got, "deadlock: ") != 1 || exitCodeOf(t, cmd) != exit.Violated {
		t.Errorf("%v after %q", cmd.ProcessState, got)
	}
	p.in.Close()
	if code := exitCodeOf(t, p.Cmd); code != 0 {
		t.Errorf("the program's exit code is %d", code)
	}
}
