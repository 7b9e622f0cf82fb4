package linearizability

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"
)

// bare hides all that a model knows beyond its steps.
type bare struct{ Model }

// whole is a model of objects with parts as one object: its state is that of all parts.
type whole struct {
	Model
	entries map[string][]entry // by their text, which is the state
}

func (w whole) Init() State { return "" }

func (w whole) Step(before State, o *Operation) (State, bool) {
	parts := map[string]State{}
	var names []string
	for _, e := range w.entries[before.(string)] {
		parts[e.name] = e.state
		names = append(names, e.name)
	}
	name := w.Model.(Partitioned).Part(o)
	state, ok := parts[name]
	if !ok {
		state = w.Model.Init()
		names = append(names, name)
		slices.Sort(names)
	}
	after, ok := w.Model.Step(state, o)
	parts[name] = after
	var all []entry
	for _, name := range names {
		all = append(all, entry{name, parts[name]})
	}
	text := fmt.Sprintf("%#v", all)
	w.entries[text] = all
	return text, ok
}

type entry struct {
	name  string
	state State
}

// drawOperation draws a call of a model's method.
func drawOperation(t *rapid.T, name string) *Operation {
	number := rapid.SampledFrom([]Value{int64(1), int64(2), "s:;"})
	o := &Operation{Result: Unknown}
	switch name {
	case "register":
		o.Method = rapid.SampledFrom([]string{"read", "read", "write", "cas", "swap", "append"}).Draw(t, "method")
	case "map":
		o.Method = rapid.SampledFrom([]string{
			"get", "put", "cas", "delete", "contains", "loadorstore", "loadanddelete",
		}).Draw(t, "method")
	case "queue":
		o.Method = rapid.SampledFrom([]string{"enqueue", "enqueue", "dequeue", "dequeue", "peek"}).Draw(t, "method")
	case "stack":
		o.Method = rapid.SampledFrom([]string{"push", "push", "pop", "pop", "peek"}).Draw(t, "method")
	case "set":
		o.Method = rapid.SampledFrom([]string{"add", "remove", "contains"}).Draw(t, "method")
	case "counter":
		o.Method = rapid.SampledFrom([]string{"inc", "dec", "add", "fetchadd", "read"}).Draw(t, "method")
		number = rapid.Just[Value](int64(2))
	case "lock":
		o.Method = rapid.SampledFrom([]string{"lock", "unlock", "trylock", "trylock"}).Draw(t, "method")
	}
	m, _ := Named(name)
	for m.(Validating).Validate(o) != nil {
		o.Arguments = append(o.Arguments, number.Draw(t, "argument"))
	}
	return o
}

// results are candidates for the results of operations.
var results = []Value{
	nil, false, true, int64(-1), int64(0), int64(1), int64(2), int64(3), int64(4), "s:;", "1", "11", "12",
}

// drawHistory draws operations that overlap. Their results are those of some order of them, in
// which each is between its call and its return, but for some that are arbitrary.
func drawHistory(t *rapid.T, m Model, name string, n int) []*Operation {
	var ops []*Operation
	free := map[string]int64{}
	for range n {
		o := drawOperation(t, name)
		o.Process = rapid.SampledFrom([]string{"p", "q", "r", "s"}).Draw(t, "process")
		o.Call = max(free[o.Process], rapid.Int64Range(0, 12).Draw(t, "call"))
		o.Return = o.Call + rapid.Int64Range(0, 8).Draw(t, "takes")
		free[o.Process] = o.Return + 1
		ops = append(ops, o)
	}
	placed := slices.Clone(ops)
	at := map[*Operation]int64{}
	for _, o := range ops {
		at[o] = rapid.Int64Range(o.Call, o.Return).Draw(t, "placed")
	}
	slices.SortStableFunc(placed, func(a, b *Operation) int { return int(at[a] - at[b]) })
	answer(m, placed)
	for _, o := range ops {
		switch rapid.IntRange(0, 15).Draw(t, "change") {
		case 0, 1:
			o.Result = rapid.SampledFrom(results).Draw(t, "result")
		case 2, 3:
			o.Unfinished = true
		case 4:
			o.Result = Unknown
		}
	}
	return ops
}

// answer gives operations, one after the other, the first result that the model allows.
func answer(m Model, ops []*Operation) {
	state := m.Init()
	for _, o := range ops {
		for _, r := range results {
			o.Result = r
			if after, ok := m.Step(state, o); ok {
				state = after
				break
			}
			o.Result = Unknown
		}
	}
}

// explained tries all orders of operations. An operation comes after those that precede it. Those
// that are optional may be left out.
func explained(m Model, ops []*Operation, precedes func(a, b int) bool, optional func(i int) bool) bool {
	placed := make([]bool, len(ops))
	blocked := func(i int) bool {
		for j := range ops {
			if !placed[j] && precedes(j, i) {
				return true
			}
		}
		return false
	}
	var place func(state State) bool
	place = func(state State) bool {
		done := true
		for i, o := range ops {
			done = done && (placed[i] || optional(i))
			if placed[i] || blocked(i) {
				continue
			}
			if after, ok := m.Step(state, asKnown(o)); ok {
				placed[i] = true
				found := place(after)
				placed[i] = false
				if found {
					return true
				}
			}
		}
		return done
	}
	return place(m.Init())
}

// asKnown returns an operation with what is known of its result.
func asKnown(o *Operation) *Operation {
	known := *o
	if o.Unfinished {
		known.Result = Unknown
	}
	return &known
}

func unfinished(ops []*Operation) func(i int) bool {
	return func(i int) bool { return ops[i].Unfinished }
}

func precedesInTime(ops []*Operation) func(a, b int) bool {
	return func(a, b int) bool { return !ops[a].Unfinished && ops[a].Return < ops[b].Call }
}
