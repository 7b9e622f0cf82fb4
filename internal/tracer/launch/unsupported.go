//go:build !unix

package launch

import (
	"context"
	"errors"

	"github.com/antichain-go/antichain/internal/tracer/control"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// Run is a running program; there is none here.
type Run struct{}

var errUnsupported = errors.New("tracing needs Linux; traces that were made there can be checked here")

// Start returns an error.
func Start(context.Context, Config) (*Run, error) { return nil, errUnsupported }

// StartWaiting returns an error.
func StartWaiting(context.Context, Config) (*Run, error) { return nil, errUnsupported }

// PID is 0.
func (*Run) PID() int { return 0 }

// Control returns an error.
func (*Run) Control(context.Context) (*control.Session, error) { return nil, errUnsupported }

// Host returns an error.
func (*Run) Host() (*control.Host, error) { return nil, errUnsupported }

// Halt returns an error.
func (*Run) Halt() error { return errUnsupported }

// Hold returns an error.
func (*Run) Hold(bool, ...uint64) error { return errUnsupported }

// TakeInterrupts returns an error.
func (*Run) TakeInterrupts(bool) error { return errUnsupported }

// LookNow is false.
func (*Run) LookNow() bool { return false }

// Looks is false.
func (*Run) Looks() bool { return false }

// Progress is none.
func (*Run) Progress() ring.Progress { return ring.Progress{} }

// Exited is nil.
func (*Run) Exited() <-chan struct{} { return nil }

// TaskName is empty.
func (*Run) TaskName(uint64) string { return "" }

// DisplayName is empty.
func (*Run) DisplayName(uint64) string { return "" }

// Goroutine is 0.
func (*Run) Goroutine(string) uint64 { return 0 }

// Names is nil.
func (*Run) Names() op.Names { return nil }

// Location is empty.
func (*Run) Location([]uint64) op.Location { return op.Location{} }

// Wait returns an error.
func (*Run) Wait() (Result, error) { return Result{}, errUnsupported }

// Dir is a private directory; there is none here.
type Dir struct{}

// NewDir returns an error.
func NewDir() (*Dir, error) { return nil, errUnsupported }

// Path is empty.
func (*Dir) Path() string { return "" }

// Remove does nothing.
func (*Dir) Remove() error { return nil }
