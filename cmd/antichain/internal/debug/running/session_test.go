package running

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/recording"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/internal/tracedbuild"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/tracer/event"
)

// script returns a file with commands.
func script(t *testing.T, commands string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "commands")
	if err := os.WriteFile(file, []byte(commands), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Commands need a source: a script, or a terminal.
func TestValidate(t *testing.T) {
	s := &Session{Streams: terminal.Streams{Err: io.Discard}, Script: script(t, "")}
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
	s.Script += "s"
	if err := s.Validate(); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	s.Script = ""
	if err := s.Validate(); err == nil || !strings.Contains(err.Error(), "give commands with -x FILE") {
		t.Error(err)
	}
}

// halted returns a program that stands at its first event.
func halted(t *testing.T) *SteppedProgram {
	t.Helper()
	p := NewSteppedProgram(t.Context(), nil)
	if err := p.begin(&event.Header{Version: 1, Tasks: []string{"main"}}); err != nil {
		t.Fatal(err)
	}
	if err := p.add(&event.Event{Task: "main"}); err != nil {
		t.Fatal(err)
	}
	p.stops = make(chan Stop, 1)
	p.stops <- Halted
	return p
}

// TestTalk has dialogues with scripts, which decide what becomes of the program.
func TestTalk(t *testing.T) {
	for _, test := range []struct {
		commands string
		leave    Decision
		said     string
		err      string // behind the name of the script
	}{
		{"show\n", End, "(antichain) show", ""},
		{"detach\n", Detach, "antichain: detached: the program continues untraced\n", ""},
		{"show\nfly\n", End, "(antichain) fly", ":2: "},
	} {
		var stderr strings.Builder
		s := &Session{Streams: terminal.Streams{Err: &stderr}, Script: script(t, test.commands)}
		p := halted(t)
		err := s.talk(t.Context(), p, &tracedbuild.Program{Build: new(instrument.Build)})
		if (err == nil) != (test.err == "") || err != nil && !strings.HasPrefix(err.Error(), s.Script+test.err) {
			t.Errorf("%q: %v", test.commands, err)
		}
		if p.leave != test.leave || !strings.Contains(stderr.String(), test.said) {
			t.Errorf("%q: decision %d, said %q", test.commands, p.leave, stderr.String())
		}
		if _, more := <-p.orders; more {
			t.Errorf("%q: the program is to go on", test.commands)
		}
	}
}

// There is nothing to talk about if the program has ended without an event.
func TestTalkOfNothing(t *testing.T) {
	p := NewSteppedProgram(t.Context(), nil)
	close(p.over)
	s := &Session{Streams: terminal.Streams{Err: io.Discard}, Script: script(t, "show\n")}
	if err := s.talk(t.Context(), p, &tracedbuild.Program{Build: new(instrument.Build)}); err != recording.ErrNoEvents {
		t.Error(err)
	}
}
