//go:build antichain_traced

package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// Pages of the shadow memory. A buffer that is copied or read from a file is touched by ranges,
// repeatedly, which gives all its granules the same cells. While all accesses to a page are to the
// same part of it, its extent, which is most of the page or all, it is uniform: the granules of the
// extent share one line, which is met once for each range, and has 64 bytes instead of 4096. The
// first access to another part of the page gives each granule a line of its own, with the same
// cells.
//
// The cells of a granule do not depend on that. Random drops would: so none is from the line of a
// page, which is split before.
//
// The states of a page, and their transitions; the lock is that of the page's own line:
//
//	unused   -> uniform   the holder of the lock, by a compare-and-swap, to touch the extent
//	unused   -> separate  any goroutine, by a compare-and-swap
//	uniform  -> separate  the holder of the lock, after filling the lines of the granules
//	uniform  -> unused    the holder of the lock, when some of the extent is reused
//	separate -> unused    the goroutine for which all of the memory is reused
//
// So the holder of the lock that finds the page uniform may change its line. A goroutine that finds
// the page separate finds it so as long as the memory lives, and the lines filled, since the state
// is stored after them. The line of a page that is not uniform is empty, and so are those of
// granules of a page that is not separate. Of two goroutines that leave the unused state at the
// same time, the compare-and-swap lets one through: a range that comes late meets the granules one
// by one; a word that comes late waits for the lock, and splits the range's line.
//
// A goroutine that looks for an access of its own without the lock (look) may be at the line of a
// page that is being split. A cell that it still finds there is right, and copied already; if it
// finds none any more, it takes the slow path, and waits for the lock.
const (
	antichainUnused = iota // no cell has been used
	// all granules of the extent have the cells of the page's line, the others none
	antichainUniform
	antichainSeparate // each has its own
)

// The state of a uniform page includes its extent, as two offsets in the page: its begin and end.
// It begins with a granule, and may end within one.
const (
	antichainStateMask  = 1<<2 - 1
	antichainExtentBits = 12
	antichainFromShift  = 2
	antichainUpToShift  = antichainFromShift + antichainExtentBits
)

// antichainExtent returns the state of a page that is uniform between two offsets.
//
//go:nosplit
func antichainExtent(from, upTo uintptr) uint32 {
	return antichainUniform | uint32(from)<<antichainFromShift | uint32(upTo)<<antichainUpToShift
}

// antichainExtentOf returns the two offsets that antichainExtent has packed into the state of a
// page.
//
//go:nosplit
func antichainExtentOf(state uint32) (from, upTo uintptr) {
	return uintptr(state >> antichainFromShift % (1 << antichainExtentBits)), uintptr(state >> antichainUpToShift)
}

const (
	antichainPageSize  = 1 << antichainPageShift
	antichainPageLeast = antichainPageSize / 2 // of an extent: smaller objects share pages
)

// antichainPage has the cells of a page. Unlike those of a granule, they lie together: there are
// few.
type antichainPage struct {
	first, second antichainCell
	rest          antichainRest
}

// antichainAlways says that the line of a page has more than its first cell.
var antichainAlways uint8 = antichainAll

// state returns the state of the page of addr.
//
//go:nosplit
func (b *antichainShadow) state(addr uintptr) *uint32 {
	return &b.states[addr>>antichainPageShift%antichainBlockPages]
}

// page returns the line of the page of addr.
//
//go:nosplit
func (b *antichainShadow) page(addr uintptr) antichainLine {
	p := &b.pages[addr>>antichainPageShift%antichainBlockPages]
	return antichainLine{first: &p.first, second: &p.second, more: &antichainAlways}
}

// look returns the line with the cells of addr, if there are any: reading untouched memory makes
// the kernel make a page twice.
//
//go:nosplit
func (b *antichainShadow) look(addr uintptr) (line antichainLine, ok bool) {
	state := atomic.Load(b.state(addr))
	if state == antichainSeparate {
		return b.line(addr), true
	}
	from, upTo := antichainExtentOf(state) // an unused page has none
	offset := addr % antichainPageSize
	return b.page(addr), from <= offset && offset < upTo&^(antichainWordSize-1)
}

// separate makes the page of addr separate. It must not be so already.
//
//go:nosplit
func (b *antichainShadow) separate(addr uintptr) {
	state, line, page := b.state(addr), b.line(addr), b.page(addr)
	for atomic.Load(state) != antichainSeparate {
		if atomic.Cas(state, antichainUnused, antichainSeparate) {
			line.prepare()
			return
		}
		first := antichainLockLine(&page.first.when)
		if atomic.Load(state)&antichainStateMask == antichainUniform {
			systemstack(func() { b.split(addr, first) }) // where there is room for that
			return
		}
		antichainUnlockLine(&page.first.when, first)
	}
}

// prepare makes the kernel make a page for the line, which is about to be locked. Locking reads
// first.
//
//go:nosplit
func (l *antichainLine) prepare() { atomic.Xadd64(&l.first.when, 0) }

// split gives each granule of a uniform page a line of its own. The line of the page is locked,
// with the first word first, and is unlocked.
//
//go:nosplit
func (b *antichainShadow) split(addr uintptr, first uint64) {
	state, page := b.state(addr), b.page(addr)
	from, upTo := antichainExtentOf(*state)
	begin := addr &^ (antichainPageSize - 1)
	for at := from; at < upTo; at += antichainWordSize {
		lacks := uint64(0) // bytes of the granule outside of the extent
		if upTo-at < antichainWordSize {
			lacks = antichainBytes &^ (1<<(upTo-at) - 1)
		}
		line := b.line(begin + at)
		line.first.put(first, page.first.what&^lacks, true)
		for i := uint32(1); i < antichainCells && page.cell(i).when != 0; i++ {
			if !line.grow(i) {
				line.lose(page.cell(i).what &^ lacks)
				continue
			}
			line.cell(i).put(page.cell(i).when, page.cell(i).what&^lacks, true)
		}
	}
	page.clear()
	atomic.StoreRel(state, antichainSeparate)
	antichainUnlockLine(&page.first.when, 0)
}

// clear empties the line of a page but for its first word, which is the lock.
//
//go:nosplit
func (l *antichainLine) clear() {
	l.first.put(0, 0, false)
	l.second.put(0, 0, true)
	*l.rest() = antichainRest{}
}

// touchPage notes an access to a part of the page at addr: to the extent, or one that may become
// it. It reports false if that is too small, or granules have lines of their own, or will get them,
// and must be met one by one. pc is for antichainPlaces.
//
//go:nosplit
func (a *antichainAccess) touchPage(b *antichainShadow, addr, size, pc uintptr) bool {
	if size < antichainPageLeast || addr%antichainWordSize != 0 {
		return false
	}
	page, state := b.page(addr), b.state(addr)
	offset := addr % antichainPageSize
	extent := antichainExtent(offset, offset+size)
	switch atomic.Load(state) {
	case extent:
		if page.has(a.now, a.what&(antichainWhole|antichainWrites)) {
			return true
		}
	case antichainUnused:
		page.prepare()
	default:
		return false
	}
	a.locate(pc)
	a.base, a.all = addr, a.what // all bytes are accessed
	first := antichainLockLine(&page.first.when)
	switch {
	case atomic.Load(state) != extent && !atomic.Cas(state, antichainUnused, extent):
		antichainUnlockLine(&page.first.when, first)
		return false
	case page.refresh(first, a.now, a.what):
		antichainUnlockLine(&page.first.when, a.now)
	case a.crowds(&page, first):
		systemstack(func() { b.split(addr, first) })
		return false
	default:
		a.meet(&page, first)
	}
	return true
}

// antichainForget drops the accesses to memory that is about to be reused.
//
//go:nosplit
func antichainForget(addr, size uintptr) {
	if antichainMoments == nil {
		return
	}
	for end := addr + size; addr < end; {
		b := antichainBlockOf(addr)
		if b == nil {
			addr = (addr | (1<<antichainBlockShift - 1)) + 1
			continue
		}
		next := min(end, (addr|(antichainPageSize-1))+1)
		if antichainMeets(atomic.Load(b.state(addr)), addr, next) {
			b.forgetExtent(addr, next)
		}
		if atomic.Load(b.state(addr)) == antichainSeparate {
			b.forgetLines(addr, next-addr)
		}
		addr = next
	}
}

// forgetLines drops the accesses to some memory of a page that is separate.
//
//go:nosplit
func (b *antichainShadow) forgetLines(addr, size uintptr) {
	line := b.line(addr)
	lines := (addr+size+antichainWordSize-1)/antichainWordSize - addr/antichainWordSize
	memclrNoHeapPointers(unsafe.Pointer(line.first), lines*unsafe.Sizeof(antichainCell{}))
	if *line.more&antichainSeconds != 0 {
		memclrNoHeapPointers(unsafe.Pointer(line.second), lines*unsafe.Sizeof(antichainCell{}))
	}
	if *line.more == antichainAll {
		b.forgetRests(addr, lines)
	}
	if size == antichainPageSize {
		*line.more = 0
		atomic.StoreRel(b.state(addr), antichainUnused)
	}
}

// forgetRests gives back the slots of some granules from addr on.
//
//go:nosplit
func (b *antichainShadow) forgetRests(addr, granules uintptr) {
	for range granules {
		at := b.line(addr).slot
		if slot := *at & antichainSlotMask; slot != 0 {
			*antichainRestOf(slot) = antichainRest{}
			antichainGiveRest(slot)
		}
		*at = 0
		addr += antichainWordSize
	}
}

// antichainMeets reports whether a page is uniform and some of its extent is between two addresses
// in the page.
//
//go:nosplit
func antichainMeets(state uint32, addr, end uintptr) bool {
	from, upTo := antichainExtentOf(state)
	offset := addr % antichainPageSize
	return state&antichainStateMask == antichainUniform && offset < upTo && from < offset+(end-addr)
}

// forgetExtent drops the accesses to a uniform page when some of its extent, between two addresses,
// is reused: accesses to all of it were to one object, which no longer exists. Others may get the
// rest of the page at the same time, and use it already.
//
//go:nosplit
func (b *antichainShadow) forgetExtent(addr, end uintptr) {
	page := b.page(addr)
	first := antichainLockLine(&page.first.when)
	if antichainMeets(atomic.Load(b.state(addr)), addr, end) {
		page.clear()
		first = 0
		atomic.StoreRel(b.state(addr), antichainUnused)
	}
	antichainUnlockLine(&page.first.when, first)
}
