package wording

import (
	"strings"
	"testing"
)

func TestExcerpt(t *testing.T) {
	tests := []struct{ expr, want string }{
		{"", ""},
		{"n > 0", "n > 0"},
		{strings.Repeat("x", maxExpression), strings.Repeat("x", maxExpression)},
		{strings.Repeat("x", maxExpression+1), strings.Repeat("x", maxExpression) + "…"},
		// no letter is cut
		{strings.Repeat("x", maxExpression-1) + "äöü", strings.Repeat("x", maxExpression-1) + "ä…"},
	}
	for _, test := range tests {
		if got := Excerpt(test.expr); got != test.want {
			t.Errorf("%q: %q, want %q", test.expr, got, test.want)
		}
	}
}
