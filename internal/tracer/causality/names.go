package causality

import (
	"strconv"

	"github.com/antichain-go/antichain/tracer/op"
)

// A Process names what is in the operations that it tells.
var _ op.Names = (*Order)(nil)

// taskOrigin is where a task of operations comes from, which gives it its name; see origin, of
// which there is none for every goroutine, and which does not outlive it.
type taskOrigin struct {
	by    op.Task // NoTask for the main goroutine and what nobody in the program started
	n     int32   // it is the n-th that by started
	at    op.Place
	entry uint64 // pc of its function
}

// Task tells where a task of Options.Watch comes from.
func (p *Order) Task(t op.Task) op.Origin {
	if p.named == nil || t < 0 || int(t) >= len(p.named.tasks) {
		return op.Origin{By: op.NoTask}
	}
	from := p.named.tasks[t]
	return op.Origin{Name: string(p.named.appendName(nil, t)), Function: p.function(from.entry), By: from.by, At: from.at}
}

// appendName appends the name that the task has in the trace too.
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

// Object is the name of an object, "" if it is none.
func (p *Order) Object(o op.Object) string { return name(o).String() }

// Stack returns the return addresses of a place, innermost first.
func (p *Order) Stack(at op.Place) []uint64 { return p.named.stacks.at(at) }

// Place tells where an operation was.
func (p *Order) Place(at op.Place) op.Location {
	if p.named == nil || p.opt.Symbols == nil {
		return op.Location{}
	}
	return p.opt.Symbols.Location(p.named.stacks.at(at))
}
