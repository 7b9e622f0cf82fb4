package batch

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/tracer/event"
)

// Parse reads the JSON object of a line. If the object has a mistake, Parse reads as much of it as
// possible. It ignores unknown keys.
func Parse(line []byte, question any) error {
	err := json.Unmarshal(line, question)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("not a JSON object: %w, at byte %d", err, syntax.Offset)
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("found a JSON %s: write a JSON object a line", kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("key %q: found a JSON %s, expected a %s", event.Printable(kind.Field), kind.Value,
			jsonKind(kind.Type.String()))
	}
	return err
}

// jsonKind names a type of Go as JSON does.
func jsonKind(t string) string {
	switch t {
	case "ltl.Word":
		return "array of arrays of strings"
	case "[]string":
		return "array of strings"
	}
	return t
}
