//go:build antichain_traced

package agent

import (
	"math"
	"reflect"
	"strconv"
	"sync/atomic"
	"unsafe"
)

// constant is a scalar from a checker, for a variable.
type constant struct {
	tag   byte
	bits  uint64 // of a boolean, an integer or a float
	str   string
	known bool
}

// readConstant reads a value in the coding of package tracer/event.
func readConstant(r *reader) constant {
	c := constant{tag: r.byte(), known: true}
	switch c.tag {
	case tagNull, tagFalse:
	case tagTrue:
		c.bits = 1
	case tagInt:
		u := r.uvarint()
		c.bits = u>>1 ^ -(u & 1)
	case tagUint:
		c.bits = r.uvarint()
	case tagFloat:
		c.bits = r.fixed64()
	case tagString:
		c.str = r.text()
	default:
		c.known = false
		r.b = nil // whatever it is
	}
	return c
}

// kind is the user's word for the constant's kind.
func (c constant) kind() string {
	switch c.tag {
	case tagNull:
		return "nil"
	case tagFalse, tagTrue:
		return "a boolean"
	case tagInt, tagUint:
		return "an integer"
	case tagFloat:
		return "a floating-point number"
	}
	return "a string"
}

// integer returns the constant as an integer: its magnitude and sign.
func (c constant) integer() (magnitude uint64, negative, ok bool) {
	switch {
	case c.tag == tagInt && int64(c.bits) < 0:
		return -c.bits, true, true
	case c.tag == tagInt || c.tag == tagUint:
		return c.bits, false, true
	}
	return 0, false, false
}

// float returns the constant as a float, if that is exact.
func (c constant) float() (float64, bool) {
	if c.tag == tagFloat {
		return math.Float64frombits(c.bits), true
	}
	u, negative, ok := c.integer()
	f := float64(u)
	if !ok || u > 1<<53 {
		return 0, false
	}
	if negative {
		f = -f
	}
	return f, true
}

// assign stores the constant in v, which is addressable, or returns why it cannot.
func (c constant) assign(v reflect.Value) (reason string) {
	if v.Kind() == reflect.Struct && planOf(v.Type()).scalar >= 0 {
		return c.assignAtomic(v)
	}
	if !c.known {
		return "only a single boolean, number, string or nil can be assigned"
	}
	p := pointerTo(v)
	switch k := v.Kind(); k {
	case reflect.Bool:
		if c.tag != tagFalse && c.tag != tagTrue {
			return c.mismatch(v)
		}
		*(*bool)(p) = c.bits != 0
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return c.assignInt(v, p)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return c.assignUint(v, p)
	case reflect.Float32, reflect.Float64:
		return c.assignFloat(v, p)
	case reflect.String:
		if c.tag != tagString {
			return c.mismatch(v)
		}
		*(*string)(p) = c.str
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		if c.tag != tagNull {
			return c.mismatch(v)
		}
		*(*unsafe.Pointer)(p) = nil
	case reflect.Slice:
		if c.tag != tagNull {
			return c.mismatch(v)
		}
		*(*[]byte)(p) = nil
	case reflect.Interface:
		if c.tag != tagNull {
			return c.mismatch(v)
		}
		*(*any)(p) = nil
	default:
		return c.mismatch(v)
	}
	return ""
}

// assignAtomic stores the constant in the one field of an atomic type that is its value.
func (c constant) assignAtomic(v reflect.Value) string {
	if v.Type().Name() == "Bool" {
		if c.tag != tagFalse && c.tag != tagTrue {
			return c.mismatch(v)
		}
		c.tag = tagUint
	}
	return c.assign(v.Field(planOf(v.Type()).scalar))
}

func (c constant) mismatch(v reflect.Value) string {
	text := "its type is " + v.Type().String() + ", which does not take " + c.kind()
	switch v.Kind() {
	case reflect.Struct:
		if !planOf(v.Type()).opaque {
			text += "; name one of its fields"
		}
	case reflect.Array, reflect.Slice:
		text += "; name one of its elements"
	}
	return text
}

func (c constant) overflow(v reflect.Value) string {
	u, negative, _ := c.integer()
	text := strconv.FormatUint(u, 10)
	if negative {
		text = "-" + text
	}
	return text + " overflows " + v.Type().String()
}

// assignInt stores into memory of the width of v. The program is halted; the stores are
// atomic for those of its parts that are not, such as C code.
func (c constant) assignInt(v reflect.Value, p unsafe.Pointer) string {
	u, negative, ok := c.integer()
	if !ok {
		return c.mismatch(v)
	}
	limit := uint64(1) << (v.Type().Bits() - 1)
	if negative && u > limit || !negative && u >= limit {
		return c.overflow(v)
	}
	if negative {
		u = -u
	}
	store(p, u, v.Type().Bits())
	return ""
}

func (c constant) assignUint(v reflect.Value, p unsafe.Pointer) string {
	u, negative, ok := c.integer()
	if !ok {
		return c.mismatch(v)
	}
	if bits := v.Type().Bits(); negative || u>>(bits-1)>>1 != 0 {
		return c.overflow(v)
	}
	store(p, u, v.Type().Bits())
	return ""
}

func (c constant) assignFloat(v reflect.Value, p unsafe.Pointer) string {
	f, ok := c.float()
	if !ok {
		return c.mismatch(v)
	}
	if v.Type().Bits() == 64 {
		store(p, math.Float64bits(f), 64)
		return ""
	}
	if math.Abs(f) > math.MaxFloat32 && !math.IsInf(f, 0) {
		return strconv.FormatFloat(f, 'g', -1, 64) + " overflows " + v.Type().String()
	}
	store(p, uint64(math.Float32bits(float32(f))), 32)
	return ""
}

func store(p unsafe.Pointer, u uint64, bits int) {
	switch bits {
	case 8:
		*(*uint8)(p) = uint8(u)
	case 16:
		*(*uint16)(p) = uint16(u)
	case 32:
		atomic.StoreUint32((*uint32)(p), uint32(u))
	default:
		atomic.StoreUint64((*uint64)(p), u)
	}
}

func decimal(n int) string { return strconv.Itoa(n) }
