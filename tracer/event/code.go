package event

import (
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

// wordStd marks a call of the standard library.
const wordStd = "std"

// ofAddress and ofSelect return the keys of the code at an address, and of a select statement.
func (c *Code) ofAddress() []key {
	return []key{{"pc", &c.PC, true}, {"func", &c.Function, false}, {"calls", &c.Calls, true}}
}

func (c *Code) ofSelect() []key {
	return []key{{"select", &c.Select, true}, {"harmless", &c.Harmless, true}, {"leaves", &c.Leaves, false}}
}

func (c *Code) toValue() Value {
	if c.Select != "" {
		return ObjectValue(bindingsOf(c.ofSelect()))
	}
	return ObjectValue(bindingsOf(c.ofAddress()))
}

// codeOf is the inverse of value.
func codeOf(v Value) (*Code, error) {
	c := new(Code)
	if err := readObject(Binding{eventKeys[keyCode], v}, append(c.ofAddress(), c.ofSelect()...)); err != nil {
		return nil, err
	}
	if (c.PC == 0) == (c.Select == "") {
		return nil, lineErrorf("%q needs an address in %q or a place in %q", eventKeys[keyCode], "pc", "select")
	}
	return c, nil
}

func callsValue(calls []op.Call) Value {
	values := make([]Value, len(calls))
	for i, call := range calls {
		words := []string{call.Function, call.At}
		if call.Std {
			words = append(words, wordStd)
		}
		values[i] = listOfStrings(words)
	}
	return ListValue(values)
}

// callsOf is the inverse of callsValue.
func callsOf(p Binding) ([]op.Call, error) {
	if p.Value.Kind() != List {
		return nil, lineErrorf("%q must be a list", p.Name)
	}
	var calls []op.Call
	for _, v := range p.Value.List() {
		words, err := stringList(Binding{p.Name, v})
		if err != nil || len(words) < 2 || len(words) > 3 || len(words) == 3 && words[2] != wordStd {
			return nil, lineErrorf(`an element of %q must be like [function, "file.go:12"] or `+
				`[function, "file.go:12", %q]`, p.Name, wordStd)
		}
		calls = append(calls, op.Call{Function: words[0], At: words[1], Std: len(words) == 3})
	}
	return calls, nil
}

func pairsValue(pairs [][2]int) Value {
	values := make([]Value, len(pairs))
	for i, p := range pairs {
		values[i] = ListValue([]Value{IntValue(int64(p[0])), IntValue(int64(p[1]))})
	}
	return ListValue(values)
}

func pairsOf(p Binding) ([][2]int, error) {
	if p.Value.Kind() != List {
		return nil, lineErrorf("%q must be a list", p.Name)
	}
	var pairs [][2]int
	for _, v := range p.Value.List() {
		if v.Kind() != List || len(v.List()) != 2 || v.List()[0].Kind() != Int || v.List()[1].Kind() != Int {
			return nil, lineErrorf("an element of %q must be a list of two numbers", p.Name)
		}
		pairs = append(pairs, [2]int{int(v.List()[0].Int()), int(v.List()[1].Int())})
	}
	return pairs, nil
}
