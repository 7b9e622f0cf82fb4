package event

import (
	"maps"
	"slices"
)

// The keys within "instrumented".
const (
	keyPackage   = "package"
	keyFunctions = "functions"
	keyVariables = "variables"
	keySteps     = "steps"
	keyNames     = "names"
	keyUntraced  = "untraced"
	keyUnwatched = "unwatched"
)

// instrumentedOf reads the value of the key "instrumented". An unknown field is an error: it may
// name something that the trace lacks, and a verdict must not ignore that.
func instrumentedOf(v Value) (*Instrumentation, error) {
	if v.Kind() != Object {
		return nil, lineErrorf("%q must be an object", keyInstrumented)
	}
	for _, key := range []string{keyPackage, keyFunctions, keyVariables, keySteps} {
		if _, ok := v.Field(key); !ok {
			return nil, lineErrorf("%q without %q", keyInstrumented, key)
		}
	}
	i := new(Instrumentation)
	for _, p := range v.Fields() {
		if err := i.take(p); err != nil {
			return nil, err
		}
	}
	return i, nil
}

// take stores one field.
func (i *Instrumentation) take(p Binding) (err error) {
	switch p.Name {
	case keyPackage:
		i.Package, err = stringOf(p)
	case keyFunctions:
		i.Functions, err = stringList(p)
	case keyVariables:
		i.Variables, err = stringList(p)
	case keySteps:
		i.Steps, err = boolOf(p)
	case keyNames:
		i.Names, err = stringMap(p)
	case keyUntraced:
		i.Untraced, err = stringList(p)
	case keyUnwatched:
		i.Unwatched, err = stringList(p)
	default:
		err = lineErrorf("unknown key %q in %q", p.Name, keyInstrumented)
	}
	return err
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

// check returns an error for names of functions that are not recorded.
func (i *Instrumentation) check() error {
	if i == nil || len(i.Names) == 0 {
		return nil
	}
	functions := make(map[string]bool, len(i.Functions))
	for _, f := range i.Functions {
		functions[f] = true
	}
	for _, name := range slices.Sorted(maps.Keys(i.Names)) {
		if !functions[i.Names[name]] {
			return lineErrorf("%q calls %q %q, which is not among %q", keyNames, i.Names[name], name, keyFunctions)
		}
	}
	return nil
}

func (i *Instrumentation) value() Value {
	fields := []Binding{
		{keyPackage, StringValue(i.Package)},
		{keyFunctions, listOfStrings(i.Functions)},
		{keyVariables, listOfStrings(i.Variables)},
		{keySteps, BoolValue(i.Steps)},
	}
	if len(i.Names) > 0 {
		var names []Binding
		for _, name := range slices.Sorted(maps.Keys(i.Names)) {
			names = append(names, Binding{name, StringValue(i.Names[name])})
		}
		fields = append(fields, Binding{keyNames, ObjectValue(names)})
	}
	if len(i.Untraced) > 0 {
		fields = append(fields, Binding{keyUntraced, listOfStrings(i.Untraced)})
	}
	if len(i.Unwatched) > 0 {
		fields = append(fields, Binding{keyUnwatched, listOfStrings(i.Unwatched)})
	}
	return ObjectValue(fields)
}
