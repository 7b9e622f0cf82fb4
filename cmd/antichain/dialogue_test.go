//go:build linux && (amd64 || arm64)

package main

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tracer/launch/ptytest"
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
	for range 2 {
		wg.Go(func() {
			for count() {
			}
		})
	}
	wg.Wait()
	fmt.Println("stopped")
}
`

const countingSpec = "property few: t:(counter < 5 or stop)\n"

// writeCounting makes the counting program the current directory's. What is built for it and what
// killed processes leave behind goes to a directory of the test.
func writeCounting(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a traced program")
	}
	t.Chdir(t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("XDG_RUNTIME_DIR", "")
	t.Setenv("NO_COLOR", "1")
	t.Setenv("TERM", "xterm")
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "main.go": counting, "m.tl": countingSpec} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// exitCodeOf waits for a command.
func exitCodeOf(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return exitStatus(cmd.ProcessState)
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
	writeCounting(t)
	cmd := exec.Command("antichain", "run", "--live", ".")
	screen := ptytest.Start(t, cmd)
	if shown := screen.Await(question); !strings.Contains(shown, "few: violated") || !strings.Contains(shown, "The program is halted:") {
		t.Fatalf("shown %q", shown)
	}
	answer(t, screen, "slice", "came through it")
	answer(t, screen, "formula", "few is false for t = main.")
	answer(t, screen, "back t", "few is true for t = main.")
	answer(t, screen, "", "few is true for t = main.")
	answer(t, screen, "next", "after main")
	answer(t, screen, "task t", "main.go:")
	answer(t, screen, "goroutines", "main waits (sync.WaitGroup.Wait) in main.main")
	answer(t, screen, "stack t", "main.count, at main.go:")
	answer(t, screen, "print counter", "of type int")
	answer(t, screen, "set counter 1.5", "counter: its type is int")
	answer(t, screen, "se\tcou\t7", "counter = 7, of type int")
	screen.Type("end\x03")
	screen.Await("\r\n" + question)
	answer(t, screen, "pri\tcou\t", "counter = 7, of type int")
	answer(t, screen, "set stop true", "stop = true, of type bool")
	screen.Type("resume\r")
	rest := screen.Rest()
	if code := exitCodeOf(t, cmd); code != exitViolated || !strings.Contains(rest, "stopped\r\n") {
		t.Errorf("exit code %d after %q", code, rest)
	}
}

// What becomes of the program when the dialogue is over.
func TestDialogueEnds(t *testing.T) {
	writeCounting(t)
	for _, tt := range []struct {
		typed   []string
		stopped bool // the program stops by itself
	}{
		{[]string{"set stop true\r", "detach\r"}, true},
		{[]string{"end\r", "y\r"}, false},
		{[]string{"\x04", "\x04"}, false},
	} {
		cmd := exec.Command("antichain", "run", "--live", ".")
		screen := ptytest.Start(t, cmd)
		screen.Await(question)
		for i, keys := range tt.typed {
			screen.Type(keys)
			if i < len(tt.typed)-1 {
				screen.Await(") ")
			}
		}
		rest := screen.Rest()
		if code := exitCodeOf(t, cmd); code != exitViolated || strings.Contains(rest, "stopped\r\n") != tt.stopped {
			t.Errorf("%q: exit code %d after %q", tt.typed, code, rest)
		}
		if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
			t.Errorf("%q: left behind: %v, %v", tt.typed, left, err)
		}
	}
}
