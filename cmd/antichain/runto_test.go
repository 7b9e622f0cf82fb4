//go:build linux && (amd64 || arm64)

package main

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/internal/ptytest"
)

const brief = `package main

func main() { work() }

func work() {}

func never() {}
`

// Once the program has ended an interrupt ends the sending to brokers that take nothing.
func TestInterruptOfShipping(t *testing.T) {
	t.Parallel()
	w := newMain(t, brief)
	over := make(chan struct{})
	defer close(over)
	topic, _ := askedBroker(t, over)
	cmd := w.command("antichain", "run", "--to", topic, "--run-id", "r", "-e", "not t:(in.never)", "--func", "work", "main.go")
	screen := ptytest.Start(t, cmd)
	screen.Await("waiting for the brokers of --to")
	screen.Type("\x03")
	shown := screen.Rest()
	if code := exitCodeOf(t, cmd); code != exit.Error {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{
		"not delivered, from record 1 of source ", " on: interrupted\r\n", "-e: holds\r\n",
		"antichain: exit code 2 is antichain's: something went wrong with the trace\r\n",
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("shown %q, want %q", shown, want)
		}
	}
}
