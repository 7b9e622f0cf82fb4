package builtins

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// object is memory that a pointer leads to.
type object struct {
	from, to uintptr
	pointer  reflect.Type
	path     string
}

// reachable finds all objects that a snapshot follows pointers to.
type reachable struct {
	seen    map[uintptr]map[reflect.Type]bool
	objects []object
}

func (r *reachable) visit(v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.Tag.Get("snapshot") != "-" {
				r.visit(v.Field(i), path+"."+f.Name)
			}
		}
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			r.visit(v.Index(i), path+"[]")
		}
	case reflect.Map:
		for all := v.MapRange(); all.Next(); {
			r.visit(all.Key(), path+"[key]")
			r.visit(all.Value(), path+"[value]")
		}
	case reflect.Interface:
		if !v.IsNil() {
			r.visit(v.Elem(), path)
		}
	case reflect.Pointer:
		if at := v.Pointer(); !v.IsNil() && !r.seen[at][v.Type()] {
			if r.seen[at] == nil {
				r.seen[at] = map[reflect.Type]bool{}
			}
			r.seen[at][v.Type()] = true
			if size := v.Type().Elem().Size(); size > 0 {
				r.objects = append(r.objects, object{at, at + size, v.Type(), path})
			}
			r.visit(v.Elem(), path)
		}
	}
}

func reachableFrom(root any) []object {
	r := &reachable{seen: map[uintptr]map[reflect.Type]bool{}}
	r.visit(reflect.ValueOf(root), fmt.Sprintf("%T", root))
	slices.SortFunc(r.objects, func(a, b object) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to))
	})
	return r.objects
}

// A snapshot keeps equal pointers, but not those into the memory of another object. It is read into
// what is there, which must belong to that checker alone. A clock.Memory only saves memory: one too
// many does no harm.
func TestSnapshotKeepsPointers(t *testing.T) {
	h := &event.Header{Version: 2, Tasks: []string{"main"}, Operations: &event.Operations{Accesses: true}}
	rapid.Check(t, func(t *rapid.T) {
		k, other := New(h, config), New(h, config)
		for _, e := range drawEvents(t) {
			k.Add(e)
		}
		objects := reachableFrom(&k.state)
		for i, o := range objects[1:] {
			if last := objects[i]; o.from < last.to && o.pointer != reflect.TypeFor[*clock.Memory]() {
				t.Errorf("%s (%v) is inside of %s (%v)", o.path, o.pointer, last.path, last.pointer)
			}
		}
		of := map[uintptr]object{}
		for _, o := range objects {
			of[o.from] = o
		}
		for _, o := range reachableFrom(&other.state) {
			if mine, ok := of[o.from]; ok {
				t.Errorf("%s (%v) is shared by checkers", mine.path, mine.pointer)
			}
		}
	})
}
