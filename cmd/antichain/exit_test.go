package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
)

// brokenWriter stands for a bug: it panics.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { panic("planted bug") }

// TestBug is the way of a panic: exit code 4 and how to report it.
func TestBug(t *testing.T) {
	var errs bytes.Buffer
	code := mainerr([]string{"version"}, terminal.Streams{In: strings.NewReader(""), Out: brokenWriter{}, Err: &errs})
	if code != exit.Bug {
		t.Errorf("exit code %d, want %d", code, exit.Bug)
	}
	for _, want := range []string{"planted bug", "brokenWriter", "github.com/antichain-go/antichain/issues", "go1."} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, &errs)
		}
	}
}
