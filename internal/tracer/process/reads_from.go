package process

import (
	"slices"

	"github.com/antichain-go/antichain/tracer/event"
)

// readsFrom orders events after those whose values they have seen. An event that writes the value
// which a variable already had comes after the event that wrote it. An event that writes another
// value comes after the one that wrote the previous value. This excludes states in which an event
// would have seen another value, as far as variables are recorded.
type readsFrom struct {
	count   map[string]int       // events, by task
	written map[string]lastWrite // by variable
}

// lastWrite is the last value of a variable, and the event that gave it.
type lastWrite struct {
	value string
	event event.Ref
}

func newReadsFrom() *readsFrom {
	return &readsFrom{count: map[string]int{}, written: map[string]lastWrite{}}
}

// order processes the next event. It returns one that also comes after those whose values it has
// seen.
func (r *readsFrom) order(e *event.Event) *event.Event {
	r.count[e.Task]++
	self, ordered := event.Ref{Task: e.Task, K: r.count[e.Task]}, *e
	for _, b := range e.Global {
		last, value := r.written[b.Name], b.Value.String()
		if value != last.value || last.event.K == 0 {
			r.written[b.Name] = lastWrite{value, self}
		}
		if by := last.event; by.K > 0 && by.Task != e.Task && !slices.Contains(ordered.After, by) &&
			!slices.Contains(e.With, by) {
			ordered.After = append(slices.Clip(ordered.After), by)
		}
	}
	return &ordered
}
