//go:build antichain_traced

package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// The shadow memory: for each granule of eight bytes of the heap and of global variables a line of
// four cells with the latest accesses to it, the latest first. If there is no room, old reads are
// dropped, at random, as in the race detector; the next write reports that (antichain_drop.go).
// Shadow exists in blocks, made on the first access to their memory, and the kernel makes their
// pages when they are touched.
//
// Most memory is only touched by one goroutine, and has a single cell or none; or two, if it is
// read where it was written before. So the first cells and the second ones are apart from each
// other, and there mostly are no pages for the later ones: making a page costs as much as hundreds
// of accesses. The rest is elsewhere (antichain_rest.go).
//
// Goroutines change a line under its lock, a bit of its first word. The goroutine itself checks
// without the lock whether a cell has its access already: no cell that another goroutine has
// written has a moment of its own. For the time of two stores, a cell that is being written can
// still have its moment, and other bytes already. An access that is missed for that is as if it had
// been dropped.

const (
	antichainWordSize = 8
	antichainCells    = 4

	antichainBlockShift = 26 // log of the size of a block's memory
	antichainAddrBits   = 48
	antichainPageShift  = 9 // log of the size of a page's memory
	antichainBlockPages = 1 << (antichainBlockShift - antichainPageShift)
)

// An access: bytes of the granule, flags, and two program counters as distances from the begin of
// the text: its place, and the call that led there.
const (
	antichainBytes  = 1<<8 - 1
	antichainWrites = 1 << 8 // as AccessWrites in the payload of a record
	antichainAtomic = 1 << 9

	antichainFlagShift   = 8
	antichainPlaceBits   = 27
	antichainPlaceShift  = 10
	antichainCallerShift = antichainPlaceShift + antichainPlaceBits
)

// antichainCell is an access. when is its moment (antichainNow), 0 if the cell is unused; what has
// the fields above.
type antichainCell struct{ when, what uint64 }

// antichainShadow is the shadow of some memory.
type antichainShadow struct {
	states [antichainBlockPages]uint32 // of pages
	// how many cells of granules of the page have been used, behind the first ones
	more   [antichainBlockPages]uint8
	pages  [antichainBlockPages]antichainPage // of those that are uniform
	first  [1 << antichainBlockShift / antichainWordSize]antichainCell
	second [1 << antichainBlockShift / antichainWordSize]antichainCell
	// of the rest, 0 is none; and the mark of dropped accesses (antichain_drop.go)
	slots [1 << antichainBlockShift / antichainWordSize]uint32
}

// antichainLine locates the cells of a granule, or those of all granules of a page. The first ones
// are in use.
type antichainLine struct {
	first, second *antichainCell
	// of the page: none, antichainSeconds or antichainAll. It may be read under the lock of the
	// line, and grow
	more *uint8
	// of the rest, to be looked at if more is antichainAll; nil if the cells are those of an
	// antichainPage
	slot *uint32
}

// How many cells behind the first have been used: bits, which keeps lines of a page that grow at
// the same time from losing each other's.
const (
	antichainSeconds = 1
	antichainAll     = antichainCells - 1
)

// cells returns how many cells are to be looked at.
//
//go:nosplit
func (l *antichainLine) cells() uint32 {
	n := uint32(*l.more) + 1
	if n > 2 && l.rest() == nil {
		n = 2
	}
	return n
}

// rest returns the cells behind the second, nil if there are none. It is called if more is
// antichainAll.
//
//go:nosplit
func (l *antichainLine) rest() *antichainRest {
	if l.slot == nil {
		return &(*antichainPage)(unsafe.Pointer(l.first)).rest
	}
	if slot := atomic.Load(l.slot) & antichainSlotMask; slot != 0 {
		return antichainRestOf(slot)
	}
	return nil
}

// grow says that a cell behind the first is used from now on. It reports false if there is no
// memory for it.
//
//go:nosplit
func (l *antichainLine) grow(cell uint32) bool {
	more := uint8(antichainSeconds)
	if cell > 1 {
		more = antichainAll
	}
	if *l.more&more != more {
		atomic.Or8(l.more, more)
	}
	if cell <= 1 || l.slot == nil || *l.slot&antichainSlotMask != 0 {
		return true
	}
	slot := antichainTakeRest()
	atomic.StoreRel(l.slot, *l.slot|slot)
	return slot != 0
}

// shrink notes that left of n cells remain.
//
//go:nosplit
func (l *antichainLine) shrink(n, left uint32) {
	if n <= 2 || left > 2 || l.slot == nil {
		return
	}
	slot := *l.slot & antichainSlotMask
	atomic.StoreRel(l.slot, *l.slot&^antichainSlotMask)
	antichainGiveRest(slot)
}

// antichainLocked is set in the first word of a line that is being changed. Counts of records do
// not reach it.
const antichainLocked = 1 << 31

var (
	// antichainBlocks are the blocks of shadow by the high bits of their addresses, 0 for none so
	// far. They are no pointers for the garbage collector: it would scan all of the table, and let
	// the heap grow by as much before it runs.
	antichainBlocks [1 << (antichainAddrBits - antichainBlockShift)]uintptr

	// antichainMoments has the moment of each context: the context and the number of its records.
	// The reader counts too, and so knows the moments. It is nil if no accesses are wanted, unless
	// loads can come late: then the contexts are left out.
	antichainMoments unsafe.Pointer
)

// antichainMaxCtx bounds the contexts whose accesses are noted.
const antichainMaxCtx = 1 << 26

// antichainMoment is the place of the moment of a context. Neighbours lie far apart: they may write
// at the same time.
//
//go:nosplit
func antichainMoment(ctx uintptr) *uint64 {
	return (*uint64)(add(antichainMoments, (ctx%16*(antichainMaxCtx/16)+ctx/16%(antichainMaxCtx/16))*8))
}

// antichainNote makes the accesses of gp count as those of ctx, or not at all if that is 0.
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

// antichainUnnoted(true) suppresses the accesses of the caller, which holds a lock of the runtime
// and touches the memory that it guards. antichainUnnoted(false) ends this.
//
//go:nosplit
func antichainUnnoted(unnoted bool) {
	gp := getg()
	switch {
	case gp != gp.m.curg: // has no accesses noted
	case unnoted:
		antichainNote(gp, 0)
	default:
		antichainNote(gp, gp.racectx)
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
		return // not in the order of the context's operations, or without consequence for it
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
	antichainRests, antichainRestsUsed = antichainMap(antichainMaxRests*unsafe.Sizeof(antichainRest{})), 1
	antichainNote(getg(), getg().racectx)
	antichainFindThrough()
	antichainFindLibrary()
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

// antichainLose notes that accesses are lost.
//
//go:nosplit
func antichainLose() { atomic.Xadd64(antichainWord64(antichainOffLost), 1) }

// antichainBlockOf returns the block of addr, nil if it is not there.
//
//go:nosplit
func antichainBlockOf(addr uintptr) *antichainShadow {
	return (*antichainShadow)(unsafe.Pointer(antichainBlocks[addr>>antichainBlockShift%uintptr(len(antichainBlocks))]))
}

//go:nosplit
func (b *antichainShadow) line(addr uintptr) antichainLine {
	i := addr / antichainWordSize % uintptr(len(b.first))
	return antichainLine{first: &b.first[i], second: &b.second[i], slot: &b.slots[i], more: &b.more[addr>>antichainPageShift%antichainBlockPages]}
}

// antichainBlockFor returns the block of addr, which is about to be used. There is none for memory
// that is not Go's, and none for a nil map, which can be read, and from which keys can be deleted.
//
//go:nosplit
func antichainBlockFor(addr uintptr) *antichainShadow {
	if addr < minLegalPointer {
		return nil // where there may be a block, for global variables
	}
	if b := antichainBlockOf(addr); b != nil {
		return b
	}
	return antichainMakeBlock(addr)
}

//go:nosplit
func antichainMakeBlock(addr uintptr) *antichainShadow {
	if spanOf(addr) == nil {
		return nil
	}
	systemstack(func() { antichainNewBlock(addr >> antichainBlockShift) })
	return antichainBlockOf(addr)
}

// antichainNewBlock makes block i.
//
//go:nosplit
func antichainNewBlock(i uintptr) {
	slot := &antichainBlocks[i%uintptr(len(antichainBlocks))]
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
		munmap(p, size) // another thread was faster
	}
}

// is reports whether the cell has an access at that moment: to the same bytes, not atomic, and a
// write if what writes.
//
//go:nosplit
func (c *antichainCell) is(when, what uint64) bool {
	return c.when == when && c.what&(what|antichainAtomic) == what
}

// has reports whether a cell of the line has the access what at that moment already.
//
//go:nosplit
func (l *antichainLine) has(when, what uint64) bool {
	more := *l.more
	if l.first.is(when, what) || more != 0 && l.second.is(when, what) {
		return true
	}
	if more != antichainAll {
		return false
	}
	rest := l.rest() // which may soon be another granule's
	return rest != nil && (rest[0].is(when, what) || rest[1].is(when, what))
}

// isNew reports whether no cell of the granule at addr has the access what at that moment.
//
//go:nosplit
func (b *antichainShadow) isNew(addr uintptr, when, what uint64) bool {
	line, ok := b.look(addr)
	return !ok || !line.has(when, what)
}
