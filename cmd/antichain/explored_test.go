//go:build linux && (amd64 || arm64)

package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/internal/ptytest"
)

// An exploration shows on a terminal what it does and what it has found, with tests too, and ctrl-C
// ends it with what it has.
func TestExplorationOnTerminal(t *testing.T) {
	t.Parallel()
	for verb, again := range map[string]string{"run": "antichain replay ", "test": "antichain test --replay "} {
		t.Run(verb, func(t *testing.T) {
			w := newWorkspace(t, map[string]string{
				"go.mod": "module sends\n\ngo 1.26\n", "main.go": lateSend + "\nfunc main() { sends() }\n",
				"main_test.go": "package main\n\nimport \"testing\"\n\nfunc TestSends(*testing.T) { sends() }\n",
			})
			cmd := w.command("antichain", verb, "--explore", "100000", "--stop-at", "never", ".")
			screen := ptytest.Start(t, cmd)
			shown := screen.Await(", found: closed")
			if !regexp.MustCompile(`\r\x1b\[Krun [0-9]+[ ,]`).MatchString(shown) {
				t.Errorf("shown %q", shown)
			}
			screen.Type("\x03")
			rest := screen.Rest()
			ended := "; then it was interrupted, with "
			for _, want := range []string{"closed: violated (observed)\r\n", again, ended} {
				if !strings.Contains(rest, want) {
					t.Errorf("%q is not in %q", want, rest)
				}
			}
			if code := exitCodeOf(t, cmd); code != exit.Violated {
				t.Errorf("exit code %d after %q", code, rest)
			}
		})
	}
}

// lateSend has a send that comes before the close by a sleep.
const lateSend = `package main

import (
	"sync"
	"time"
)

func sends() {
	var mu sync.Mutex
	c, done := make(chan int, 1), make(chan bool)
	go func() {
		defer close(done)
		defer func() { recover() }()
		mu.Lock()
		c <- 1
		mu.Unlock()
	}()
	time.Sleep(20 * time.Millisecond)
	mu.Lock()
	close(c)
	mu.Unlock()
	<-done
}
`
