//go:build antichain_traced

package agent

import (
	"sync"
	"unsafe"
)

// Rec is a record under construction: for each variable of its site a presence byte,
// and a value in the coding of package tracer/event.
type Rec struct {
	kind uint8
	step bool // sent even without a value
	some bool // has a value
	site uint32
	buf  []byte
}

// recs are records for reuse. A local variable would be simpler, and would make the frames of
// functions with many statements larger than their program expects.
var recs = sync.Pool{New: func() any { return &Rec{buf: make([]byte, 0, 4*ringPayloadPerSlot)} }}

func begin(kind uint8, site uint32) *Rec {
	before(site) // values are those of the moment at which a held goroutine continues
	ignore(1)    // the pool synchronises; the program does not
	r := recs.Get().(*Rec)
	ignore(-1)
	r.kind, r.site, r.step, r.some, r.buf = kind, site, false, false, r.buf[:0]
	return r
}

func (r *Rec) send(arg uint64) {
	emit(r.kind, uint64(r.site), 0, arg, r.buf)
	r.release()
}

func (r *Rec) release() {
	ignore(1)
	recs.Put(r)
	ignore(-1)
}

// The limits of one value. They bound the cost of recording.
const (
	maxElements = 1024 // of one list, fields of one object
	maxNodes    = 4096
	maxDepth    = 8
	maxString   = 4096

	// maxBytes leaves room for marks in place of the values that come after a big one.
	maxBytes = ringMaxPayload - 2048
)

// The tags of the value coding.
const (
	tagNull   = 0x00
	tagFalse  = 0x01
	tagTrue   = 0x02
	tagInt    = 0x03
	tagUint   = 0x04
	tagFloat  = 0x05
	tagString = 0x06
	tagList   = 0x07
	tagObject = 0x08
)

// The functions of a record that rewritten code calls are not inlined there. A package that reports
// its accesses to memory would also report those to the record, which goroutines exchange through
// the pool.

// Enter starts the record of a function's entry.
//
//go:noinline
func Enter(site uint32) *Rec { return begin(ringKindEnter, site) }

// Stmt starts the record of a statement, which is sent if some variable is present.
//
//go:noinline
func Stmt(site uint32) *Rec { return begin(ringKindStmt, site) }

// Step starts the record of a statement that counts in itself.
//
//go:noinline
func Step(site uint32) *Rec { return always(ringKindStmt, site) }

// Line is called before the statement of a line where goroutines may be held. It records nothing.
//
//go:noinline
func Line(number uint32) {
	if On {
		beforeLine(number)
	}
}

// SharedInit starts the record of initial values.
//
//go:noinline
func SharedInit(site uint32) *Rec { return always(ringKindSharedInit, site) }

func always(kind uint8, site uint32) *Rec {
	r := begin(kind, site)
	r.step = true
	return r
}

// End sends a record.
//
//go:noinline
func (r *Rec) End() {
	if r.some || r.step {
		r.send(0)
	} else {
		r.release()
	}
}

// Skip adds a variable that is not there.
//
//go:noinline
func (r *Rec) Skip() { r.byte(0) }

// Opaque adds a variable whose path is cut by a nil pointer.
//
//go:noinline
func (r *Rec) Opaque() { r.present(); r.mark("nil") }

// Unread adds a variable whose path has changed, without reading its new target.
//
//go:noinline
func (r *Rec) Unread() { r.present(); r.mark("not read") }

// mark adds a value in place of one that cannot be recorded. It is an object, so no comparison with
// it is true or false.
func (r *Rec) mark(reason string) {
	r.byte(tagObject)
	r.byte(1)
	r.text("?")
	r.byte(tagString)
	r.text(reason)
}

func (r *Rec) present() { r.some = true; r.byte(1) }

func (r *Rec) byte(b byte) { r.buf = append(r.buf, b) }

func (r *Rec) uvarint(u uint64) {
	for u >= 0x80 {
		r.byte(byte(u) | 0x80)
		u >>= 7
	}
	r.byte(byte(u))
}

func (r *Rec) text(s string) {
	r.uvarint(uint64(len(s)))
	r.buf = append(r.buf, s...)
}

func (r *Rec) int(i int64) { r.byte(tagInt); r.uvarint(uint64(i<<1) ^ uint64(i>>63)) }

func (r *Rec) uint(u uint64) { r.byte(tagUint); r.uvarint(u) }

func (r *Rec) bool(b bool) {
	if b {
		r.byte(tagTrue)
	} else {
		r.byte(tagFalse)
	}
}

func (r *Rec) float(f float64) {
	r.byte(tagFloat)
	bits := *(*uint64)(unsafe.Pointer(&f))
	for range 8 {
		r.byte(byte(bits))
		bits >>= 8
	}
}

func (r *Rec) string(s string) {
	if len(s) > maxString || len(r.buf)+len(s) > maxBytes {
		r.mark("too large")
		return
	}
	r.byte(tagString)
	r.text(s)
}

// The predeclared types, for packages in which their names mean something else.
type (
	Int64   = int64
	Uint64  = uint64
	Float64 = float64
	Boolean = bool
	Text    = string
)

// Int adds a signed integer.
//
//go:noinline
func (r *Rec) Int(v int64) { r.present(); r.int(v) }

// Uint adds an unsigned integer.
//
//go:noinline
func (r *Rec) Uint(v uint64) { r.present(); r.uint(v) }

// Bool adds a boolean.
//
//go:noinline
func (r *Rec) Bool(v bool) { r.present(); r.bool(v) }

// Float adds a floating-point number.
//
//go:noinline
func (r *Rec) Float(v float64) { r.present(); r.float(v) }

// String adds a string.
func (r *Rec) String(v string) { r.present(); guarded(r, func() { r.string(v) }) }

// guarded runs f, which reads through addresses that may be torn: a fault marks the value. It also
// keeps f's operations out of the trace.
func guarded(r *Rec, f func()) {
	start := len(r.buf)
	old := setPanicOnFault(true)
	ignore(1)
	defer func() {
		ignore(-1)
		setPanicOnFault(old)
		// Only f's own panic is recovered: a panic of the program in progress did not start below
		// this function.
		if recover() != nil {
			r.buf = r.buf[:start]
			r.mark("unreadable")
		}
	}()
	f()
}
