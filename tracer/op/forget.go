package op

import "github.com/antichain-go/antichain/tracer/op/clock"

// A Forgetter is a Watcher of runs that may go on for ever. Now and then it is asked which tasks it
// may still speak of. Of those that have ended and are not among them nothing is kept, not even a
// name.
type Forgetter interface {
	Watcher
	// Remembers calls see with the tasks that the watcher may still ask Names about, or whose
	// operations it may look for in clocks. It may leave out those that have not ended. It reports
	// false if it does not know them all now; then nothing is forgotten.
	Remembers(see func(Task)) bool
	// Forget drops what the watcher has of tasks that are gone, and sweeps its clocks.
	Forget(s *clock.Sweep)
}

// Remembers is Forgetter.Remembers; a watcher that is none does not know.
func Remembers(w Watcher, see func(Task)) bool {
	f, ok := w.(Forgetter)
	return ok && f.Remembers(see)
}

// Forget is Forgetter.Forget.
func Forget(w Watcher, s *clock.Sweep) {
	if f, ok := w.(Forgetter); ok {
		f.Forget(s)
	}
}

// Remembers implements Forgetter.
func (discard) Remembers(func(Task)) bool { return true }

// Forget implements Forgetter.
func (discard) Forget(*clock.Sweep) {}
