package report

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck"
)

// A result of several runs says which of them show it, and how to repeat the reported one.
func TestOccurrence(t *testing.T) {
	for _, tt := range []struct {
		occurrence tlcheck.Occurrence
		text, json string
	}{
		{
			tlcheck.Occurrence{Runs: 51, Showing: 12, Observed: 2, Seed: 7, Run: "--seed 7",
				Again: "antichain run --seed 7 ./p"},
			"12 of 51 runs, observed in 2, first with --seed 7.\nShow it again:\n    antichain run --seed 7 ./p\n",
			`{"runs":51,"showing":12,"observed":2,"seed":7}`,
		},
		{
			tlcheck.Occurrence{Runs: 5, Showing: 2, Observed: 2, Yields: 4, Run: "--yields 4",
				Again: "antichain run --yields 4 ./p"},
			"2 of 5 runs, first with --yields 4.\nShow it again:\n    antichain run --yields 4 ./p\n",
			`{"runs":5,"showing":2,"observed":2,"yields":4}`,
		},
		{tlcheck.Occurrence{Runs: 2, Showing: 1}, "1 of 2 runs.\n", `{"runs":2,"showing":1,"observed":0}`},
	} {
		r := transfers().Assessment()
		r.Occurrence = &tt.occurrence
		var b strings.Builder
		if err := WriteText(&b, r, Style{Again: "antichain run ./p"}); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(b.String(), "\nFound in "+tt.text+"\n") {
			t.Errorf("%+v:\n%s", tt.occurrence, b.String())
		}
		first, _, _ := strings.Cut(tt.text, ".\n")
		if line := Line(r, Style{}); !strings.HasSuffix(line, " (in "+first+")") {
			t.Error(line)
		}
		if got, err := json.Marshal(NewBuiltinObject("", r, Source{}).Occurrence); err != nil || string(got) != tt.json {
			t.Errorf("%s, %v, want %s", got, err, tt.json)
		}
	}
}
