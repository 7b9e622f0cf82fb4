package exit

import (
	"testing"
)

// TestOutcomes is the table of exit codes of check.
func TestOutcomes(t *testing.T) {
	tests := []struct {
		o    Outcomes
		code int
	}{
		{Outcomes{}, 0},
		{Outcomes{Unknown: true}, 3},
		{Outcomes{Failed: true}, 2},
		{Outcomes{Failed: true, Unknown: true}, 2},
		{Outcomes{Violated: true, Failed: true, Unknown: true}, 1},
	}
	for _, test := range tests {
		if code := test.o.Code(); code != test.code {
			t.Errorf("%+v: exit code %d, want %d", test.o, code, test.code)
		}
	}
}
