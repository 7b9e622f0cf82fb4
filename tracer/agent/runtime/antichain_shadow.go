//go:build antichain_traced

package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// The shadow memory: for each granule of eight bytes of the heap and of global variables a line of
// four cells, one cache line, with the latest accesses to it, the latest first. What is dropped for
// want of room are old reads, at random, as in the race detector. Shadow exists in blocks, made
// when something in them is touched first, and the kernel makes their pages when they are.
//
// Two goroutines change a line under its lock, a bit of its first word. The goroutine itself looks
// without the lock whether a cell has its access already: a moment of its own it finds in no cell
// that another one is writing.

const (
	antichainWordSize = 8
	antichainCells    = 4

	antichainBlockShift = 26 // log of how much memory a block of shadow is for
	antichainAddrBits   = 48
	antichainPageShift  = 9 // log of how much memory a page of shadow is for
)

// What an access is: bytes of the granule, flags, and two program counters as distances from the
// begin of the text: where it is, and who called.
const (
	antichainBytes  = 1<<8 - 1
	antichainWrites = 1 << 8 // as AccessWrites in the payload of a record
	antichainAtomic = 1 << 9

	antichainFlagShift   = 8
	antichainPlaceBits   = 27
	antichainPlaceShift  = 10
	antichainCallerShift = antichainPlaceShift + antichainPlaceBits
)

// antichainCell is an access: when is the moment (antichainNow), 0 in an unused cell.
type antichainCell struct{ when, what uint64 }

// antichainLine is the cells of a granule. In use are the first ones.
type antichainLine [antichainCells]antichainCell

// antichainShadow is the shadow of some memory. Only pages that have been used need be cleared when
// memory is used anew; most memory is never touched by code that is instrumented.
type antichainShadow struct {
	used  [1 << (antichainBlockShift - antichainPageShift)]uint8
	lines [1 << antichainBlockShift / antichainWordSize]antichainLine
}

// antichainLocked is set in the first word of a line that is being changed. Counts of records do
// not come so far.
const antichainLocked = 1 << 31

var (
	// antichainBlocks are the blocks of shadow by the high bits of the addresses that they are
	// for, 0 for none so far.
	antichainBlocks [1 << (antichainAddrBits - antichainBlockShift)]*antichainShadow

	// antichainMoments has the moment of each context: the context and how many records it has
	// written. The reader counts too, and so knows the moments. It is nil if no accesses are wanted.
	antichainMoments unsafe.Pointer
)

// antichainMaxCtx is the number of contexts whose accesses are noted.
const antichainMaxCtx = 1 << 26

// antichainMoment is the place of the moment of a context. Neighbours lie far apart: they may write
// at the same time.
//
//go:nosplit
func antichainMoment(ctx uintptr) *uint64 {
	return (*uint64)(add(antichainMoments, (ctx%16*(antichainMaxCtx/16)+ctx/16%(antichainMaxCtx/16))*8))
}

// antichainNote has the accesses of gp noted as those of ctx, or not at all if that is 0.
//
//go:nosplit
func antichainNote(gp *g, ctx uintptr) {
	if !antichainMemory || antichainMoments == nil {
		return
	}
	antichainState(gp).moment = 0
	switch {
	case ctx >= antichainMaxCtx:
		antichainLose()
	case ctx != 0:
		moment := antichainMoment(ctx)
		*moment |= uint64(ctx) << antichainMomentShift
		antichainState(gp).moment = uintptr(unsafe.Pointer(moment))
	}
}

// antichainCount counts a record, when it is published.
//
//go:nosplit
func antichainCount(s *antichainSlot) {
	if antichainMoments == nil {
		return
	}
	switch s.word >> antichainKindShift {
	case antichainKindRead, antichainKindWrite, antichainKindFree, antichainKindCtxStart, antichainKindThreadStart:
		return // not in the order of what the context does, or without consequence for it
	case antichainKindHandoff:
		antichainCountFor(uintptr(s.aux))
	}
	antichainCountFor(uintptr(s.word & antichainCtxMask))
}

//go:nosplit
func antichainCountFor(ctx uintptr) {
	if ctx < antichainMaxCtx {
		*antichainMoment(ctx)++
	}
}

// antichainStartMemory makes ready for accesses, if the consumer wants them.
func antichainStartMemory() {
	if !antichainMemory || atomic.Load(antichainWord32(antichainOffFlags))&antichainFlagMemory == 0 {
		return
	}
	if antichainMoments = antichainMap(antichainMaxCtx * 8); antichainMoments == nil {
		antichainLose()
		return
	}
	antichainNote(getg(), getg().racectx)
	antichainFindThrough()
	for md := &firstmoduledata; md != nil; md = md.next {
		for _, r := range [...][2]uintptr{{md.noptrdata, md.enoptrdata}, {md.data, md.edata}, {md.bss, md.ebss}, {md.noptrbss, md.enoptrbss}} {
			for i := r[0] >> antichainBlockShift; i <= r[1]>>antichainBlockShift; i++ {
				antichainNewBlock(i)
			}
		}
	}
}

// antichainMap returns n bytes of zeros, nil if there are none.
//
//go:nosplit
func antichainMap(n uintptr) unsafe.Pointer {
	const noReserve = 0x4000
	p, errno := mmap(nil, n, _PROT_READ|_PROT_WRITE, _MAP_ANON|_MAP_PRIVATE|noReserve, -1, 0)
	if errno != 0 {
		return nil
	}
	madvise(p, n, _MADV_NOHUGEPAGE) // it is used here and there
	return p
}

// antichainLose says that accesses are lost.
//
//go:nosplit
func antichainLose() { atomic.Xadd64(antichainWord64(antichainOffLost), 1) }

// antichainBlockOf returns the block of addr, nil if it is not there.
//
//go:nosplit
func antichainBlockOf(addr uintptr) *antichainShadow {
	return antichainBlocks[addr>>antichainBlockShift%uintptr(len(antichainBlocks))]
}

//go:nosplit
func (b *antichainShadow) line(addr uintptr) *antichainLine {
	return &b.lines[addr/antichainWordSize%uintptr(len(b.lines))]
}

// antichainShadowOf returns the line of addr, which is about to be used. It returns nil for memory
// that is not Go's, and where there is none: a nil map can be read, and keys be deleted from it.
//
//go:nosplit
func antichainShadowOf(addr uintptr) *antichainLine {
	if addr < minLegalPointer {
		return nil
	}
	b := antichainBlockOf(addr)
	if b == nil {
		if spanOf(addr) == nil {
			return nil
		}
		systemstack(func() { antichainNewBlock(addr >> antichainBlockShift) })
		if b = antichainBlockOf(addr); b == nil {
			return nil
		}
	}
	if used := &b.used[addr>>antichainPageShift%uintptr(len(b.used))]; *used == 0 {
		*used = 1
	}
	return b.line(addr)
}

// antichainNewBlock makes block i.
//
//go:nosplit
func antichainNewBlock(i uintptr) {
	slot := (*uintptr)(unsafe.Pointer(&antichainBlocks[i%uintptr(len(antichainBlocks))]))
	if atomic.Loaduintptr(slot) != 0 {
		return
	}
	const size = unsafe.Sizeof(antichainShadow{})
	p := antichainMap(size)
	if p == nil {
		antichainLose()
		return
	}
	if !atomic.Casuintptr(slot, 0, uintptr(p)) {
		munmap(p, size) // somebody else was faster
	}
}

// antichainForget forgets the accesses to memory that is about to be used for something new.
//
//go:nosplit
func antichainForget(addr, size uintptr) {
	if antichainMoments == nil {
		return
	}
	const page = 1 << antichainPageShift
	for end := addr + size; addr < end; {
		next := min(end, (addr|(page-1))+1)
		b := antichainBlockOf(addr)
		if b == nil {
			addr = (addr | (1<<antichainBlockShift - 1)) + 1
			continue
		}
		used := &b.used[addr>>antichainPageShift%uintptr(len(b.used))]
		if *used != 0 {
			first := addr / antichainWordSize
			lines := (next+antichainWordSize-1)/antichainWordSize - first
			memclrNoHeapPointers(unsafe.Pointer(&b.lines[first%uintptr(len(b.lines))]), lines*unsafe.Sizeof(antichainLine{}))
			if next-addr == page {
				*used = 0
			}
		}
		addr = next
	}
}

// has reports whether what was done at that moment already: the same bytes, not atomically, and
// written if what writes.
//
//go:nosplit
func (l *antichainLine) has(when, what uint64) bool {
	for i := range l {
		if l[i].when == when && l[i].what&(what|antichainAtomic) == what {
			return true
		}
	}
	return false
}

// antichainAccess is an access of a goroutine, the caller, to the granule at base.
type antichainAccess struct {
	gp   *g
	now  uint64
	what uint64
	base uintptr
	fp   uintptr // frame from which on the stack says where it is
}

// refresh is meet for plain accesses to words that have no cells but of the same goroutine and the
// same bytes: a write, a read, or a read in front of a write. It reports whether that is so; the
// first word of the line, which was first, is left to the caller, as it is the lock.
//
//go:nosplit
func (l *antichainLine) refresh(first, now, what uint64) bool {
	const kind = antichainBytes | antichainAtomic // and whether it writes
	if l[2].when != 0 || first != 0 && (first^now)>>antichainMomentShift != 0 || (l[0].what^what)&kind != 0 && first != 0 {
		return false
	}
	if l[1].when == 0 {
		if first != 0 && what&antichainWrites == 0 && l[0].what&antichainWrites != 0 {
			l[1] = antichainCell{first, l[0].what}
		}
		l[0].what = what
		return true
	}
	if (l[1].when^now)>>antichainMomentShift != 0 || (l[1].what^what)&kind != 0 {
		return false
	}
	switch {
	case what&antichainWrites != 0: // whatever there was
		l[1] = antichainCell{}
	case l[0].what&antichainWrites != 0: // behind which there is a read
		l[1] = antichainCell{first, l[0].what}
	}
	l[0].what = what
	return true
}

// meet puts the access in front of its locked line, of which first was the first word. What was there moves back by one, up to a cell that is
// not needed any more; if there is none and no room, something is dropped. Conflicts are told.
//
//go:nosplit
func (a *antichainAccess) meet(line *antichainLine, first uint64) {
	var news antichainLine
	dropped := -1
	if line[antichainCells-1].when != 0 {
		dropped = antichainVictim(line)
	}
	moving, found := true, 0
	since := uint64(0) // what the goroutine has done to the word since, as far as the loop has come: bytes, shifted by kind
	carried := antichainCell{a.now, a.what}
	for i := range line {
		c := line[i]
		if i == 0 {
			c.when = first
		}
		if c.when>>antichainMomentShift == a.now>>antichainMomentShift {
			since |= c.what & antichainBytes << antichainLane(c.what)
		} else if a.conflicts(&c, since) {
			news[found%antichainCells] = c
			found++
		}
		merged := c.when == a.now && (c.what^a.what)&^antichainBytes == 0 // the same, but for the bytes
		if merged && i == 0 {
			carried.what |= c.what & antichainBytes
		} else if merged {
			line[0].what |= c.what & antichainBytes
		}
		needed := c.when != 0 && !merged && !a.covers(&c)
		switch {
		case moving:
			line[i].what = carried.what
			if i > 0 {
				line[i].when = carried.when
			}
			moving = needed && i != dropped
			carried = c
		case !needed && c.when != 0:
			line[i] = antichainCell{}
		}
	}
	atomic.StoreRel64(&line[0].when, a.now) // unlocks
	if found > 0 {
		systemstack(func() { // where there is room for all that writing a record may come to
			for i := range found {
				a.tell(&news[i])
			}
		})
	}
}

// antichainLockLine locks a line by its first word, which it returns.
//
//go:nosplit
func antichainLockLine(word *uint64) uint64 {
	for spin := 0; ; spin++ {
		v := atomic.Load64(word)
		if v&antichainLocked == 0 && atomic.Cas64(word, v, v|antichainLocked) {
			return v
		}
		if spin < 50 {
			procyield(20)
		} else {
			osyield() // the owner's thread may not be running
		}
	}
}

// antichainLane is the place of an access of that kind in a word with bytes of each.
//
//go:nosplit
func antichainLane(what uint64) uint64 { return what >> antichainFlagShift % 4 * 8 }

// antichainRivals are the lanes that an access of each kind conflicts with: one of the two writes,
// and they are not both atomic.
var antichainRivals = [4]uint64{
	0:                     0xff00ff00,
	antichainAccessWrites: 0xffffffff,
	antichainAccessAtomic: 0x0000ff00,
	antichainAccessAtomic | antichainAccessWrites: 0x0000ffff,
}

// conflicts reports whether a conflicts with c, which is another goroutine's, in bytes of which the
// goroutine of a has not done anything since that conflicts with c as well.
//
//go:nosplit
func (a *antichainAccess) conflicts(c *antichainCell, since uint64) bool {
	bytes := a.what & c.what & antichainBytes
	if bytes == 0 || c.when == 0 {
		return false
	}
	rivals := antichainRivals[c.what>>antichainFlagShift%4]
	if rivals>>antichainLane(a.what)&antichainBytes == 0 {
		return false
	}
	since &= rivals
	since |= since >> 16
	since |= since >> 8
	return bytes&^since != 0
}

// covers reports whether everything that conflicts with c and is not ordered after it also
// conflicts with a, and is not ordered after a. That c and a are ordered is known, or they are told.
//
//go:nosplit
func (a *antichainAccess) covers(c *antichainCell) bool {
	if c.what&^a.what&antichainBytes != 0 {
		return false
	}
	plain := a.what&antichainAtomic == 0
	if plain && a.what&antichainWrites != 0 {
		return true
	}
	return c.when>>antichainMomentShift == a.now>>antichainMomentShift && (plain || c.what&antichainAtomic != 0) && c.what&^a.what&antichainWrites == 0
}

// victim chooses what is dropped from a full line: a read, or else the oldest.
//
//go:nosplit
func antichainVictim(line *antichainLine) int {
	first := cheaprand()
	for k := range uint32(antichainCells) {
		if i := (first + k) % antichainCells; line[i].what&antichainWrites == 0 {
			return int(i)
		}
	}
	return antichainCells - 1
}
