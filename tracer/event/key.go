package event

import (
	"maps"
	"slices"
	"strconv"

	"github.com/antichain-go/antichain/tracer/op"
)

// key is a key of the header, or of an object in it or in "code", with a pointer to the variable
// that has its value.
type key struct {
	name   string
	value  any
	always bool // it is written even if the value is zero
}

func hasKey(keys []key, name string) bool {
	return slices.ContainsFunc(keys, func(k key) bool { return k.name == name })
}

// readObject stores the value of a key, an object that has no other keys than these.
func readObject(p Binding, keys []key) error {
	fields, err := fieldsOf(p)
	if err != nil {
		return err
	}
	for _, f := range fields {
		known, err := setKey(keys, f)
		if err != nil {
			return err
		}
		if !known {
			return lineErrorf("unknown key %q in %q", f.Name, p.Name)
		}
	}
	return nil
}

// setKey stores the value of one of the keys. It reports whether p is one.
func setKey(keys []key, p Binding) (known bool, err error) {
	i := slices.IndexFunc(keys, func(k key) bool { return k.name == p.Name })
	if i < 0 {
		return false, nil
	}
	switch v := keys[i].value.(type) {
	case *bool:
		*v, err = boolOf(p)
	case *string:
		*v, err = stringOf(p)
	case *uint64:
		*v, err = hexOf(p)
	case *[]string:
		*v, err = stringList(p)
	case *map[string]string:
		*v, err = stringMap(p)
	case *[]Binding:
		*v, err = fieldsOf(p)
	case *[]op.Call:
		*v, err = callsOf(p)
	case *[][2]int:
		*v, err = pairsOf(p)
	case **Instrumentation:
		*v, err = instrumentedOf(p)
	case **Operations:
		*v = new(Operations)
		err = readObject(p, (*v).keys())
	}
	return true, err
}

// bindingsOf is the inverse of readObject.
func bindingsOf(keys []key) (bs []Binding) {
	for _, k := range keys {
		if v, zero := k.get(); k.always || !zero {
			bs = append(bs, Binding{k.name, v})
		}
	}
	return bs
}

// get is the inverse of take.
func (k key) get() (v Value, zero bool) {
	switch v := k.value.(type) {
	case *bool:
		return BoolValue(*v), !*v
	case *string:
		return StringValue(*v), *v == ""
	case *uint64:
		return StringValue(strconv.FormatUint(*v, 16)), *v == 0
	case *[]string:
		return listOfStrings(*v), len(*v) == 0
	case *map[string]string:
		return mapValue(*v), len(*v) == 0
	case *[]Binding:
		return ObjectValue(*v), len(*v) == 0
	case *[]op.Call:
		return callsValue(*v), len(*v) == 0
	case *[][2]int:
		return pairsValue(*v), len(*v) == 0
	case **Instrumentation:
		if *v != nil {
			return ObjectValue(bindingsOf((*v).keys())), false
		}
	case **Operations:
		if *v != nil {
			return ObjectValue(bindingsOf((*v).keys())), false
		}
	}
	return Value{}, true
}

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

func hexOf(p Binding) (uint64, error) {
	text, err := stringOf(p)
	if err != nil {
		return 0, err
	}
	v, ok := parseHex([]byte(text))
	if !ok {
		return 0, lineErrorf("%q must be a string of hexadecimal digits", p.Name)
	}
	return v, nil
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

func stringMap(p Binding) (map[string]string, error) {
	fields, err := fieldsOf(p)
	if err != nil {
		return nil, err
	}
	m := make(map[string]string, len(fields))
	for _, f := range fields {
		if m[f.Name], err = stringOf(f); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func mapValue(m map[string]string) Value {
	var fields []Binding
	for _, name := range slices.Sorted(maps.Keys(m)) {
		fields = append(fields, Binding{name, StringValue(m[name])})
	}
	return ObjectValue(fields)
}
