//go:build antichain_traced

package agent

import (
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Operations are functions whose calls are decided by a model of the object that they are called
// on. A pointer among their values is recorded as a number, the same for the same pointer: its
// target may change, and is not theirs to read.

// maxPointers is how many pointers get a number. They are kept: another object at the same address
// would have the same one.
const maxPointers = 1 << 20

var (
	pointers sync.Map // pointerKey to uint64
	lastKey  atomic.Uint64
)

type pointerKey struct {
	p unsafe.Pointer
	t reflect.Type
}

// keep is never true, which the compiler does not know: whatever pointers keeps must not lie on a
// stack.
var (
	keep bool
	kept any
)

// number returns the number of a pointer, 0 if there are too many.
func number(p unsafe.Pointer, t reflect.Type) uint64 {
	ignore(1) // the map synchronises; the program does not
	defer ignore(-1)
	key := pointerKey{p, t}
	if n, ok := pointers.Load(key); ok {
		return n.(uint64)
	}
	if lastKey.Load() >= maxPointers {
		return 0
	}
	n, _ := pointers.LoadOrStore(key, lastKey.Add(1))
	return n.(uint64)
}

// Object adds what a method was called on: a pointer, a channel or a map.
//
//go:noinline
func (r *Rec) Object(on any) {
	if keep {
		kept = on
	}
	r.present()
	w := words(&on)
	if n := number(unsafe.Pointer(w[1]), reflect.TypeOf(on)); n > 0 {
		r.uint(n)
	} else {
		r.mark("too many objects")
	}
}

// Identity adds the variable that p points to, an argument or a result of an operation.
//
//go:noinline
func (r *Rec) Identity(p any) {
	if keep {
		kept = p
	}
	r.ref(unsafe.Pointer(words(&p)[1]), reflect.TypeOf(p).Elem(), true)
}

// Called sends the record of an operation's call. The next steps of its goroutine are recorded
// although it may have done the same before, since it does them in another operation.
//
//go:noinline
func (r *Rec) Called() Frame {
	f := r.Entered()
	renew()
	return f
}

// ExitOperation is Exit of an operation, whose results follow the first tracked others.
func (f Frame) ExitOperation(site uint32, tracked int, results ...any) {
	f.exit(site, tracked, results)
}

// identity encodes a pointer as its number. It reports false for what is no pointer.
func (e *encoder) identity(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Chan, reflect.Map, reflect.UnsafePointer:
	default:
		return false
	}
	n := number(v.UnsafePointer(), v.Type())
	if n == 0 {
		e.r.mark("too many pointers")
		return true
	}
	e.r.byte(tagObject)
	e.r.uvarint(1)
	e.r.text("pointer")
	e.r.uint(n)
	return true
}
