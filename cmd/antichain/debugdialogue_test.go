//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/antichain-go/antichain/internal/ptytest"
)

// A person steps through a program at a terminal: words are completed, an empty line repeats, a
// mistake is told and is not the end, ctrl-D is.
func TestDebugDialogue(t *testing.T) {
	t.Parallel()
	program, err := filepath.Abs("../../examples/programs/dekker.gcl")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("antichain", "debug", program)
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "TERM=xterm")
	screen := ptytest.Start(t, cmd)
	screen.Await("state 0\r\n")
	screen.Await("\r\n" + question)
	answer(t, screen, "step F (P0.at.m2 & P1.at.n2)", "A step of 6 moves.")
	answer(t, screen, "stpe", "did you mean step?")
	answer(t, screen, "sta\t", "F (P0.at.m2 & P1.at.n2): 6 moves")
	answer(t, screen, "nex\tP0", "P0  *m7")
	answer(t, screen, "", "P0  *m6")
	answer(t, screen, "back", "P0  m7")
	answer(t, screen, "step F F", "found the end of the formula")
	answer(t, screen, "set tim\t 1m", "")
	answer(t, screen, "set", "1m0s")
	answer(t, screen, "holds P1.at.n2", "is true here")
	answer(t, screen, "hel\tse\t", "set [NAME VALUE]")
	screen.Type("\x04")
	screen.Rest()
	if code := exitCodeOf(t, cmd); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// Ctrl-C ends a search that takes long, and not the dialogue.
func TestDebugInterrupt(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "counters.gcl")
	text := "for i in 1..8 process P[i] declare x[i] : [0..1000]; while true do if x[i] < 1000 then x[i] := x[i] + 1"
	if err := os.WriteFile(program, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("antichain", "debug", program)
	cmd.Env = append(os.Environ(), "TERM=xterm")
	screen := ptytest.Start(t, cmd)
	screen.Await("\r\n" + question)
	answer(t, screen, "set time 1h", "")
	screen.Type("step F x1 == 1000\r")
	screen.Await("step F x1 == 1000\r\n")
	screen.Insist("\x03", "interrupted\r\n"+question) // the first one may come before the search
	screen.Type("next P2\r")
	screen.Await("x2 = 0")
	screen.Type("\x04")
	screen.Rest()
	if code := exitCodeOf(t, cmd); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
