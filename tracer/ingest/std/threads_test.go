package std

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A log that names or starts its threads otherwise than it should is read as the one that it can
// only mean, with a warning.
func TestAssumptions(t *testing.T) {
	for _, tt := range []struct {
		name, log, means string // the same log as it should be
		warning          string // "": none
	}{
		{"proper", "T1|w(x)|1\nT1|fork(T2)|2\nT2|r(x)|3\nT1|join(T2)|4", "", ""},
		{"forked twice", "T1|w(x)|1\nT1|fork(T2)|2\nT1|fork(T2)|3\nT2|r(x)|4", "",
			`log:3: forked again is thread "T2": it is assumed to begin at the last fork before its first line`},
		{"no prefix", "T1|w(x)|1\nT1|fork(2)|2\nT2|r(x)|3\nT1|join(2)|4",
			"T1|w(x)|1\nT1|fork(T2)|2\nT2|r(x)|3\nT1|join(T2)|4",
			`log:2: forks and joins name threads otherwise than lines do: it is assumed that "2" is "T2"`},
		{"a prefix too many", "1|fork(Thread-02)|2\n2|r(x)|3", "1|fork(2)|2\n2|r(x)|3",
			`it is assumed that "Thread-02" is "2"`},
		{"only the join", "T1|fork(T2)|1\nT2|r(x)|2\nT1|join(2)|3", "T1|fork(T2)|1\nT2|r(x)|2\nT1|join(T2)|3",
			`it is assumed that "2" is "T2"`},
		{"several", "T0|fork(1)|2\nT0|fork(2)|2\nT1|r(x)|3\nT2|r(x)|3",
			"T0|fork(T1)|2\nT0|fork(T2)|2\nT1|r(x)|3\nT2|r(x)|3",
			`it is assumed that "1" is "T1" and "2" is "T2"`},
		{"joined, never begun", "T1|w(x)|1\nT1|join(T7)|2", "",
			`log:2: joined, but neither forked nor with a line of its own is thread "T7"`},
		{"ambiguous", "T1|fork(2)|1\nT2|r(x)|2\nU2|r(x)|3", "", ""},
		{"there before", "T1|w(x)|1\nT2|r(x)|2\nT1|fork(2)|3\nT2|r(x)|4", "", ""},
		{"does nothing", "T1|w(x)|1\nT1|fork(T2)|2", "", ""},
	} {
		read := func(log string) (string, []string) {
			t.Helper()
			r := NewReader(strings.NewReader(log), "log", Options{})
			tr, err := readOperations(log, Options{})
			if err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
			tr.MustBuild()
			text, err := tr.Text()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.Header(); err != nil {
				t.Fatal(err)
			}
			return text, r.Warnings()
		}
		got, warnings := read(tt.log)
		if tt.warning == "" && len(warnings) > 0 || tt.warning != "" &&
			(len(warnings) != 1 || !strings.Contains(warnings[0], tt.warning)) {
			t.Errorf("%s: warnings %q, want %q", tt.name, warnings, tt.warning)
		}
		if tt.means != "" {
			if want, _ := read(tt.means); got != want {
				t.Errorf("%s: %s", tt.name, cmp.Diff(want, got))
			}
		}
	}
}

// The thread comes after the last fork before its first line: what its parent did between two forks
// does not race with it.
func TestForkedTwice(t *testing.T) {
	tr, err := readAll("T1|fork(T2)|1\nT1|w(x)|2\nT1|fork(T2)|3\nT2|r(x)|4\nT1|fork(T2)|5", Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"", "", "T2", "", ""} {
		if got := tr.Events[i].Spawn; got != want {
			t.Errorf("event %d creates %q, want %q", i, got, want)
		}
	}
}
