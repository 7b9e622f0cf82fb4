package slices

// guard stops operations that grow beyond all bounds. A set of slices can need more
// intervals than there is time or memory for, and one operation on two large sets can
// take minutes.
type guard struct {
	limit  int         // of intervals in one set; 0 is none
	stop   func() bool // asked now and then
	gaveUp bool
}

// Guard makes operations on the lattice's sets return early, with a set that is
// not the result, when a set outgrows limit intervals or stop returns true. Once that
// has happened GaveUp says so and no operation goes on. Guard starts afresh; it is not to be called while
// operations run, and a guarded lattice serves one goroutine at a time.
func (l *Lattice) Guard(limit int, stop func() bool) {
	l.guard = guard{limit: limit, stop: stop}
}

// GaveUp reports whether an operation has returned early since the last Guard.
func (l *Lattice) GaveUp() bool { return l.guard.gaveUp }

// Halt reports whether the guard wants what takes long to return early, for work of others
// with slices; GaveUp says so from then on.
func (l *Lattice) Halt() bool { return l.halt(0) }

// halt reports whether an operation that has n intervals so far must return.
func (l *Lattice) halt(n int) bool {
	if l == nil || l.guard.stop == nil {
		return false
	}
	g := &l.guard
	g.gaveUp = g.gaveUp || g.limit > 0 && n > g.limit || g.stop()
	return g.gaveUp
}
