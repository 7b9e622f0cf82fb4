package san

import "github.com/antichain-go/antichain/tracer/event"

// DefaultLimit is how many events may wait for others until SetLimit says otherwise.
const DefaultLimit = 1 << 20

// Builder reads the events of a trace and builds its net. Events of one task come in
// program order; across tasks, an event whose task is not created yet, or whose
// "after" or "with" names an event not read yet, waits, and so do the later ones of its
// task.
type Builder struct{}

// NewBuilder returns a builder for a trace with that header, which it keeps.
func NewBuilder(h *event.Header) (*Builder, error) { panic("not built yet") }

// SetLimit bounds the number of waiting events (n ≥ 1). Overrunning it is an error that
// names the missing event.
func (b *Builder) SetLimit(n int) { panic("not built yet") }

// RequireMutual makes a joint action whose sides do not all have "with" an error. A reader that
// cannot wait for the end of the trace needs this: monitor and live.
func (b *Builder) RequireMutual() { panic("not built yet") }

// Add reads one event; pos is where it stands, for errors. It keeps nothing of e. After
// an error, which is a *Error, the builder refuses further events.
func (b *Builder) Add(e *event.Event, pos string) error { panic("not built yet") }

// Finish returns the net once all events are read. Events that still wait are an
// error: a dangling reference, a cycle, or a task nobody created.
func (b *Builder) Finish() (*Net, error) { panic("not built yet") }

// Partial returns the net of what was read so far, without the events that wait. It ends
// the building.
func (b *Builder) Partial() *Net { panic("not built yet") }
