package gcl

import "math/bits"

// packedState is a state of a program: the locations of its processes and its variables, each in
// the fewest bits for its range.
type packedState []uint64

// field is the position of a number between 0 and mask in a packed state. It lies within one word.
type field struct {
	word  int
	shift uint8
	mask  uint64
}

func (f *field) get(w packedState) uint64 { return w[f.word] >> f.shift & f.mask }

func (f *field) set(w packedState, value uint64) {
	w[f.word] = w[f.word]&^(f.mask<<f.shift) | value<<f.shift
}

// packer allocates the bits of packed states.
type packer struct{ word, used int }

// field allocates a field for numbers up to most, which takes at most 33 bits.
func (p *packer) field(most uint64) field {
	width := bits.Len64(most)
	if p.used+width > 64 {
		p.word, p.used = p.word+1, 0
	}
	f := field{p.word, uint8(p.used % 64), 1<<width - 1}
	if f.mask == 0 {
		f.shift = 0 // an empty field may lie behind the last word
	}
	p.used += width
	return f
}

type variable struct {
	name      string
	process   int // that declares it, or kripke.NoProcess
	low, high int64
	initial   int64
	field     field
}

func (v *variable) get(w packedState) int64        { return v.low + int64(v.field.get(w)) }
func (v *variable) set(w packedState, value int64) { v.field.set(w, uint64(value-v.low)) }

func (v *variable) inRange(value int64) bool { return v.low <= value && value <= v.high }
