package exit

import (
	"testing"

	"github.com/antichain-go/antichain/tlcheck"
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
		var want error
		if test.code != 0 {
			want = Code(test.code)
		}
		if err := test.o.Err(); err != want {
			t.Errorf("%+v: error %v, want %v", test.o, err, want)
		}
	}
}

func TestNote(t *testing.T) {
	for _, test := range []struct {
		verdicts []tlcheck.Verdict
		want     Outcomes
	}{
		{nil, Outcomes{}},
		{[]tlcheck.Verdict{tlcheck.Holds}, Outcomes{}},
		{[]tlcheck.Verdict{tlcheck.Unknown, tlcheck.Holds}, Outcomes{Unknown: true}},
		{[]tlcheck.Verdict{tlcheck.Violated, tlcheck.Unknown, tlcheck.Holds}, Outcomes{Violated: true, Unknown: true}},
	} {
		var o Outcomes
		for _, v := range test.verdicts {
			o.Note(v)
		}
		if o != test.want {
			t.Errorf("%v: %+v, want %+v", test.verdicts, o, test.want)
		}
	}
}
