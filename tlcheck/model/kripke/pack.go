package kripke

import "math/bits"

// PackedField is the position of a number in a packed state. It lies within one word.
type PackedField struct {
	word  int
	shift uint8
	mask  uint64 // the largest number that fits
}

// Get returns the number in a packed state.
func (f *PackedField) Get(packed []uint64) uint64 { return packed[f.word] >> f.shift & f.mask }

// Set changes the number in a packed state.
func (f *PackedField) Set(packed []uint64, value uint64) {
	packed[f.word] = packed[f.word]&^(f.mask<<f.shift) | value<<f.shift
}

// Bits returns the number of bits of the field.
func (f *PackedField) Bits() int { return bits.Len64(f.mask) }

// Packer allocates the bits of packed states.
type Packer struct{ word, used int }

// Field allocates a field for numbers up to most, in the fewest bits.
func (p *Packer) Field(most uint64) PackedField {
	width := bits.Len64(most)
	if p.used+width > 64 {
		p.word, p.used = p.word+1, 0
	}
	f := PackedField{p.word, uint8(p.used % 64), 1<<width - 1}
	if f.mask == 0 {
		f.shift = 0 // an empty field may lie behind the last word
	}
	p.used += width
	return f
}

// Words returns the number of words of a packed state, at least 1.
func (p *Packer) Words() int { return p.word + 1 }
