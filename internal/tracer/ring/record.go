package ring

import "encoding/binary"

// Record is one decoded record.
type Record struct {
	Index uint64 // of its head slot; increases from record to record
	Kind  Kind
	Ctx   uint64 // goroutine or context; see the Kind constants
	Addr  uint64
	Aux   uint64
	PC    [PCs]uint64 // return addresses, innermost first; 0 is absent
	Arg   uint64
	// nil without continuation slots, else padded with zeros to whole slots; valid until the next
	// record is read
	Payload []byte
}

// Op is the operation of a record whose kind has one. An unknown code is OpNone.
func (r *Record) Op() Op {
	if op := r.Arg & OpMask; op < OpCount {
		return Op(op)
	}
	return OpNone
}

// Delta returns the number in Arg besides the operation, such as the amount added to the counter of
// a WaitGroup, or the element of a send; see KindSend.
func (r *Record) Delta() int64 { return int64(r.Arg) >> OpShift }

// decodeHead fills r from a head slot of SlotSize bytes and returns the number of continuation
// slots it announces. ok is false if no producer writes such a head.
func (r *Record) decodeHead(index uint64, slot []byte) (extra int, ok bool) {
	_ = slot[SlotSize-1]
	word := binary.LittleEndian.Uint64(slot[OffWord:])
	r.Index = index
	r.Kind = Kind(word >> KindShift)
	r.Ctx = word & CtxMask
	r.Addr = binary.LittleEndian.Uint64(slot[OffAddr:])
	r.Aux = binary.LittleEndian.Uint64(slot[OffAux:])
	for i := range r.PC {
		r.PC[i] = binary.LittleEndian.Uint64(slot[OffPC+8*i:])
	}
	r.Arg = binary.LittleEndian.Uint64(slot[OffArg:])
	r.Payload = nil
	return int(word >> ExtraShift & MaxExtra), r.Kind.Valid()
}
