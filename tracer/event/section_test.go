package event

import "testing"

func TestSections(t *testing.T) {
	var s Sections
	for _, op := range []string{"send" + Serves, "recv" + Serves, "recv" + Locks, "send" + Unlocks} {
		s.Note(op, "full")
	}
	for _, op := range []string{"send" + Serves, "recv" + Serves, "send" + Locks, "recv" + Unlocks} {
		s.Note(op, "empty")
	}
	begins, ends := Section{Begins: true}, Section{Ends: true}
	for _, tt := range []struct {
		op, obj string
		want    Section
	}{
		{"lock", "mu", begins}, {"rlock", "mu", Section{Begins: true, Reads: true}}, {"unlock", "mu", ends},
		{"runlock", "mu", Section{Ends: true, Reads: true}},
		{"send" + Locks, "empty", begins}, {"recv" + Unlocks, "empty", ends}, {"send" + Serves, "empty", begins},
		{"recv" + Serves, "empty", ends},
		{"recv" + Locks, "full", begins}, {"send" + Unlocks, "full", ends}, {"recv" + Serves, "full", begins},
		{"send" + Serves, "full", ends},
		{"send", "full", Section{}}, {"", "", Section{}}, {"locks", "", Section{}},
	} {
		if got := s.Of(tt.op, tt.obj); got != tt.want {
			t.Errorf("%q of %q: %+v, want %+v", tt.op, tt.obj, got, tt.want)
		}
	}
	for _, effect := range []string{"", Locks, Unlocks, Serves} {
		if got := WithoutEffect("recv" + effect); got != "recv" {
			t.Error(got)
		}
	}
}
