package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/builtin"
)

func TestBuiltinFlag(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []builtin.Property
		fail string // part of the error
	}{
		{"all", known, ""},
		{"none", nil, ""},
		{"stuck", []builtin.Property{builtin.Stuck}, ""},
		{"stuck, deadlock,stuck", []builtin.Property{builtin.Deadlock, builtin.Stuck}, ""}, // in the usual order
		{"stuck,", nil, `no built-in property "": there are deadlock, stuck, `},
		{"deadlok", nil, `no built-in property "deadlok": there are deadlock, stuck, `},
		{"stuck,none", nil, "or all or none"},
		{"", nil, "or all or none"},
	} {
		f := usualBuiltins()
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
		again := builtinFlag{}
		if err := again.Set(f.String()); err != nil || !slices.Equal(again, f) {
			t.Errorf("%v, printed as %s, is %v: %v", f, f.String(), again, err)
		}
	}
}

// What costs much is not checked unless it is asked for.
func TestUsualBuiltins(t *testing.T) {
	usual := usualBuiltins()
	for _, p := range known {
		if slices.Contains(usual, p) == slices.Contains(expensive, p) {
			t.Errorf("%s: usual %v, expensive %v", p, usual, expensive)
		}
	}
}

func TestBuiltinOutcome(t *testing.T) {
	on := []builtin.Property{builtin.Deadlock, builtin.Stuck}
	off := "; off: " + strings.Join(names(without(known, on)), ", ")
	violated := builtinOutcome{On: on, Violated: []builtin.Property{builtin.Stuck}, Runs: 1}
	var two builtinOutcome
	for _, one := range []*builtinOutcome{{On: on, Runs: 1}, {On: on, Unknown: "records are missing"}, &violated, {}} {
		two.include(one)
	}
	for _, tt := range []struct {
		name    string
		outcome builtinOutcome
		want    string
	}{
		{"nothing was checked", builtinOutcome{}, ""},
		{"no violation", builtinOutcome{On: on, Runs: 1}, "no violation (deadlock, stuck" + off + ")"},
		{"several", builtinOutcome{On: on, Runs: 3}, "no violation in 3 test binaries (deadlock, stuck" + off + ")"},
		{"everything", builtinOutcome{On: known, Runs: 1}, "no violation (" + strings.Join(names(known), ", ") + ")"},
		{"one is violated", violated, "no other violation (deadlock" + off + ")"},
		{"all are violated", builtinOutcome{On: on, Violated: on, Runs: 1}, ""},
		{"unknown", builtinOutcome{On: on, Unknown: "records are missing"}, "unknown: records are missing (deadlock, stuck" + off + ")"},
		{"of several", two, "no other violation in 2 test binaries (deadlock" + off + ")"},
		{"all unknown, said of each", builtinOutcome{On: on}, ""},
	} {
		want := tt.want
		if want != "" {
			want = "built-in properties: " + want + "\n"
		}
		if got := tt.outcome.say(); got != want {
			t.Errorf("%s: %q, want %q", tt.name, got, want)
		}
	}
}
