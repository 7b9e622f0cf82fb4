//go:build antichain_traced

package agent

import "unsafe"

// Rec is a record under construction: for each variable of its site a presence byte,
// and a value in the coding of package tracer/event.
type Rec struct {
	kind uint8
	step bool // sent even without a value
	some bool // has a value
	site uint32
	n    int    // bytes in small
	big  []byte // takes over from small when that is full
	// small holds a few scalars; two slots of the ring.
	small [2 * ringPayloadPerSlot]byte
}

// The limits of one value. They bound what recording costs.
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

// Enter starts the record of a function's entry.
func (r *Rec) Enter(site uint32) { r.kind, r.site = ringKindEnter, site }

// Stmt starts the record of a statement, which is sent if some variable is present.
func (r *Rec) Stmt(site uint32) { r.kind, r.site = ringKindStmt, site }

// Step starts the record of a statement that counts in itself.
func (r *Rec) Step(site uint32) { r.kind, r.site, r.step = ringKindStmt, site, true }

// SharedInit starts the record of initial values.
func (r *Rec) SharedInit(site uint32) { r.kind, r.site, r.step = ringKindSharedInit, site, true }

// End sends a record.
func (r *Rec) End() {
	if r.some || r.step {
		r.send(0)
	}
}

func (r *Rec) send(arg uint64) {
	payload := r.big
	if payload == nil {
		payload = r.small[:r.n]
	}
	emit(r.kind, uint64(r.site), 0, arg, payload)
}

// Skip adds a variable that is not there.
func (r *Rec) Skip() { r.byte(0) }

// Opaque adds a variable whose way is cut by a nil pointer.
func (r *Rec) Opaque() { r.present(); r.mark("nil") }

// Unread adds a variable whose way has changed, without a look at where it leads now.
func (r *Rec) Unread() { r.present(); r.mark("not read") }

// mark adds a value that stands for one that cannot be recorded. It is an object, so
// that no comparison with it is true or false.
func (r *Rec) mark(reason string) {
	r.byte(tagObject)
	r.byte(1)
	r.text("?")
	r.byte(tagString)
	r.text(reason)
}

func (r *Rec) present() { r.some = true; r.byte(1) }

func (r *Rec) len() int {
	if r.big != nil {
		return len(r.big)
	}
	return r.n
}

// cut takes back what was added since the record had n bytes.
func (r *Rec) cut(n int) {
	if r.big != nil {
		r.big = r.big[:n]
	} else {
		r.n = n
	}
}

func (r *Rec) byte(b byte) {
	if r.big == nil {
		if r.n < len(r.small) {
			r.small[r.n] = b
			r.n++
			return
		}
		r.big = append(make([]byte, 0, 4*len(r.small)), r.small[:]...)
	}
	r.big = append(r.big, b)
}

func (r *Rec) uvarint(u uint64) {
	for u >= 0x80 {
		r.byte(byte(u) | 0x80)
		u >>= 7
	}
	r.byte(byte(u))
}

func (r *Rec) text(s string) {
	r.uvarint(uint64(len(s)))
	for i := range len(s) {
		r.byte(s[i])
	}
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
	if len(s) > maxString || r.len()+len(s) > maxBytes {
		r.mark("too large")
		return
	}
	r.byte(tagString)
	r.text(s)
}

type signed interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64
}

type unsigned interface {
	~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Int adds a signed integer.
func Int[T signed](r *Rec, v T) { r.present(); r.int(int64(v)) }

// Uint adds an unsigned integer.
func Uint[T unsigned](r *Rec, v T) { r.present(); r.uint(uint64(v)) }

// Bool adds a boolean.
func Bool[T ~bool](r *Rec, v T) { r.present(); r.bool(bool(v)) }

// Float adds a floating-point number.
func Float[T ~float32 | ~float64](r *Rec, v T) { r.present(); r.float(float64(v)) }

// String adds a string.
func String[T ~string](r *Rec, v T) { r.present(); guarded(r, func() { r.string(string(v)) }) }

// Ints adds a list of signed integers.
func Ints[S ~[]E, E signed](r *Rec, v S) {
	r.present()
	if len(v) > maxElements {
		r.mark("too large")
		return
	}
	guarded(r, func() {
		start := r.len()
		r.byte(tagList)
		r.uvarint(uint64(len(v)))
		for _, e := range v {
			r.int(int64(e))
		}
		if r.len() > maxBytes {
			r.cut(start)
			r.mark("too large")
		}
	})
}

// guarded runs f, which reads through addresses that may be torn: a fault marks the
// value. It also keeps what f does out of the trace.
func guarded(r *Rec, f func()) {
	start := r.len()
	old := setPanicOnFault(true)
	ignore(1)
	defer func() {
		ignore(-1)
		setPanicOnFault(old)
		// Nothing but f's own panic is recovered: a panic of the program that is under
		// way did not start below this function.
		if recover() != nil {
			r.cut(start)
			r.mark("unreadable")
		}
	}()
	f()
}
