package slices

import "github.com/antichain-go/antichain/san"

// Ideal is a causally closed set of actions: how many events of each task are in it. It
// is immutable; the zero Ideal is empty. Each ideal is one slice, whose
// local state of a created task t is (t, At(t)).
type Ideal struct{ counts []int32 }

// At returns the number of t's events in the ideal.
func (i Ideal) At(t san.Task) int { panic("not built yet") }

// Has reports whether the action is in the ideal.
func (i Ideal) Has(a san.Action) bool { panic("not built yet") }

// Leq reports whether i is a subset of j.
func (i Ideal) Leq(j Ideal) bool { panic("not built yet") }

// Equal reports whether i and j are the same ideal.
func (i Ideal) Equal(j Ideal) bool { panic("not built yet") }

// Join returns the union, the least ideal above both.
func (i Ideal) Join(j Ideal) Ideal { panic("not built yet") }

// Meet returns the intersection, the greatest ideal below both.
func (i Ideal) Meet(j Ideal) Ideal { panic("not built yet") }

// String returns the number of events of each task, "[1 0 2]".
func (i Ideal) String() string { panic("not built yet") }
