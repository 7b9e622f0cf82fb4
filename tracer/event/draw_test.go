package event

import (
	"encoding/binary"
	"math"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
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
		return rapid.SampledFrom([]string{"\u2028", "\"\\\n\x00\x1b", "é\U0001F480", "$float", "\xed\xb2\x80",
			"\xed\xa0\xbd\U0001F480"}).Draw(t, label)
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

func drawHeader(t *rapid.T) *Header {
	h := &Header{
		Version: rapid.IntRange(1, Version).Draw(t, "version"),
		Tasks: rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"main", "a", "b", "\xff", "é"}), 1, 3,
			rapid.ID[string]).Draw(t, "tasks"),
		Consts:  drawBindings(t, 2),
		Shared:  drawBindings(t, 2),
		Run:     drawName(t, "run"),
		Program: rapid.SampledFrom([]string{"", "prog"}).Draw(t, "program"),
		Extra:   []Binding{{"x-1", drawValue(t, 2)}},
	}
	if h.Version >= 2 {
		h.Sums = true
		if rapid.Bool().Draw(t, "operations?") {
			h.Operations = &Operations{Accesses: rapid.Bool().Draw(t, "accesses"), Env: rapid.Bool().Draw(t, "env"),
				Only: rapid.SampledFrom([][]string{nil, {"race"}}).Draw(t, "only")}
		}
	}
	if rapid.Bool().Draw(t, "instrumented") {
		h.Instrumented = &Instrumentation{Package: drawName(t, "package"), Functions: []string{"f", "g"}, Steps: true}
		if rapid.Bool().Draw(t, "untraced?") {
			h.Instrumented.Untraced = []string{drawName(t, "untraced")}
		}
		if rapid.Bool().Draw(t, "unwatched?") {
			h.Instrumented.Unwatched = []string{drawName(t, "unwatched"), drawName(t, "unwatched, too")}
		}
		if rapid.Bool().Draw(t, "names?") {
			h.Instrumented.Names = map[string]string{drawName(t, "name"): "f"}
		}
	}
	h.Sparse = rapid.Bool().Draw(t, "sparse")
	if rapid.Bool().Draw(t, "caveat?") {
		h.Caveat = drawName(t, "caveat")
	}
	h.Unordered = rapid.Bool().Draw(t, "unordered")
	return h
}

// drawEvents draws events that are right as far as a reader can tell.
func drawEvents(t *rapid.T, h *Header) []*Event {
	tasks := append([]string{"c", "main.1", "x\x00\xc3"}, h.Tasks...)
	counts := map[string]int{}
	var es []*Event
	for range rapid.IntRange(0, 12).Draw(t, "events") {
		if h.Operations != nil && rapid.IntRange(0, 2).Draw(t, "operation?") == 0 {
			es = append(es, drawOperation(t))
			continue
		}
		e := drawEvent(t, h, tasks)
		counts[e.Task]++
		if check := newChecker(h); check.check(e, counts[e.Task]) != nil {
			counts[e.Task]--
			continue
		}
		es = append(es, e)
	}
	return es
}

// drawOperation draws what is no action of a task.
func drawOperation(t *rapid.T) *Event {
	word := rapid.OneOf(rapid.SampledFrom([]uint64{0, 0, 1, 8, 0xc000012345, 1 << 63}), rapid.Uint64())
	if rapid.IntRange(0, 3).Draw(t, "code?") == 0 {
		c := &Code{Select: rapid.SampledFrom([]string{"", "a.go:12"}).Draw(t, "select")}
		if c.Select != "" {
			c.Harmless = [][2]int{{0, 1}}
			c.Leaves = [][2]int{{1, 0}, {1, 2}}
			return &Event{Code: c}
		}
		c.PC, c.Function = max(1, word.Draw(t, "pc")), drawName(t, "function")
		for range rapid.IntRange(0, 2).Draw(t, "calls") {
			c.Calls = append(c.Calls,
				op.Call{Function: drawName(t, "call"), At: drawName(t, "at"), Std: rapid.Bool().Draw(t, "std")})
		}
		return &Event{Code: c}
	}
	r := new(Record)
	r.Kind = RecordKind(rapid.IntRange(1, ring.KindCount-1).Draw(t, "kind"))
	r.Ctx, r.Addr, r.Aux, r.Index = word.Draw(t, "ctx")>>1, word.Draw(t, "addr"), word.Draw(t, "aux"),
		word.Draw(t, "index")>>1
	r.Skipped = word.Draw(t, "skipped") >> 1
	for i := range r.PC {
		r.PC[i] = word.Draw(t, "pc")
	}
	r.Arg = word.Draw(t, "arg")
	if hasOp(r.Kind) {
		r.Arg = joinArg(r.Kind, ring.Op(rapid.IntRange(0, ring.OpCount-1).Draw(t, "op")),
			int64(word.Draw(t, "n"))>>ring.OpShift)
	}
	for range rapid.IntRange(0, 3).Draw(t, "words") {
		r.Payload = binary.LittleEndian.AppendUint64(r.Payload, word.Draw(t, "word"))
	}
	e := &Event{Record: r}
	if rapid.Bool().Draw(t, "named") {
		e.Task, e.Obj = "T1", "lock"
	}
	return e
}

func drawEvent(t *rapid.T, h *Header, tasks []string) *Event {
	maybe := func(label string) string {
		if rapid.Bool().Draw(t, label+"?") {
			return ""
		}
		return drawName(t, label)
	}
	refs := func(label string) []Ref {
		var rs []Ref
		for range rapid.IntRange(0, 2).Draw(t, label) {
			rs = append(rs,
				Ref{rapid.SampledFrom(tasks).Draw(t, "task"),
					rapid.OneOf(rapid.IntRange(1, 3), rapid.IntRange(1, math.MaxInt)).Draw(t, "k")})
		}
		return rs
	}
	e := &Event{
		Task: rapid.SampledFrom(tasks).Draw(t, "task"), Spawn: maybe("spawn"),
		Set: drawBindings(t, 2), Global: drawBindings(t, 2), Extra: drawBindings(t, 2),
		After: refs("after"), With: refs("with"),
		Obj: maybe("obj"), At: maybe("at"), TS: rapid.Int64().Draw(t, "ts"),
	}
	if h.Version >= 2 {
		for i := range e.Extra {
			e.Extra[i].Name = freePrefix + e.Extra[i].Name
		}
	}
	if rapid.Bool().Draw(t, "enters") {
		e.Enter = maybe("enter")
	} else {
		e.Exit = maybe("exit")
	}
	if e.Op = maybe("op"); e.Op == OpEnd {
		e.Op = "go"
	}
	if len(h.Shared) > 0 && rapid.Bool().Draw(t, "writes") {
		e.Write = []Binding{{h.Shared[0].Name, drawValue(t, 2)}}
	}
	return e
}
