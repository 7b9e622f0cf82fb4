package event

import "testing"

func TestSectionOf(t *testing.T) {
	for op, want := range map[string]Section{
		"lock": {Begins: true}, "rlock": {Begins: true, Reads: true}, "unlock": {Ends: true}, "runlock": {Ends: true, Reads: true},
		"send" + Locks: {Begins: true}, "recv" + Unlocks: {Ends: true}, "send": {}, "": {}, "locks": {},
	} {
		if got := SectionOf(op); got != want {
			t.Errorf("%q: %+v, want %+v", op, got, want)
		}
	}
	if got := WithoutEffect("recv" + Unlocks); got != "recv" {
		t.Error(got)
	}
}
