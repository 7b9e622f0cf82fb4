package linearizability

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/wording"
)

// method is one of a built-in model.
type method struct {
	arguments int
	step      func(before State, o *Operation) (after State, ok bool)
	observes  func(o *Operation) bool // nil: it does not
}

// builtIn is a model whose methods are in a table.
type builtIn struct {
	name    string
	initial State
	methods map[string]method
	show    func(s State) string // nil: as a value
}

func (m *builtIn) Init() State { return m.initial }

func (m *builtIn) Step(before State, o *Operation) (State, bool) {
	return m.methods[plain(o.Method)].step(before, o)
}

func (m *builtIn) Observes(o *Operation) bool {
	observes := m.methods[plain(o.Method)].observes
	return observes != nil && observes(o)
}

func (m *builtIn) Describe(s State) string {
	if m.show != nil {
		return m.show(s)
	}
	return valueText(s)
}

func (m *builtIn) Validate(o *Operation) error {
	found, ok := m.methods[plain(o.Method)]
	switch {
	case !ok:
		return fmt.Errorf("a %s has no method %q; it has %s", m.name, o.Method,
			strings.Join(slices.Sorted(maps.Keys(m.methods)), ", "))
	case len(o.Arguments) != found.arguments:
		return fmt.Errorf("%s of a %s has %s, not %d", o.Method, m.name,
			wording.Plural(found.arguments, "argument"), len(o.Arguments))
	}
	return nil
}

// either shows a state that is a bool.
func either(yes, no string) func(State) string {
	return func(s State) string {
		if s == true {
			return yes
		}
		return no
	}
}

// plain returns the name of a method without what languages write differently.
func plain(name string) string {
	return strings.ToLower(separators.Replace(name))
}

var separators = strings.NewReplacer("-", "", "_", "")

// partitioned is a model whose parts are the first arguments.
type partitioned struct{ builtIn }

func (*partitioned) Part(o *Operation) string { return string(appendValue(nil, o.Arguments[0])) }

// Names returns the names of the built-in models.
func Names() []string { return []string{"counter", "lock", "map", "queue", "register", "set", "stack"} }

// Named returns the built-in model with a name, which begins as it does if nothing was done to it.
func Named(name string) (Model, bool) {
	switch name {
	case "counter":
		return Counter(0), true
	case "lock":
		return Lock(), true
	case "map":
		return Map(nil), true
	case "queue":
		return Queue(), true
	case "register":
		return Register(nil), true
	case "set":
		return Set(), true
	case "stack":
		return Stack(), true
	}
	return nil, false
}

// NamedFrom returns the built-in model with a name, which begins with a value. It is false for a
// model that has no such first value: register, map and counter have one.
func NamedFrom(name string, first Value) (Model, bool) {
	switch name {
	case "register":
		return Register(first), true
	case "map":
		return Map(first), true
	case "counter":
		n, ok := first.(int64)
		return Counter(n), ok
	}
	return nil, false
}

func always(*Operation) bool { return true }

// failed reports whether an operation says that it changed nothing.
func failed(o *Operation) bool { return o.Result == false }

// gives reports whether the result can be v.
func gives(o *Operation, v Value) bool { return o.Result == Unknown || o.Result == v }

// mayGive is gives for a method that need not have a result.
func mayGive(o *Operation, v Value) bool { return o.Result == nil || gives(o, v) }

// with gives a method several names.
func with(methods map[string]method, m method, names ...string) {
	for _, name := range names {
		methods[name] = m
	}
}

// cell returns the methods of a register whose arguments begin behind the first skip ones.
func cell(skip int) map[string]method {
	methods := map[string]method{}
	with(methods, method{skip, func(s State, o *Operation) (State, bool) {
		return s, gives(o, s)
	}, always}, "read", "get", "load")
	with(methods, method{skip + 1, func(_ State, o *Operation) (State, bool) {
		return o.Arguments[skip], true
	}, nil}, "write", "set", "put", "store")
	with(methods, method{skip + 1, func(s State, o *Operation) (State, bool) {
		return o.Arguments[skip], gives(o, s)
	}, nil}, "swap")
	with(methods, method{skip + 2, func(s State, o *Operation) (State, bool) {
		if s != o.Arguments[skip] {
			return s, gives(o, false)
		}
		return o.Arguments[skip+1], mayGive(o, true)
	}, failed}, "cas", "compareandswap", "compareandset")
	with(methods, method{skip + 1, func(s State, o *Operation) (State, bool) {
		text, _ := s.(string)
		return text + fmt.Sprint(o.Arguments[skip]), true
	}, nil}, "append")
	return methods
}

// Register returns the model of a register with a first value: read, write, swap, cas (which
// compares and swaps) and append (to a string).
func Register(first Value) Model { return &builtIn{name: "register", initial: first, methods: cell(0)} }

// Map returns the model of a map. An absent key has a value: nil, or the zero value of a type. The
// methods are those of a register, with the key as first argument, and delete.
func Map(absent Value) Model {
	methods := cell(1)
	with(methods, method{1, func(s State, o *Operation) (State, bool) {
		there := s != absent
		return absent, o.Result != true && o.Result != false || o.Result == there
	}, failed}, "delete", "remove")
	with(methods, method{1, func(s State, o *Operation) (State, bool) {
		return s, gives(o, s != absent)
	}, always}, "contains", "has")
	with(methods, method{2, func(s State, o *Operation) (State, bool) {
		if s != absent {
			return s, gives(o, s)
		}
		return o.Arguments[1], gives(o, o.Arguments[1])
	}, nil}, "loadorstore", "getorput")
	with(methods, method{1, func(s State, o *Operation) (State, bool) {
		return absent, gives(o, s)
	}, nil}, "loadanddelete")
	return &partitioned{builtIn{name: "map", initial: absent, methods: methods}}
}

// Set returns the model of a set: add and remove, which can say whether they changed it, and
// contains.
func Set() Model {
	methods := map[string]method{}
	with(methods, method{1, func(s State, o *Operation) (State, bool) {
		return true, mayGive(o, s == false)
	}, failed}, "add", "insert")
	with(methods, method{1, func(s State, o *Operation) (State, bool) {
		return false, mayGive(o, s == true)
	}, failed}, "remove", "delete")
	with(methods, method{1, func(s State, o *Operation) (State, bool) {
		return s, gives(o, s)
	}, always}, "contains", "has")
	show := either("in the set", "not in the set")
	return &partitioned{builtIn{name: "set", initial: false, methods: methods, show: show}}
}

// Counter returns the model of a counter: inc, dec and add, which can return the new value,
// fetchadd, which returns the old one, and read.
func Counter(first int64) Model {
	methods := map[string]method{}
	step := func(by int64) func(State, *Operation) (State, bool) {
		return func(s State, o *Operation) (State, bool) {
			after := s.(int64) + by
			return after, mayGive(o, after)
		}
	}
	with(methods, method{0, step(1), nil}, "inc", "increment")
	with(methods, method{0, step(-1), nil}, "dec", "decrement")
	with(methods, method{1, func(s State, o *Operation) (State, bool) {
		by, ok := o.Arguments[0].(int64)
		after := s.(int64) + by
		return after, ok && mayGive(o, after)
	}, nil}, "add", "addandget")
	with(methods, method{1, func(s State, o *Operation) (State, bool) {
		by, ok := o.Arguments[0].(int64)
		return s.(int64) + by, ok && gives(o, s)
	}, nil}, "fetchadd", "fetchandadd", "getandadd")
	with(methods, method{0, func(s State, o *Operation) (State, bool) {
		return s, gives(o, s)
	}, always}, "read", "get", "load", "value")
	return &builtIn{name: "counter", initial: first, methods: methods}
}

// Lock returns the model of a lock: lock, unlock and trylock.
func Lock() Model {
	methods := map[string]method{}
	with(methods, method{0, func(s State, _ *Operation) (State, bool) {
		return true, s == false
	}, nil}, "lock", "acquire")
	with(methods, method{0, func(s State, _ *Operation) (State, bool) {
		return false, s == true
	}, nil}, "unlock", "release")
	with(methods, method{0, func(s State, o *Operation) (State, bool) {
		return true, gives(o, s == false)
	}, failed}, "trylock", "tryacquire")
	return &builtIn{name: "lock", initial: false, methods: methods, show: either("locked", "free")}
}
