package event

import (
	"fmt"
	"strconv"
	"strings"
)

func lineErrorf(format string, args ...any) error {
	return &lineError{reason: fmt.Sprintf(format, args...)}
}

// parseHeader reads the first line of a trace.
func parseHeader(s *scanner) (*Header, error) {
	pairs, err := headerPairs(s)
	if err != nil {
		return nil, err
	}
	version, err := versionOf(pairs)
	if err != nil {
		return nil, err
	}
	h := &Header{Version: version}
	for _, p := range pairs {
		if err := h.take(p); err != nil {
			return nil, err
		}
	}
	if err := h.check(); err != nil {
		return nil, err
	}
	return h, nil
}

// headerPairs reads the line as keys and values, without interpreting them.
func headerPairs(s *scanner) ([]Binding, error) {
	if !s.accept('{') {
		return nil, s.badJSON("'{'")
	}
	var pairs []Binding
	for first := true; ; first = false {
		more, err := s.next(first, '}')
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
		key, err := s.key()
		if err != nil {
			return nil, err
		}
		name := string(key)
		s.keepNumbers = !isHeaderKey(name, Version)
		v, err := s.value(s.depth)
		s.keepNumbers = false
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, Binding{name, v})
	}
	if name, ok := duplicateName(pairs); ok {
		return nil, lineErrorf("bad JSON: key %q stands twice in the header", name)
	}
	return pairs, s.end()
}

// versionOf reads the version before anything else, because other versions may interpret the other
// keys differently.
func versionOf(pairs []Binding) (int, error) {
	v, ok := ObjectValue(pairs).Field(headerMark)
	if !ok {
		return 0, &lineError{
			reason: fmt.Sprintf("missing header: the first line has no key %q", headerMark),
			remedy: `a trace begins with a line like {"antichain":1,"tasks":["main"]}`,
		}
	}
	if v.Kind() != Int || v.Int() < 1 || v.Int() > Version {
		return 0, &lineError{
			reason: fmt.Sprintf("unknown version %s of the trace format", Printable(v.String())),
			remedy: "this program reads versions up to " + strconv.Itoa(Version),
		}
	}
	return int(v.Int()), nil
}

// take stores one key of the header.
func (h *Header) take(p Binding) (err error) {
	switch p.Name {
	case headerMark: // versionOf has read it
	case keyTasks:
		h.Tasks, err = stringList(p)
	case keyConst:
		h.Consts, err = fieldsOf(p)
	case keyShared:
		h.Shared, err = fieldsOf(p)
	case keyRun:
		h.Run, err = stringOf(p)
	case keyProgram:
		h.Program, err = stringOf(p)
	case keyHost:
		h.Host, err = stringOf(p)
	case keyStart:
		h.Start, err = stringOf(p)
	case keyInstrumented:
		h.Instrumented, err = instrumentedOf(p.Value)
	case keySparse:
		h.Sparse, err = boolOf(p)
	case keyCaveat:
		h.Caveat, err = stringOf(p)
	case keyUnordered:
		h.Unordered, err = boolOf(p)
	default:
		switch {
		case h.Version < 2:
			h.Extra = append(h.Extra, p)
		case p.Name == keyOperations:
			h.Operations, err = operationsOf(p)
		case p.Name == keySums:
			h.Sums, err = boolOf(p)
		default:
			h.Extra = append(h.Extra, p)
		}
	}
	return err
}

// check returns the fault of a header of either form.
func (h *Header) check() error {
	if h.Version < 0 || h.Version > Version {
		return lineErrorf("unknown version %d of the trace format", h.Version)
	}
	if h.Operations != nil && h.Version < 2 {
		return lineErrorf("version 1 of the trace format has no operations")
	}
	if len(h.Tasks) == 0 {
		return &lineError{reason: `header without tasks: "tasks" is missing or empty`,
			remedy: "name at least one initial task"}
	}
	seen := make(map[string]bool, len(h.Tasks))
	for _, t := range h.Tasks {
		if t == "" {
			return lineErrorf(`empty name in "tasks"`)
		}
		if seen[t] {
			return lineErrorf(`duplicate task %q in "tasks"`, t)
		}
		seen[t] = true
	}
	for _, bs := range [][]Binding{h.Consts, h.Shared, h.Extra} {
		if name, ok := duplicateName(bs); ok {
			return lineErrorf("duplicate name %q in the header", name)
		}
	}
	for _, b := range h.Extra {
		if isHeaderKey(b.Name, h.Version) {
			return lineErrorf("extra key %q has a meaning of its own", b.Name)
		}
		if err := checkKey(b.Name, h.Version); err != nil {
			return err
		}
	}
	return h.Instrumented.check()
}

// checkKey returns an error for a key that has no meaning in a version and is not free.
func checkKey(name string, version int) error {
	if version < 2 || strings.HasPrefix(name, freePrefix) {
		return nil
	}
	return &lineError{reason: fmt.Sprintf("unknown key %q", name),
		remedy: "keys that antichain is to ignore begin with " + freePrefix}
}

// operationsOf reads the header's key "operations".
func operationsOf(p Binding) (*Operations, error) {
	fields, err := fieldsOf(p)
	if err != nil {
		return nil, err
	}
	o := new(Operations)
	for _, f := range fields {
		switch f.Name {
		case keyAccesses:
			o.Accesses, err = boolOf(f)
		case keyHidden:
			o.Hidden, err = stringOf(f)
		case keyEnv:
			o.Env, err = boolOf(f)
		case keyOnly:
			o.Only, err = stringList(f)
		default:
			err = lineErrorf("unknown key %q in %q", f.Name, p.Name)
		}
		if err != nil {
			return nil, err
		}
	}
	return o, nil
}

// value is the inverse of operationsOf.
func (o *Operations) value() Value {
	var fields []Binding
	if o.Accesses {
		fields = append(fields, Binding{keyAccesses, BoolValue(true)})
	}
	if o.Hidden != "" {
		fields = append(fields, Binding{keyHidden, StringValue(o.Hidden)})
	}
	if o.Env {
		fields = append(fields, Binding{keyEnv, BoolValue(true)})
	}
	if len(o.Only) > 0 {
		fields = append(fields, Binding{keyOnly, listOfStrings(o.Only)})
	}
	return ObjectValue(fields)
}

// The keys of "operations" in the header.
const (
	keyAccesses = "accesses"
	keyHidden   = "hidden"
	keyEnv      = "env"
	keyOnly     = "only"
)

func boolOf(p Binding) (bool, error) {
	if p.Value.Kind() != Bool {
		return false, lineErrorf("%q must be true or false", p.Name)
	}
	return p.Value.Bool(), nil
}

func stringOf(p Binding) (string, error) {
	if p.Value.Kind() != String {
		return "", lineErrorf("%q must be a string", p.Name)
	}
	return p.Value.Str(), nil
}

func fieldsOf(p Binding) ([]Binding, error) {
	if p.Value.Kind() != Object {
		return nil, lineErrorf("%q must be an object of names and values", p.Name)
	}
	return p.Value.Fields(), nil
}

func stringList(p Binding) ([]string, error) {
	if p.Value.Kind() != List {
		return nil, lineErrorf("%q must be a list of strings", p.Name)
	}
	var ss []string
	for _, w := range p.Value.List() {
		if w.Kind() != String {
			return nil, lineErrorf("%q must be a list of strings", p.Name)
		}
		ss = append(ss, w.Str())
	}
	return ss, nil
}

func listOfStrings(ss []string) Value {
	vs := make([]Value, len(ss))
	for i, s := range ss {
		vs[i] = StringValue(s)
	}
	return ListValue(vs)
}

// appendHeader appends the header's line without its end.
func appendHeader(dst []byte, h *Header) []byte {
	dst = append(dst, `{"antichain":`...)
	dst = strconv.AppendInt(dst, int64(max(h.Version, 1)), 10)
	dst = append(dst, `,"tasks":`...)
	dst = listOfStrings(h.Tasks).AppendJSON(dst)
	for _, b := range []struct {
		key  string
		vars []Binding
	}{{keyConst, h.Consts}, {keyShared, h.Shared}} {
		if len(b.vars) > 0 {
			dst = ObjectValue(b.vars).AppendJSON(appendKey(dst, b.key))
		}
	}
	for _, b := range [][2]string{{keyRun, h.Run}, {keyProgram, h.Program}, {keyHost, h.Host}, {keyStart, h.Start}} {
		if b[1] != "" {
			dst = appendJSONString(appendKey(dst, b[0]), b[1])
		}
	}
	if h.Instrumented != nil {
		dst = h.Instrumented.value().AppendJSON(appendKey(dst, keyInstrumented))
	}
	if h.Sparse {
		dst = append(appendKey(dst, keySparse), "true"...)
	}
	if h.Caveat != "" {
		dst = appendJSONString(appendKey(dst, keyCaveat), h.Caveat)
	}
	if h.Unordered {
		dst = append(appendKey(dst, keyUnordered), "true"...)
	}
	if h.Version >= 2 {
		dst = append(appendKey(dst, keySums), "true"...)
	}
	if h.Operations != nil {
		dst = h.Operations.value().AppendJSON(appendKey(dst, keyOperations))
	}
	return append(appendExtra(dst, h.Extra), '}')
}

// appendKey appends the comma before a key that is not the first, the key, and its colon.
func appendKey(dst []byte, key string) []byte {
	return append(appendJSONString(append(dst, ','), key), ':')
}

func appendExtra(dst []byte, extra []Binding) []byte {
	for _, b := range extra {
		dst = b.Value.AppendJSON(appendKey(dst, b.Name))
	}
	return dst
}
