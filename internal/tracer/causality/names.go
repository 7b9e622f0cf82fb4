package causality

import (
	"strconv"

	"github.com/antichain-go/antichain/tracer/op"
)

// An Order names the tasks, objects and places of its operations.
var _ op.Names = (*Order)(nil)

// taskOrigin is the origin of a task of operations, which gives it its name. An origin does not
// outlive its goroutine, and some goroutines have none.
type taskOrigin struct {
	by    op.Task // NoTask for the main goroutine and for those that the program has not started
	n     int32   // it is the n-th that by started
	at    op.Place
	entry uint64 // pc of its function
}

// Task returns the origin of a task of Options.Watch.
func (p *Order) Task(t op.Task) op.Origin {
	if p.named == nil || t < 0 || int(t) >= len(p.named.tasks) {
		return op.Origin{By: op.NoTask}
	}
	from := p.named.tasks[t]
	return op.Origin{Name: string(p.named.appendName(nil, t)), Function: p.function(from.entry), By: from.by,
		At: from.at}
}

// appendName appends the task's name, which is the same in the trace.
func (w *watch) appendName(b []byte, t op.Task) []byte {
	from := w.tasks[t]
	switch {
	case t == 0:
		return append(b, MainTask...)
	case from.by == op.NoTask:
		b = append(b, envName...)
	default:
		b = w.appendName(b, from.by)
	}
	return strconv.AppendInt(append(b, '.'), int64(from.n), 10)
}

// Object returns the name of an object, "" if it is none.
func (p *Order) Object(o op.Object) string { return name(o).String() }

// Stack returns the return addresses of a place, innermost first.
func (p *Order) Stack(at op.Place) []uint64 { return p.named.stacks.addresses(at) }

// Place returns the location of an operation.
func (p *Order) Place(at op.Place) op.Location {
	if p.named == nil || p.opt.Symbols == nil {
		return op.Location{}
	}
	return p.opt.Symbols.Location(p.named.stacks.addresses(at))
}
