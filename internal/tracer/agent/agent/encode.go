//go:build antichain_traced

package agent

import (
	"reflect"
	"slices"
	"strconv"
	"sync/atomic"
	"unsafe"
)

// Ref adds the variable that p, a non-nil pointer, points to. p does not escape, so recording a
// variable does not move it: the code below keeps no copy beyond the call. reflect.Values of it
// stay on the stack, and a map is iterated by a copy of its pointer.
func (r *Rec) Ref(p any) {
	w := words(&p)
	// No call before this line: the variable may lie on the stack, which may move.
	ptr := *(*unsafe.Pointer)(unsafe.Pointer(&w[1]))
	typ := [2]uintptr{w[0], 0} // a nil pointer of the same type
	r.ref(ptr, reflect.TypeOf(*(*any)(unsafe.Pointer(&typ))).Elem(), false)
}

// ref adds a variable; same says that pointers are recorded as which one they are.
func (r *Rec) ref(p unsafe.Pointer, t reflect.Type, same bool) {
	r.present()
	start := len(r.buf)
	guarded(r, func() {
		e := encoder{r: r, same: same}
		e.value(reflect.NewAt(t, p).Elem(), maxDepth)
		if e.failed || len(r.buf) > maxBytes {
			r.buf = r.buf[:start]
			r.mark("too large")
		}
	})
}

// encoder walks one value. It reads fields that are not exported, and calls no methods.
type encoder struct {
	r      *Rec
	same   bool // pointers are numbers; see Rec.Identity
	nodes  int
	failed bool // the value is too large, and the output is void
}

func (e *encoder) value(v reflect.Value, depth int) {
	e.nodes++
	if e.failed || e.nodes > maxNodes || len(e.r.buf) > maxBytes {
		e.failed = true
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		e.r.bool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.r.int(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		e.r.uint(v.Uint())
	case reflect.Float32, reflect.Float64:
		e.r.float(v.Float())
	case reflect.Complex64, reflect.Complex128:
		e.r.byte(tagList)
		e.r.byte(2)
		e.r.float(real(v.Complex()))
		e.r.float(imag(v.Complex()))
	case reflect.String:
		e.r.string(v.String())
	default:
		e.composite(v, depth)
	}
}

// composite encodes values that have parts or can be nil.
func (e *encoder) composite(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Chan, reflect.Func, reflect.UnsafePointer, reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			e.r.byte(tagNull)
			return
		}
	}
	if depth == 0 {
		e.r.mark("too deep")
		return
	}
	if e.same && e.identity(v) {
		return
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		e.value(v.Elem(), depth-1)
	case reflect.Slice, reflect.Array:
		e.list(v, depth-1)
	case reflect.Struct:
		e.structure(v, depth-1)
	case reflect.Map:
		e.mapping(v, depth-1)
	default:
		e.r.mark(v.Kind().String())
	}
}

func (e *encoder) list(v reflect.Value, depth int) {
	n := v.Len()
	if n > maxElements {
		e.r.mark("too large")
		return
	}
	e.r.byte(tagList)
	e.r.uvarint(uint64(n))
	for i := 0; i < n && !e.failed; i++ {
		e.value(v.Index(i), depth)
	}
}

func (e *encoder) structure(v reflect.Value, depth int) {
	t := v.Type()
	p := planOf(t)
	switch {
	case p.scalar >= 0:
		f := v.Field(p.scalar)
		if t.Name() == "Bool" {
			e.r.bool(f.Uint() != 0)
		} else {
			e.value(f, depth)
		}
	case p.opaque:
		e.r.mark(t.String())
	default:
		e.r.byte(tagObject)
		e.r.uvarint(uint64(len(p.fields)))
		for _, f := range p.fields {
			if e.failed {
				return
			}
			e.r.text(f.name)
			e.value(v.Field(f.index), depth)
		}
	}
}

// plan says how to encode a struct type.
type plan struct {
	scalar int  // the one field that is the value, of an atomic type; else -1
	opaque bool // its fields mean nothing to the program
	fields []plannedField
}

type plannedField struct {
	name  string
	index int
}

// plans is replaced as a whole when a type is new.
var plans atomic.Pointer[map[reflect.Type]*plan]

func planOf(t reflect.Type) *plan {
	old := plans.Load()
	if old != nil {
		if p := (*old)[t]; p != nil {
			return p
		}
	}
	p := newPlan(t)
	next := map[reflect.Type]*plan{t: p}
	if old != nil {
		for k, v := range *old {
			next[k] = v
		}
	}
	plans.CompareAndSwap(old, &next) // if another was quicker, this type is planned again
	return p
}

func newPlan(t reflect.Type) *plan {
	p := &plan{scalar: -1}
	switch t.PkgPath() {
	case "sync/atomic":
		p.opaque = true
		if f, ok := t.FieldByName("v"); ok && scalarKind(f.Type.Kind()) {
			p.scalar = f.Index[0]
		}
		return p
	case "sync", "time":
		p.opaque = true
		return p
	}
	for i := range t.NumField() {
		if name := t.Field(i).Name; name != "_" {
			p.fields = append(p.fields, plannedField{name, i})
		}
	}
	if len(p.fields) > maxElements {
		p.opaque = true
	}
	return p
}

func scalarKind(k reflect.Kind) bool { return reflect.Bool <= k && k <= reflect.Float64 }

// mapping encodes a map as an object, its keys sorted. The map is the one that the statement before
// has just used: if another goroutine writes to it now, the program itself is about to fail for
// that.
func (e *encoder) mapping(v reflect.Value, depth int) {
	if v.Len() > maxElements {
		e.r.mark("too large")
		return
	}
	held := reflect.New(v.Type())
	*(*unsafe.Pointer)(held.UnsafePointer()) = v.UnsafePointer()
	type entry struct {
		key   string
		value reflect.Value
	}
	var entries []entry
	for iter := held.Elem().MapRange(); iter.Next(); {
		key, ok := keyText(iter.Key())
		if !ok {
			e.r.mark("map with keys of type " + v.Type().Key().String())
			return
		}
		entries = append(entries, entry{key, iter.Value()})
	}
	slices.SortFunc(entries, func(a, b entry) int {
		switch {
		case a.key < b.key:
			return -1
		case a.key > b.key:
			return 1
		}
		return 0
	})
	e.r.byte(tagObject)
	e.r.uvarint(uint64(len(entries)))
	for _, en := range entries {
		if e.failed {
			return
		}
		e.r.text(en.key)
		e.value(en.value, depth)
	}
}

// keyText is a map's key as the name of a field.
func keyText(k reflect.Value) (string, bool) {
	switch k.Kind() {
	case reflect.String:
		s := k.String()
		return s, len(s) <= maxString
	case reflect.Bool:
		return strconv.FormatBool(k.Bool()), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(k.Int(), 10), true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.FormatUint(k.Uint(), 10), true
	}
	return "", false
}
