//go:build antichain_traced

package agent

import (
	"reflect"
	"strings"
	"sync/atomic"
	"unsafe"
)

// Pointer is any pointer.
type Pointer = any

// variable is a package variable that a specification names, entirely or in part.
type variable struct {
	pkg   string   // of the specification
	name  string   // its name there
	paths []string // it or its parts, as the specification names them
	get   func() Pointer
}

// registered is replaced as a whole: packages register while they are initialised, which
// the operator does not wait for.
var registered atomic.Pointer[[]variable]

// Register makes a package variable known to the operator. get returns a pointer to it.
func Register(pkg, name string, get func() Pointer, paths ...string) {
	if controlFD() < 0 {
		return
	}
	var list []variable
	if old := registered.Load(); old != nil {
		list = append(list, *old...)
	}
	list = append(list, variable{pkg, name, paths, get})
	registered.Store(&list)
	prepare(reflect.TypeOf(get()), maxDepth, map[reflect.Type]bool{})
}

// prepare performs the steps for which package reflect needs a lock when a type is new to it: later
// a halted goroutine may own that.
func prepare(t reflect.Type, depth int, seen map[reflect.Type]bool) {
	if depth == 0 || seen[t] || len(seen) > maxNodes {
		return
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Map:
		reflect.PointerTo(t)
		prepare(t.Elem(), depth-1, seen)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		prepare(t.Elem(), depth-1, seen)
	case reflect.Struct:
		for i := range t.NumField() {
			prepare(t.Field(i).Type, depth-1, seen)
		}
	}
}

func variables() []variable {
	if list := registered.Load(); list != nil {
		return *list
	}
	return nil
}

// variables lists the variables that the specifications name.
func (s *session) variables(r *reader) {
	from := r.uvarint()
	if !s.mayLook(r) {
		return
	}
	var rows message
	i, n := uint64(0), 0
	for _, v := range variables() {
		for _, path := range v.paths {
			if i >= from && n < page {
				rows.text(v.pkg)
				rows.name(path)
				rows.name(typeOf(v.pkg, path))
				n++
			}
			i++
		}
	}
	next := from + uint64(n)
	if next >= i {
		next = 0
	}
	s.out.begin(ringAnswerVariables)
	s.out.uvarint(next)
	s.out.uvarint(uint64(n))
	s.out.buf = append(s.out.buf, rows.buf...)
}

// typeOf is the type of a path's present target, "" if there is none.
func typeOf(pkg, path string) string {
	v, reason := find(pkg, path)
	if reason != "" {
		return ""
	}
	return v.Type().String()
}

func (s *session) get(r *reader) {
	pkg, path := r.text(), r.text()
	if !s.mayLook(r) {
		return
	}
	v, reason := find(pkg, path)
	if reason != "" {
		s.out.fail(path + ": " + reason)
		return
	}
	s.value(path, v)
}

// value replies with the value of v.
func (s *session) value(path string, v reflect.Value) {
	if mayHoldMap(v.Type(), map[reflect.Type]bool{}) && midMap() {
		s.out.fail(path + ": " + mapInUse)
		return
	}
	s.out.begin(ringAnswerValue)
	s.out.name(v.Type().String())
	guarded(&s.out.Rec, func() {
		start := len(s.out.buf)
		e := encoder{r: &s.out.Rec}
		e.value(v, maxDepth)
		if e.failed || len(s.out.buf) > maxBytes {
			s.out.buf = s.out.buf[:start]
			s.out.mark("too large")
		}
	})
}

const mapInUse = "a goroutine is in the middle of changing a map; let the program continue and halt it again"

// mayHoldMap reports whether encoding a value of type t may read a map. The types in seen are being
// examined, or have no map.
func mayHoldMap(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Map, reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return mayHoldMap(t.Elem(), seen)
	case reflect.Struct:
		if newPlan(t).opaque {
			return false
		}
		for i := range t.NumField() {
			if mayHoldMap(t.Field(i).Type, seen) {
				return true
			}
		}
	}
	return false
}

func (s *session) set(r *reader) {
	pkg, path := r.text(), r.text()
	c := readConstant(r)
	if !s.mayLook(r) {
		return
	}
	v, reason := find(pkg, path)
	if reason == "" && !v.CanAddr() {
		reason = "it has no address: an element of a map or the value in an interface cannot be changed"
	}
	if reason == "" {
		reason = c.assign(v)
	}
	if reason != "" {
		s.out.fail(path + ": " + reason)
		return
	}
	s.value(path, v)
}

// find follows a path like q.items[3].name from the registered variable that it begins with.
func find(pkg, path string) (v reflect.Value, reason string) {
	var best *variable
	for i, v := range variables() {
		rest, ok := strings.CutPrefix(path, v.name)
		if ok && v.pkg == pkg && (rest == "" || rest[0] == '.' || rest[0] == '[') &&
			(best == nil || len(v.name) > len(best.name)) {
			best = &variables()[i]
		}
	}
	if best == nil {
		return v, "the specification that the program was built for names no such package variable, " +
			"or its package is not initialised yet"
	}
	w := walk{v: reflect.ValueOf(best.get()).Elem(), rest: path[len(best.name):]}
	for w.rest != "" && w.reason == "" {
		w.guardedStep()
	}
	return w.v, w.reason
}

// walk is a position on the path to a part of a variable.
type walk struct {
	v      reflect.Value
	rest   string
	reason string // why it cannot continue
}

// guardedStep survives faults from torn values.
func (w *walk) guardedStep() {
	old := setPanicOnFault(true)
	defer func() {
		setPanicOnFault(old)
		if recover() != nil {
			w.reason = "it cannot be read"
		}
	}()
	w.step()
}

// step takes one field or element off the path.
func (w *walk) step() {
	for w.v.Kind() == reflect.Pointer || w.v.Kind() == reflect.Interface {
		if w.v.IsNil() {
			w.reason = "nil in front of " + w.rest
			return
		}
		w.v = w.v.Elem()
	}
	if w.rest[0] == '.' {
		w.field()
		return
	}
	end := strings.IndexByte(w.rest, ']')
	if strings.HasPrefix(w.rest, `["`) {
		if end = strings.Index(w.rest, `"]`); end >= 0 {
			end++
		}
	}
	if w.rest[0] != '[' || end < 0 {
		w.reason = "not a path: " + w.rest
		return
	}
	key := w.rest[1:end]
	w.rest = w.rest[end+1:]
	w.element(key)
}

func (w *walk) field() {
	name := w.rest[1:]
	if end := strings.IndexAny(name, ".["); end >= 0 {
		name = name[:end]
	}
	t := w.v.Type()
	if t.Kind() != reflect.Struct {
		w.reason = t.String() + " has no fields"
		return
	}
	f, ok := t.FieldByName(name)
	if !ok || name == "_" {
		w.reason = t.String() + " has no field " + name
		return
	}
	v, err := w.v.FieldByIndexErr(f.Index)
	if err != nil {
		w.reason = "nil in front of ." + name
		return
	}
	w.v, w.rest = v, w.rest[1+len(name):]
}

func (w *walk) element(key string) {
	switch t := w.v.Type(); t.Kind() {
	case reflect.Slice, reflect.Array:
		i, ok := parseIndex(key)
		switch {
		case !ok:
			w.reason = "not an index: " + key
		case i >= w.v.Len():
			w.reason = "index " + key + " is out of range: the length is " + decimal(w.v.Len())
		default:
			w.v = w.v.Index(i)
		}
	case reflect.Map:
		w.entry(key)
	default:
		w.reason = t.String() + " has no elements"
	}
}

// entry looks for a key by its text, as in recorded maps.
func (w *walk) entry(key string) {
	if midMap() {
		w.reason = mapInUse
		return
	}
	if len(key) >= 2 && key[0] == '"' {
		key = key[1 : len(key)-1]
	}
	for iter := w.v.MapRange(); iter.Next(); {
		if text, ok := keyText(iter.Key()); ok && text == key {
			w.v = iter.Value()
			return
		}
	}
	w.reason = "the map has no element " + key
}

func parseIndex(s string) (int, bool) {
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' || n > 1<<40 {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, s != ""
}

// pointerTo is the address of an addressable value, even of a field that is not exported.
func pointerTo(v reflect.Value) unsafe.Pointer { return unsafe.Pointer(v.UnsafeAddr()) }
