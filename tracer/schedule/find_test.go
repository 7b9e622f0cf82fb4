package schedule

import (
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
		{"gone", line("m.go:6", "main.first", "other.Lock()"), "", `m.go:6: main.first has no line "other.Lock()" any more`},
		{"unknown text", line("m.go:60", "main.first", ""), "m.go:60", ""},
		{"unknown source", line("n.go:6", "main.first", "x"), "n.go:6", ""},
	} {
		s := &Schedule{Steps: []Step{{Goroutine: "main", Nth: 1, Line: tt.line}}}
		changes := s.Find(func(at string) ([]byte, int, bool) {
			file, n, _ := strings.Cut(at, ":")
			var number int
			for _, r := range n {
				number = 10*number + int(r-'0')
			}
			return []byte(source), number, file == "m.go"
		})
		at := ""
		if len(s.Steps) > 0 {
			at = s.Steps[0].At
		}
		if at != tt.at || strings.Join(changes, "; ") != tt.changesParts {
			t.Errorf("%s: %q, %q", tt.name, at, changes)
		}
	}
}
