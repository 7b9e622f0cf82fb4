// Package snapshot turns the state of data structures into bytes and back: that of a checker that goes on
// elsewhere.
//
// A type says once what its state is, in a function that serves both directions. While an archive is
// written it takes the values of the fields, while one is read it sets them:
//
//	func (r *row) archive(a *archive.Archive) {
//		archive.Int(a, &r.from)
//		a.Bool(&r.over)
//		archive.Slice(a, &r.causes, func(c *cause) { c.archive(a) })
//	}
//
// An archive has no description of itself: who keeps one notes beside it
// which version of the program wrote it, and a checksum. Reading damaged bytes ends in an error, and takes memory in
// proportion to their number.
package snapshot

import (
	"bytes"
	"encoding/binary"
	"fmt"
	stdslices "slices"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
)

// Archive is state that is written, or read. After an error it writes nothing more, and reads zeros.
type Archive struct {
	reading bool
	data    []byte // written so far, or still to be read
	size    int    // of what is read, in bytes
	err     error

	numbers map[any]uint64 // of the pointers that were written
	objects []any          // pointers that were read, by number
}

// NewWriter returns an empty archive to write to.
func NewWriter() *Archive { return &Archive{numbers: map[any]uint64{}} }

// NewReader returns an archive that reads what another one has written.
func NewReader(data []byte) *Archive { return &Archive{reading: true, data: data, size: len(data)} }

// Grow makes room for so many further bytes, for who knows how many will be written.
func (a *Archive) Grow(bytes int) { a.data = stdslices.Grow(a.data, bytes) }

// Reading reports whether the archive is read.
func (a *Archive) Reading() bool { return a.reading }

// Bytes returns what was written.
func (a *Archive) Bytes() []byte { return a.data }

// Err returns the first error.
func (a *Archive) Err() error { return a.err }

// End returns the first error, which is also one if something is left to be read.
func (a *Archive) End() error {
	if a.reading && a.err == nil && len(a.data) > 0 {
		a.fail("%d bytes are left", len(a.data))
	}
	return a.err
}

// Fail notes that what was read cannot be.
func (a *Archive) Fail(format string, args ...any) {
	if a.reading {
		a.fail(format, args...)
	}
}

func (a *Archive) fail(format string, args ...any) {
	if a.err == nil {
		a.err = fmt.Errorf("byte %d of an archive of %d: %s", a.size-len(a.data), a.size, fmt.Sprintf(format, args...))
	}
	a.data = nil
}

func (a *Archive) uvarint() uint64 {
	v, n := binary.Uvarint(a.data)
	if n <= 0 {
		a.fail("no number")
		return 0
	}
	a.data = a.data[n:]
	return v
}

// Int is a signed integer.
func Int[T ~int | ~int8 | ~int16 | ~int32 | ~int64](a *Archive, v *T) {
	if !a.reading {
		a.data = binary.AppendVarint(a.data, int64(*v))
		return
	}
	u := a.uvarint()
	i := int64(u>>1) ^ -int64(u&1)
	if *v = T(i); int64(*v) != i {
		a.fail("%d is out of range", i)
	}
}

// Uint is an unsigned integer.
func Uint[T ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint](a *Archive, v *T) {
	if !a.reading {
		a.data = binary.AppendUvarint(a.data, uint64(*v))
		return
	}
	u := a.uvarint()
	if *v = T(u); uint64(*v) != u {
		a.fail("%d is out of range", u)
	}
}

// Bool is a boolean.
func (a *Archive) Bool(v *bool) {
	var u uint8
	if *v {
		u = 1
	}
	if Uint(a, &u); u > 1 {
		a.fail("%d is no boolean", u)
	}
	*v = u == 1
}

// String is a string.
func (a *Archive) String(v *string) {
	n := a.Len(len(*v))
	if !a.reading {
		a.data = append(a.data, *v...)
		return
	}
	*v = string(a.data[:n])
	a.data = a.data[n:]
}

// Len is the length of what follows, of which each element takes a byte at least.
func (a *Archive) Len(n int) int {
	u := uint64(n)
	Uint(a, &u)
	if a.reading && u > uint64(len(a.data)) {
		a.fail("a length of %d with %d bytes left", u, len(a.data))
		return 0
	}
	return int(u)
}

// Value is a value of a variable.
func (a *Archive) Value(v *event.Value) {
	if !a.reading {
		a.data = event.AppendValue(a.data, *v)
		return
	}
	value, rest, err := event.DecodeValue(a.data, event.Limits{})
	if err != nil {
		a.fail("%v", err)
		return
	}
	*v, a.data = value, rest
}

// Header is the header of a trace, which is not nil.
func (a *Archive) Header(h **event.Header) {
	var line string
	if !a.reading {
		var text bytes.Buffer
		if err := event.NewTextWriter(&text, *h).Flush(); err != nil {
			panic(fmt.Sprintf("archive: a header that no trace can have: %v", err))
		}
		line = text.String()
	}
	if a.String(&line); !a.reading || a.err != nil {
		return
	}
	header, err := event.NewTextReader(strings.NewReader(line), "header").Header()
	if err != nil {
		a.fail("%v", err)
		return
	}
	*h = header
}

// Slice is a slice; each is called for its elements. An empty one is read as nil.
func Slice[T any](a *Archive, s *[]T, each func(*T)) {
	n := a.Len(len(*s))
	if a.reading {
		*s = nil
	}
	for i := range n {
		if a.err != nil {
			return
		}
		if a.reading {
			var zero T
			*s = append(*s, zero)
		}
		each(&(*s)[i])
	}
}

// Map is a map, whose keys are written in ascending order. An empty one is read as an empty one.
func Map[K comparable, V any](a *Archive, m *map[K]V, compare func(K, K) int, key func(*K), value func(*V)) {
	n := a.Len(len(*m))
	if !a.reading {
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
		if a.err != nil {
			return
		}
		(*m)[k] = v
	}
}

// Pointer is a pointer, nil included. What it points to is written once, when it is met first, so that
// pointers that were equal will be.
func Pointer[T any](a *Archive, p **T, content func(*T)) {
	const none, fresh, known = 0, 1, 2 // known and what follows are numbers
	if !a.reading {
		var u uint64
		number, ok := a.numbers[*p]
		switch {
		case *p == nil:
			u = none
		case !ok:
			u = fresh
			a.numbers[*p] = uint64(len(a.numbers))
		default:
			u = known + number
		}
		Uint(a, &u)
		if u == fresh {
			content(*p)
		}
		return
	}
	*p = nil
	switch u := a.uvarint(); {
	case u == none:
	case u == fresh:
		*p = new(T)
		a.objects = append(a.objects, *p)
		content(*p)
	case u-known < uint64(len(a.objects)):
		q, ok := a.objects[u-known].(*T)
		if !ok {
			a.fail("pointer %d is not of this type", u-known)
			return
		}
		*p = q
	default:
		a.fail("pointer %d, of %d", u-known, len(a.objects))
	}
}
