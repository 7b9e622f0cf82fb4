package wire

import (
	"encoding/binary"
	"iter"
	"math"
	"slices"
)

// encoder appends the primitive types of the protocol. In newer versions of requests, called
// flexible, lengths are encoded plus one, with 0 for null, and structures end with optional fields.
type encoder struct {
	b        []byte
	flexible bool
}

func (e *encoder) int8(v int8)   { e.b = append(e.b, byte(v)) }
func (e *encoder) int16(v int16) { e.b = binary.BigEndian.AppendUint16(e.b, uint16(v)) }
func (e *encoder) int32(v int32) { e.b = binary.BigEndian.AppendUint32(e.b, uint32(v)) }
func (e *encoder) int64(v int64) { e.b = binary.BigEndian.AppendUint64(e.b, uint64(v)) }

// grow makes room for n bytes.
func (e *encoder) grow(n int) { e.b = slices.Grow(e.b, n) }

func (e *encoder) bool(v bool) {
	if v {
		e.int8(1)
	} else {
		e.int8(0)
	}
}

func (e *encoder) string(v string) {
	if e.flexible {
		e.b = binary.AppendUvarint(e.b, uint64(len(v))+1)
	} else {
		e.int16(int16(len(v)))
	}
	e.b = append(e.b, v...)
}

func (e *encoder) bytes(b []byte) {
	e.array(len(b))
	e.b = append(e.b, b...)
}

// array begins an array of n elements.
func (e *encoder) array(n int) {
	if e.flexible {
		e.b = binary.AppendUvarint(e.b, uint64(n)+1)
	} else {
		e.int32(int32(n))
	}
}

func (e *encoder) null() {
	if e.flexible {
		e.int8(0)
	} else {
		e.int16(-1)
	}
}

// noTags ends a structure without optional fields.
func (e *encoder) noTags() {
	if e.flexible {
		e.int8(0)
	}
}

// varint appends a number of a record, which is mostly small.
func (e *encoder) varint(v int64) { e.b = binary.AppendVarint(e.b, v) }

// varbytes appends bytes of a record; nil is null.
func (e *encoder) varbytes(b []byte) {
	if b == nil {
		e.varint(-1)
		return
	}
	e.varint(int64(len(b)))
	e.b = append(e.b, b...)
}

// decoder takes the primitive types of the protocol from the front of bytes. Where they end too
// early, or a length is impossible, it is bad from then on, and returns only zero values.
type decoder struct {
	b        []byte
	flexible bool
	bad      bool
}

func (d *decoder) fail() {
	d.bad, d.b = true, nil
}

// take returns the next n bytes. Appending to them does not change the bytes after them.
func (d *decoder) take(n int) []byte {
	if n < 0 || n > len(d.b) {
		d.fail()
		return nil
	}
	b := d.b[:n:n]
	d.b = d.b[n:]
	return b
}

func (d *decoder) int8() int8 {
	if b := d.take(1); b != nil {
		return int8(b[0])
	}
	return 0
}

func (d *decoder) int16() int16 {
	if b := d.take(2); b != nil {
		return int16(binary.BigEndian.Uint16(b))
	}
	return 0
}

func (d *decoder) int32() int32 {
	if b := d.take(4); b != nil {
		return int32(binary.BigEndian.Uint32(b))
	}
	return 0
}

func (d *decoder) int64() int64 {
	if b := d.take(8); b != nil {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

// string returns a string, "" if it is null.
func (d *decoder) string() string {
	if d.flexible {
		return string(d.take(max(0, int(d.uvarint()-1))))
	}
	return string(d.take(max(0, int(d.int16()))))
}

// bytes returns bytes, nil if they are null.
func (d *decoder) bytes() []byte {
	n := d.size()
	if n < 0 {
		return nil
	}
	return d.take(n)
}

func (d *decoder) size() int {
	if d.flexible {
		return int(d.uvarint() - 1)
	}
	return int(d.int32())
}

// array returns the length of an array, 0 if it is null. Each element takes at least a byte, so a
// false length makes the decoder bad before it allocates anything.
func (d *decoder) array() int { return d.length(int64(d.size())) }

// elements takes the length of an array, and yields for each of its elements while the decoder is
// good.
func (d *decoder) elements() iter.Seq[int] {
	return func(yield func(int) bool) {
		n := d.array()
		for i := 0; i < n && !d.bad && yield(i); i++ {
		}
	}
}

func (d *decoder) length(n int64) int {
	if n > int64(len(d.b)) {
		d.fail()
		return 0
	}
	return int(max(0, n))
}

func (d *decoder) uvarint() int64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 || v > math.MaxInt32 {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return int64(v)
}

// tags skips optional fields.
func (d *decoder) tags() {
	if !d.flexible {
		return
	}
	for n := d.uvarint(); n > 0 && !d.bad; n-- {
		d.uvarint()
		d.take(int(d.uvarint()))
	}
}

// varint takes a number of a record.
func (d *decoder) varint() int64 {
	if len(d.b) > 0 && d.b[0] < 0x80 { // most have one byte
		u := uint64(d.b[0])
		d.b = d.b[1:]
		return int64(u>>1) ^ -int64(u&1)
	}
	v, n := binary.Varint(d.b)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return v
}

// varbytes takes bytes of a record, nil if they are null.
func (d *decoder) varbytes() []byte {
	n := d.varint()
	if n < 0 {
		return nil
	}
	if n > int64(len(d.b)) {
		d.fail()
		return nil
	}
	return d.take(int(n))
}
