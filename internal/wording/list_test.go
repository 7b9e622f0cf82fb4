package wording

import "testing"

func TestSome(t *testing.T) {
	for _, test := range []struct {
		words []string
		more  int
		want  string
	}{
		{nil, 0, ""},
		{[]string{"a"}, 0, "a"},
		{[]string{"a", "b"}, -1, "a and b"}, // fewer than might be shown
		{[]string{"a", "b", "c"}, 0, "a, b and c"},
		{[]string{"a"}, 1, "a and 1 more"},
		{[]string{"a", "b"}, 3, "a, b and 3 more"},
	} {
		if got := Some(test.words, test.more); got != test.want {
			t.Errorf("%q and %d: %q, want %q", test.words, test.more, got, test.want)
		}
	}
}

func TestFirst(t *testing.T) {
	words := []string{"a", "b", "c", "d"}
	for most, want := range map[int]string{
		4: "a, b, c and d",
		3: "a, b, c and d", // no longer than "1 more"
		2: "a, b and 2 more",
	} {
		if got := First(words, most); got != want {
			t.Errorf("of at most %d: %q, want %q", most, got, want)
		}
	}
}
