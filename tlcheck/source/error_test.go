package source_test

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/source"
	"pgregory.net/rapid"
)

func TestError(t *testing.T) {
	full := source.Error{File: "f", Line: 2, Col: 3, Msg: "wrong", Expected: "right", Hint: "write it",
		Candidates: []string{"a", "b"}, SourceLine: "x y"}
	for _, test := range []struct {
		err  source.Error
		want string
	}{
		{full, "f:2:3: wrong; expected right (write it)\n    x y\n      ^\n    candidate: a\n    candidate: b"},
		{source.Error{Line: 2, Col: 1, Msg: "wrong"}, "2:1: wrong\n    \n    ^"},
	} {
		if got := test.err.Error(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestErrorOfLength(t *testing.T) {
	got := source.NewScanner("f", strings.Repeat("a", source.MaxLength+1)).CheckLength("text", "split it").Error()
	if want := "f:1:1: the text has 1048577 bytes, more than the limit of 1048576 (split it)\n"; !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("a", 79) + "bcd" + strings.Repeat("e", 200)
	for _, test := range []struct {
		line        string
		col         int
		shown, mark string
	}{
		{"x >= é", 6, "x >= é", "     ^"},
		{"x", 0, "x", "^"},
		{"x", 9, "x", " ^"},
		{"\tx\ty", 4, "\tx\ty", "\t \t^"}, // the caret stands below its place however wide a tab is
		{"a\x1b[2J\u202eb", 7, "a\ufffd[2J\ufffdb", "      ^"},
		{long, 70, long[:120], strings.Repeat(" ", 69) + "^"},
		{long, 81, long[:120], strings.Repeat(" ", 80) + "^"},
		{long, 82, long[1:121], strings.Repeat(" ", 80) + "^"},
		{long, 282, long[201:], strings.Repeat(" ", 80) + "^"},
	} {
		if got, want := source.Excerpt(test.line, test.col), "    "+test.shown+"\n    "+test.mark; got != want {
			t.Errorf("%q at %d:\n%s\nwant\n%s", test.line, test.col, got, want)
		}
	}
}

func TestShort(t *testing.T) {
	for _, length := range []int{0, 1, 60} {
		if name := strings.Repeat("é", length); source.Short(name) != name {
			t.Errorf("%d characters are cut to %q", length, source.Short(name))
		}
	}
	if got, want := source.Short(strings.Repeat("é", 61)), strings.Repeat("é", 59)+"…"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestLine(t *testing.T) {
	const text = "one\r\n\ntwo\n"
	for n, want := range map[int]string{1: "one", 2: "", 3: "two", 4: "", 5: ""} {
		if got := source.Line(text, n); got != want {
			t.Errorf("line %d: %q, want %q", n, got, want)
		}
	}
}

func TestClosest(t *testing.T) {
	for _, test := range []struct {
		name       string
		candidates []string
		want       string
	}{
		{"balanse", []string{"amount", "balance", "balances"}, "balance"},
		{"Balance", []string{"balance"}, "balance"},
		{"sent", []string{"sen", "snet"}, "sen"}, // the first of two that are as near
		{"x", []string{"y"}, "y"},
		{"x", []string{"yz"}, ""},
		{"amount", []string{"ammounts"}, "ammounts"},
		{"amount", []string{"ammountss", "a"}, ""},
		{"amount", nil, ""},
	} {
		if got := source.Closest(test.name, test.candidates); got != test.want {
			t.Errorf("%q of %q: %q, want %q", test.name, test.candidates, got, test.want)
		}
	}
}

func TestDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[abé]{0,5}`)
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		if got, want := source.Distance(a, b), distance([]rune(a), []rune(b)); got != want {
			t.Errorf("%q and %q: %d, want %d", a, b, got, want)
		}
	})
	longest := strings.Repeat("é", 64)
	if got := source.Distance(longest, longest); got != 0 {
		t.Errorf("a word of 64 characters has distance %d from itself", got)
	}
	for _, other := range []string{"", longest} {
		if got := source.Distance(longest+"é", other); got != 64 {
			t.Errorf("a word of 65 characters has distance %d from one of %d, want the limit", got, len([]rune(other)))
		}
	}
}

// distance tries all ways to make a into b from the left, where no character is changed twice.
func distance(a, b []rune) int {
	if len(a) == 0 || len(b) == 0 {
		return len(a) + len(b)
	}
	replaced := distance(a[1:], b[1:])
	if a[0] != b[0] {
		replaced++
	}
	least := min(replaced, 1+distance(a[1:], b), 1+distance(a, b[1:]))
	if len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] {
		least = min(least, 1+distance(a[2:], b[2:]))
	}
	return least
}
