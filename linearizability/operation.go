package linearizability

import (
	"fmt"
	"strconv"
	"strings"
)

// Value is an argument or a result: any comparable value, such as nil, a bool, an int64 or a
// string.
type Value = any

// Unknown is the result of an operation if it is not known.
var Unknown Value = unknown{}

type unknown struct{}

func (unknown) String() string { return "?" }

// Operation is a call of a method and its return.
type Operation struct {
	Object    string // a history can be of several objects
	Method    string
	Arguments []Value
	Result    Value // Unknown if it is not known; nil of a method without a result

	// The moments of the call and of the return, in any unit. An operation precedes another one if
	// it returns at an earlier moment than the other is called.
	Call, Return int64

	// Unfinished says that it has not returned. Its Return and Result mean nothing.
	Unfinished bool

	Process, At string // which has called it, and where that stands in a log; for reports alone
}

// String returns the operation as it is written in Go, with its result: write(3), read() -> 3.
func (o *Operation) String() string {
	var text strings.Builder
	text.WriteString(o.Method + "(")
	for i, a := range o.Arguments {
		if i > 0 {
			text.WriteString(", ")
		}
		text.WriteString(valueText(a))
	}
	text.WriteString(")")
	switch {
	case o.Unfinished:
		text.WriteString(" unfinished")
	case o.Result == Unknown:
	case o.Result != nil || len(o.Arguments) == 0:
		text.WriteString(" -> " + valueText(o.Result))
	}
	return text.String()
}

func valueText(v Value) string {
	if s, ok := v.(string); ok {
		return strconv.Quote(s)
	}
	if v == nil {
		return "nil"
	}
	return fmt.Sprint(v)
}

// appendValue appends a text that is different for different values.
func appendValue(b []byte, v Value) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, 'n', ';')
	case bool:
		return append(strconv.AppendBool(b, v), ';')
	case int64:
		return append(strconv.AppendInt(append(b, 'i'), v, 10), ';')
	case string:
		b = strconv.AppendInt(append(b, 's'), int64(len(v)), 10)
		return append(append(append(b, ':'), v...), ';')
	}
	return appendValue(append(b, 'v'), fmt.Sprintf("%T %#v", v, v))
}
