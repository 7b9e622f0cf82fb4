package ring

import "encoding/binary"

// Records in the queue are packed. Most of a slot repeats the last record from the same place in
// the program: its return addresses, its kind, often its goroutine and object. So a packed record
// is a word of 32 bits,
//
//	site of its return addresses, flags, place of addr
//
// then the parts named by the flags, then the payload without gaps. Two packings, one on each end
// of a queue, go through the same states, so neither may skip a record.
type packing struct {
	next  uint64 // index of a record that follows no hole
	ctx   uint64 // of the previous record
	sites [packedSites]packedSite
	addrs [packedAddrs]uint64 // the latest ones, each in its place
}

// packedSite is the last record with some return addresses.
type packedSite struct {
	pcs       [PCs]uint64
	kind      uint64 // and extra, as in a slot
	arg       uint64
	ctx       uint64
	addr, aux uint64
}

const (
	siteBits    = 10
	addrBits    = 12
	packedSites = 1 << siteBits
	packedAddrs = 1 << addrBits
	packedHead  = 4
	packedMax   = packedHead + (6+PCs)*8 + MaxPayload

	// The head: site, flags and place of addr.
	flagsShift = siteBits
	placeShift = 32 - addrBits
)

// Flags of the parts that follow, in this order.
const (
	hasPCs   = 1 << (flagsShift + iota) // the return addresses
	hasIndex                            // of a record after a hole
	hasShape                            // kind and extra, and arg
	hasCtx                              // 4 bytes
	hasLongCtx
	hasAddr
	hasAux // 4 bytes
	hasLongAux
	lastAddr // no part: addr is the one in its place
)

// Two flags together say where else a part is from. With none of them it is as at the site.
const (
	lastCtx   = hasCtx | hasLongCtx // from the previous record
	offsetAux = hasAux | hasLongAux // as far from addr as at the site
)

// siteOf returns the site of some return addresses.
func siteOf(pcs *[PCs]uint64) uint32 {
	return uint32((pcs[0] ^ pcs[1]*3 ^ pcs[2]*7) * packedSpread >> (64 - siteBits))
}

// addrOf returns the place of an address.
func addrOf(addr uint64) uint32 { return uint32(addr * packedSpread >> (64 - addrBits)) }

const packedSpread = 0x9e3779b97f4a7c15

// append appends r to b, which has packedMax bytes of room.
func (p *packing) append(b []byte, r *Record) []byte {
	start := len(b)
	b = b[:start+packedHead]
	at := siteOf(&r.PC)
	s, head := &p.sites[at], at
	if s.pcs != r.PC {
		head |= hasPCs
		s.pcs = r.PC
		for _, pc := range r.PC {
			b = binary.LittleEndian.AppendUint64(b, pc)
		}
	}
	extra := uint64(len(r.Payload) / PayloadPerSlot)
	if r.Index != p.next {
		head |= hasIndex
		b = binary.LittleEndian.AppendUint64(b, r.Index)
	}
	p.next = r.Index + 1 + extra
	if kind := uint64(r.Kind)<<KindShift | extra<<ExtraShift; kind != s.kind || r.Arg != s.arg {
		head |= hasShape
		s.kind, s.arg = kind, r.Arg
		b = binary.LittleEndian.AppendUint64(b, kind)
		b = binary.LittleEndian.AppendUint64(b, r.Arg)
	}
	switch {
	case r.Ctx == s.ctx:
	case r.Ctx == p.ctx:
		head |= lastCtx
	case r.Ctx>>32 == 0:
		head |= hasCtx
		b = binary.LittleEndian.AppendUint32(b, uint32(r.Ctx))
	default:
		head |= hasLongCtx
		b = binary.LittleEndian.AppendUint64(b, r.Ctx)
	}
	s.ctx, p.ctx = r.Ctx, r.Ctx
	offset := s.aux - s.addr
	if r.Addr != s.addr {
		place := addrOf(r.Addr)
		head |= place << placeShift
		if p.addrs[place] == r.Addr {
			head |= lastAddr
		} else {
			head |= hasAddr
			p.addrs[place] = r.Addr
			b = binary.LittleEndian.AppendUint64(b, r.Addr)
		}
		s.addr = r.Addr
	}
	switch {
	case r.Aux == s.aux:
	case r.Aux-r.Addr == offset:
		head |= offsetAux
	case r.Aux>>32 == 0:
		head |= hasAux
		b = binary.LittleEndian.AppendUint32(b, uint32(r.Aux))
	default:
		head |= hasLongAux
		b = binary.LittleEndian.AppendUint64(b, r.Aux)
	}
	s.aux = r.Aux
	binary.LittleEndian.PutUint32(b[start:], head)
	return append(b, r.Payload...)
}

// cut reads the record in front of b, whose payload it aliases, and returns the rest.
func (p *packing) cut(b []byte, r *Record) []byte {
	head := binary.LittleEndian.Uint32(b)
	b = b[packedHead:]
	s := &p.sites[head%packedSites]
	if head&hasPCs != 0 {
		for i := range s.pcs {
			s.pcs[i], b = cutWord(b)
		}
	}
	r.PC = s.pcs
	r.Index = p.next
	if head&hasIndex != 0 {
		r.Index, b = cutWord(b)
	}
	if head&hasShape != 0 {
		s.kind, b = cutWord(b)
		s.arg, b = cutWord(b)
	}
	r.Kind, r.Arg = Kind(s.kind>>KindShift), s.arg
	switch head & (hasCtx | hasLongCtx) {
	case lastCtx:
		s.ctx = p.ctx
	case hasCtx:
		s.ctx, b = cutHalf(b)
	case hasLongCtx:
		s.ctx, b = cutWord(b)
	}
	r.Ctx, p.ctx = s.ctx, s.ctx
	offset := s.aux - s.addr
	switch place := head >> placeShift; head & (hasAddr | lastAddr) {
	case hasAddr:
		s.addr, b = cutWord(b)
		p.addrs[place] = s.addr
	case lastAddr:
		s.addr = p.addrs[place]
	}
	r.Addr = s.addr
	switch head & (hasAux | hasLongAux) {
	case offsetAux:
		s.aux = s.addr + offset
	case hasAux:
		s.aux, b = cutHalf(b)
	case hasLongAux:
		s.aux, b = cutWord(b)
	}
	r.Aux = s.aux
	extra := s.kind >> ExtraShift & MaxExtra
	p.next = r.Index + 1 + extra
	r.Payload = nil
	if extra > 0 {
		r.Payload, b = b[:extra*PayloadPerSlot], b[extra*PayloadPerSlot:]
	}
	return b
}

func cutWord(b []byte) (uint64, []byte) { return binary.LittleEndian.Uint64(b), b[8:] }

func cutHalf(b []byte) (uint64, []byte) { return uint64(binary.LittleEndian.Uint32(b)), b[4:] }
