package event

import (
	"strconv"

	"github.com/antichain-go/antichain/tracer/op"
)

// Code is what a trace says about the program's code, for records that lead there. It stands before the first of them.
type Code struct {
	PC       uint64    // a return address, or the first address of a function
	Function string    // that begins at PC, "" if none does that a go statement starts
	Calls    []op.Call // that are under way there, innermost first; several if some were inlined

	// Select is the place of a select statement, "file.go:12", instead of an address. If it takes another case than the one that it
	// took, these are pairs of indexes of the case taken and the other one of which the source says that nobody waits for ever.
	Select   string
	Harmless [][2]int
}

// The keys of "code".
const (
	keyFunction = "func"
	keyCalls    = "calls"
	keySelect   = "select"
	keyHarmless = "harmless"
	wordStd     = "std"
)

// value is what a line says.
func (c *Code) value() Value {
	if c.Select != "" {
		pairs := make([]Value, len(c.Harmless))
		for i, p := range c.Harmless {
			pairs[i] = ListValue([]Value{IntValue(int64(p[0])), IntValue(int64(p[1]))})
		}
		return ObjectValue([]Binding{{keySelect, StringValue(c.Select)}, {keyHarmless, ListValue(pairs)}})
	}
	fields := []Binding{{eventKeys[keyPC], StringValue(strconv.FormatUint(c.PC, 16))}}
	if c.Function != "" {
		fields = append(fields, Binding{keyFunction, StringValue(c.Function)})
	}
	calls := make([]Value, len(c.Calls))
	for i, call := range c.Calls {
		words := []Value{StringValue(call.Function), StringValue(call.At)}
		if call.Std {
			words = append(words, StringValue(wordStd))
		}
		calls[i] = ListValue(words)
	}
	return ObjectValue(append(fields, Binding{keyCalls, ListValue(calls)}))
}

// codeOf is the reverse of value.
func codeOf(v Value) (*Code, error) {
	if v.Kind() != Object {
		return nil, lineErrorf("%q must be an object", eventKeys[keyCode])
	}
	c := new(Code)
	for _, f := range v.Fields() {
		if err := c.take(f); err != nil {
			return nil, err
		}
	}
	if (c.PC == 0) == (c.Select == "") {
		return nil, lineErrorf("%q needs an address in %q or a place in %q", eventKeys[keyCode], eventKeys[keyPC], keySelect)
	}
	return c, nil
}

func (c *Code) take(f Binding) (err error) {
	switch f.Name {
	case eventKeys[keyPC]:
		text, err := stringOf(f)
		if err != nil {
			return err
		}
		pc, ok := parseHex([]byte(text))
		if !ok {
			return lineErrorf("%q must be a string of hexadecimal digits", f.Name)
		}
		c.PC = pc
	case keyFunction:
		c.Function, err = stringOf(f)
	case keySelect:
		c.Select, err = stringOf(f)
	case keyCalls:
		return c.takeCalls(f)
	case keyHarmless:
		return c.takeHarmless(f)
	default:
		err = lineErrorf("unknown key %q in %q", f.Name, eventKeys[keyCode])
	}
	return err
}

func (c *Code) takeCalls(f Binding) error {
	if f.Value.Kind() != List {
		return lineErrorf("%q must be a list", f.Name)
	}
	for _, v := range f.Value.List() {
		words, err := stringList(Binding{f.Name, v})
		if err != nil || len(words) < 2 || len(words) > 3 || len(words) == 3 && words[2] != wordStd {
			return lineErrorf("an element of %q must be like [function, \"file.go:12\"] or [function, \"file.go:12\", %q]", f.Name, wordStd)
		}
		c.Calls = append(c.Calls, op.Call{Function: words[0], At: words[1], Std: len(words) == 3})
	}
	return nil
}

func (c *Code) takeHarmless(f Binding) error {
	if f.Value.Kind() != List {
		return lineErrorf("%q must be a list", f.Name)
	}
	for _, v := range f.Value.List() {
		if v.Kind() != List || len(v.List()) != 2 || v.List()[0].Kind() != Int || v.List()[1].Kind() != Int {
			return lineErrorf("an element of %q must be a list of two numbers", f.Name)
		}
		c.Harmless = append(c.Harmless, [2]int{int(v.List()[0].Int()), int(v.List()[1].Int())})
	}
	return nil
}
