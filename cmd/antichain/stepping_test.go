//go:build linux && (amd64 || arm64)

package main

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/internal/ptytest"
)

// A person leads a program by formulas at a terminal, changes nothing, looks at it with Delve, and
// ends it.
func TestStepping(t *testing.T) {
	t.Parallel()
	w := newCounting(t)
	w.fakeDelve(talkingDelve)
	cmd := w.command("antichain", "debug", ".")
	screen := ptytest.Start(t, cmd)
	if shown := screen.Await(question); !strings.Contains(shown, "m: halted before its first event. help lists what you can do.") {
		t.Fatalf("shown %q", shown)
	}
	answer(t, screen, "help", "Temporal steps")
	answer(t, screen, "help next", "With TASK, all others are held meanwhile")
	answer(t, screen, "st\tF main.1:(counter == 3)", "*counter = 3")
	answer(t, screen, "holds main.1:(in.count)", "function count is not recorded")
	answer(t, screen, "holds F main.1:(counter == 2)", "is true on the way of")
	answer(t, screen, "n main.1", "main.1 (main.func1)  ")
	answer(t, screen, "", "main.1 (main.func1)  ")
	answer(t, screen, "goroutines", " in main, at main.go:") // or is about to wait
	answer(t, screen, "calls main.1", "count, at main.go:")
	answer(t, screen, "calls main.5", "there is no task main.5")
	answer(t, screen, "set tome 3s", "a process has only the setting time")
	answer(t, screen, "set time 0s", "must be a time above zero")
	answer(t, screen, "release main.1", "main.1 is not held")
	answer(t, screen, "stpe", "did you mean step?")
	talkToDelve(screen)
	answer(t, screen, "step F main.1:(counter == 5)", "*counter = 5")
	screen.Type("quit\rn\r")
	screen.Await("\r\n" + question)
	screen.Type("\x04")
	screen.Await("(y or n) ")
	screen.Type("y\r")
	if shown := screen.Rest(); exitCodeOf(t, cmd) != exit.Holds || strings.Contains(shown, "stopped") {
		t.Errorf("%v after %q", cmd.ProcessState, shown)
	}
}

// ctrl-C ends a step, and the program takes no notice, whether it would listen or be killed.
func TestLedInterrupted(t *testing.T) {
	t.Parallel()
	for name, listen := range map[string]string{"killed": "", "listens": `
func init() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	go func() {
		<-c
		fmt.Println("told")
	}()
}
`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newCounting(t)
			text := strings.Replace(counting, "\tcounter++\n", "\tif counter++; counter%20 == 0 {\n\t\tfmt.Println(\"at\", counter)\n\t}\n", 1) + listen
			if listen != "" {
				text = strings.Replace(text, "\t\"fmt\"\n", "\t\"fmt\"\n\t\"os\"\n\t\"os/signal\"\n", 1)
			}
			w.write("main.go", text)
			cmd := w.command("antichain", "debug", ".")
			screen := ptytest.Start(t, cmd)
			screen.Await(question)
			answer(t, screen, "set time 1h", "")
			shown := ""
			for range 2 {
				screen.Type("step F main:(counter == -1)\r")
				screen.Await("\r\nat ") // it goes on
				screen.Type("\x03")
				shown += screen.Await("Not reached: interrupted.\r\n")
				screen.Await(question)
			}
			answer(t, screen, "goroutines", " in main, at main.go:") // it waits there, or is about to
			screen.Type("quit\ry\r")
			if shown += screen.Rest(); exitCodeOf(t, cmd) != exit.Holds || strings.Contains(shown, "told") {
				t.Errorf("%v after %q", cmd.ProcessState, shown)
			}
		})
	}
}

// Before a program has come to an event ctrl-C is its own.
func TestLedInterruptedEarly(t *testing.T) {
	t.Parallel()
	w := newCounting(t)
	text := "package main\n\nimport \"time\"\n\nfunc count() {}\n\nfunc main() {\n\tprintln(\"begun\")\n\ttime.Sleep(time.Hour)\n\tcount()\n}\n"
	w.write("main.go", text)
	w.remove("m.tl")
	cmd := w.command("antichain", "debug", "--func", "count", ".")
	screen := ptytest.Start(t, cmd)
	screen.Await("begun\r\n")
	screen.Type("\x03")
	if shown := screen.Rest(); exitCodeOf(t, cmd) != exit.Error || !strings.Contains(shown, "the program recorded nothing") {
		t.Errorf("%v after %q", cmd.ProcessState, shown)
	}
}

// A program that was killed has ended, and the dialogue goes on.
func TestLedKilled(t *testing.T) {
	t.Parallel()
	w := newCounting(t)
	w.fakeDelve(killingDelve)
	cmd := w.command("antichain", "debug", ".")
	screen := ptytest.Start(t, cmd)
	screen.Await(question)
	answer(t, screen, "step F main.1:(counter == 2)", "*counter = 2")
	screen.Type("dlv\r")
	screen.Await(question)
	answer(t, screen, "goroutines", "the program has ended")
	answer(t, screen, "step F main.1:(counter == 3)", "Not reached: the program has ended")
	answer(t, screen, "show", "counter = 2")
	screen.Type("quit\r")
	if shown := screen.Rest(); exitCodeOf(t, cmd) != exit.Holds {
		t.Errorf("%v after %q", cmd.ProcessState, shown)
	}
}

// A program whose checker is killed goes on, also those of its goroutines that are held.
func TestLeaderKilled(t *testing.T) {
	t.Parallel()
	w := newCounting(t)
	for name, text := range map[string]string{
		"main.go":  strings.Replace(counting, "return !stop", "return counter < 100", 1),
		"commands": "step F main.1:(counter == 2)\nhold main.1\nset time 1h\nstep F main.1:(counter == 3)\n",
	} {
		w.write(name, text)
	}
	cmd := w.command("antichain", "debug", "-x", "commands", ".")
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
	if !strings.Contains(rest, "the program continues untraced\n") || !strings.Contains(rest, "stopped\n") {
		t.Errorf("shown %q", rest)
	}
}
