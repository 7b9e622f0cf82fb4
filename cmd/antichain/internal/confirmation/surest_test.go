package confirmation

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// A schedule is kept so that it happens again each time, if it can be.
func TestSurest(t *testing.T) {
	// three of the four steps are not enough, which takes one run
	yes, no := attempt(4, abba(builtin.Observed)), attempt(3)
	for _, tt := range []struct {
		name     string
		attempts []*Attempt
		runs     int
		keep     string
		detail   string
	}{
		{"at once", []*Attempt{yes, yes, yes, yes, yes, yes, no}, 6 + 1, "keep by number patience 1s", ""},
		{"in another way", []*Attempt{yes, yes, yes, no, yes, yes, yes, yes, yes, no}, 9 + 1, "keep by role quiet 100ms patience 1s", ""},
		{"in the best way", []*Attempt{yes, no, yes, no, yes, yes, no, no}, 9, "keep by number patience 2s", unsure},
	} {
		r := &runs{attempts: tt.attempts}
		got, kept := confirmed(t, abba(builtin.Reordered), r)
		if got.Outcome != tlcheck.Confirmed || got.Attempts != 1 || got.Detail != tt.detail || !strings.Contains(kept, tt.keep+"\n") || strings.Count(kept, "\nmain.") != 4 || len(r.hows) != tt.runs {
			t.Errorf("%s: %+v after %d runs, kept %q", tt.name, got, len(r.hows), kept)
		}
	}
}
