package lsl

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/antichain-go/antichain/tracer/event"
)

// kindNames are the kinds of values as reports name them.
var kindNames = map[event.Kind]string{
	event.Invalid: "nothing", event.Null: "null", event.Bool: "a boolean", event.Int: "an integer",
	event.Uint:  "an integer",
	event.Float: "a float", event.String: "a string", event.List: "a list", event.Object: "an object",
}

func nameOf(v event.Value) string { return kindNames[v.Kind()] }

func isInteger(v event.Value) bool { return v.Kind() == event.Int || v.Kind() == event.Uint }
func isNumber(v event.Value) bool  { return isInteger(v) || v.Kind() == event.Float }

// compareNumbers compares exact values and never converts an integer to a float. It reports false
// if one is not a number (NaN).
func compareNumbers(a, b event.Value) (order int, ok bool) {
	switch ka, kb := a.Kind(), b.Kind(); {
	case ka == event.Float && kb == event.Float:
		return cmp.Compare(a.Float(), b.Float()), !math.IsNaN(a.Float()) && !math.IsNaN(b.Float())
	case kb == event.Float:
		return compareWithFloat(a, b.Float())
	case ka == event.Float:
		order, ok = compareWithFloat(b, a.Float())
		return -order, ok
	case ka != kb: // one is above the range of Int
		return cmp.Compare(ka, kb), true
	case ka == event.Int:
		return cmp.Compare(a.Int(), b.Int()), true
	}
	return cmp.Compare(a.Uint(), b.Uint()), true
}

// compareWithFloat compares an integer with a float. Between the bounds of the integer's type, the
// integral part of the float converts exactly, and its fraction decides ties.
func compareWithFloat(i event.Value, f float64) (int, bool) {
	if math.IsNaN(f) {
		return 0, false
	}
	whole := math.Trunc(f)
	if i.Kind() == event.Int {
		switch {
		case f >= 1<<63:
			return -1, true
		case f < -1<<63:
			return 1, true
		case i.Int() != int64(whole):
			return cmp.Compare(i.Int(), int64(whole)), true
		}
	} else {
		switch {
		case f >= 1<<64:
			return -1, true
		case f < 0:
			return 1, true
		case i.Uint() != uint64(whole):
			return cmp.Compare(i.Uint(), uint64(whole)), true
		}
	}
	return cmp.Compare(whole, f), true
}

// equal is ==. Values of different kinds are incomparable, except numbers with each other and
// anything with null.
func equal(a, b event.Value) (bool, error) {
	switch ka, kb := a.Kind(), b.Kind(); {
	case isNumber(a) && isNumber(b), ka == event.Null, kb == event.Null, ka == kb:
		return same(a, b), nil
	}
	return false, fmt.Errorf("compares %s with %s", nameOf(a), nameOf(b))
}

// same is equality inside lists and objects, where values of different kinds differ.
func same(a, b event.Value) bool {
	if isNumber(a) && isNumber(b) {
		order, ok := compareNumbers(a, b)
		return ok && order == 0
	}
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case event.Bool:
		return a.Bool() == b.Bool()
	case event.String:
		return a.Str() == b.Str()
	case event.List:
		return slices.EqualFunc(a.List(), b.List(), same)
	case event.Object:
		return sameObjects(a.Fields(), b.Fields())
	}
	return true
}

// sameObjects compares fields by name. Their order does not count.
func sameObjects(a, b []event.Binding) bool {
	if len(a) != len(b) {
		return false
	}
	at := make(map[string]int, len(b))
	for i, f := range b {
		at[f.Name] = i
	}
	for _, f := range a {
		i, ok := at[f.Name]
		if !ok || !same(f.Value, b[i].Value) {
			return false
		}
	}
	return true
}

// compareOrdered is the order of numbers and of strings, byte by byte. It reports false if one is
// NaN.
func compareOrdered(a, b event.Value) (order int, ok bool, err error) {
	if isNumber(a) && isNumber(b) {
		order, ok = compareNumbers(a, b)
		return order, ok, nil
	}
	if a.Kind() == event.String && b.Kind() == event.String {
		return cmp.Compare(a.Str(), b.Str()), true, nil
	}
	return 0, false, fmt.Errorf("compares %s with %s", nameOf(a), nameOf(b))
}
