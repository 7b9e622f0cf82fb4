package tableau

import (
	"github.com/antichain-go/antichain/tlcheck/model/internal/column"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// pairing numbers pairs of a node and a state in the order in which they occur. There are few
// nodes, and neighbouring states have close numbers, so accesses to the tables stay in the cache.
// Those to a hash table would not.
type pairing struct {
	all column.Column[uint64] // the node, and the state in the lower half
	// by node, and by state in chunks, nil if empty: the number of the pair plus 1, or 0
	numbers [][]*[pairsChunk]uint32
}

const pairsChunk = 1 << 10

// number returns the number of a pair. A new pair gets the next number.
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

// parts returns the node and the state of a pair.
func (p *pairing) parts(pair int32) (node int32, s kripke.State) {
	both := p.all.At(int(pair))
	return int32(both >> 32), kripke.State(both & 0xffff_ffff)
}
