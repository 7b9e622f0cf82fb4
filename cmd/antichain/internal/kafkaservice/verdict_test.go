package kafkaservice

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/report"
)

// TestShort has verdicts in which each part that a run determines is too long for a record.
func TestShort(t *testing.T) {
	long := strings.Repeat("\x01<é", maxVerdict)
	for _, v := range []*verdict{
		{Error: &long, Object: &report.Object{Verdict: verdictError}},
		{Object: &report.Object{Covered: long, Caveat: long}},
		{Event: &report.Ref{Task: long, K: 7}, Object: &report.Object{Witness: &report.Witness{
			TIVA: map[string]string{"t": long}, Slice: map[string]int64{long: 1},
			Schedule: []report.Ref{{Task: long, K: 7}},
		}}},
	} {
		line := v.short().line()
		if len(line) > maxVerdict || !strings.Contains(string(line), `"left_out":"the `) ||
			!strings.Contains(string(line), `\u0001<é`) {
			t.Errorf("%d bytes: %.200s", len(line), line)
		}
	}
	if beginningOf("text") != "text" {
		t.Error("a short text is changed")
	}
}
