package halt

import (
	"errors"
	"fmt"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/control"
)

// That a program has ended is no mistake of whoever tells it to go on.
func TestIgnoreEnd(t *testing.T) {
	if err := IgnoreEnd(fmt.Errorf("resume: %w", control.ErrEnded)); err != nil {
		t.Error(err)
	}
	broken := errors.New("broken")
	if err := IgnoreEnd(broken); !errors.Is(err, broken) || IgnoreEnd(nil) != nil {
		t.Error(err)
	}
}

// An attempt is over when it is known whether the program stands still, and not before.
func TestPoll(t *testing.T) {
	a := &Attempt{done: make(chan session, 1)}
	if a.Poll(); a.IsOver() {
		t.Error("over before it is known")
	}
	broken := errors.New("broken")
	a.done <- session{err: broken}
	if a.Poll(); !a.IsOver() || a.Err() != broken {
		t.Errorf("over: %v, error %v", a.IsOver(), a.Err())
	}
}
