// Package spantext reads the texts and numbers that formats of spans write alike.
package spantext

import (
	"encoding/hex"
	"fmt"
	"math"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
)

// ReadID reads an id in hexadecimal digits, with zeros in front where they were left out. what is
// the kind of thing that has the id.
func ReadID(id []byte, text, what string) error {
	digits := strings.TrimLeft(text, "0")
	if digits == "" || len(digits) > 2*len(id) {
		return fmt.Errorf("%.60q is no id of a %s, which has at most %d hexadecimal digits, not all 0", text, what,
			2*len(id))
	}
	digits = strings.Repeat("0", 2*len(id)-len(digits)) + digits
	if _, err := hex.Decode(id, []byte(digits)); err != nil {
		return fmt.Errorf("%.60q is no id of a %s in hexadecimal digits", text, what)
	}
	return nil
}

// MaxTime is the latest time, in microseconds since 1970.
const MaxTime = math.MaxInt64 / 1000

// Nanoseconds returns a time in nanoseconds, or an error if it is none.
func Nanoseconds(microseconds int64) (uint64, error) {
	if microseconds < 0 || microseconds > MaxTime {
		return 0, fmt.Errorf("%d is no time in microseconds since 1970", microseconds)
	}
	return 1000 * uint64(microseconds), nil
}

// TextOf returns the string that the first of the names with one is bound to, "" if none is.
func TextOf(bs []event.Binding, names ...string) string {
	for _, name := range names {
		for _, b := range bs {
			if b.Name == name && b.Value.Kind() == event.String {
				return b.Value.Str()
			}
		}
	}
	return ""
}
