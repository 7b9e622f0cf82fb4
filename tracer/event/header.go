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
		if err := h.setKey(p); err != nil {
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

// setKey stores one key of the header.
func (h *Header) setKey(p Binding) error {
	if p.Name == headerMark { // versionOf has read it
		return nil
	}
	known, err := setKey(h.keys(), p)
	if !known {
		h.Extra = append(h.Extra, p)
	}
	return err
}

// keys returns the keys that have a meaning in the header's version, but for the mark, in the order
// of writing.
func (h *Header) keys() []key {
	keys := []key{
		{"tasks", &h.Tasks, true}, {"const", &h.Consts, false}, {"shared", &h.Shared, false},
		{"run", &h.Run, false}, {"program", &h.Program, false}, {"host", &h.Host, false},
		{"start", &h.Start, false}, {"instrumented", &h.Instrumented, false}, {"sparse", &h.Sparse, false},
		{"caveat", &h.Caveat, false}, {"unordered", &h.Unordered, false},
	}
	if h.Version >= 2 {
		keys = append(keys, key{"sums", &h.Sums, false}, key{"operations", &h.Operations, false})
	}
	return keys
}

// isHeaderKey reports whether a key of the header has a meaning in a version.
func isHeaderKey(name string, version int) bool {
	return name == headerMark || hasKey(keysOfVersion[min(max(version, 0), Version)], name)
}

// keysOfVersion are the keys that have a meaning in a version, by their names alone.
var keysOfVersion = func() (all [Version + 1][]key) {
	for version := range all {
		h := Header{Version: version}
		all[version] = h.keys()
	}
	return all
}()

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

// keys returns the keys of "operations".
func (o *Operations) keys() []key {
	return []key{
		{"accesses", &o.Accesses, false}, {"hidden", &o.Hidden, false}, {"env", &o.Env, false},
		{"only", &o.Only, false},
	}
}

// appendHeader appends the header's line without its end.
func appendHeader(dst []byte, h *Header) []byte {
	dst = append(dst, `{"antichain":`...)
	dst = strconv.AppendInt(dst, int64(max(h.Version, 1)), 10)
	written := *h
	written.Sums = h.Version >= 2
	return append(appendExtra(appendExtra(dst, bindingsOf(written.keys())), h.Extra), '}')
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
