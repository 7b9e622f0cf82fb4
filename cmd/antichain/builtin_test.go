package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

func TestBuiltinFlag(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []builtin.Property
		fail string // part of the error
	}{
		{"all", findings.Known, ""},
		{"none", nil, ""},
		{"stuck", []builtin.Property{builtin.Stuck}, ""},
		{"stuck, deadlock,stuck", []builtin.Property{builtin.Deadlock, builtin.Stuck}, ""}, // in the usual order
		{"stuck,", nil, `no built-in property "": there are deadlock, stuck, `},
		{"deadlok", nil, `no built-in property "deadlok": there are deadlock, stuck, `},
		{"stuck,none", nil, "or all or none"},
		{"", nil, "or all or none"},
	} {
		f := findings.Usual()
		err := f.Set(tt.text)
		if tt.fail != "" {
			if err == nil || !strings.Contains(err.Error(), tt.fail) {
				t.Errorf("%q: error %v, want %s", tt.text, err, tt.fail)
			}
			continue
		}
		if err != nil || !slices.Equal(f, tt.want) {
			t.Errorf("%q: %v, %v", tt.text, f, err)
		}
		again := findings.Flag{}
		if err := again.Set(f.String()); err != nil || !slices.Equal(again, f) {
			t.Errorf("%v, printed as %s, is %v: %v", f, f.String(), again, err)
		}
	}
}

// What costs much is not checked unless it is asked for.
func TestUsualBuiltins(t *testing.T) {
	usual := findings.Usual()
	for _, p := range findings.Known {
		if slices.Contains(usual, p) == slices.Contains(findings.Expensive, p) {
			t.Errorf("%s: usual %v, expensive %v", p, usual, findings.Expensive)
		}
	}
}

func TestBuiltinOutcome(t *testing.T) {
	on := []builtin.Property{builtin.Deadlock, builtin.Stuck}
	off := "; off: " + strings.Join(findings.Names(findings.Without(findings.Known, on)), ", ")
	violated := findings.Outcome{On: on, Violated: []builtin.Property{builtin.Stuck}, Runs: 1}
	var two findings.Outcome
	for _, one := range []*findings.Outcome{{On: on, Runs: 1}, {On: on, Unknown: "records are missing"}, &violated, {}} {
		two.Include(one)
	}
	for _, tt := range []struct {
		name    string
		outcome findings.Outcome
		want    string
	}{
		{"nothing was checked", findings.Outcome{}, ""},
		{"no violation", findings.Outcome{On: on, Runs: 1}, "no violation (deadlock, stuck" + off + ")"},
		{"several", findings.Outcome{On: on, Runs: 3}, "no violation in 3 test binaries (deadlock, stuck" + off + ")"},
		{"everything", findings.Outcome{On: findings.Known, Runs: 1}, "no violation (" + strings.Join(findings.Names(findings.Known), ", ") + ")"},
		{"one is violated", violated, "no other violation (deadlock" + off + ")"},
		{"all are violated", findings.Outcome{On: on, Violated: on, Runs: 1}, ""},
		{"unknown", findings.Outcome{On: on, Unknown: "records are missing"}, "unknown: records are missing (deadlock, stuck" + off + ")"},
		{"of several", two, "no other violation in 2 test binaries (deadlock" + off + ")"},
		{"all unknown, said of each", findings.Outcome{On: on}, ""},
	} {
		want := tt.want
		if want != "" {
			want = "built-in properties: " + want + "\n"
		}
		if got := tt.outcome.Summary(); got != want {
			t.Errorf("%s: %q, want %q", tt.name, got, want)
		}
	}
}
