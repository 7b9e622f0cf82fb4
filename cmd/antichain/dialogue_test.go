//go:build linux && (amd64 || arm64)

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/internal/ptytest"
)

// counting counts until it is told to stop.
const counting = `package main

import (
	"fmt"
	"sync"
)

var (
	mu      sync.Mutex
	counter int
	stop    bool
)

func count() bool {
	mu.Lock()
	defer mu.Unlock()
	counter++
	return !stop
}

func main() {
	var wg sync.WaitGroup
	wg.Go(func() { // a second one would sometimes be in the way of a step back
		for count() {
		}
	})
	wg.Wait()
	fmt.Println("stopped")
}
`

const countingSpec = "property few: t:(counter < 5 or stop)\n"

// exitCodeOf waits for a command.
func exitCodeOf(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	var status *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &status) {
		t.Fatal(err)
	}
	return exit.StatusOf(cmd.ProcessState)
}

// question is what the dialogue shows when it waits for a command.
const question = "(antichain) "

// answer types a command, and fails unless the dialogue answers with want.
func answer(t *testing.T, screen *ptytest.Screen, command, want string) {
	t.Helper()
	screen.Type(command + "\r")
	if got := screen.Await("\r\n" + question); !strings.Contains(got, want) {
		t.Errorf("%s shows %q, want %q", command, got, want)
	}
}

// A program is halted at a violation, looked at, changed, and goes on as it was changed.
func TestDialogue(t *testing.T) {
	t.Parallel()
	w := newCounting(t)
	w.fakeDelve(talkingDelve)
	cmd := w.command("antichain", "run", "--live", ".")
	screen := ptytest.Start(t, cmd)
	if shown := screen.Await(question); !strings.Contains(shown, "few: violated") || !strings.Contains(shown, "The program is halted:") {
		t.Fatalf("shown %q", shown)
	}
	answer(t, screen, "slice", "came through it")
	answer(t, screen, "formula", "few is false for t = main.")
	answer(t, screen, "back t", "before main.")
	answer(t, screen, "", "before main.")
	answer(t, screen, "next", "after main")
	answer(t, screen, "task t", "main.go:")
	answer(t, screen, "goroutines", " in main, at main.go:") // it waits there, or is about to
	answer(t, screen, "stack t", "count, at main.go:")
	answer(t, screen, "print counter", "of type int")
	answer(t, screen, "set counter 1.5", "counter: its type is int")
	answer(t, screen, "se\tcou\t7", "counter = 7, of type int")
	screen.Type("end\x03")
	screen.Await("\r\n" + question)
	answer(t, screen, "pri\tcou\t", "counter = 7, of type int")
	talkToDelve(screen)
	answer(t, screen, "set stop true", "stop = true, of type bool")
	screen.Type("resume\r")
	rest := screen.Rest()
	if code := exitCodeOf(t, cmd); code != exit.Violated || !strings.Contains(rest, "stopped\r\n") {
		t.Errorf("exit code %d after %q", code, rest)
	}
}

// Scripts for workspace.fakeDelve, which are called as Delve is: attach PID.
const (
	talkingDelve = `echo "(dlv) $*"; read line; echo "Delve read $line"`
	killingDelve = `kill -9 $2; while kill -0 $2 2> /dev/null; do :; done`
)

// talkToDelve calls talkingDelve, and has it end.
func talkToDelve(screen *ptytest.Screen) {
	screen.Type("dlv\r")
	screen.Await("(dlv) attach ")
	screen.Type("quit\n") // the terminal is not raw: it echoes what is typed
	screen.Await("quit\r\nDelve read quit\r\n" + question)
}

// The program is halted once more by the specification that takes the place of the first one, and
// what happened before does not count for that.
func TestDialogueReplace(t *testing.T) {
	t.Parallel()
	w := newCounting(t)
	if err := os.Mkdir(w.path("specs"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"specs/other.tl":   "property later: t:(counter < 10 or stop)\n",
		"specs/unknown.tl": "property x: t:(x < 10)\n",
		"specs/always.tl":  "property a: sometime t:(stop)\n",
	} {
		w.write(name, text)
	}
	if err := syscall.Mkfifo(w.path("specs/pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := w.command("antichain", "run", "--live", ".")
	screen := ptytest.Start(t, cmd)
	screen.Await(question)
	answer(t, screen, "replace specs/missing.tl", "no such file")
	answer(t, screen, "replace specs/pipe", "is not a regular file")
	answer(t, screen, "replace specs/unknown.tl", "variable x is not recorded")
	answer(t, screen, "replace specs/always.tl", "cannot be checked on-the-fly")
	answer(t, screen, "set counter 0", "counter = 0, of type int")
	screen.Type("replace specs/oth\t\r")
	shown := screen.Await(question)
	if !strings.Contains(shown, "later: violated") || !strings.Contains(shown, "counter = 10") {
		t.Errorf("shown %q", shown)
	}
	if strings.Contains(shown, "Show it again") {
		t.Errorf("shown %q, which says how to have the first specification checked", shown)
	}
	answer(t, screen, "formula", "later is false for t = main.")
	screen.Type("end\ry\r")
	if shown := screen.Rest(); exitCodeOf(t, cmd) != exit.Violated {
		t.Errorf("%v after %q", cmd.ProcessState, shown)
	}
}

// Of a program that was killed during the dialogue nobody says that it goes on.
func TestDialogueKilled(t *testing.T) {
	t.Parallel()
	w := newCounting(t)
	w.fakeDelve(killingDelve)
	cmd := w.command("antichain", "run", "--live", ".")
	screen := ptytest.Start(t, cmd)
	screen.Await(question)
	screen.Type("dlv\r")
	screen.Await(question)
	answer(t, screen, "goroutines", "the program has ended")
	screen.Type("resume\r")
	if shown := screen.Rest(); exitCodeOf(t, cmd) != exit.Violated || !strings.Contains(shown, "antichain: the program has ended meanwhile\r\n") {
		t.Errorf("%v after %q", cmd.ProcessState, shown)
	}
}

// What becomes of the program when the dialogue is over.
func TestDialogueEnds(t *testing.T) {
	t.Parallel()
	w := newCounting(t)
	for _, tt := range []struct {
		typed   []string
		stopped bool // the program stops by itself
	}{
		{[]string{"set stop true\r", "detach\r"}, true},
		{[]string{"end\r", "y\r"}, false},
		{[]string{"\x04", "\x04"}, false},
	} {
		cmd := w.command("antichain", "run", "--live", ".")
		screen := ptytest.Start(t, cmd)
		screen.Await(question)
		for i, keys := range tt.typed {
			screen.Type(keys)
			if i < len(tt.typed)-1 {
				screen.Await(") ")
			}
		}
		rest := screen.Rest()
		if code := exitCodeOf(t, cmd); code != exit.Violated || strings.Contains(rest, "stopped\r\n") != tt.stopped {
			t.Errorf("%q: exit code %d after %q", tt.typed, code, rest)
		}
		w.checkEmpty(fmt.Sprintf("%q", tt.typed))
	}
}
