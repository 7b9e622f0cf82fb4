package monitor

import "github.com/antichain-go/antichain/tracer/event"

// Enter begins a source.
func (r *Run) Enter(h *event.Header, where string) { r.builtins.Enter(h, where, h) }

// Operation adds an operation of the source with this header.
func (r *Run) Operation(from *event.Header, e *event.Event) { r.builtins.Add(from, e) }
