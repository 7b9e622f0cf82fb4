package op

import (
	"fmt"
	"testing"
)

// Every kind has a word, and what is no kind has one too.
func TestKindString(t *testing.T) {
	for k := range KindCount {
		if k.String() == "" {
			t.Errorf("kind %d has no name", uint8(k))
		}
	}
	for _, k := range []Kind{KindCount, 255} {
		if got, want := k.String(), fmt.Sprintf("kind(%d)", uint8(k)); got != want {
			t.Errorf("a wild kind is %q, want %q", got, want)
		}
	}
}
