package tableau

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// Pairs have the numbers in which they come up, whatever their nodes and states are.
func TestPairing(t *testing.T) {
	type pair struct {
		node  int32
		state kripke.State
	}
	rapid.Check(t, func(t *rapid.T) {
		var p pairing
		known := map[pair]int32{}
		for range rapid.IntRange(0, 200).Draw(t, "pairs") {
			x := pair{rapid.Int32Range(0, 5).Draw(t, "node"), kripke.State(rapid.Int32Range(0,
				3*pairsChunk).Draw(t, "state"))}
			n, err := p.number(x.node, x.state)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := known[x]; !ok {
				known[x] = int32(len(known))
			}
			if node, state := p.parts(n); n != known[x] || node != x.node || state != x.state ||
				p.all.Len() != len(known) {
				t.Fatalf("%v is %d, which is %d and %d; want %d of %d", x, n, node, state, known[x], len(known))
			}
		}
	})
}
