package excerpt

import (
	"fmt"
	"strings"
	"testing"
)

// Of a long text the first and the last bytes are kept, however it is cut into writes.
func TestWriter(t *testing.T) {
	text := "first\n" + strings.Repeat("x", 1000) + "\nlast\n\n"
	for _, step := range []int{1, 7, 64, len(text)} {
		w := &Writer{Most: 20}
		for rest := text; rest != ""; {
			n, err := w.Write([]byte(rest[:min(step, len(rest))]))
			if err != nil || n == 0 {
				t.Fatalf("%d bytes written: %v", n, err)
			}
			rest = rest[n:]
		}
		missing := len(text) - 20
		want := fmt.Sprintf("first\nxxxx\n… %d bytes left out …\nxxx\nlast\n\n", missing)
		if got := w.String(); got != want || w.Missing() != missing {
			t.Errorf("in steps of %d: %q without %d bytes, want %q", step, got, w.Missing(), want)
		}
		if got := w.LastLine(); got != "last" {
			t.Errorf("the last line is %q", got)
		}
	}
}

// A short text is kept as it is, but for bytes that are no UTF-8.
func TestShortText(t *testing.T) {
	w := &Writer{Most: 20}
	fmt.Fprint(w, "a\xff\nb")
	if got, want := w.String(), "a�\nb"; got != want || w.Missing() != 0 || w.LastLine() != "b" {
		t.Errorf("%q without %d bytes, want %q", got, w.Missing(), want)
	}
	if got := new(Writer).LastLine(); got != "" {
		t.Errorf("an empty text has the last line %q", got)
	}
}
