package report

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

// orderText is an order in words: the heads of its columns, and the steps.
func orderText(o *Order) string {
	var b strings.Builder
	for _, t := range o.Tasks {
		b.WriteString(t.Title + " (" + t.Precise + ") ")
	}
	for _, s := range o.Steps {
		for _, c := range s.Cells {
			b.WriteString("| " + o.Tasks[c.Column].Title + ": " + c.Text + " " + c.At)
		}
	}
	return b.String()
}

// A finding without a schedule has an order of what its goroutines did last, behind the go
// statements that started them. Who is looked at first is who fails.
func TestOrderOfPast(t *testing.T) {
	for name, test := range map[string]struct {
		past []op.Step
		want string
	}{
		"known": {
			[]op.Step{
				{Task: 0, Other: 1, Kind: op.Go, At: 1},
				{Task: 1, Kind: op.Lock, Object: 1, At: 4},
				{Task: 1, Kind: op.Block, Object: 2, At: 3},
				{Task: 2, Kind: op.End},
			},
			"main () bank.transfer (main.1) bank.transfer #2 (main.2) " +
				"| main: go bank.transfer #2 bank/bank.go:2| main: go bank.transfer bank/bank.go:1" +
				"| bank.transfer: lock mutex 1 bank/bank.go:4| bank.transfer: waits to send bank/bank.go:3" +
				"| bank.transfer #2: end ",
		},
		"of the parties alone": {
			nil,
			"main () bank.transfer (main.1) bank.transfer #2 (main.2) " +
				"| main: go bank.transfer bank/bank.go:1| main: go bank.transfer #2 bank/bank.go:2" +
				"| bank.transfer #2: has closed mutex 1 bank/bank.go:4| bank.transfer: lock mutex 1 bank/bank.go:4" +
				"| bank.transfer: waits to send bank/bank.go:3",
		},
	} {
		r := transfers()
		r.Names = named{}
		f := r.Finding
		f.How, f.Schedule, f.Past = builtin.Observed, nil, test.past
		f.Parties = []builtin.Party{
			{Task: 1, Kind: op.Send, At: 3, Does: "waits for ever to send",
				Holds: []builtin.HeldLock{{Object: 1, Kind: op.Lock, At: 4}}},
			{Task: 2, Kind: op.Close, At: 4, Object: 1, Does: "has closed mutex 1"},
		}
		o := OrderOf(r, Source{})
		if got := orderText(o); got != test.want {
			t.Errorf("%s: %s\nwant %s", name, got, test.want)
		}
		if o.Focus != 1 || !strings.HasPrefix(o.Lead, "It happened in this run. ") {
			t.Errorf("%s: column %d is looked at first, under %q", name, o.Focus, o.Lead)
		}
	}
}

// The command that shows a finding again is that of the attempt in which it happened, or of the
// run.
func TestAgain(t *testing.T) {
	r := transfers()
	if got := Again(r, Style{Again: "antichain run ."}); got != "antichain run ." {
		t.Error(got)
	}
	r.Finding = nil
	if got := Again(r, Style{Again: "antichain run ."}); got != "" {
		t.Errorf("without evidence %q", got)
	}
}
