//go:build linux && (amd64 || arm64)

package main

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tracer/launch/ptytest"
)

// A person leads a program by formulas at a terminal, changes nothing, looks at it with Delve, and ends it.
func TestLed(t *testing.T) {
	writeCounting(t)
	fakeDelve(t, talkingDelve)
	cmd := exec.Command("antichain", "debug", ".")
	screen := ptytest.Start(t, cmd)
	if shown := screen.Await(question); !strings.Contains(shown, "m: halted before its first event. help lists what you can do.") {
		t.Fatalf("shown %q", shown)
	}
	answer(t, screen, "help", "Temporal steps")
	answer(t, screen, "help next", "With TASK all others are held meanwhile")
	answer(t, screen, "st\tF main.1:(counter == 3)", "*counter = 3")
	answer(t, screen, "holds main.1:(in.count)", "function count is not recorded")
	answer(t, screen, "holds F main.1:(counter == 2)", "is true on the way of")
	answer(t, screen, "n main.1", "main.1  ")
	answer(t, screen, "", "main.1  ")
	answer(t, screen, "goroutines", "main waits (sync.WaitGroup.Wait) in main.main")
	answer(t, screen, "calls main.1", "main.count, at main.go:")
	answer(t, screen, "calls main.5", "there is no task main.5")
	answer(t, screen, "set tome 3s", "a process has one setting")
	answer(t, screen, "set time 0s", "give a time above zero")
	answer(t, screen, "release main.1", "main.1 is not held")
	answer(t, screen, "stpe", "did you mean step?")
	talkToDelve(screen)
	answer(t, screen, "step F main.1:(counter == 5)", "*counter = 5")
	screen.Type("quit\rn\r")
	screen.Await("\r\n" + question)
	screen.Type("\x04")
	screen.Await("(y or n) ")
	screen.Type("y\r")
	if shown := screen.Rest(); exitCodeOf(t, cmd) != exitHolds || strings.Contains(shown, "stopped") {
		t.Errorf("%v after %q", cmd.ProcessState, shown)
	}
}

// A program that was killed has ended, and the dialogue goes on.
func TestLedKilled(t *testing.T) {
	writeCounting(t)
	fakeDelve(t, killingDelve)
	cmd := exec.Command("antichain", "debug", ".")
	screen := ptytest.Start(t, cmd)
	screen.Await(question)
	answer(t, screen, "step F main.1:(counter == 2)", "*counter = 2")
	screen.Type("dlv\r")
	screen.Await(question)
	answer(t, screen, "goroutines", "the program has ended")
	answer(t, screen, "step F main.1:(counter == 3)", "Not reached: the program has ended")
	answer(t, screen, "show", "counter = 2")
	screen.Type("quit\r")
	if shown := screen.Rest(); exitCodeOf(t, cmd) != exitHolds {
		t.Errorf("%v after %q", cmd.ProcessState, shown)
	}
}

// A program whose checker is killed goes on, also those of its goroutines that are held.
func TestLeaderKilled(t *testing.T) {
	writeCounting(t)
	for name, text := range map[string]string{
		"main.go":  strings.Replace(counting, "return !stop", "return counter < 100", 1),
		"commands": "step F main.1:(counter == 2)\nhold main.1\nset time 1h\nstep F main.1:(counter == 3)\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("antichain", "debug", "-x", "commands", ".")
	shown, both, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer shown.Close()
	cmd.Stdout, cmd.Stderr = both, both
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	both.Close()
	lines, rest := bufio.NewScanner(shown), ""
	for lines.Scan() {
		if rest += lines.Text() + "\n"; strings.HasSuffix(rest, "(counter == 3)\n") {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait() // it was killed
	if !strings.Contains(rest, "the program goes on untraced\n") || !strings.Contains(rest, "stopped\n") {
		t.Errorf("shown %q", rest)
	}
}
