package running

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/tracer/event"
)

var _ Program = (*SteppedProgram)(nil)

// A program is halted as soon as anything is known of it, and then where its goal is reached, or
// given up.
func TestEnough(t *testing.T) {
	p := NewSteppedProgram(t.Context(), nil)
	if err := p.begin(&event.Header{Tasks: []string{"main"}}); err != nil {
		t.Fatal(err)
	}
	if p.enough() {
		t.Error("halted before the first event")
	}
	if err := p.add(&event.Event{Task: "main"}); err != nil {
		t.Fatal(err)
	}
	if !p.enough() {
		t.Error("not halted at the first event")
	}
	reached := false
	p.goal, p.since = &Goal{Reached: func() bool { return reached }, Time: time.Hour}, time.Now()
	if p.enough() {
		t.Error("halted before the goal")
	}
	reached = true
	if !p.enough() {
		t.Error("not halted at the goal")
	}
	reached = false
	p.broken.Store(true)
	if !p.enough() || p.late {
		t.Error("not halted at an interrupt")
	}
	p.broken.Store(false)
	p.since = time.Now().Add(-2 * time.Hour)
	if !p.enough() || !p.late {
		t.Error("not halted when its time is over")
	}
}

// A program that cannot be observed any more ends.
func TestNoMemory(t *testing.T) {
	full := errors.New("full")
	memory, end := context.WithCancelCause(t.Context())
	p := NewSteppedProgram(memory, nil)
	killed := false
	p.kill = func() { killed = true }
	end(full)
	err := p.add(&event.Event{Task: "main"})
	var stopped *limits.ReadStoppedError
	if !errors.As(err, &stopped) || stopped.Cause != full || !killed {
		t.Errorf("%v, killed %v", err, killed)
	}
}
