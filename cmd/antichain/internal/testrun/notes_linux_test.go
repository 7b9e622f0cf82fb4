package testrun

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// written has what is written, each write by itself.
type written chan string

func (w written) Write(p []byte) (int, error) {
	w <- string(p)
	return len(p), nil
}

// A note arrives, also where the directory's name is longer than the address of a socket can be.
func TestNotes(t *testing.T) {
	for _, name := range []string{"short", strings.Repeat("l", 120)} {
		n := notes{filepath.Join(t.TempDir(), name)}
		if err := WritePlans(n.exchange, nil); err != nil {
			t.Fatal(err)
		}
		shown := make(written, 1) // a note is shown when its write has ended
		l, err := n.show(shown)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"halted\n", "goes on\n"} {
			if _, err := io.WriteString(n, want); err != nil {
				t.Fatal(err)
			}
			select {
			case got := <-shown:
				if got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			default:
				t.Errorf("%s: %q is not shown", name, want)
			}
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		entries, err := os.ReadDir(n.exchange)
		if err != nil || len(entries) != 1 {
			t.Errorf("%s: left behind: %v, %v", name, entries, err)
		}
		if _, err := io.WriteString(n, "lost"); err == nil {
			t.Errorf("%s: a note went where no one shows it", name)
		}
	}
}
