package gcl

import "math/bits"

// packedState is a state of a program: the places of its processes and its variables, each in as few bits as its range takes.
type packedState []uint64

// field is where a number between 0 and mask stands in a packed state; none extends over two words.
type field struct {
	word  int
	shift uint8
	mask  uint64
}

func (f *field) get(w packedState) uint64 { return w[f.word] >> f.shift & f.mask }

func (f *field) set(w packedState, value uint64) {
	w[f.word] = w[f.word]&^(f.mask<<f.shift) | value<<f.shift
}

// packer gives out the bits of packed states.
type packer struct{ word, used int }

// field returns a field for the numbers up to most, which takes at most 33 bits.
func (p *packer) field(most uint64) field {
	width := bits.Len64(most)
	if p.used+width > 64 {
		p.word, p.used = p.word+1, 0
	}
	f := field{p.word, uint8(p.used % 64), 1<<width - 1}
	if f.mask == 0 {
		f.shift = 0 // takes no bits, and may stand behind the last one
	}
	p.used += width
	return f
}

// variable is a variable of a program.
type variable struct {
	name      string
	process   int // that it is declared in, or kripke.Nobody
	low, high int64
	initial   int64
	field     field
}

func (v *variable) get(w packedState) int64        { return v.low + int64(v.field.get(w)) }
func (v *variable) set(w packedState, value int64) { v.field.set(w, uint64(value-v.low)) }

// inRange reports whether the variable may be that.
func (v *variable) inRange(value int64) bool { return v.low <= value && value <= v.high }
