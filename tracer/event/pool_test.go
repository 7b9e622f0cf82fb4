package event

import (
	"testing"

	"pgregory.net/rapid"
)

// TestRecentStrings has strings be those of the bytes, whatever came before, and stay so when the
// bytes change.
func TestRecentStrings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		recent := new(recentStrings)
		buffer := make([]byte, 0, 2*poolLength)
		var was, want []string
		for _, s := range rapid.SliceOf(rapid.StringN(0, 2*poolLength, 2*poolLength)).Draw(t, "strings") {
			buffer = append(buffer[:0], s...)
			was, want = append(was, recent.str(buffer)), append(want, s)
			was, want = append(was, recent.str(buffer)), append(want, s)
			for i := range buffer {
				buffer[i]++
			}
		}
		for i := range was {
			if was[i] != want[i] {
				t.Fatalf("%q is %q", want[i], was[i])
			}
		}
	})
}
