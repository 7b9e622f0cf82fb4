package exploration

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/orders"
	"github.com/antichain-go/antichain/internal/unfolding"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// TestOrdersText checks when an exploration says that it is complete.
func TestOrdersText(t *testing.T) {
	for _, test := range []struct {
		name   string
		counts unfolding.Counts
		unkept int
		doubt  string
		want   string
	}{
		{"all", unfolding.Counts{Orders: 6, Estimate: 6}, 0, "",
			"all 6 orders of its operations on channels, locks and wait groups were run: complete on this input, "},
		{"a doubt", unfolding.Counts{Orders: 1, Estimate: 1}, 0, "timers",
			"not complete: 1 order of its operations was run, and there may be others: the program has timers"},
		{"stopped", unfolding.Counts{Orders: 2, Bound: "stop", Left: 1, Estimate: 7}, 0, "",
			"not complete: 2 orders of its operations were run; at least 1 more is left, by an estimate some 5"},
		{"diverged", unfolding.Counts{Orders: 2, Diverged: 1, Left: 3, Estimate: 5}, 0, "Cond",
			"not complete: 2 orders of its operations were run; at least 3 more are left, by an estimate some 3; " +
				"the program did not keep 1 order that it was asked for; it has Cond"},
		{"not kept", unfolding.Counts{Orders: 4, Estimate: 4}, 2, "",
			"not complete: 2 orders of its operations were run; at least 2 more are left, by an estimate some 2; " +
				"the program did not keep 2 orders that it was asked for"},
	} {
		a := &allOrders{
			x: &exploration{plan: &Plan{}}, numbers: orders.NewNumbers(), counts: test.counts, unkept: test.unkept,
		}
		if test.doubt != "" {
			a.numbers.Doubt(test.doubt)
		}
		if got := a.text(); got != test.want && (test.name != "all" || !strings.HasPrefix(got, test.want)) {
			t.Errorf("%s: %s\nwant %s", test.name, got, test.want)
		}
	}
}

// TestOrdersRace checks that it is said if data races were not looked for.
func TestOrdersRace(t *testing.T) {
	a := &allOrders{
		x: &exploration{plan: &Plan{}}, numbers: orders.NewNumbers(), counts: unfolding.Counts{Orders: 1, Estimate: 1},
	}
	if got := a.text(); !strings.Contains(got, "a data race (not checked: add --builtin race)") {
		t.Error(got)
	}
	a.x.plan.Builtins = []builtin.Property{builtin.Race}
	if got := a.text(); strings.Contains(got, "--builtin") {
		t.Error(got)
	}
}

func TestTimes(t *testing.T) {
	var e Extent
	times := Times{&e}
	for text, want := range map[string]Extent{"7": {Explore: 7}, "all": {All: true}, "0": {}} {
		e = Extent{Explore: 3, All: true}
		if err := times.Set(text); err != nil || e != want || times.String() != text {
			t.Errorf("%s is %+v, %s, %v", text, e, times, err)
		}
	}
	for _, text := range []string{"some", ""} {
		if times.Set(text) == nil {
			t.Errorf("%q is taken", text)
		}
	}
	if (Times{}).String() != "0" {
		t.Error("the zero value is not 0")
	}
}
