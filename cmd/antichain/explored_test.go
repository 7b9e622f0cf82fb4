//go:build linux && (amd64 || arm64)

package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/internal/ordertest"
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

// The orders that --explore all runs are those that trying all interleavings shows.
func TestExploreAllOrders(t *testing.T) {
	t.Parallel()
	const n = 4
	files := map[string]string{"go.mod": "module orders\n\ngo 1.26\n", "main.go": ordertest.Main(n)}
	var programs []*ordertest.Program
	random := rand.New(rand.NewPCG(4, 0))
	for i := range n {
		p := ordertest.Draw(random, 12)
		programs = append(programs, p)
		files[fmt.Sprintf("program%d.go", i)] = p.Source(i)
	}
	w := newWorkspace(t, files)
	for i, p := range programs {
		cmd := w.command("antichain", "run", "--explore", "all", "--stop-at", "never", ".",
			strconv.Itoa(i), w.path("explored"))
		said, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		text, err := os.ReadFile(w.path("explored"))
		if err != nil {
			t.Fatal(err)
		}
		w.remove("explored")
		explored := make(map[string]bool)
		for order := range strings.Lines(string(text)) {
			explored[strings.TrimSpace(order)] = true
		}
		known := p.Orders()
		if !maps.Equal(explored, known) {
			t.Errorf("orders %v, want %v: %s\n%s", explored, known, said, p.Source(i))
		}
		words := fmt.Sprintf("antichain: all %d orders of its operations ", len(known))
		if isComplete := strings.Contains(string(said), words); isComplete == p.Has(ordertest.AddToAtomic) {
			t.Errorf("%q is wrong: %s\n%s", words, said, p.Source(i))
		}
	}
}
