package findings

import (
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/spf13/pflag"
)

func TestFlag(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []builtin.Property
		fail string // part of the error
	}{
		{"all", Known, ""},
		{"none", nil, ""},
		{"stuck", []builtin.Property{builtin.Stuck}, ""},
		{"stuck, deadlock,stuck", []builtin.Property{builtin.Deadlock, builtin.Stuck}, ""}, // in the usual order
		{"stuck,", nil, `no built-in property "": name some of deadlock, stuck, `},
		{"deadlok", nil, `no built-in property "deadlok" (did you mean "deadlock"?): name some of deadlock, stuck, `},
		{"stuck,none", nil, "or all or none"},
		{"", nil, "or all or none"},
	} {
		f := Usual()
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
		again := Flag{}
		if err := again.Set(f.String()); err != nil || !slices.Equal(again, f) {
			t.Errorf("%v, printed as %s, is %v: %v", f, f.String(), again, err)
		}
	}
}

// What costs much is not checked unless it is asked for.
func TestUsual(t *testing.T) {
	usual := Usual()
	for _, p := range Known {
		if slices.Contains(usual, p) == slices.Contains(Expensive, p) {
			t.Errorf("%s: usual %v, expensive %v", p, usual, Expensive)
		}
	}
}

func TestRegister(t *testing.T) {
	for _, test := range []struct {
		args []string
		want Flag
	}{{nil, Usual()}, {[]string{"--builtin", "stuck"}, Flag{builtin.Stuck}}, {[]string{"--builtin=none"}, nil}} {
		var f Flag
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		f.Register(flags)
		if err := flags.Parse(test.args); err != nil || !slices.Equal(f, test.want) {
			t.Errorf("%q: %v, %v, want %v", test.args, f, err, test.want)
		}
	}
}

func TestSummary(t *testing.T) {
	on := []builtin.Property{builtin.Deadlock, builtin.Stuck}
	off := "; off: " + strings.Join(Names(Without(Known, on)), ", ")
	violated := Summary{On: on, Violated: []builtin.Property{builtin.Stuck}, Runs: 1}
	var two Summary
	for _, one := range []*Summary{{On: on, Runs: 1}, {On: on, Unknown: "records are missing"}, &violated, {}} {
		two.Include("example.com/a", one)
	}
	one := Summary{On: on, UnknownIn: []string{"example.com/a"}}
	without := Summary{On: on, UnknownIn: []string{"example.com/a", "example.com/b"}}
	mixed := without
	mixed.Runs = 1
	for _, tt := range []struct {
		name    string
		summary Summary
		want    string
	}{
		{"nothing was checked", Summary{}, ""},
		{"no violation", Summary{On: on, Runs: 1}, "no violation (deadlock, stuck" + off + ")"},
		{"several", Summary{On: on, Runs: 3}, "no violation in 3 test binaries (deadlock, stuck" + off + ")"},
		{"everything", Summary{On: Known, Runs: 1}, "no violation (" + strings.Join(Names(Known), ", ") + ")"},
		{"the program has panicked", Summary{On: Known, Runs: 1, Panicked: true},
			"no violation (" + strings.Join(Names(Without(Known, []builtin.Property{builtin.Panic})), ", ") +
				"; left out: panic, since the program itself has crashed)"},
		{"the program has panicked, and panic is reported",
			Summary{On: Known, Runs: 1, Panicked: true, Violated: []builtin.Property{builtin.Panic}},
			"no other violation (" + strings.Join(Names(Without(Known, []builtin.Property{builtin.Panic})), ", ") + ")"},
		{"the program has panicked, and panic is off", Summary{On: on, Runs: 1, Panicked: true},
			"no violation (deadlock, stuck" + off + ")"},
		{"one is violated", violated, "no other violation (deadlock" + off + ")"},
		{"all are violated", Summary{On: on, Violated: on, Runs: 1}, ""},
		{"unknown", Summary{On: on, Unknown: "records are missing"}, "unknown: records are missing (deadlock, stuck" + off + ")"},
		{"of several", two, "no other violation in 2 test binaries; unknown in 1 test binary: example.com/a (deadlock" + off + ")"},
		{"most are unknown", mixed, "no violation in 1 test binary; unknown in 2 test binaries: example.com/a, example.com/b (deadlock, stuck" + off + ")"},
		{"several, all unknown", without, "unknown in 2 test binaries: example.com/a, example.com/b (deadlock, stuck" + off + ")"},
		{"the only one is unknown, as was said", one, ""},
		{"all unknown, said of each", Summary{On: on}, ""},
	} {
		want := tt.want
		if want != "" {
			want = "built-in properties: " + want + "\n"
		}
		if got := tt.summary.Text(); got != want {
			t.Errorf("%s: %q, want %q", tt.name, got, want)
		}
	}
}
