//go:build linux && (amd64 || arm64)

package main

import (
	"bufio"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/internal/ptytest"
)

// lookAtCounting looks at the counting program, which is halted at a line, changes it, and lets it
// go on.
func lookAtCounting(t *testing.T, screen *ptytest.Screen) {
	t.Helper()
	if shown := screen.Await(question); !strings.Contains(shown, "The program is halted at main.go:17:") ||
		!strings.Contains(shown, "is stopped in count, at main.go:17") {
		t.Fatalf("shown %q", shown)
	}
	answer(t, screen, "goroutines", " in main, at main.go:") // it waits there, or is about to
	answer(t, screen, "violation", "no violation to show")
	answer(t, screen, "pri\tcou\t", "counter = 0, of type int")
	talkToDelve(screen)
	answer(t, screen, "set stop true", "stop = true, of type bool")
	screen.Type("resume\r")
}

// A program that is halted at a line is looked at where antichain was started.
func TestDialogueAtLine(t *testing.T) {
	t.Parallel()
	w := newCounting(t)
	w.fakeDelve(talkingDelve)
	cmd := w.command("antichain", "run", "--halt-at", "main.go:17", ".")
	screen := ptytest.Start(t, cmd)
	lookAtCounting(t, screen)
	rest := screen.Rest()
	if code := exitCodeOf(t, cmd); code != exit.Holds || !strings.Contains(rest, "stopped\r\n") {
		t.Errorf("exit code %d after %q", code, rest)
	}
}

// Without a terminal there it stays halted until somebody comes with one; who goes away without a
// decision may come again.
func TestDialogueElsewhere(t *testing.T) {
	t.Parallel()
	w := newCounting(t)
	w.fakeDelve(talkingDelve)
	cmd := w.command("antichain", "run", "--halt-at", "main.go:17", ".")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	await := func(begin string) string {
		for lines.Scan() {
			if rest, ok := strings.CutPrefix(lines.Text(), begin); ok {
				return rest
			}
		}
		t.Fatalf("antichain has not said %q", begin)
		return ""
	}
	pid := await("antichain: to look at it, type in another terminal: antichain attach ")

	refused := w.command("antichain", "attach", "-e", "t:(stop)", pid)
	if text, err := refused.CombinedOutput(); err == nil || !strings.Contains(string(text), "leave out --spec, -e and -o") {
		t.Errorf("%v, %s", err, text)
	}
	gone := w.command("antichain", "attach", pid)
	screen := ptytest.Start(t, gone)
	screen.Await(question)
	if err := gone.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	screen.Rest()
	exitCodeOf(t, gone)
	await("antichain: the attached antichain has ended; the program stays halted: ")

	attach := w.command("antichain", "attach", pid)
	screen = ptytest.Start(t, attach)
	lookAtCounting(t, screen)
	screen.Rest()
	if code := exitCodeOf(t, attach); code != exit.Holds {
		t.Errorf("exit code %d of attach", code)
	}
	await("antichain: the program continues")
	for lines.Scan() { // to the end
	}
	if code := exitCodeOf(t, cmd); code != exit.Holds {
		t.Errorf("exit code %d", code)
	}
}
