package snapshot

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"reflect"
	"sync"
	"unsafe"
)

// Graph is all that can be reached from root, a pointer: unexported fields, maps and shared
// pointers included. It is for state of many types that only programs with the same layout read.
// The layout is part of what is written, so another program refuses to read it (ErrLayout).
//
// Reading fills the variable that root points to. The variable must be new: interfaces in it keep
// their dynamic types, and functions and channels their values. Functions and channels elsewhere
// are an error. Only equal pointers stay shared: two slices of one array become separate, and so do
// a value and a pointer to its field.
//
// A field with the tag `snapshot:"-"` is configuration and not state. It is neither written nor
// read. Values that are shared with code outside of the graph must be behind such a field, since
// reading replaces them.
func Graph[T any](c *Codec, root *T) {
	g := &graph{Codec: c, numbers: map[place]uint64{}}
	v := reflect.ValueOf(root).Elem()
	own := layoutOf(v.Type())
	layout := own
	if Uint(c, &layout); c.err == nil && layout != own {
		c.err, c.data = ErrLayout, nil
	}
	if c.err == nil {
		g.value(v)
	}
}

// ErrLayout says that a graph was written by a program with other types.
var ErrLayout = errors.New("the state was written by another version of antichain")

// GraphBytes returns roughly how much memory is taken by all that can be reached from a pointer.
func GraphBytes[T any](root *T) int {
	c := NewWriter()
	g := &graph{Codec: c, numbers: map[place]uint64{}, counting: true}
	g.bytes = int(reflect.TypeFor[T]().Size())
	g.value(reflect.ValueOf(root).Elem())
	return g.bytes
}

type graph struct {
	*Codec
	numbers  map[place]uint64 // of the pointers that were written
	objects  []reflect.Value  // pointers that were read, by number
	counting bool             // nothing is written
	bytes    int              // counted
}

// place identifies the target of a pointer: a struct and its first field are at one address.
type place struct {
	at unsafe.Pointer
	of reflect.Type
}

func (g *graph) uint(u uint64) uint64 {
	switch {
	case g.counting:
	case g.reading:
		return g.uvarint()
	default:
		g.data = binary.AppendUvarint(g.data, u)
	}
	return u
}

// value is a value that can be set.
func (g *graph) value(v reflect.Value) {
	if g.err != nil {
		return
	}
	switch v.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float64:
		g.scalar(v)
	case reflect.String:
		g.text(v)
	case reflect.Struct:
		for _, i := range stateFields(v.Type()) {
			g.value(field(v, i))
		}
	case reflect.Array:
		for i := range v.Len() {
			g.value(v.Index(i))
		}
	case reflect.Pointer:
		g.pointer(v)
	case reflect.Slice:
		g.slice(v)
	case reflect.Map:
		g.mapping(v)
	case reflect.Interface:
		g.dynamic(v)
	case reflect.Func, reflect.Chan:
	default:
		g.fail("a value of type %v", v.Type())
	}
}

// stateFields are the indexes of the fields of a struct that are state.
func stateFields(t reflect.Type) []int {
	if known, ok := fieldsOf.Load(t); ok {
		return known.([]int)
	}
	var all []int
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("snapshot") != "-" {
			all = append(all, i)
		}
	}
	fieldsOf.Store(t, all)
	return all
}

// fieldsOf are the results of stateFields, by reflect.Type.
var fieldsOf sync.Map

// field returns a field that can be set even if it is unexported.
func field(v reflect.Value, i int) reflect.Value {
	f := v.Field(i)
	return reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
}

func (g *graph) scalar(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Bool:
		u := uint64(0)
		if v.Bool() {
			u = 1
		}
		if u = g.uint(u); g.reading {
			v.SetBool(u != 0)
		}
	case v.CanInt():
		i := v.Int()
		u := g.uint(uint64(i<<1) ^ uint64(i>>63))
		if g.reading {
			v.SetInt(int64(u>>1) ^ -int64(u&1))
		}
	case v.CanUint():
		if u := g.uint(v.Uint()); g.reading {
			v.SetUint(u)
		}
	default:
		if u := g.uint(math.Float64bits(v.Float())); g.reading {
			v.SetFloat(math.Float64frombits(u))
		}
	}
}

func (g *graph) text(v reflect.Value) {
	text := v.String()
	if g.counting {
		g.bytes += len(text)
		return
	}
	if g.String(&text); g.reading {
		v.SetString(text)
	}
}

// Pointers are written as one of these, or as firstKnown plus a number.
const (
	nilPointer = iota
	freshPointer
	firstKnown
)

func (g *graph) pointer(v reflect.Value) {
	if g.reading {
		g.readPointer(v)
		return
	}
	if v.IsNil() {
		g.uint(nilPointer)
		return
	}
	at := place{v.UnsafePointer(), v.Type()}
	if number, known := g.numbers[at]; known {
		g.uint(firstKnown + number)
		return
	}
	g.numbers[at] = uint64(len(g.numbers))
	g.uint(freshPointer)
	g.bytes += int(v.Type().Elem().Size())
	g.value(v.Elem())
}

func (g *graph) readPointer(v reflect.Value) {
	switch u := g.uvarint(); {
	case u == nilPointer:
		v.SetZero()
	case u == freshPointer:
		if v.IsNil() || g.has(v) {
			v.Set(reflect.New(v.Type().Elem()))
		}
		kept := reflect.New(v.Type()).Elem()
		kept.Set(v)
		g.objects = append(g.objects, kept)
		g.value(kept.Elem())
	case u-firstKnown < uint64(len(g.objects)) && g.objects[u-firstKnown].Type() == v.Type():
		v.Set(g.objects[u-firstKnown])
	default:
		g.fail("no pointer %d to a %v", u, v.Type().Elem())
	}
}

// has reports whether what a pointer leads to has been read. Then another object needs memory of its
// own.
func (g *graph) has(v reflect.Value) bool {
	at := place{v.UnsafePointer(), v.Type()}
	_, has := g.numbers[at]
	g.numbers[at] = 0
	return has
}

func (g *graph) slice(v reflect.Value) {
	n := g.length(v.Len(), v.IsNil())
	if g.reading && g.err == nil {
		switch {
		case n < 0:
			v.SetZero()
		case n != v.Len() || v.IsNil(): // else its interfaces have their types
			v.Set(reflect.MakeSlice(v.Type(), 0, min(n, maxMade)))
			for i := 0; i < n && g.err == nil; i++ { // not more at once than there are bytes
				v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
				g.value(v.Index(i))
			}
			return
		}
	}
	g.bytes += v.Cap() * int(v.Type().Elem().Size())
	for i := range max(n, 0) {
		g.value(v.Index(i))
	}
}

// maxMade bounds the number of elements for which memory is allocated before any of them was read.
const maxMade = 1 << 10

// length returns the length of a slice or a map, -1 if it is nil.
func (g *graph) length(n int, isNil bool) int {
	u := uint64(n) + 1
	if isNil {
		u = 0
	}
	if u = g.uint(u); g.reading && u > uint64(len(g.data))+1 {
		g.fail("a length of %d with %d bytes left", u-1, len(g.data))
		return -1
	}
	return int(u) - 1
}

func (g *graph) mapping(v reflect.Value) {
	n := g.length(v.Len(), v.IsNil())
	key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
	if !g.reading {
		g.bytes += n * int(key.Type().Size()+value.Type().Size()+mapOverhead)
		for all := v.MapRange(); all.Next(); {
			key.Set(all.Key())
			value.Set(all.Value())
			g.value(key)
			g.value(value)
		}
		return
	}
	if n < 0 {
		v.SetZero()
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for i := 0; i < n && g.err == nil; i++ {
		key.SetZero()
		value.SetZero()
		g.value(key)
		g.value(value)
		if g.err == nil {
			v.SetMapIndex(key, value)
		}
	}
}

const mapOverhead = 8 // bytes of an element, roughly

// dynamic is an interface. Its type is not written: the one into which it is read has the same.
func (g *graph) dynamic(v reflect.Value) {
	isNil := uint64(0)
	if v.IsNil() {
		isNil = 1
	}
	if want := isNil; g.uint(isNil) != want {
		g.fail("an interface %v that is another one", v.Type())
		return
	}
	if v.IsNil() {
		return
	}
	inner := v.Elem()
	kept := reflect.New(inner.Type()).Elem()
	kept.Set(inner)
	g.value(kept)
	if g.reading && g.err == nil {
		v.Set(kept)
	}
}

// layoutOf identifies a type and all that it consists of.
func layoutOf(t reflect.Type) uint64 {
	if known, ok := layouts.Load(t); ok {
		return known.(uint64)
	}
	h := fnv.New64a()
	describe(t, map[reflect.Type]bool{}, func(format string, args ...any) { fmt.Fprintf(h, format, args...) })
	layouts.Store(t, h.Sum64())
	return h.Sum64()
}

// layouts caches layouts by reflect.Type: each snapshot has as many graphs of one type as there are
// runs.
var layouts sync.Map

func describe(t reflect.Type, seen map[reflect.Type]bool, print func(string, ...any)) {
	print("%v %v;", t, t.Kind())
	if seen[t] {
		return
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Struct:
		for _, i := range stateFields(t) {
			print("%s ", t.Field(i).Name)
			describe(t.Field(i).Type, seen, print)
		}
	case reflect.Array:
		print("%d ", t.Len())
		describe(t.Elem(), seen, print)
	case reflect.Pointer, reflect.Slice:
		describe(t.Elem(), seen, print)
	case reflect.Map:
		describe(t.Key(), seen, print)
		describe(t.Elem(), seen, print)
	}
}
