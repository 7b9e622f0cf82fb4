package ndjson

import (
	"fmt"
	stdslices "slices"
	"strings"

	"github.com/antichain-go/antichain/internal/bom"
	"github.com/antichain-go/antichain/tracer/event"
)

// Mapping gives the fields of a log their meaning.
type Mapping struct {
	task, event, run, at path // nil if there is none
	enter, exit          map[string]template
	send, receive        *link // nil if there is none
	unmatched            bool  // messages may be received that were not sent
	repeated             repetition
	clock                path // nil if there is none
	set                  []variable
	all                  bool // every field is a variable
	filter               condition

	operation            *operations // nil if there is none
	object, other, count path
	capacity             *capacity
}

// variable is a field that becomes a variable.
type variable struct {
	field path
	name  string
}

// condition lists required values of fields.
type condition []requirement

type requirement struct {
	field  path
	values []event.Value // one of them
}

func (c condition) holds(line event.Value) bool {
	for _, r := range c {
		v, ok := r.field.lookup(line)
		if !ok || !stdslices.ContainsFunc(r.values, v.Equal) {
			return false
		}
	}
	return true
}

// ParseMapping reads a mapping. The name is used in messages.
func ParseMapping(name string, text []byte) (*Mapping, error) {
	if bom.IsUTF16(text) {
		return nil, &event.Error{Pos: event.Printable(name), Reason: bom.ReasonUTF16, Remedy: bom.RemedyUTF16}
	}
	m := &Mapping{}
	if err := m.parse(bom.Trim(text)); err != nil {
		return nil, fmt.Errorf("%s: %w", event.Printable(name), err)
	}
	return m, nil
}

// readers read the fields of a mapping.
var readers = []struct {
	name string
	read func(*Mapping, event.Value) error
}{
	{"task", func(m *Mapping, v event.Value) (err error) { m.task, err = pathOf(v); return }},
	{"event", func(m *Mapping, v event.Value) (err error) { m.event, err = pathOf(v); return }},
	{"enter", func(m *Mapping, v event.Value) (err error) { m.enter, err = functionsOf(v); return }},
	{"exit", func(m *Mapping, v event.Value) (err error) { m.exit, err = functionsOf(v); return }},
	{"send", func(m *Mapping, v event.Value) (err error) { m.send, err = linkOf(v); return }},
	{"receive", func(m *Mapping, v event.Value) (err error) { m.receive, err = linkOf(v); return }},
	{"unmatched", (*Mapping).readUnmatched},
	{"repeated", (*Mapping).readRepeated},
	{"clock", func(m *Mapping, v event.Value) (err error) { m.clock, err = pathOf(v); return }},
	{"set", (*Mapping).readSet},
	{"run", func(m *Mapping, v event.Value) (err error) { m.run, err = pathOf(v); return }},
	{"operation", func(m *Mapping, v event.Value) (err error) { m.operation, err = operationsOf(v); return }},
	{"object", func(m *Mapping, v event.Value) (err error) { m.object, err = pathOf(v); return }},
	{"other", func(m *Mapping, v event.Value) (err error) { m.other, err = pathOf(v); return }},
	{"count", func(m *Mapping, v event.Value) (err error) { m.count, err = pathOf(v); return }},
	{"capacity", func(m *Mapping, v event.Value) (err error) { m.capacity, err = capacityOf(v); return }},
	{"if", func(m *Mapping, v event.Value) (err error) { m.filter, err = conditionOf(v); return }},
	{"at", func(m *Mapping, v event.Value) (err error) { m.at, err = pathOf(v); return }},
}

func (m *Mapping) parse(text []byte) error {
	var v event.Value
	if err := v.UnmarshalJSON([]byte(strings.TrimSpace(string(text)))); err != nil {
		return fmt.Errorf("the mapping is not JSON: %s", event.Printable(err.Error()))
	}
	if v.Kind() != event.Object {
		return fmt.Errorf("the mapping is not an object: write {\"task\": …}")
	}
	for _, f := range v.Fields() {
		if err := m.field(f); err != nil {
			return err
		}
	}
	switch {
	case m.task == nil:
		return fmt.Errorf(`"task" is missing: name the field that has the name of the task`)
	case m.event == nil && len(m.enter)+len(m.exit) > 0:
		return fmt.Errorf(`"enter" and "exit" are about values of the field that "event" names, which is missing`)
	}
	for value := range m.enter {
		if _, both := m.exit[value]; both {
			return fmt.Errorf(`%q is in "enter" and in "exit": one event cannot do both`, value)
		}
	}
	return m.checkOperations()
}

func (m *Mapping) field(f event.Binding) error {
	var names []string
	for _, r := range readers {
		if r.name == f.Name {
			if err := r.read(m, f.Value); err != nil {
				return fmt.Errorf("%q: %w", f.Name, err)
			}
			return nil
		}
		names = append(names, r.name)
	}
	return unknownFieldError(f.Name, names)
}

func (m *Mapping) readUnmatched(v event.Value) error {
	if v.Kind() != event.String || v.Str() != "accept" && v.Str() != "error" {
		return fmt.Errorf(`must be "accept" or "error", not %.40s`, event.Printable(v.String()))
	}
	m.unmatched = v.Str() == "accept"
	return nil
}

func (m *Mapping) readSet(v event.Value) error {
	if v.Kind() != event.Object {
		return fmt.Errorf(`must be an object of fields and names of variables, like {"state.stock": "stock"}, ` +
			`or {"*": "*"}`)
	}
	for _, f := range v.Fields() {
		if f.Value.Kind() != event.String || f.Value.Str() == "" {
			return fmt.Errorf("the name of the variable for %q is not a string", f.Name)
		}
		switch name := f.Value.Str(); {
		case f.Name == "*" && name == "*":
			m.all = true
		case f.Name == "*" || name == "*":
			return fmt.Errorf(`only "*": "*" takes all fields, each under its own name`)
		default:
			field, err := newPath(f.Name)
			if err != nil {
				return err
			}
			m.set = append(m.set, variable{field, name})
		}
	}
	return nil
}

func conditionOf(v event.Value) (condition, error) {
	if v.Kind() != event.Object {
		return nil, fmt.Errorf(`a condition must be an object of fields and values, like {"level": "info"}`)
	}
	var c condition
	for _, f := range v.Fields() {
		field, err := newPath(f.Name)
		if err != nil {
			return nil, err
		}
		values := []event.Value{f.Value}
		if f.Value.Kind() == event.List {
			values = f.Value.List()
		}
		c = append(c, requirement{field, values})
	}
	return c, nil
}

func functionsOf(v event.Value) (map[string]template, error) {
	if v.Kind() != event.Object {
		return nil, fmt.Errorf(`must be an object of events and functions, like {"begin": "handle"}`)
	}
	functions := map[string]template{}
	for _, f := range v.Fields() {
		if f.Value.Kind() != event.String {
			return nil, fmt.Errorf("the function for %q is not a string", f.Name)
		}
		t, err := newTemplate(f.Value.Str())
		if err != nil {
			return nil, err
		}
		functions[f.Name] = t
	}
	return functions, nil
}

// unknownFieldError returns the error for a name that is none of names, with the most similar one.
func unknownFieldError(name string, names []string) error {
	name = name[:min(len(name), 40)]
	best := stdslices.MinFunc(names, func(a, b string) int { return distance(name, a) - distance(name, b) })
	hint := ""
	if distance(name, best) <= 2 {
		hint = fmt.Sprintf(" (did you mean %q?)", best)
	}
	return fmt.Errorf("unknown field %q%s: the fields are %s", name, hint, strings.Join(names, ", "))
}
