package main

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// A test binary that was killed has not checked anything, but it has run.
func TestConcludeStopped(t *testing.T) {
	var said strings.Builder
	all := summarise(&said, []testResult{{Package: "example.org/slow"}}, 1)
	if err := all.Conclude(&said, "go test", []builtin.Property{builtin.Stuck}); err != exit.Code(1) {
		t.Error(err)
	}
	if s := said.String(); !strings.Contains(s, "example.org/slow: the check was stopped") || strings.Contains(s, "nothing was checked") {
		t.Errorf("said:\n%s", s)
	}
}
