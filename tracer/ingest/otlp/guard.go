package otlp

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
)

// The decoder has no bounds of its own: it recurses for each list within a list until the stack is
// full, and two bytes make it allocate an empty span. So messages are checked before they are
// decoded.

const (
	maxNesting = 1000 // of messages within a message

	// A message may take this many times its size in memory, and slack more. Even attributes with
	// names of one letter take less.
	maxGrowth = 24
	slack     = 1 << 20

	objectSize = 256 // approximate memory of a decoded JSON object
)

// message is a type of the protocol that can hold others.
type message uint8

const (
	other message = iota // a type of no interest here, or a string
	request
	resourceSpans
	resource
	entity
	scopeSpans
	scope
	span
	moment
	link
	keyValue
	anyValue
	arrayValue
	keyValueList
)

// messages has, for each type, its approximate memory in bytes, and which of its fields are
// messages.
var messages = [...]struct {
	size   int
	fields []field
}{
	request:       {0, []field{{1, resourceSpans}}},
	resourceSpans: {256, []field{{1, resource}, {2, scopeSpans}, {1000, scopeSpans}}},
	resource:      {0, []field{{1, keyValue}, {3, entity}}},
	entity:        {128, nil},
	scopeSpans:    {256, []field{{1, scope}, {2, span}}},
	scope:         {0, []field{{3, keyValue}}},
	span:          {512, []field{{9, keyValue}, {11, moment}, {13, link}}},
	moment:        {160, []field{{3, keyValue}}},
	link:          {160, []field{{4, keyValue}}},
	keyValue:      {96, []field{{2, anyValue}}},
	anyValue:      {32, []field{{5, arrayValue}, {6, keyValueList}}},
	arrayValue:    {48, []field{{1, anyValue}}},
	keyValueList:  {48, []field{{1, keyValue}}},
}

type field struct {
	number uint64
	holds  message
}

func (m message) at(number uint64) message {
	for _, f := range messages[m].fields {
		if f.number == number {
			return f.holds
		}
	}
	return other
}

// guard estimates the memory of a message.
type guard struct{ memory, limit int }

// guardProto reports a message that would take too much. The decoder reports malformed ones.
func guardProto(payload []byte) error {
	g := guard{limit: growth(payload)}
	return g.walk(payload, request, 0)
}

func growth(payload []byte) int { return maxGrowth*len(payload) + slack }

// walk adds up a message of that type, and those in it.
func (g *guard) walk(b []byte, m message, depth int) error {
	if depth > maxNesting {
		return errNesting
	}
	if g.memory += messages[m].size; g.memory > g.limit {
		return errGrowth
	}
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		if n <= 0 {
			return nil
		}
		inner, rest, ok := cut(b[n:], tag&7)
		if !ok {
			return nil
		}
		if holds := m.at(tag >> 3); holds != other && inner != nil {
			if err := g.walk(inner, holds, depth+1); err != nil {
				return err
			}
		}
		b = rest
	}
	return nil
}

// The wire types of the protocol buffers' encoding that matter here.
const (
	wireVarint = 0
	wire64     = 1
	wireLength = 2
	wire32     = 5
)

// cut takes a field off b; inner is its content if it has a length. Groups, which the protocol does
// not use, are read as fields without content.
func cut(b []byte, wire uint64) (inner, rest []byte, ok bool) {
	skip := 0
	switch wire {
	case wireVarint:
		_, skip = binary.Uvarint(b)
		ok = skip > 0
	case wire64:
		skip, ok = 8, true
	case wire32:
		skip, ok = 4, true
	case wireLength:
		size, n := binary.Uvarint(b)
		if n <= 0 || size > uint64(len(b)-n) {
			return nil, nil, false
		}
		return b[n : n+int(size) : n+int(size)], b[n+int(size):], true
	default:
		ok = true
	}
	if !ok || skip > len(b) {
		return nil, nil, false
	}
	return nil, b[skip:], true
}

// guardJSON reports a message that would take too much, or is not JSON: the decoder overlooks
// errors after the end of an object.
func guardJSON(payload []byte) error {
	if !json.Valid(payload) { // including too deep nesting
		var v json.RawMessage
		return fmt.Errorf("bad JSON: %w", json.Unmarshal(payload, &v))
	}
	if bytes.Count(payload, []byte("{"))*objectSize > growth(payload) {
		return errGrowth
	}
	return nil
}
