package ordertest

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestOrders counts the orders of programs for which they are known.
func TestOrders(t *testing.T) {
	section := []Op{{Kind: Lock}, {Kind: Write}, {Kind: Unlock}}
	for _, c := range []struct {
		name       string
		goroutines [][]Op
		want       int
	}{
		{"three that lock", [][]Op{section, section, section}, 6},
		{"two senders, one receiver", [][]Op{{{Kind: Receive}, {Kind: Receive}}, {{Kind: Send}}, {{Kind: Send}}}, 2},
		{"two senders with a buffer", [][]Op{{}, {{Kind: Send, On: 1}}, {{Kind: Send, On: 1}}}, 2},
		{"a writer and two readers", [][]Op{
			{{Kind: WriteLock}, {Kind: WriteUnlock}}, {{Kind: ReadLock}, {Kind: ReadUnlock}},
			{{Kind: ReadLock}, {Kind: ReadUnlock}},
		}, 4},
		{"either channel", [][]Op{{{Kind: Choose}, {Kind: Choose}}, {{Kind: Send}}, {{Kind: Send, On: 1}}}, 2},
		{"a lock if the message is odd", [][]Op{
			append([]Op{{Kind: Receive, On: 1}, {Kind: SkipIfEven, Skip: 3}}, section...),
			append([]Op{{Kind: Send, On: 1}}, section...),
		}, 1}, // its number is even
		{"locks in both orders", [][]Op{
			{{Kind: Lock}, {Kind: Lock, On: 1}, {Kind: Unlock, On: 1}, {Kind: Unlock}},
			{{Kind: Lock, On: 1}, {Kind: Lock}, {Kind: Unlock}, {Kind: Unlock, On: 1}},
		}, 0}, // they can wait for ever
	} {
		p := &Program{Goroutines: c.goroutines, Capacity: [channels]int{0, 2}}
		if got := len(p.Orders()); got != c.want {
			t.Errorf("%s: %d orders, want %d: %v", c.name, got, c.want, p.Orders())
		}
	}
}

// TestSource compares the orders of programs in Go with those in the language.
func TestSource(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	const n = 12
	dir, random := t.TempDir(), rand.New(rand.NewPCG(7, 7))
	var programs []*Program
	files := map[string]string{"go.mod": "module orders\n\ngo 1.25\n", "main.go": Main(n)}
	for i := range n {
		programs = append(programs, Draw(random, 24))
		files["program"+strconv.Itoa(i)+".go"] = programs[i].Source(i)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-o", "orders", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	seen := 0
	for i, p := range programs {
		file := filepath.Join(dir, "seen"+strconv.Itoa(i))
		walk := exec.Command("./orders", strconv.Itoa(i), file, "200")
		walk.Dir = dir
		if out, err := walk.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		known := p.Orders()
		for order := range strings.Lines(string(text)) {
			seen++
			if !known[strings.TrimSpace(order)] {
				t.Errorf("program %d has order %sthat it has not in the language: %v\n%s", i, order, known, p.Source(i))
			}
		}
	}
	if seen < 2*n {
		t.Errorf("only %d orders were seen", seen)
	}
}
