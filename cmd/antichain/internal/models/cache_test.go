package models

import (
	"errors"
	"testing"
)

func TestCache(t *testing.T) {
	var m Cache[int]
	made := 0
	of := func(text string, program bool, size int) int {
		got, err := m.Get(&Model{Text: []byte(text), Program: program}, func() (int, int, error) {
			made++
			return made, size, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	steps := []struct {
		text    string
		program bool
		size    int
		want    int
	}{
		{"", false, 1, 1}, {"", false, 1, 1}, {"a", false, 1, 2}, {"a", true, 1, 3}, {"a", false, 1, 2},
		{"", false, 1, 1},
		// the values before b are dropped, and then b
		{"b", false, maxCached, 4}, {"b", false, 1, 4}, {"a", false, 1, 5},
	}
	for _, s := range steps {
		if got := of(s.text, s.program, s.size); got != s.want {
			t.Fatalf("%q: %d, want %d", s.text, got, s.want)
		}
	}
	wrong := errors.New("wrong")
	if _, err := m.Get(&Model{Text: []byte("c")}, func() (int, int, error) { return 0, 0, wrong }); err != wrong {
		t.Errorf("error %v", err)
	}
	if got := of("c", false, 1); got != 6 {
		t.Errorf("what could not be made is remembered as %d", got)
	}
	m.Grown(maxCached / 2)
	if got := of("c", false, 1); got != 6 {
		t.Errorf("what has grown a little was forgotten: %d", got)
	}
	m.Grown(maxCached)
	if got := of("c", false, 1); got != 7 {
		t.Errorf("what has grown too much was not forgotten: %d", got)
	}
}
