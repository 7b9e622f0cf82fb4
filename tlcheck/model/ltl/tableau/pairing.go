package tableau

import (
	"github.com/antichain-go/antichain/tlcheck/model/internal/column"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// pairing gives numbers to pairs of a node and a state, in the order in which they come up. There are few nodes, and states that are near
// each other have numbers that are, so tables are looked at where they have been looked at before. A hash table would be anywhere.
type pairing struct {
	all     column.Column[uint64]   // the node, and the state in the lower half
	numbers [][]*[pairsChunk]uint32 // by node, and by state in chunks, nil where there is none: the number of the pair, 1 more, or 0
}

const pairsChunk = 1 << 10

// number returns the number of a pair, the next one if it is new.
func (p *pairing) number(node int32, s kripke.State) (int32, error) {
	for len(p.numbers) <= int(node) {
		p.numbers = append(p.numbers, nil)
	}
	chunk := uint(s) / pairsChunk
	for uint(len(p.numbers[node])) <= chunk {
		p.numbers[node] = append(p.numbers[node], nil)
	}
	if p.numbers[node][chunk] == nil {
		p.numbers[node][chunk] = new([pairsChunk]uint32)
	}
	n := &p.numbers[node][chunk][uint(s)%pairsChunk]
	if *n == 0 {
		if p.all.Len() >= kripke.MaxStates {
			return none, kripke.ErrStates
		}
		p.all.Add(uint64(node)<<32 | uint64(s))
		*n = uint32(p.all.Len())
	}
	return int32(*n - 1), nil
}

// parts returns what a pair is made of.
func (p *pairing) parts(pair int32) (node int32, s kripke.State) {
	both := p.all.At(int(pair))
	return int32(both >> 32), kripke.State(both & 0xffff_ffff)
}
