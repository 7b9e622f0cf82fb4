package snapshot

import (
	"reflect"
	"unsafe"
)

// Values calls see with each value of type T in all that Graph writes of root, and with some twice.
// It does not look into a T. see may change what it is called with, but for keys and values of
// maps, which are copies.
func Values[T, R any](root *R, see func(*T)) {
	w := &walk{of: reflect.TypeFor[T](), see: func(p unsafe.Pointer) { see((*T)(p)) },
		seen: map[place]bool{}, leading: map[reflect.Type]bool{}}
	w.value(reflect.ValueOf(root).Elem())
}

type walk struct {
	of   reflect.Type
	see  func(unsafe.Pointer)
	seen map[place]bool // what pointers lead to

	leading map[reflect.Type]bool // the results of mayLead
}

// value is a value that can be set.
func (w *walk) value(v reflect.Value) {
	t := v.Type()
	switch {
	case t == w.of:
		w.see(v.Addr().UnsafePointer())
		return
	case !w.mayLead(t):
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for _, i := range stateFields(t) {
			w.value(field(v, i))
		}
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			w.value(v.Index(i))
		}
	case reflect.Pointer:
		at := place{v.UnsafePointer(), t}
		if !v.IsNil() && !w.seen[at] {
			w.seen[at] = true
			w.value(v.Elem())
		}
	case reflect.Map:
		key, value := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		for all := v.MapRange(); all.Next(); {
			key.Set(all.Key())
			value.Set(all.Value())
			w.value(key)
			w.value(value)
		}
	case reflect.Interface:
		if !v.IsNil() {
			inner := reflect.New(v.Elem().Type()).Elem()
			inner.Set(v.Elem())
			w.value(inner)
		}
	}
}

// mayLead reports whether a value of type t may have one that is wanted in it or behind it.
func (w *walk) mayLead(t reflect.Type) bool {
	leads, known := w.leading[t]
	if !known {
		leads = leadsTo(t, w.of, map[reflect.Type]bool{})
		w.leading[t] = leads
	}
	return leads
}

func leadsTo(t, to reflect.Type, seen map[reflect.Type]bool) bool {
	if t == to {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Map:
		return leadsTo(t.Key(), to, seen) || leadsTo(t.Elem(), to, seen)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return leadsTo(t.Elem(), to, seen)
	case reflect.Struct:
		for _, i := range stateFields(t) {
			if leadsTo(t.Field(i).Type, to, seen) {
				return true
			}
		}
	}
	return false
}
