// Package freelist keeps the memory of values that are gone for those that come.
//
// What is remembered of an object of the program is gone when its garbage collector says so, of many objects at once, and there are as
// many new ones before it runs again. Our own collector would have to find all of that.
package freelist

// List has values that nobody uses. The zero value has none.
type List[V any] struct{ free []*V }

// most bounds the values that are kept.
const most = 1 << 17

// Get returns a value as it was when it was put, or a new one.
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

// Put takes a value that nobody uses any more. It should refer to little.
func (l *List[V]) Put(v *V) {
	if len(l.free) < most {
		l.free = append(l.free, v)
	}
}
