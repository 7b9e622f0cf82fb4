package op

import "testing"

// Every kind has a word, and what is no kind has one too.
func TestKindString(t *testing.T) {
	for k := range KindCount {
		if k.String() == "" {
			t.Errorf("kind %d has no name", uint8(k))
		}
	}
	if got := Kind(255).String(); got != "kind(255)" {
		t.Errorf("a wild kind is %q", got)
	}
}
