package tltest

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"github.com/antichain-go/antichain/tracer/event"
)

// bindings returns variables, given as names and values in turn.
func bindings(variables []any) ([]event.Binding, error) {
	var bs []event.Binding
	for pair := range slices.Chunk(variables, 2) {
		name, ok := pair[0].(string)
		if !ok || len(pair) < 2 {
			return nil, fmt.Errorf("%v is no name with a value: write names and values in turn", pair[0])
		}
		value, err := valueOf(pair[1])
		if err != nil {
			return nil, fmt.Errorf("variable %q: %w", name, err)
		}
		bs = append(bs, event.Binding{Name: name, Value: value})
	}
	return bs, nil
}

// valueOf returns a value in the form of traces.
func valueOf(x any) (event.Value, error) {
	if value, ok := x.(event.Value); ok {
		return value, nil
	}
	v := reflect.ValueOf(x)
	switch v.Kind() {
	case reflect.Invalid:
		return event.NullValue(), nil
	case reflect.Bool:
		return event.BoolValue(v.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return event.IntValue(v.Int()), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return event.UintValue(v.Uint()), nil
	case reflect.Float32, reflect.Float64:
		return event.FloatValue(v.Float()), nil
	case reflect.String:
		return event.StringValue(v.String()), nil
	case reflect.Slice, reflect.Array:
		elements := make([]event.Value, v.Len())
		for i := range elements {
			var err error
			if elements[i], err = valueOf(v.Index(i).Interface()); err != nil {
				return event.Value{}, err
			}
		}
		return event.ListValue(elements), nil
	case reflect.Map:
		if v.Type().Key().Kind() == reflect.String {
			return objectOf(v)
		}
	}
	return event.Value{}, fmt.Errorf("traces have no values of type %T: record its parts", x)
}

// objectOf returns a map with its keys in order.
func objectOf(v reflect.Value) (event.Value, error) {
	var fields []event.Binding
	for key, element := range v.Seq2() {
		value, err := valueOf(element.Interface())
		if err != nil {
			return event.Value{}, err
		}
		fields = append(fields, event.Binding{Name: key.String(), Value: value})
	}
	slices.SortFunc(fields, func(a, b event.Binding) int { return cmp.Compare(a.Name, b.Name) })
	return event.ObjectValue(fields), nil
}
