package event

import (
	"maps"
	"slices"
)

// keys returns the keys of "instrumented".
func (i *Instrumentation) keys() []key {
	return []key{
		{"package", &i.Package, true}, {"functions", &i.Functions, true}, {"variables", &i.Variables, true},
		{"steps", &i.Steps, true}, {"names", &i.Names, false},
		{"operations", &i.Operations, false}, {"untraced", &i.Untraced, false},
		{"unwatched", &i.Unwatched, false},
	}
}

// instrumentedOf reads the value of the key "instrumented". An unknown field is an error: it may
// name something that the trace lacks, and a verdict must not ignore that.
func instrumentedOf(p Binding) (*Instrumentation, error) {
	i := new(Instrumentation)
	if err := readObject(p, i.keys()); err != nil {
		return nil, err
	}
	for _, k := range i.keys() {
		if _, ok := p.Value.Field(k.name); k.always && !ok {
			return nil, lineErrorf("%q without %q", p.Name, k.name)
		}
	}
	return i, nil
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
			return lineErrorf("%q calls %q %q, which is not among %q", "names", i.Names[name], name, "functions")
		}
	}
	return nil
}
