package event

import (
	"math"

	"pgregory.net/rapid"
)

// drawName draws what a name or string of a trace may be: plain, in need of escapes,
// or not even UTF-8.
func drawName(t *rapid.T, label string) string {
	switch rapid.IntRange(0, 5).Draw(t, label+" kind") {
	case 0:
		return rapid.String().Draw(t, label)
	case 1:
		return string(rapid.SliceOfN(rapid.Byte(), 1, 8).Draw(t, label)) + "x"
	case 2:
		return rapid.SampledFrom([]string{"\u2028", "\"\\\n\x00\x1b", "é\U0001F480", "$float", "\xed\xb2\x80", "\xed\xa0\xbd\U0001F480"}).Draw(t, label)
	}
	return rapid.SampledFrom([]string{"a", "b.last", "chan 3", "append", "main.1"}).Draw(t, label)
}

func drawValue(t *rapid.T, depth int) Value {
	kinds := 9
	if depth == 0 {
		kinds = 7
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return NullValue()
	case 1:
		return BoolValue(rapid.Bool().Draw(t, "bool"))
	case 2, 3:
		return IntValue(rapid.Int64().Draw(t, "int"))
	case 4:
		return UintValue(rapid.Uint64().Draw(t, "uint"))
	case 5:
		if rapid.Bool().Draw(t, "any bits") {
			return FloatValue(math.Float64frombits(rapid.Uint64().Draw(t, "bits")))
		}
		return FloatValue(rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, 1e21, 1e-7, 0.1,
			math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1), math.Inf(-1), math.NaN()}).Draw(t, "float"))
	case 6:
		return StringValue(drawName(t, "string"))
	case 7:
		vs := make([]Value, rapid.IntRange(0, 4).Draw(t, "len"))
		for i := range vs {
			vs[i] = drawValue(t, depth-1)
		}
		return ListValue(vs)
	}
	return ObjectValue(drawBindings(t, depth-1))
}

// drawBindings draws bindings of different names.
func drawBindings(t *rapid.T, depth int) []Binding {
	var bs []Binding
	for range rapid.IntRange(0, 3).Draw(t, "bindings") {
		bs = append(bs, Binding{drawName(t, "name"), drawValue(t, depth)})
		if _, twice := duplicateName(bs); twice {
			bs = bs[:len(bs)-1]
		}
	}
	return bs
}
