package event

import (
	"strconv"

	"github.com/antichain-go/antichain/tracer/op"
)

// Code describes the program's code at an address or a select statement that records refer to. It
// precedes the first of these records.
type Code struct {
	PC       uint64    // a return address, or the first address of a function
	Function string    // the function that begins at PC, if a go statement starts it; else ""
	Calls    []op.Call // the active calls, innermost first; several if some were inlined

	Select string // the place of a select statement, "file.go:12", instead of an address
	Behind
}

// Behind describes, from the source, the consequences of taking another case of a select statement.
// Its pairs of case indexes are the case that was taken and another one. In a pair of equal indexes
// the goroutine just returns to the statement (Harmless), or goes elsewhere (Leaves).
type Behind struct {
	// no other goroutine waits forever for this one to return to the channel of the case that was
	// taken
	Harmless [][2]int
	Leaves   [][2]int // the goroutine does not return to that channel
}

// The keys of "code".
const (
	keyFunction = "func"
	keyCalls    = "calls"
	keySelect   = "select"
	keyHarmless = "harmless"
	keyLeaves   = "leaves"
	wordStd     = "std"
)

// value returns the value in a line.
func (c *Code) value() Value {
	if c.Select != "" {
		fields := []Binding{{keySelect, StringValue(c.Select)}, {keyHarmless, pairsValue(c.Harmless)}}
		if len(c.Leaves) > 0 {
			fields = append(fields, Binding{keyLeaves, pairsValue(c.Leaves)})
		}
		return ObjectValue(fields)
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

func pairsValue(pairs [][2]int) Value {
	values := make([]Value, len(pairs))
	for i, p := range pairs {
		values[i] = ListValue([]Value{IntValue(int64(p[0])), IntValue(int64(p[1]))})
	}
	return ListValue(values)
}

// codeOf is the inverse of value.
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
		return nil, lineErrorf("%q needs an address in %q or a place in %q", eventKeys[keyCode], eventKeys[keyPC],
			keySelect)
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
		c.Harmless, err = pairsOf(f)
	case keyLeaves:
		c.Leaves, err = pairsOf(f)
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
			return lineErrorf(`an element of %q must be like [function, "file.go:12"] or [function, "file.go:12", %q]`,
				f.Name, wordStd)
		}
		c.Calls = append(c.Calls, op.Call{Function: words[0], At: words[1], Std: len(words) == 3})
	}
	return nil
}

// pairsOf is the inverse of pairsValue.
func pairsOf(f Binding) ([][2]int, error) {
	if f.Value.Kind() != List {
		return nil, lineErrorf("%q must be a list", f.Name)
	}
	var pairs [][2]int
	for _, v := range f.Value.List() {
		if v.Kind() != List || len(v.List()) != 2 || v.List()[0].Kind() != Int || v.List()[1].Kind() != Int {
			return nil, lineErrorf("an element of %q must be a list of two numbers", f.Name)
		}
		pairs = append(pairs, [2]int{int(v.List()[0].Int()), int(v.List()[1].Int())})
	}
	return pairs, nil
}
