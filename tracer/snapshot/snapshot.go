// Package snapshot encodes the state of data structures as bytes, for another process to continue a
// check.
//
// A type describes its state once, in a function for both directions. The function reads the fields
// while a snapshot is written, and sets them while one is read:
//
//	func (r *row) snapshot(c *snapshot.Codec) {
//		snapshot.Int(c, &r.from)
//		c.Bool(&r.over)
//		snapshot.Slice(c, &r.causes, func(x *cause) { x.snapshot(c) })
//	}
//
// A snapshot does not describe itself. Store the version of the program that wrote it beside it,
// and a checksum. Reading damaged bytes ends in an error, and takes memory in proportion to their
// number.
package snapshot

import (
	"bytes"
	"encoding/binary"
	"fmt"
	stdslices "slices"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
)

// Codec writes a snapshot, or reads one. After an error it writes nothing more, and reads zeros.
type Codec struct {
	reading bool
	data    []byte // written so far, or still to be read
	size    int    // of what is read, in bytes
	err     error

	numbers map[any]uint64 // of the pointers that were written
	objects []any          // pointers that were read, by number
}

// NewWriter returns a codec that writes to an empty snapshot.
func NewWriter() *Codec { return &Codec{numbers: map[any]uint64{}} }

// NewReader returns a codec that reads what another one has written.
func NewReader(data []byte) *Codec { return &Codec{reading: true, data: data, size: len(data)} }

// Grow makes room for bytes more bytes.
func (c *Codec) Grow(bytes int) { c.data = stdslices.Grow(c.data, bytes) }

// Reading reports whether a snapshot is read.
func (c *Codec) Reading() bool { return c.reading }

// Bytes returns what was written.
func (c *Codec) Bytes() []byte { return c.data }

// Err returns the first error.
func (c *Codec) Err() error { return c.err }

// End returns the first error, which is also one if something is left to be read.
func (c *Codec) End() error {
	if c.reading && c.err == nil && len(c.data) > 0 {
		c.fail("%d bytes are left", len(c.data))
	}
	return c.err
}

// Fail notes that what was read cannot be.
func (c *Codec) Fail(format string, args ...any) {
	if c.reading {
		c.fail(format, args...)
	}
}

func (c *Codec) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("byte %d of a snapshot of %d: %s", c.size-len(c.data), c.size, fmt.Sprintf(format, args...))
	}
	c.data = nil
}

func (c *Codec) uvarint() uint64 {
	v, n := binary.Uvarint(c.data)
	if n <= 0 {
		c.fail("no number")
		return 0
	}
	c.data = c.data[n:]
	return v
}

// Int is a signed integer.
func Int[T ~int | ~int8 | ~int16 | ~int32 | ~int64](c *Codec, v *T) {
	if !c.reading {
		c.data = binary.AppendVarint(c.data, int64(*v))
		return
	}
	u := c.uvarint()
	i := int64(u>>1) ^ -int64(u&1)
	if *v = T(i); int64(*v) != i {
		c.fail("%d is out of range", i)
	}
}

// Uint is an unsigned integer.
func Uint[T ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint](c *Codec, v *T) {
	if !c.reading {
		c.data = binary.AppendUvarint(c.data, uint64(*v))
		return
	}
	u := c.uvarint()
	if *v = T(u); uint64(*v) != u {
		c.fail("%d is out of range", u)
	}
}

// Bool is a boolean.
func (c *Codec) Bool(v *bool) {
	var u uint8
	if *v {
		u = 1
	}
	if Uint(c, &u); u > 1 {
		c.fail("%d is no boolean", u)
	}
	*v = u == 1
}

// String is a string.
func (c *Codec) String(v *string) {
	n := c.Len(len(*v))
	if !c.reading {
		c.data = append(c.data, *v...)
		return
	}
	*v = string(c.data[:n])
	c.data = c.data[n:]
}

// Len is the number of elements that follow. Each takes a byte at least.
func (c *Codec) Len(n int) int {
	u := uint64(n)
	Uint(c, &u)
	if c.reading && u > uint64(len(c.data)) {
		c.fail("a length of %d with %d bytes left", u, len(c.data))
		return 0
	}
	return int(u)
}

// Value is a value of a variable.
func (c *Codec) Value(v *event.Value) {
	if !c.reading {
		c.data = event.AppendValue(c.data, *v)
		return
	}
	value, rest, err := event.DecodeValue(c.data, event.Limits{})
	if err != nil {
		c.fail("%v", err)
		return
	}
	*v, c.data = value, rest
}

// Header is the header of a trace, which is not nil.
func (c *Codec) Header(h **event.Header) {
	var line string
	if !c.reading {
		var text bytes.Buffer
		if err := event.NewTextWriter(&text, *h).Flush(); err != nil {
			panic(fmt.Sprintf("snapshot: a header that no trace can have: %v", err))
		}
		line = text.String()
	}
	if c.String(&line); !c.reading || c.err != nil {
		return
	}
	header, err := event.NewTextReader(strings.NewReader(line), "header").Header()
	if err != nil {
		c.fail("%v", err)
		return
	}
	*h = header
}

// Slice is a slice; each is called for its elements. An empty one is read as nil.
func Slice[T any](c *Codec, s *[]T, each func(*T)) {
	n := c.Len(len(*s))
	if c.reading {
		*s = nil
	}
	for i := range n {
		if c.err != nil {
			return
		}
		if c.reading {
			var zero T
			*s = append(*s, zero)
		}
		each(&(*s)[i])
	}
}

// Map is a map, whose keys are written in ascending order. An empty one is read as an empty one.
func Map[K comparable, V any](c *Codec, m *map[K]V, compare func(K, K) int, key func(*K), value func(*V)) {
	n := c.Len(len(*m))
	if !c.reading {
		keys := make([]K, 0, n)
		for k := range *m {
			keys = append(keys, k)
		}
		stdslices.SortFunc(keys, compare)
		for _, k := range keys {
			v := (*m)[k]
			key(&k)
			value(&v)
		}
		return
	}
	*m = map[K]V{}
	for range n {
		var k K
		var v V
		key(&k)
		value(&v)
		if c.err != nil {
			return
		}
		(*m)[k] = v
	}
}

// Pointer is a pointer, nil included. Its target is written once, when it is met first: equal
// pointers remain equal.
func Pointer[T any](c *Codec, p **T, content func(*T)) {
	const none, fresh, known = 0, 1, 2 // known and what follows are numbers
	if !c.reading {
		var u uint64
		number, ok := c.numbers[*p]
		switch {
		case *p == nil:
			u = none
		case !ok:
			u = fresh
			c.numbers[*p] = uint64(len(c.numbers))
		default:
			u = known + number
		}
		Uint(c, &u)
		if u == fresh {
			content(*p)
		}
		return
	}
	*p = nil
	switch u := c.uvarint(); {
	case u == none:
	case u == fresh:
		*p = new(T)
		c.objects = append(c.objects, *p)
		content(*p)
	case u-known < uint64(len(c.objects)):
		q, ok := c.objects[u-known].(*T)
		if !ok {
			c.fail("pointer %d is not of this type", u-known)
			return
		}
		*p = q
	default:
		c.fail("pointer %d, of %d", u-known, len(c.objects))
	}
}
