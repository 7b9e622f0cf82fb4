package schedule

import (
	"maps"
	"slices"
	"strings"
	"testing"
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
		{"in another function it is another line", line("m.go:6", "main.(*shop).second", "mu.Lock()"), "m.go:12", "m.go:6 is m.go:12 now"},
		{"the nearest", line("m.go:15", "main.(*shop).second", "mu.Lock()"), "m.go:14", "m.go:15 is m.go:14 now"},
		{"in a literal", line("m.go:9", "main.(*shop).second.func1", "mu.Lock()"), "m.go:12", "m.go:9 is m.go:12 now"},
		{"the function is gone", line("m.go:7", "main.third", "mu.Unlock()"), "m.go:7", ""},
		{"with a comment", line("m.go:6", "main.first", "mu.Lock() // first"), "m.go:6", ""},
		{"renamed", line("m.go:5", "main.first", "lock.Lock()"), "m.go:6", "m.go:5 is m.go:6 now"},
		{"in another file", line("m.go:3", "main.other", "mu.Lock()"), "o.go:4", "m.go:3 is o.go:4 now"},
		{"its file is gone", line("old.go:3", "main.other", "mu.Lock()"), "o.go:4", "old.go:3 is o.go:4 now"},
		{"renamed in a renamed function", line("m.go:1", "main.third", "lock.Lock()"), "", `m.go:1: main.third has no line "lock.Lock()" any more`},
		{"gone", line("m.go:6", "main.first", "other.RLock()"), "", `m.go:6: main.first has no line "other.RLock()" any more`},
		{"unknown text", line("m.go:60", "main.first", ""), "m.go:60", ""},
		{"unknown source", line("elsewhere/n.go:6", "main.first", "x"), "elsewhere/n.go:6", ""},
	} {
		s := &Schedule{Steps: []Step{{Goroutine: "main", Nth: 1, Line: tt.line}}}
		changes := s.Find(sources{"m.go": source, "o.go": "package main\n\nfunc other(mu *sync.Mutex) {\n\tmu.Lock()\n}\n"})
		at := ""
		if len(s.Steps) > 0 {
			at = s.Steps[0].At
		}
		if at != tt.at || strings.Join(changes, "; ") != tt.changesParts {
			t.Errorf("%s: %q, %q", tt.name, at, changes)
		}
	}
}

// Where as many lines look alike as the schedule has, they are in their order.
func TestFindInOrder(t *testing.T) {
	s := &Schedule{Steps: []Step{
		{Goroutine: "main.1", Nth: 1, Line: Line{"m.go:2", "main.f", "b.Lock()"}},
		{Goroutine: "main", Nth: 1, Line: Line{"m.go:1", "main.f", "a.Lock()"}},
	}}
	changes := s.Find(sources{"m.go": "package main\n\nfunc f() {\n\tprintln()\n\tx.Lock()\n\ty.Lock()\n}\n"})
	if len(s.Steps) != 2 || s.Steps[0].At != "m.go:6" || s.Steps[1].At != "m.go:5" {
		t.Errorf("steps %+v, changes %q", s.Steps, changes)
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
