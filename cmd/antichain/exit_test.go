package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// TestConclusion is the table of exit codes of run and test.
func TestConclusion(t *testing.T) {
	on := []builtin.Property{builtin.Deadlock, builtin.Stuck}
	found := findings.Outcome{On: on, Violated: on[:1], Runs: 1}
	tests := []struct {
		name string
		c    conclusion
		code int
		why  string
	}{
		{"all well", conclusion{Checked: true}, 0, "every property holds"},
		{"nothing checked", conclusion{}, 0, "the program's own"},
		{"violated", conclusion{Checked: true, Violated: true}, 1, "antichain's"},
		{"violated and the program failed", conclusion{Checked: true, Violated: true, Code: 7}, 1, "antichain's"},
		{"violated, a broken trace and unknown", conclusion{Checked: true, Violated: true, Failed: true, Unknown: true}, 1, "antichain's"},
		{"the program failed", conclusion{Checked: true, Code: 7}, 7, "the program's own"},
		{"killed", conclusion{Checked: true, Code: 137}, 137, "the program's own"},
		{"the program failed and the trace is broken", conclusion{Checked: true, Code: 7, Failed: true}, 7, "the program's own"},
		{"broken trace", conclusion{Checked: true, Failed: true}, 2, "antichain's"},
		{"broken trace and unknown", conclusion{Checked: true, Failed: true, Unknown: true}, 2, "antichain's"},
		{"unknown", conclusion{Checked: true, Unknown: true}, 3, "antichain's"},
		{"no finding", conclusion{Builtins: findings.Outcome{On: on, Runs: 1}}, 0, "the program's own, and no built-in property is violated"},
		{"no finding, and a specification holds", conclusion{Checked: true, Builtins: findings.Outcome{On: on, Runs: 1}}, 0, "every property holds"},
		{"no finding, and the program failed", conclusion{Builtins: findings.Outcome{On: on, Runs: 1}, Code: 7}, 7, "the program's own"},
		{"a finding", conclusion{Builtins: found, Code: 7, Failed: true, Unknown: true}, 1, "antichain's: a built-in property is violated"},
		{"a finding and a violation", conclusion{Checked: true, Violated: true, Builtins: found}, 1, "antichain's: a property is violated"},
		{"built-in properties unknown", conclusion{Checked: true, Builtins: findings.Outcome{On: on, Unknown: "lost"}}, 3, "antichain's: a verdict is unknown"},
		{"a bug", conclusion{Checked: true, Violated: true, Code: 7, Bug: true}, 4, "antichain's"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			code, why := test.c.exit("the program")
			if code != test.code || !strings.Contains(why, test.why) {
				t.Errorf("exit code %d, %s; want %d, %s", code, why, test.code, test.why)
			}
		})
	}
}

// TestOutcomes is the table of exit codes of check.
func TestOutcomes(t *testing.T) {
	tests := []struct {
		o    exit.Outcomes
		code int
	}{
		{exit.Outcomes{}, 0},
		{exit.Outcomes{Unknown: true}, 3},
		{exit.Outcomes{Failed: true}, 2},
		{exit.Outcomes{Failed: true, Unknown: true}, 2},
		{exit.Outcomes{Violated: true, Failed: true, Unknown: true}, 1},
	}
	for _, test := range tests {
		if code := test.o.Code(); code != test.code {
			t.Errorf("%+v: exit code %d, want %d", test.o, code, test.code)
		}
	}
}

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

// A test binary that was killed has not checked anything, but it has run.
func TestConcludeStopped(t *testing.T) {
	var said strings.Builder
	all := summarise(&said, []testResult{{Package: "example.org/slow"}}, 1)
	if err := all.conclude(&said, "go test", []builtin.Property{builtin.Stuck}); err != exit.Code(1) {
		t.Error(err)
	}
	if s := said.String(); !strings.Contains(s, "example.org/slow: the check was stopped") || strings.Contains(s, "nothing was checked") {
		t.Errorf("said:\n%s", s)
	}
}
