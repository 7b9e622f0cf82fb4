package slices

import (
	"fmt"
	stdslices "slices"
	"sync/atomic"

	"github.com/antichain-go/antichain/san"
)

// Ideal is a causally closed set of actions. It is immutable; the zero Ideal is empty. Each ideal
// is one slice, whose local state of a created task t is (t, At(t)).
//
// It has three representations; each is computed from the others when first needed:
//
//	maximal   i = ↓maximal        the lower bounds of atoms have one maximal action
//	next      i = ALL \ ↑next     their upper bounds have one next action
//	counts    how many events of each task are in it
//
// The first two take a few words however many tasks there are, and with them inclusion is a
// question about single actions (Net.Known). Joining lower bounds and intersecting upper bounds
// preserves them. So most operations on sets of slices never look at every task.
type Ideal struct{ reps *representations }

// representations has the representations of an ideal that need not be empty. At least one is set
// from the beginning. The others may be set concurrently, to equal values.
type representations struct {
	l       *Lattice
	maximal atomic.Pointer[[]san.Action] // by canonical name, no two ordered
	next    atomic.Pointer[[]san.Action] // likewise; empty for ALL
	counts  atomic.Pointer[counts]
	size    atomic.Int64 // number of actions plus 1 if it was counted without counts; else 0
}

// counts are the numbers of events of an ideal.
type counts struct {
	at     []int32 // by task
	events int     // sum of at
	size   int     // number of actions; a joint action has several events
}

// maxGenerators bounds the actions by which an ideal is described. With more of them counting all
// events is no slower.
const maxGenerators = 8

// generated returns ↓maximal. The actions are canonical, and no two are ordered.
func (l *Lattice) generated(maximal []san.Action) Ideal {
	if len(maximal) == 0 {
		return Ideal{}
	}
	k := &representations{l: l}
	k.maximal.Store(&maximal)
	return Ideal{k}
}

// lacking returns ALL \ ↑next. The actions are canonical, and no two are ordered.
func (l *Lattice) lacking(next []san.Action) Ideal {
	k := &representations{l: l}
	k.next.Store(&next)
	return Ideal{k}
}

// counted returns the ideal with these numbers of events by task.
func (l *Lattice) counted(at []int32) Ideal {
	c := l.count(at)
	if c.events == 0 {
		return Ideal{}
	}
	k := &representations{l: l}
	k.counts.Store(c)
	return Ideal{k}
}

// generators returns the maximal actions if they are known already, and few.
func (i Ideal) generators() ([]san.Action, bool) { return ifFew(i.reps.maximal.Load()) }

// exclusions returns the next actions if they are known already, and few.
func (i Ideal) exclusions() ([]san.Action, bool) { return ifFew(i.reps.next.Load()) }

func ifFew(as *[]san.Action) ([]san.Action, bool) {
	if as == nil || len(*as) > maxGenerators {
		return nil, false
	}
	return *as, true
}

// all returns the numbers of events.
func (i Ideal) all() *counts {
	k := i.reps
	if c := k.counts.Load(); c != nil {
		return c
	}
	at := make([]int32, k.l.net.Tasks())
	if maximal := k.maximal.Load(); maximal != nil {
		k.l.joinDown(at, *maximal)
	} else {
		k.l.meetNotAbove(at, *k.next.Load())
	}
	c := k.l.count(at)
	k.counts.Store(c)
	return c
}

// joinDown raises at, which is all zero, to ↓as.
func (l *Lattice) joinDown(at []int32, as []san.Action) {
	if len(as) == 1 {
		l.net.Down(as[0], at)
		return
	}
	one := make([]int32, len(at))
	for _, a := range as {
		l.net.Down(a, one)
		for t, c := range one {
			at[t] = max(at[t], c)
		}
	}
}

// meetNotAbove sets at to ALL \ ↑as. For a single action this takes a search in every task, so
// these ideals are cached.
func (l *Lattice) meetNotAbove(at []int32, as []san.Action) {
	if len(as) == 1 {
		l.net.NotAbove(as[0], at)
		return
	}
	for t := range at {
		at[t] = int32(l.net.Len(san.Task(t)))
	}
	for _, a := range as {
		lowerTo(at, l.NotAbove(a).all().at)
	}
}

// At returns the number of t's events in the ideal.
func (i Ideal) At(t san.Task) int {
	if i.reps == nil {
		return 0
	}
	if c := i.reps.counts.Load(); c != nil {
		return int(c.at[t])
	}
	net := i.reps.l.net
	if maximal, ok := i.generators(); ok {
		n := 0
		for _, a := range maximal {
			n = max(n, net.Known(a, t))
		}
		return n
	}
	if next, ok := i.exclusions(); ok {
		n := net.Len(t)
		for _, a := range next {
			n = min(n, net.NotAboveIn(a, t))
		}
		return n
	}
	return int(i.all().at[t])
}

// Has reports whether the action is in the ideal.
func (i Ideal) Has(a san.Action) bool {
	if i.reps == nil {
		return false
	}
	if c := i.reps.counts.Load(); c != nil {
		return c.at[a.Task] >= a.K
	}
	net := i.reps.l.net
	if maximal, ok := i.generators(); ok {
		for _, m := range maximal {
			if net.Known(m, a.Task) >= int(a.K) {
				return true
			}
		}
		return false
	}
	if next, ok := i.exclusions(); ok {
		for _, n := range next {
			if net.Known(a, n.Task) >= int(n.K) {
				return false
			}
		}
		return true
	}
	return i.all().at[a.Task] >= a.K
}

// Events returns the number of events in the ideal; every side of a joint action counts.
func (i Ideal) Events() int {
	if i.reps == nil {
		return 0
	}
	return i.all().events
}

// isEmpty reports whether i has no actions. It does not count if a maximal action is known.
func (i Ideal) isEmpty() bool {
	if i.reps == nil {
		return true
	}
	if maximal := i.reps.maximal.Load(); maximal != nil {
		return len(*maximal) == 0
	}
	return i.Size() == 0
}

// Leq reports whether i is a subset of j.
func (i Ideal) Leq(j Ideal) bool {
	if i.reps == j.reps || i.reps == nil {
		return true
	}
	if j.reps == nil {
		return i.isEmpty()
	}
	if !i.reps.l.isSmall {
		if maximal, ok := i.generators(); ok {
			return j.hasAll(maximal)
		}
		if next, ok := j.exclusions(); ok {
			return !i.hasAny(next)
		}
	}
	a, b := i.all(), j.all()
	return a.events <= b.events && atMost(a.at, b.at)
}

func atMost(a, b []int32) bool {
	b = b[:len(a)]
	for t, c := range a {
		if c > b[t] {
			return false
		}
	}
	return true
}

func (i Ideal) hasAll(as []san.Action) bool {
	for _, a := range as {
		if !i.Has(a) {
			return false
		}
	}
	return true
}

func (i Ideal) hasAny(as []san.Action) bool {
	for _, a := range as {
		if i.Has(a) {
			return true
		}
	}
	return false
}

// Equal reports whether i and j are the same ideal.
func (i Ideal) Equal(j Ideal) bool {
	if i.reps == j.reps {
		return true
	}
	if i.reps == nil || j.reps == nil {
		return i.isEmpty() && j.isEmpty()
	}
	a, b := i.all(), j.all()
	return a.events == b.events && stdslices.Equal(a.at, b.at)
}

// Join returns the union, the least ideal above both.
func (i Ideal) Join(j Ideal) Ideal {
	if j.Leq(i) {
		return i
	}
	if i.Leq(j) {
		return j
	}
	var both Ideal
	if a, ok := i.generators(); ok {
		if b, ok := j.generators(); ok {
			both = i.reps.l.generated(extremes(a, b, j.Has, i.Has))
		}
	}
	return i.merge(j, both, func(a, b int32) int32 { return max(a, b) })
}

// Meet returns the intersection, the greatest ideal below both.
func (i Ideal) Meet(j Ideal) Ideal {
	if i.Leq(j) {
		return i
	}
	if j.Leq(i) {
		return j
	}
	var both Ideal
	if a, ok := i.exclusions(); ok {
		if b, ok := j.exclusions(); ok {
			lacks := func(i Ideal) func(san.Action) bool { return func(a san.Action) bool { return !i.Has(a) } }
			both = i.reps.l.lacking(extremes(a, b, lacks(j), lacks(i)))
		}
	}
	return i.merge(j, both, func(a, b int32) int32 { return min(a, b) })
}

// merge adds the numbers of events to both, the join or meet of i and j, or creates it from them if
// it has no representation. With many tasks the numbers are computed only when needed.
func (i Ideal) merge(j, both Ideal, of func(a, b int32) int32) Ideal {
	l := i.reps.l
	if both.reps != nil && !l.isSmall {
		return both
	}
	a, b := i.all().at, j.all().at
	at := make([]int32, len(a))
	for t, c := range a {
		at[t] = of(c, b[t])
	}
	if both.reps == nil {
		return l.counted(at)
	}
	both.reps.counts.Store(l.count(at))
	return both
}

// extremes returns the actions of a that inB does not make redundant beside b, and those of b
// likewise, each once. All are canonical; a and b have at most one action of each task.
func extremes(a, b []san.Action, inB, inA func(san.Action) bool) []san.Action {
	both := make([]san.Action, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		x, y := a[0], b[0]
		if x == y {
			both, a, b = append(both, x), a[1:], b[1:]
			continue
		}
		if x.Task <= y.Task {
			if a = a[1:]; !inB(x) {
				both = append(both, x)
			}
		}
		if y.Task <= x.Task {
			if b = b[1:]; !inA(y) {
				both = append(both, y)
			}
		}
	}
	for _, x := range a {
		if !inB(x) {
			both = append(both, x)
		}
	}
	for _, y := range b {
		if !inA(y) {
			both = append(both, y)
		}
	}
	return both
}

// String returns the number of events of each task, "[1 0 2]", and "[]" if all are 0.
func (i Ideal) String() string {
	if i.Events() == 0 {
		return "[]"
	}
	return fmt.Sprint(i.all().at)
}

// key returns a string that identifies the ideal.
func (i Ideal) key() string {
	if i.Events() == 0 {
		return ""
	}
	at := i.all().at
	b := make([]byte, 0, 2*len(at))
	for _, c := range at {
		for c >= 0x80 {
			b = append(b, byte(c)|0x80)
			c >>= 7
		}
		b = append(b, byte(c))
	}
	return string(b)
}
