package live

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/cmd/antichain/internal/recording"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tracer/event"
)

// Where nobody can be asked, a program ends at a violation, unless it is to go on or others have
// started it.
func TestUnattended(t *testing.T) {
	violations := []*tlcheck.Result{{}}
	for _, tt := range []struct {
		name       string
		violations []*tlcheck.Result
		keepGoing  bool
		process    *Process
		end        error
		detach     bool
	}{
		{"violated", violations, false, nil, monitor.ErrFirst, false},
		{"keep going", violations, true, nil, nil, false},
		{"of others", violations, false, new(Process), nil, true},
		{"of others, keep going", violations, true, new(Process), nil, false},
		{"interrupted", nil, true, new(Process), nil, true},
	} {
		m := &monitor.Monitor{Checker: check.Checker{Settings: check.Settings{JSON: true}}, KeepGoing: tt.keepGoing}
		l := NewSession("p", m, new(recording.Recorder))
		l.process = tt.process
		d := l.decide(&haltedProgram{Violations: tt.violations})
		if d.end != tt.end || d.detach != tt.detach || d.replace != nil {
			t.Errorf("%s: %+v", tt.name, d)
		}
	}
}

// A run of which not everything is known has no further verdicts.
func TestUseless(t *testing.T) {
	l := NewSession("p", new(monitor.Monitor), new(recording.Recorder))
	for _, tt := range []struct {
		ended launch.Result
		over  error
		want  string
	}{
		{launch.Result{Complete: true}, nil, ""},
		{launch.Result{Complete: true}, errNothingLeft, "nothing left"},
		{launch.Result{}, nil, "not read to its end"},
		{launch.Result{Complete: true, Missing: 2}, nil, "at least 2 records"},
	} {
		l.over = tt.over
		err := l.useless(&tt.ended)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %q", tt.ended, err, tt.want)
		}
	}
}

// A program is found by its process id or its socket, and by nothing else.
func TestFindProcess(t *testing.T) {
	if _, err := FindProcess(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "neither a process id nor a socket") {
		t.Error(err)
	}
}

// What takes the place of a specification is a file that has an end.
func TestLoadAgain(t *testing.T) {
	if _, err := loadAgain(new(monitor.Monitor), new(event.Header), os.DevNull); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Error(err)
	}
	if _, err := loadAgain(new(monitor.Monitor), new(event.Header), "missing.tl"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
