package console

import (
	"io"
	"strings"
	"testing"
)

func TestScriptInUTF16(t *testing.T) {
	s := NewScript(strings.NewReader("\xff\xfeq\x00\n\x00"), io.Discard)
	if _, err := s.ReadLine("> ", nil); err == nil || !strings.HasPrefix(err.Error(), "the text is in UTF-16") ||
		s.Line() != 1 {
		t.Errorf("%v in line %d", err, s.Line())
	}
}

// TestScript reads commands behind a byte order mark, and leaves out comments.
func TestScript(t *testing.T) {
	s := NewScript(strings.NewReader("\ufeffnext\n\n# a comment\n  quit\r\n"), io.Discard)
	for _, want := range []struct {
		command string
		line    int
	}{{"next", 1}, {"quit", 4}} {
		if command, err := s.ReadLine("> ", nil); err != nil || command != want.command || s.Line() != want.line {
			t.Errorf("%q in line %d, %v, want %q in line %d", command, s.Line(), err, want.command, want.line)
		}
	}
	if _, err := s.ReadLine("> ", nil); err != io.EOF {
		t.Errorf("%v behind the last command", err)
	}
}
