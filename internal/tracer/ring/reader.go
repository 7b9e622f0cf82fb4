package ring

import (
	"encoding/binary"
	"sync/atomic"
	"unsafe"
)

// Stats are the counts of a reader so far.
type Stats struct {
	Records uint64 // delivered
	Lost    uint64 // dropped by the producer, which found no consumer or no room
	Corrupt uint64 // senseless slots that were skipped
	// slots reserved but not published when the process ended; harmless, see the package comment
	Holes uint64
	// a write was dropped for want of room, so it may be unknown which write a read has seen
	Forgot bool
	Passed Passed
	// Steps and Goroutines are how many there were in a steered schedule.
	Steps, Goroutines uint64
	// Notes are what the program has noted, if Counts asked for that, and there was room.
	Notes []Note
}

// Missing is a lower bound of the records that the trace lacks. If it is not 0 no verdict can be
// given.
func (s Stats) Missing() uint64 { return s.Lost + s.Corrupt }

// cursor reads slots in order from memory that another process may write to, or that holds
// arbitrary bytes. Its position and the size are its own.
type cursor struct {
	slots   []byte // n slots of SlotSize
	n       uint64 // a power of two
	next    uint64 // index of the next slot to read
	payload [MaxPayload]byte
	rec     Record
	stats   Stats
}

// state of the next slot.
type slotState int

const (
	unpublishedSlot slotState = iota
	publishedSlot
	senselessSlot // not a head slot with the expected index
)

func (c *cursor) slot(index uint64) []byte {
	at := index & (c.n - 1) * SlotSize
	return c.slots[at : at+SlotSize : at+SlotSize]
}

// seq loads the first word of a slot. The mapping is aligned to pages and slots to
// cache lines, so the atomic load is aligned; it pairs with the producer's store.
func (c *cursor) seq(index uint64) uint64 {
	return atomic.LoadUint64((*uint64)(unsafe.Pointer(&c.slot(index)[OffSeq])))
}

func (c *cursor) peek() slotState {
	seq := c.seq(c.next)
	if seq == c.next+1 {
		return publishedSlot
	}
	// The contents of the slot some rounds ago, or nothing yet?
	index := seq &^ ContinuationBit
	if seq == 0 || index <= c.next && (index-c.next-1)&(c.n-1) == 0 {
		return unpublishedSlot
	}
	return senselessSlot
}

// record decodes the published record at next and steps over it. ok is false if it makes no sense;
// then one slot was skipped.
func (c *cursor) record() (r *Record, ok bool) {
	extra, ok := c.rec.decodeHead(c.next, c.slot(c.next))
	if ok && extra > 0 {
		ok = c.gather(extra)
	}
	if !ok {
		c.next++
		c.stats.Corrupt++
		return nil, false
	}
	c.next += 1 + uint64(extra)
	c.stats.Records++
	return &c.rec, true
}

// gather collects the payload. The continuation slots are published before the head.
func (c *cursor) gather(extra int) bool {
	if uint64(extra) >= c.n {
		return false
	}
	for i := range extra {
		index := c.next + 1 + uint64(i)
		if c.seq(index) != (index+1)|ContinuationBit {
			return false
		}
		copy(c.payload[i*PayloadPerSlot:(i+1)*PayloadPerSlot], c.slot(index)[8:])
	}
	c.rec.Payload = c.payload[:extra*PayloadPerSlot]
	return true
}

// drain delivers all records below end, without unpublished slots: the process that could publish
// them has ended.
func (c *cursor) drain(end uint64, yield func(*Record) bool) bool {
	for c.next < end {
		switch c.peek() {
		case publishedSlot:
			if r, ok := c.record(); ok && !yield(r) {
				return false
			}
		case senselessSlot:
			// A continuation slot follows a head that was never published.
			if c.seq(c.next) == (c.next+1)|ContinuationBit {
				c.stats.Holes++
			} else {
				c.stats.Corrupt++
			}
			c.next++
		default:
			c.stats.Holes++
			c.next++
		}
	}
	return true
}

// Identity is the description that the producer has written of itself. It is as untrusted as the
// rest of the mapping.
type Identity struct {
	PID  uint32 // 0: no process has claimed the mapping
	Exe  string // path of the executable
	Text uint64 // address of the program text in the process
	Arch string // GOARCH, "" if unknown
	Spec string // set by the agent

	// Operations says that its hooks know the kinds of FlagOperations. The hooks do not if the
	// standard library could not be patched.
	Operations bool

	// Accesses says that its hooks know FlagMemory. Only programs that were built for it do.
	Accesses bool
}

func identity(header []byte) Identity {
	id := Identity{
		PID:  binary.LittleEndian.Uint32(header[OffPID:]),
		Text: binary.LittleEndian.Uint64(header[OffText:]),
		Exe:  headerText(header, OffExe, ExeMax),
		Spec: headerText(header, OffIdentity, IdentityMax),
	}
	can := binary.LittleEndian.Uint32(header[OffCan:])
	id.Operations, id.Accesses = can&FlagOperations != 0, can&FlagMemory != 0
	switch binary.LittleEndian.Uint32(header[OffArch:]) {
	case ArchAMD64:
		id.Arch = "amd64"
	case ArchARM64:
		id.Arch = "arm64"
	}
	return id
}

func headerText(header []byte, off, limit int) string {
	n := binary.LittleEndian.Uint32(header[off:])
	return string(header[off+IdentityPad:][:min(int(n), limit)])
}
