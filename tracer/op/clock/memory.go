package clock

import (
	"math/bits"
	"unsafe"
)

// Memory remembers which parts of tries say no less than which others, as the computed table of a
// decision diagram does (Brace, Rudell and Bryant, DAC 1990, section 3.3). Tasks that have learnt
// the same in different orders share little memory, and to find that there is nothing new takes as
// long as there are tasks. But between two times that one learns from another few parts change, and
// only what is above these has not been compared. The zero value has remembered nothing.
//
// It keeps the parts that it remembers, and is not safe for concurrent use.
type Memory struct {
	twigs    pairs[twig]
	branches pairs[branch]
	boughs   pairs[bough]

	// passed counts where what is compared was passed over, or found to be new: a part is then not
	// below another one for what their tries say.
	passed int
	news   news // reused

	boughsFit int // for how many boughs clocks have the room that they need
	boughsMet int // the most that a clock had, swept ones included
	compared  uint64
}

// Compared returns how many parts have been compared so far, each of 16 parts or numbers: Learn and
// Join take as long.
func (m *Memory) Compared() uint64 { return m.compared }

// Parts that are remembered of each size, for each bough of clocks: of more tasks there are more
// parts at the same time, and what is forgotten is compared again. Programs of few tasks have one
// twig, which is compared as fast as it is found.
const (
	twigPairs   = 1 << 12
	branchPairs = 1 << 10
	boughPairs  = 1 << 7
)

// Forget forgets all parts, and keeps the room for them.
func (m *Memory) Forget() {
	clear(m.twigs.of)
	clear(m.branches.of)
	clear(m.boughs.of)
}

// fit makes room for parts of clocks of many tasks. A single comparison has no use for that.
func (m *Memory) fit(c *Clock) {
	if c == nil || len(c.boughs) <= m.boughsMet {
		return
	}
	m.boughsMet = len(c.boughs)
	held := 0
	for _, b := range c.boughs {
		if b != nil {
			held++
		}
	}
	if held <= m.boughsFit {
		return
	}
	m.boughsFit = 1 << bits.Len(uint(held-1))
	m.twigs.grow(m.boughsFit * twigPairs)
	m.branches.grow(m.boughsFit * branchPairs)
	m.boughs.grow(m.boughsFit * boughPairs)
}

// pairs are the latest ones, each at the place that its addresses give.
type pairs[P any] struct{ of []pair[P] } // a power of two, or none

// pair is a part that says no less of any task than another one.
type pair[P any] struct{ above, below *P }

// grow makes room for n pairs, and keeps those that there are.
func (p *pairs[P]) grow(n int) {
	old := p.of
	p.of = make([]pair[P], n)
	for _, pair := range old {
		if pair.above != nil {
			p.add(pair.above, pair.below)
		}
	}
}

func (p *pairs[P]) at(above, below *P) *pair[P] {
	const golden = 0x9e3779b97f4a7c15
	x, y := uint64(uintptr(unsafe.Pointer(above))), uint64(uintptr(unsafe.Pointer(below)))
	h := (x*golden ^ y) * golden
	return &p.of[h>>32&uint64(len(p.of)-1)]
}

func (p *pairs[P]) has(above, below *P) bool {
	return len(p.of) > 0 && *p.at(above, below) == pair[P]{above, below}
}

func (p *pairs[P]) add(above, below *P) {
	if len(p.of) > 0 && above != below {
		*p.at(above, below) = pair[P]{above, below}
	}
}
