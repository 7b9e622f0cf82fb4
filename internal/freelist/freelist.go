// Package freelist reuses the memory of values.
//
// The records of an object are dropped when the garbage collector of the traced program frees it.
// That happens to many objects at once, and as many new ones come before the collector runs again.
// Antichain's own collector would have to find all of them.
package freelist

// List has unused values. The zero value is empty.
type List[V any] struct{ free []*V }

// most limits the values of a list.
const most = 1 << 17

// Get returns a value as it was put, or a new one.
func (l *List[V]) Get() *V {
	last := len(l.free) - 1
	if last < 0 {
		return new(V)
	}
	v := l.free[last]
	l.free[last] = nil
	l.free = l.free[:last]
	return v
}

// Len returns how many values are kept.
func (l *List[V]) Len() int { return len(l.free) }

// Put adds a value that is not used any more. It should refer to little memory.
func (l *List[V]) Put(v *V) {
	if len(l.free) < most {
		l.free = append(l.free, v)
	}
}
