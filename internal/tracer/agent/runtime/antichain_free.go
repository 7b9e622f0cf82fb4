//go:build antichain_traced

package runtime

import (
	"internal/runtime/atomic"
	"internal/runtime/sys"
	"unsafe"
)

// Memory that the garbage collector frees holds other objects later. A reader of the trace
// identifies objects by their addresses, and would think that a new mutex has been unlocked by the
// goroutine that unlocked the old one. So each object that goroutines have synchronised on gets a
// record when it is freed, before its memory can be reused: the sweeper writes it while it owns the
// span.
//
// One bit for every granule of memory marks these objects. The bits of a region are mapped when the
// first one is set, and the system gives them memory where they are touched: a page of bits for 256
// KiB of heap. A second, coarser set of bits spares the sweeper nearly all of the others.

const (
	antichainGranule     = 8 // bytes; synchronisation objects never share one
	antichainRegionShift = 26
	antichainRegionSize  = 1 << antichainRegionShift
	antichainAddressBits = 48 // the bits above are a key, not an address
)

// antichainRegion marks, in antichainRegionSize bytes of memory, the objects that goroutines have
// synchronised on. A bit of used is set before that of its page, and the sweeper clears that of a
// page before it looks at used: none is overlooked.
type antichainRegion struct {
	pages [antichainRegionSize / pageSize / 64]uint64
	used  [antichainRegionSize / antichainGranule / 64]uint64
}

// antichainRegions is a table of *antichainRegion by address, itself mapped when it is needed.
var antichainRegions *[1 << (antichainAddressBits - antichainRegionShift)]uintptr

// antichainUse notes that goroutines synchronise on addr.
//
//go:nosplit
func antichainUse(addr uintptr) {
	if r := antichainRegionOf(addr); r != nil {
		bit := uint64(1) << (addr / antichainGranule % 64)
		if word := &r.used[addr%antichainRegionSize/antichainGranule/64]; atomic.Load64(word)&bit == 0 {
			atomic.Or64(word, bit)
			antichainUsePage(r, addr)
		}
	} else if addr>>antichainAddressBits == 0 {
		systemstack(func() { antichainMapRegion(addr) })
	}
}

// antichainIsUsed reports whether goroutines have synchronised on any part of some memory.
//
//go:nosplit
func antichainIsUsed(addr, size uintptr) bool {
	const inWord = 64 * antichainGranule
	for end := addr + size; addr < end; {
		r := antichainRegionOf(addr)
		if r == nil {
			addr = (addr | (antichainRegionSize - 1)) + 1
			continue
		}
		used := atomic.Load64(&r.used[addr%antichainRegionSize/antichainGranule/64]) >> (addr / antichainGranule % 64)
		next := (addr | (inWord - 1)) + 1
		if end < next {
			used &= 1<<((end-addr&^(antichainGranule-1)+antichainGranule-1)/antichainGranule) - 1
		}
		if used != 0 {
			return true
		}
		addr = next
	}
	return false
}

// antichainRegionOf returns nil if there is none so far.
//
//go:nosplit
func antichainRegionOf(addr uintptr) *antichainRegion {
	if antichainRegions == nil || addr>>antichainAddressBits != 0 {
		return nil
	}
	return (*antichainRegion)(unsafe.Pointer(atomic.Loaduintptr(&antichainRegions[addr>>antichainRegionShift])))
}

//go:nosplit
func antichainUsePage(r *antichainRegion, addr uintptr) {
	page := addr % antichainRegionSize / pageSize
	atomic.Or64(&r.pages[page/64], 1<<(page%64))
}

// antichainMapRegion makes the region of addr and notes addr there. Without memory for it the
// program is traced as if nothing there were ever freed.
func antichainMapRegion(addr uintptr) {
	if antichainRegions == nil {
		if !antichainMapZero(unsafe.Pointer(&antichainRegions), unsafe.Sizeof(*antichainRegions)) {
			return
		}
	}
	if antichainMapZero(unsafe.Pointer(&antichainRegions[addr>>antichainRegionShift]), unsafe.Sizeof(antichainRegion{})) {
		antichainUse(addr)
	}
}

// antichainMapZero lets the word at at, which is 0, point to size bytes. Another thread may do so
// first.
func antichainMapZero(at unsafe.Pointer, size uintptr) bool {
	p, errno := mmap(nil, size, _PROT_READ|_PROT_WRITE, _MAP_ANON|_MAP_PRIVATE, -1, 0)
	if errno != 0 {
		return false
	}
	if !atomic.Casuintptr((*uintptr)(at), 0, uintptr(p)) {
		munmap(p, size)
	}
	return true
}

// antichainSweep writes records for the freed objects of a span that is being swept, as far as
// goroutines have synchronised on them.
func antichainSweep(s *mspan) {
	if antichainOn == antichainOff {
		return
	}
	for page := s.base(); page < s.limit; page += pageSize {
		r := antichainRegionOf(page)
		if r == nil {
			continue
		}
		i := page % antichainRegionSize / pageSize
		if bit := uint64(1) << (i % 64); atomic.Load64(&r.pages[i/64])&bit != 0 {
			atomic.And64(&r.pages[i/64], ^bit)
			antichainSweepPage(s, r, page)
		}
	}
}

// antichainSweepPage is antichainSweep for one page.
func antichainSweepPage(s *mspan, r *antichainRegion, page uintptr) {
	first := page % antichainRegionSize / antichainGranule / 64
	for i := range uintptr(pageSize / antichainGranule / 64) {
		word := &r.used[first+i]
		used := atomic.Load64(word)
		for bits := used; bits != 0; {
			addr := page + (i*64+uintptr(sys.TrailingZeros64(bits)))*antichainGranule
			object := s.objIndex(addr)
			// The bits of one object, as far as they are in this word.
			next := (s.base() + (object+1)*s.elemsize - page) / antichainGranule
			mine := bits
			if next < (i+1)*64 {
				mine &= 1<<(next%64) - 1
			}
			bits &^= mine
			if object < uintptr(s.nelems) && s.markBitsForIndex(object).isMarked() {
				antichainUsePage(r, page)
				continue
			}
			atomic.And64(word, ^mine)
			last := page + (i*64+uintptr(sys.Len64(mine)))*antichainGranule
			antichainFreed(addr, last-addr)
		}
	}
}

// antichainFreed writes a record of the garbage collector. It does not stop there if the program is
// to be halted: the sweeper owns the span.
//
//go:nosplit
func antichainFreed(addr, size uintptr) {
	index, ok := antichainReserve(1)
	if !ok {
		return
	}
	s := antichainHead(index)
	s.word = antichainKindFree << antichainKindShift
	s.addr = uint64(addr)
	s.aux = uint64(size)
	s.pc[0], s.pc[1], s.pc[2] = 0, 0, 0
	s.arg = 0
	atomic.StoreRel64(&s.seq, index+1)
}
