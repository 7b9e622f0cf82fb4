//go:build unix

package histories

import (
	"context"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/linearizability"
	"pgregory.net/rapid"
)

// drawHistory draws operations on a register by clients that overlap. Results are those of a
// register, but for a few.
func drawHistory(t *rapid.T) (ops []*linearizability.Operation) {
	var state linearizability.Value = int64(0)
	value := rapid.Int64Range(0, 2)
	clients := make([]*linearizability.Operation, 5)
	placed := make([]bool, len(clients))
	for now := range rapid.Int64Range(0, 150).Draw(t, "moments") {
		c := rapid.IntRange(0, len(clients)-1).Draw(t, "client")
		o := clients[c]
		switch {
		case o == nil:
			o = &linearizability.Operation{
				Method: rapid.SampledFrom([]string{"read", "write", "cas"}).Draw(t, "method"),
				Call:   now, Unfinished: true, Result: linearizability.Unknown,
			}
			for range map[string]int{"write": 1, "cas": 2}[o.Method] {
				o.Arguments = append(o.Arguments, value.Draw(t, "argument"))
			}
			clients[c], placed[c] = o, false
			ops = append(ops, o)
		case !placed[c]:
			placed[c] = true
			state = place(o, state)
			if rapid.IntRange(0, 20).Draw(t, "crash") == 0 {
				clients[c] = nil
			}
		default:
			o.Unfinished, o.Return, clients[c] = false, now, nil
			if o.Method == "read" && rapid.IntRange(0, 30).Draw(t, "change") == 0 {
				o.Result = value.Draw(t, "result")
			}
		}
	}
	return ops
}

// place gives an operation the result that a register has for it.
func place(o *linearizability.Operation, state linearizability.Value) linearizability.Value {
	switch o.Method {
	case "read":
		o.Result = state
	case "write":
		return o.Arguments[0]
	case "cas":
		if o.Result = state == o.Arguments[0]; o.Result == true {
			return o.Arguments[1]
		}
	}
	return state
}

// Porcupine has the same verdicts on histories that are too long for trying all orders.
func TestAgreesWithPorcupine(t *testing.T) {
	t.Parallel()
	seen := map[linearizability.Verdict]int{}
	enough := func() bool { return seen[linearizability.Linearizable] >= 10 && seen[linearizability.Violated] >= 10 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		ops := drawHistory(t)
		got, err := linearizability.Check(context.Background(), linearizability.Register(int64(0)), ops)
		if err != nil {
			t.Fatal(err)
		}
		want := linearizability.Violated
		if model, history := forPorcupine(int64(0), ops); porcupine.CheckOperations(model, history) {
			want = linearizability.Linearizable
		}
		if got.Verdict != want {
			t.Fatalf("%v, not %v: %v", got.Verdict, want, ops)
		}
		seen[want]++
	})
	if !enough() {
		t.Errorf("too few of some verdict: %v", seen)
	}
}
