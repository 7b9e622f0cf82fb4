// Package halt halts all goroutines of a traced program, whether they record events or not, and
// shows where they are.
package halt

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/control"
	"github.com/antichain-go/antichain/internal/tracer/launch"
)

// Connection is the connection to a program, by which it is halted.
type Connection struct{ opened chan session } // holds the session when there is one

// session is how the program is controlled, or why it cannot be.
type session struct {
	*control.Session
	err error
}

// NewConnection returns a connection that has yet to be opened.
func NewConnection() *Connection { return &Connection{make(chan session, 1)} }

// Open connects to the program. Who halts it meanwhile waits for that.
func (c *Connection) Open(ctx context.Context, run *launch.Run) {
	s, err := run.Control(ctx)
	c.opened <- session{s, err}
}

// Halt begins to stop the goroutines of the program at their next records.
func (c *Connection) Halt(run *launch.Run) *Attempt {
	a := &Attempt{run: run, done: make(chan session, 1)}
	if err := run.Halt(); err != nil {
		a.done <- session{err: err}
		return a
	}
	go func() {
		s := <-c.opened
		c.opened <- s // for the next time
		if s.err == nil {
			s.err = s.Halt()
		}
		a.done <- s
	}()
	return a
}

// Attempt is an attempt to halt a program.
type Attempt struct {
	run     *launch.Run
	done    chan session // gets the session of the halted program
	session session      // then
	over    bool
}

// Poll looks whether the attempt is over.
func (a *Attempt) Poll() {
	select {
	case a.session = <-a.done:
		a.over = true
	default:
	}
}

// IsOver reports whether, when Poll was called last, the program stood still, or could not be
// halted: what is in the ring after that is all there is.
func (a *Attempt) IsOver() bool { return a.over }

// Err returns why the program could not be halted, nil if it was.
func (a *Attempt) Err() error { return a.session.err }

// Session returns the session of the halted program.
func (a *Attempt) Session() *control.Session { return a.session.Session }

// endTime is the time that a program may take to end after its connection has ended.
const endTime = time.Second

// HasEnded reports whether the program has ended while it was being halted, or since then.
func (a *Attempt) HasEnded() bool {
	select {
	case <-a.run.Exited():
		return true
	default:
	}
	if a.session.err == nil {
		return false
	}
	select {
	case <-a.run.Exited():
		return true
	case <-time.After(endTime):
		return false
	}
}

// Host waits for visitors who want to look at the halted program, until that ends or the context
// does.
func (a *Attempt) Host(ctx context.Context) (*control.Host, error) {
	host, err := a.run.Host()
	if err != nil {
		return nil, err
	}
	go func() {
		select {
		case <-a.run.Exited():
		case <-ctx.Done():
		}
		host.Close()
	}()
	return host, nil
}

// TaskName returns the name of a goroutine as the session numbers it, "" if it is no task.
func (a *Attempt) TaskName(ctx uint64) string { return a.run.TaskName(ctx) }

// DisplayName returns what reports call that goroutine.
func (a *Attempt) DisplayName(ctx uint64) string { return a.run.DisplayName(ctx) }

// IgnoreEnd returns the error of resuming a program, unless it has ended.
func IgnoreEnd(err error) error {
	if err == nil || errors.Is(err, control.ErrEnded) {
		return nil
	}
	return fmt.Errorf("the program could not be continued: %w", err)
}
