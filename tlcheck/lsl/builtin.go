package lsl

import (
	"fmt"
	"math"

	"github.com/antichain-go/antichain/tracer/event"
)

// builtins implements the functions that spec.Builtins declares.
var builtins = map[string]func(args []event.Value) (event.Value, error){
	"len":    func(a []event.Value) (event.Value, error) { return length(a[0]) },
	"abs":    func(a []event.Value) (event.Value, error) { return absolute(a[0]) },
	"min":    func(a []event.Value) (event.Value, error) { return extreme("min", a[0], a[1]) },
	"max":    func(a []event.Value) (event.Value, error) { return extreme("max", a[0], a[1]) },
	"even":   func(a []event.Value) (event.Value, error) { return parity("even", 0, a[0]) },
	"odd":    func(a []event.Value) (event.Value, error) { return parity("odd", 1, a[0]) },
	"sorted": func(a []event.Value) (event.Value, error) { return sorted(a[0]) },
}

// length counts the bytes of a string, the elements of a list or the fields of an object. A map
// arrives as an object.
func length(v event.Value) (event.Value, error) {
	switch v.Kind() {
	case event.String:
		return event.IntValue(int64(len(v.Str()))), nil
	case event.List:
		return event.IntValue(int64(len(v.List()))), nil
	case event.Object:
		return event.IntValue(int64(len(v.Fields()))), nil
	}
	return event.Value{}, fmt.Errorf("len of %s", nameOf(v))
}

func absolute(v event.Value) (event.Value, error) {
	switch v.Kind() {
	case event.Int:
		if v.Int() < 0 {
			return event.IntValue(-v.Int()), nil
		}
		return v, nil
	case event.Uint:
		return v, nil
	case event.Float:
		return event.FloatValue(math.Abs(v.Float())), nil
	}
	return event.Value{}, fmt.Errorf("abs of %s", nameOf(v))
}

// extreme returns the smaller or greater number; NaN wins, as in Go.
func extreme(name string, a, b event.Value) (event.Value, error) {
	if !isNumber(a) || !isNumber(b) {
		return event.Value{}, fmt.Errorf("%s of %s and %s", name, nameOf(a), nameOf(b))
	}
	order, ok := compareNumbers(a, b)
	if !ok {
		return event.FloatValue(math.NaN()), nil
	}
	if (order <= 0) == (name == "min") {
		return a, nil
	}
	return b, nil
}

// parity reports whether an integer, or every element of a list, leaves the remainder.
func parity(name string, remainder uint64, v event.Value) (event.Value, error) {
	if isInteger(v) {
		return event.BoolValue(uint64(v.Int())&1 == remainder), nil
	}
	if v.Kind() != event.List {
		return event.Value{}, fmt.Errorf("%s of %s", name, nameOf(v))
	}
	all := true
	for _, e := range v.List() {
		if !isInteger(e) {
			return event.Value{}, fmt.Errorf("%s of a list with %s", name, nameOf(e))
		}
		all = all && uint64(e.Int())&1 == remainder
	}
	return event.BoolValue(all), nil
}

// sorted reports whether a list of numbers or of strings is in ascending order.
func sorted(v event.Value) (event.Value, error) {
	if v.Kind() != event.List {
		return event.Value{}, fmt.Errorf("sorted of %s", nameOf(v))
	}
	list := v.List()
	if len(list) == 1 && !isNumber(list[0]) && list[0].Kind() != event.String {
		return event.Value{}, fmt.Errorf("sorted of a list with %s", nameOf(list[0]))
	}
	all := true
	for i := 1; i < len(list); i++ {
		order, ok, err := compareOrdered(list[i-1], list[i])
		if err != nil {
			return event.Value{}, fmt.Errorf("sorted %w", err)
		}
		all = all && ok && order <= 0
	}
	return event.BoolValue(all), nil
}
