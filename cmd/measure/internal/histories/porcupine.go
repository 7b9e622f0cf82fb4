//go:build unix

package histories

import (
	"hash/maphash"
	"math"

	"github.com/anishathalye/porcupine"
	"github.com/antichain-go/antichain/linearizability"
)

// forPorcupine returns a register, or several, and the same history. As Porcupine has no unfinished
// operations, these return at the end with any result.
func forPorcupine(
	first linearizability.Value, ops []*linearizability.Operation,
) (porcupine.Model, []porcupine.Operation) {
	var history []porcupine.Operation
	for i, o := range ops {
		client, end := i, o.Return
		if o.Unfinished {
			end = math.MaxInt64
		}
		history = append(history, porcupine.Operation{ClientId: client, Input: o, Call: o.Call, Output: o, Return: end})
	}
	seed := maphash.MakeSeed()
	return porcupine.Model{
		Partition: byObject,
		Init:      func() any { return first },
		Step: func(state, input, _ any) (bool, any) {
			return step(state, input.(*linearizability.Operation))
		},
		Hash: func(state any) uint64 { return maphash.Comparable(seed, state) },
	}, history
}

func byObject(history []porcupine.Operation) (parts [][]porcupine.Operation) {
	at := map[string]int{}
	for _, o := range history {
		object := o.Input.(*linearizability.Operation).Object
		i, ok := at[object]
		if !ok {
			i = len(parts)
			at[object] = i
			parts = append(parts, nil)
		}
		parts[i] = append(parts[i], o)
	}
	return parts
}

// step is a register as Porcupine's own tests write it.
func step(state any, o *linearizability.Operation) (bool, any) {
	switch o.Method {
	case "read", "get":
		return o.Unfinished || o.Result == state, state
	case "write", "put":
		return true, o.Arguments[0]
	case "append":
		return true, state.(string) + o.Arguments[0].(string)
	}
	swaps := o.Arguments[0] == state
	if swaps {
		state = o.Arguments[1]
	}
	return o.Unfinished || o.Result == swaps, state
}
