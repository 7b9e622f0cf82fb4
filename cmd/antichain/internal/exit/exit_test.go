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
		{Outcomes{BuiltinViolated: true, Failed: true, Unknown: true}, 1},
		{Outcomes{Vacuous: true}, 3},
		{Outcomes{Vacuous: true, Failed: true}, 2},
		{Outcomes{Bug: true, Violated: true}, 4},
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

// TestCodeBeside is the table of exit codes of run and test.
func TestCodeBeside(t *testing.T) {
	for _, test := range []struct {
		o    Outcomes
		own  int
		code int
		why  string
	}{
		{Outcomes{}, 0, 0, ""},
		{Outcomes{}, 7, 7, ""},
		{Outcomes{Failed: true, Unknown: true, Vacuous: true}, 7, 7, ""},
		{Outcomes{Failed: true, Unknown: true}, 0, 2, "something went wrong with the trace"},
		{Outcomes{Unknown: true, Vacuous: true}, 0, 3, "a verdict is unknown"},
		{Outcomes{Vacuous: true}, 0, 3, "a property is vacuous, and --strict is given"},
		{Outcomes{BuiltinViolated: true}, 7, 1, "a built-in property is violated"},
		{Outcomes{Violated: true, BuiltinViolated: true}, 7, 1, "a property is violated"},
		{Outcomes{Bug: true, Violated: true}, 7, 4, "it has a bug"},
	} {
		if code, why := test.o.CodeBeside(test.own); code != test.code || why != test.why {
			t.Errorf("%+v beside %d: %d %q, want %d %q", test.o, test.own, code, why, test.code, test.why)
		}
	}
}

func TestNote(t *testing.T) {
	const holds, violated, unknown, possible = tlcheck.Holds, tlcheck.Violated, tlcheck.Unknown, tlcheck.Possible
	for _, test := range []struct {
		answers []Answer
		want    Outcomes
	}{
		{nil, Outcomes{}},
		{[]Answer{{Verdict: holds}, {Verdict: possible, Builtin: true}}, Outcomes{}},
		{[]Answer{{Verdict: unknown}, {Verdict: holds}}, Outcomes{Unknown: true}},
		{[]Answer{{Verdict: violated}, {Verdict: unknown}, {Verdict: holds}}, Outcomes{Violated: true, Unknown: true}},
		{[]Answer{{Verdict: violated, Builtin: true}, {Verdict: holds, Vacuous: true}}, Outcomes{BuiltinViolated: true, Vacuous: true}},
	} {
		var o, parts Outcomes
		for _, a := range test.answers {
			o.Note(a)
			var part Outcomes
			part.Note(a)
			parts.Include(part)
		}
		if o != test.want || parts != test.want {
			t.Errorf("%v: %+v, in parts %+v, want %+v", test.answers, o, parts, test.want)
		}
	}
}
