package otlp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/antichain-go/antichain/tracer/event"
)

// place is a line and a column of a file, in bytes, from 1.
type place struct{ line, column int }

// behind returns the place after a text that begins at p.
func (p place) behind(text []byte) place {
	if n := bytes.Count(text, []byte("\n")); n > 0 {
		return place{p.line + n, len(text) - bytes.LastIndexByte(text, '\n')}
	}
	return place{p.line, p.column + len(text)}
}

// documents reads JSON documents one after the other: a message on each line, messages that are
// laid out over several lines, and arrays of these, also within arrays.
type documents struct {
	*file
	at     place // of the next byte
	arrays int   // that are open
	comma  bool  // in an array: the next document needs a comma before it
}

// documents reads all messages.
func (f *file) documents() error {
	f.unit = ":"
	d := &documents{file: f, at: place{1, 1}}
	for {
		switch found, err := d.begins(); {
		case err == io.EOF && d.arrays == 0:
			return nil
		case err == io.EOF:
			return d.badJSON(d.at, "unexpected end of an array")
		case err != nil:
			return err
		case !found:
			continue
		}
		from := d.at
		message, err := d.document()
		if err == nil {
			err = d.mistake(from, message)
		}
		if err == nil {
			err = d.add(from.line, message)
		}
		if err != nil {
			return err
		}
	}
}

// begins moves to the next byte that is no white space, and reports whether a document begins
// there. It moves over any other one.
func (d *documents) begins() (bool, error) {
	c, err := d.in.ReadByte()
	if err != nil {
		return false, err
	}
	needsComma := d.arrays > 0 && d.comma
	switch {
	case c == '{' && !needsComma:
		d.comma = true
		return true, d.in.UnreadByte()
	case c == '[' && !needsComma:
		d.arrays, d.comma = d.arrays+1, false
	case c == ']' && d.arrays > 0:
		d.arrays, d.comma = d.arrays-1, true
	case c == ',' && needsComma:
		d.comma = false
	case bytes.IndexByte([]byte(" \t\r\n"), c) >= 0:
	default:
		return false, d.badJSON(d.at, fmt.Sprintf("invalid character %q where a message begins", c))
	}
	d.at = d.at.behind([]byte{c})
	return false, nil
}

// document reads a document to the brace that closes it, to the end of the file, or to a line end
// in a string, which is invalid JSON: a string without an end affects no later lines.
func (d *documents) document() ([]byte, error) {
	var text []byte
	from, depth, inString, escaped := d.at, 0, false, false
	for {
		c, err := d.in.ReadByte()
		switch {
		case err == io.EOF:
			return text, nil // the decoder finds the error
		case err != nil:
			return nil, err
		case len(text) == d.limits.Message:
			return nil, cmp.Or(d.mistake(from, text), error(d.tooLong(from.line)))
		}
		text = append(text, c)
		d.at = d.at.behind(text[len(text)-1:])
		switch {
		case escaped:
			escaped = false
		case inString && c == '\n':
			return text, nil
		case inString:
			escaped, inString = c == '\\', c != '"'
		case c == '"':
			inString = true
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return text, nil
			}
		}
	}
}

// mistake returns the position of a syntax error in a document that begins at from. It returns nil
// if the document is valid, or only lacks its end.
func (d *documents) mistake(from place, text []byte) error {
	bad := new(json.SyntaxError)
	if err := json.Unmarshal(text, new(json.RawMessage)); !errors.As(err, &bad) || bad.Error() == endless {
		return nil
	}
	return d.badJSON(from.behind(text[:max(0, int(bad.Offset)-1)]), bad.Error())
}

// endless is the text of the error that a document lacks its end, which the decoder reports.
const endless = "unexpected end of JSON input"

func (d *documents) badJSON(at place, reason string) error {
	return &event.Error{Pos: fmt.Sprintf("%s:%d:%d", d.name, at.line, at.column),
		Reason: "not a message of spans: bad JSON: " + event.Printable(reason), Remedy: d.remedy}
}
