package execution

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// TestConclusion is the table of exit codes of run and test.
func TestConclusion(t *testing.T) {
	on := []builtin.Property{builtin.Deadlock, builtin.Stuck}
	found := findings.Summary{On: on, Violated: on[:1], Runs: 1}
	tests := []struct {
		name string
		c    Conclusion
		code int
		why  string
	}{
		{"all well", Conclusion{Checked: true}, 0, "every property holds"},
		{"nothing checked", Conclusion{}, 0, "the program's own"},
		{"violated", Conclusion{Checked: true, Outcomes: exit.Outcomes{Violated: true}}, 1, "antichain's"},
		{"violated and the program failed", Conclusion{Checked: true, Outcomes: exit.Outcomes{Violated: true}, Code: 7}, 1, "antichain's"},
		{"violated, a broken trace and unknown", Conclusion{Checked: true, Outcomes: exit.Outcomes{Violated: true, Failed: true, Unknown: true}}, 1, "antichain's"},
		{"the program failed", Conclusion{Checked: true, Code: 7}, 7, "the program's own"},
		{"killed", Conclusion{Checked: true, Code: 137}, 137, "the program's own"},
		{"the program failed and the trace is broken", Conclusion{Checked: true, Code: 7, Outcomes: exit.Outcomes{Failed: true}}, 7, "the program's own"},
		{"broken trace", Conclusion{Checked: true, Outcomes: exit.Outcomes{Failed: true}}, 2, "antichain's"},
		{"broken trace and unknown", Conclusion{Checked: true, Outcomes: exit.Outcomes{Failed: true, Unknown: true}}, 2, "antichain's"},
		{"unknown", Conclusion{Checked: true, Outcomes: exit.Outcomes{Unknown: true}}, 3, "antichain's"},
		{"no finding", Conclusion{Builtins: findings.Summary{On: on, Runs: 1}}, 0, "the program's own, and no built-in property is violated"},
		{"no finding, and a specification holds", Conclusion{Checked: true, Builtins: findings.Summary{On: on, Runs: 1}}, 0, "every property holds"},
		{"no finding, and the program failed", Conclusion{Builtins: findings.Summary{On: on, Runs: 1}, Code: 7}, 7, "the program's own"},
		{"a finding", Conclusion{Builtins: found, Code: 7, Outcomes: exit.Outcomes{BuiltinViolated: true, Failed: true, Unknown: true}}, 1, "antichain's: a built-in property is violated"},
		{"a finding and a violation", Conclusion{Checked: true, Outcomes: exit.Outcomes{Violated: true, BuiltinViolated: true}, Builtins: found}, 1, "antichain's: a property is violated"},
		{"built-in properties unknown", Conclusion{Checked: true, Outcomes: exit.Outcomes{Unknown: true}, Builtins: findings.Summary{On: on, Unknown: "lost"}}, 3, "antichain's: a verdict is unknown"},
		{"a bug", Conclusion{Checked: true, Code: 7, Outcomes: exit.Outcomes{Violated: true, Bug: true}}, 4, "antichain's"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			code, why := test.c.exitCode("the program")
			if code != test.code || !strings.Contains(why, test.why) {
				t.Errorf("exit code %d, %s; want %d, %s", code, why, test.code, test.why)
			}
		})
	}
}

// What was not looked at is told with the flag that does.
func TestLeft(t *testing.T) {
	usual := findings.Usual()
	for _, tt := range []struct {
		scope Scope
		want  string
	}{
		{Scope{Builtins: usual, CanExplore: true},
			"copy, race (add --builtin all); other schedules (add --explore 50)"},
		{Scope{Builtins: usual}, "copy, race (add --builtin all)"},
		{Scope{Builtins: findings.Known, CanExplore: true}, "other schedules (add --explore 50)"},
		{Scope{Builtins: usual[:1]}, "other built-in properties (add --builtin all)"},
		{Scope{Builtins: findings.Without(findings.Known, []builtin.Property{builtin.Leak})}, ""},
		{Scope{Builtins: findings.Known, Silent: []string{"a.b/c"}, CanExplore: true},
			"accesses to memory in a.b/c (add --race-in all); other schedules (add --explore 50)"},
		{Scope{Builtins: findings.Known, Silent: []string{"a", "b", "c", "d"}},
			"accesses to memory in a, b and 2 other packages (add --race-in all)"},
	} {
		if got := tt.scope.unexamined(); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}
