package ring

import "encoding/binary"

// Records that wait are packed: most of a slot is return addresses, of which a program
// has few, and zeros. A packed record is three words,
//
//	kind, extra and ctx, as in a slot
//	addr
//	flags, place of the return addresses, arg and aux, as far as they are small
//
// then what the flags say, then the payload without gaps. Two packings, one on each end
// of a queue, go through the same states, so neither may skip a record.
type packing struct {
	next uint64 // index that a record has unless it follows a hole
	pcs  [packedPlaces][PCs]uint64
}

const (
	packedWords  = 3 * 8
	packedPlaces = 256
	packedMax    = packedWords + (3+PCs)*8 + MaxPayload

	// The third word, above eight flags.
	placeShift = 8  // 8 bits
	argShift   = 16 // 8 bits
	auxShift   = 24 // 40 bits
	smallArg   = 1<<(auxShift-argShift) - 1
	smallAux   = 1<<(64-auxShift) - 1

	// Its flags: words that follow, in this order.
	hasPCs   = 1 << 0 // the return addresses, which from now on are at their place
	hasIndex = 1 << 1
	hasArg   = 1 << 2
	hasAux   = 1 << 3
)

// placeOf is where return addresses are remembered.
func placeOf(pcs *[PCs]uint64) uint64 {
	return (pcs[0] ^ pcs[1]*3 ^ pcs[2]*7) * 0x9e3779b97f4a7c15 >> 56
}

// append appends r to b, which has packedMax bytes of room.
func (p *packing) append(b []byte, r *Record) []byte {
	start := len(b)
	extra := len(r.Payload) / PayloadPerSlot
	place := placeOf(&r.PC)
	last := place << placeShift
	b = b[:start+packedWords]
	if p.pcs[place] != r.PC {
		p.pcs[place] = r.PC
		last |= hasPCs
		for _, pc := range r.PC {
			b = binary.LittleEndian.AppendUint64(b, pc)
		}
	}
	if r.Index != p.next {
		last |= hasIndex
		b = binary.LittleEndian.AppendUint64(b, r.Index)
	}
	p.next = r.Index + 1 + uint64(extra)
	if r.Arg <= smallArg {
		last |= r.Arg << argShift
	} else {
		last |= hasArg
		b = binary.LittleEndian.AppendUint64(b, r.Arg)
	}
	if r.Aux <= smallAux {
		last |= r.Aux << auxShift
	} else {
		last |= hasAux
		b = binary.LittleEndian.AppendUint64(b, r.Aux)
	}
	words := b[start : start+packedWords]
	binary.LittleEndian.PutUint64(words, uint64(r.Kind)<<KindShift|uint64(extra)<<ExtraShift|r.Ctx)
	binary.LittleEndian.PutUint64(words[8:], r.Addr)
	binary.LittleEndian.PutUint64(words[16:], last)
	return append(b, r.Payload...)
}

// cut reads the record in front of b, whose payload it aliases, and returns what follows.
func (p *packing) cut(b []byte, r *Record) []byte {
	words := b[:packedWords]
	word := binary.LittleEndian.Uint64(words)
	r.Kind, r.Ctx = Kind(word>>KindShift), word&CtxMask
	r.Addr = binary.LittleEndian.Uint64(words[8:])
	last := binary.LittleEndian.Uint64(words[16:])
	b = b[packedWords:]
	pcs := &p.pcs[last>>placeShift%packedPlaces]
	if last&hasPCs != 0 {
		for i := range pcs {
			pcs[i], b = cutWord(b)
		}
	}
	r.PC = *pcs
	r.Index = p.next
	if last&hasIndex != 0 {
		r.Index, b = cutWord(b)
	}
	r.Arg = last >> argShift & smallArg
	if last&hasArg != 0 {
		r.Arg, b = cutWord(b)
	}
	r.Aux = last >> auxShift
	if last&hasAux != 0 {
		r.Aux, b = cutWord(b)
	}
	extra := word >> ExtraShift & MaxExtra
	p.next = r.Index + 1 + extra
	r.Payload = nil
	if extra > 0 {
		r.Payload, b = b[:extra*PayloadPerSlot], b[extra*PayloadPerSlot:]
	}
	return b
}

func cutWord(b []byte) (uint64, []byte) { return binary.LittleEndian.Uint64(b), b[8:] }
