package execution

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// A plan is checked with what it names: its properties, logic and limits.
func TestChecker(t *testing.T) {
	from := specfile.Source{Formulas: []string{"t:(not in.f)", "t:(not in.g)"}}
	s, err := from.Parse()
	if err != nil {
		t.Fatal(err)
	}
	p := &Plan{Specification: s, Check: check.Settings{
		Options:        tlcheck.Options{Logic: lsl.Frey96, Time: time.Minute, Memory: 1 << 30, Last: true},
		ViolationFlags: check.ViolationFlags{All: true}, JSON: true,
	}}
	c := p.Checker(io.Discard)
	if len(c.Properties) != 2 || c.Properties[1].Name != "-e 2" || !c.JSON || !c.All || c.Count {
		t.Errorf("%+v", c)
	}
	if o := c.Options; o.Logic != lsl.Frey96 || o.Time != time.Minute || o.Memory != 1<<30 || !o.Last {
		t.Errorf("%+v", o)
	}
}

// A file that is no traced binary is not run.
func TestTraceOfNoBinary(t *testing.T) {
	if _, err := new(Plan).Trace(t.Context(), "plan_test.go", nil, terminal.Streams{}, io.Discard); err == nil || !strings.Contains(err.Error(), "plan_test.go") {
		t.Error(err)
	}
}

// The command that repeats a run names its schedule, or the file that has it.
func TestRunAgain(t *testing.T) {
	const run = "antichain run ./p"
	for _, tt := range []struct {
		again string
		Steering
		want string
	}{
		{run, Steering{}, run},
		{run, Steering{Yields: 3}, "antichain run --yields 3 ./p"},
		{run, Steering{Yields: 3, Seed: 4}, "antichain run --seed 4 ./p"},
		{run, Steering{Yields: 3, Replay: "p.schedule"}, "antichain replay p.schedule ./p"},
		{"antichain test ./p", Steering{Replay: "p.schedule"}, "antichain test --replay p.schedule ./p"},
		{"", Steering{Yields: 3}, ""},
	} {
		p := &Plan{Check: check.Settings{Style: report.Style{Again: tt.again}}, Steering: tt.Steering}
		if got := p.RunAgain(); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}
