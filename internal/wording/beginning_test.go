package wording

import "testing"

func TestBeginning(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"four", "four"},
		{"fives", "five…"},
		{"thrä", "thr…"}, // no letter is cut
	} {
		if got := Beginning(test.text, 4); got != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}
