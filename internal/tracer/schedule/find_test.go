package schedule

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
)

const source = `package main

import "sync"

func first(mu *sync.Mutex) {
	mu.Lock()
	mu.Unlock()
}

func (s *shop[T]) second(mu *sync.Mutex) {
	go func() {
		mu.Lock()
	}()
	mu.Lock()
}
`

// Lines are found again where they have moved to, in their function.
func TestFind(t *testing.T) {
	line := func(at, function, text string) Line { return Line{At: at, Function: function, Text: text} }
	for _, tt := range []struct {
		name         string
		line         Line
		at           string // "": gone
		changesParts string
	}{
		{"as it was", line("m.go:6", "main.first", "mu.Lock()"), "m.go:6", ""},
		{"moved down", line("m.go:5", "main.first", "mu.Lock()"), "m.go:6", "m.go:5 is m.go:6 now"},
		{"in another function it is another line", line("m.go:6", "main.(*shop).second", "mu.Lock()"), "m.go:12",
			"m.go:6 is m.go:12 now"},
		{"the nearest", line("m.go:15", "main.(*shop).second", "mu.Lock()"), "m.go:14", "m.go:15 is m.go:14 now"},
		{"in a literal", line("m.go:9", "main.(*shop).second.func1", "mu.Lock()"), "m.go:12", "m.go:9 is m.go:12 now"},
		{"the function is gone", line("m.go:7", "main.third", "mu.Unlock()"), "m.go:7", ""},
		{"with a comment", line("m.go:6", "main.first", "mu.Lock() // first"), "m.go:6", ""},
		{"renamed", line("m.go:5", "main.first", "lock.Lock()"), "m.go:6", "m.go:5 is m.go:6 now"},
		{"in another file", line("m.go:3", "main.other", "mu.Lock()"), "o.go:4", "m.go:3 is o.go:4 now"},
		{"its file is gone", line("old.go:3", "main.other", "mu.Lock()"), "o.go:4", "old.go:3 is o.go:4 now"},
		{"renamed in a renamed function", line("m.go:1", "main.third", "lock.Lock()"), "",
			`m.go:1: main.third has no line "lock.Lock()" any more`},
		{"gone", line("m.go:6", "main.first", "other.RLock()"), "",
			`m.go:6: main.first has no line "other.RLock()" any more`},
		{"unknown text", line("m.go:60", "main.first", ""), "m.go:60", ""},
		{"unknown source", line("elsewhere/n.go:6", "main.first", "x"), "elsewhere/n.go:6", ""},
	} {
		s := &Schedule{Steps: []Step{{Goroutine: "main", Nth: 1, Line: tt.line}}}
		changes := s.Find(sources{"m.go": source,
			"o.go": "package main\n\nfunc other(mu *sync.Mutex) {\n\tmu.Lock()\n}\n"})
		at := ""
		if len(s.Steps) > 0 {
			at = s.Steps[0].At
		}
		if at != tt.at || strings.Join(changes, "; ") != tt.changesParts {
			t.Errorf("%s: %q, %q", tt.name, at, changes)
		}
	}
}

// Of lines that look alike but for names it is said which one is meant.
func TestFindAlike(t *testing.T) {
	const before = "package main\n\nfunc f() {\n\ta.Lock()\n\tb.Lock()\n\ta.Lock()\n}\n"
	for _, tt := range []struct {
		name, now string
		line      int
		at        string
	}{
		{"moved", "package main\n\nfunc f() {\n\tprintln()\n\tprintln()\n\ta.Lock()\n\tb.Lock()\n\ta.Lock()\n}\n", 6,
			"m.go:8"},
		{"renamed", "package main\n\nfunc f() {\n\tprintln()\n\tx.Lock()\n\ty.Lock()\n\tx.Lock()\n}\n", 5, "m.go:6"},
		{"one is no more", "package main\n\nfunc f() {\n\tx.Lock()\n\ty.Lock()\n}\n", 5, ""},
		{"of other text", "package main\n\nfunc f() {\n\tb.Lock()\n\ta.Lock()\n\ta.Lock()\n}\n", 4, "m.go:5"},
	} {
		line := LineAt(fmt.Sprint("m.go:", tt.line), "main.f", sources{"m.go": before}.File)
		s := &Schedule{Keep: Keep{Patience: 1}, Steps: []Step{{Goroutine: "main", Kind: op.Lock, Nth: 1, Line: line}}}
		s, err := Parse(strings.NewReader(s.String()))
		if err != nil {
			t.Fatal(err)
		}
		changes := s.Find(sources{"m.go": tt.now})
		at := ""
		if len(s.Steps) > 0 {
			at = s.Steps[0].At
		}
		if at != tt.at {
			t.Errorf("%s: it is at %q, want %q; changes %q", tt.name, at, tt.at, changes)
		}
	}
}

// sources are files by their names.
type sources map[string]string

func (s sources) File(at string) (src []byte, line int, ok bool) {
	name, line, _ := cutPlace(at)
	text, ok := s[name]
	return []byte(text), line, ok
}

func (s sources) Beside(at string) []string {
	if strings.Contains(at, "/") {
		return nil
	}
	return slices.Sorted(maps.Keys(s))
}
