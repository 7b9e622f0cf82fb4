//go:build antichain_traced

package runtime

import (
	"internal/runtime/atomic"
	"internal/runtime/sys"
)

// Dropped cells. A later write does not meet a dropped access, so the reader learns of no conflict
// between the two, while it must know what reads would see if writes came in another order. So a
// line remembers that a cell was dropped, and the next write to the same bytes reports that
// (antichainOverwrites).
//
// The mark is in the high bits of the granule's word among the slots, which lines of pages do not
// have: nothing is dropped from those. It changes under the lock of the line. It distinguishes
// single bytes, since most values are accessed by their first, and the first bytes of both halves.
// A write removes its part of a mark, since later accesses conflict with that write; an atomic one
// never does. Dropped atomic loads leave no mark: they are operations as well, which the reader
// does not move.
const (
	antichainDropShift = 28
	// an atomic write, or several. From 1 to 8: plain accesses to that byte
	antichainDropAtomic = 9
	antichainDropHalves = 10 // plain accesses to the first bytes of both halves
	antichainDropAny    = 15 // anything else

	antichainHalves = 1<<0 | 1<<(antichainWordSize/2) // the first bytes of both

	// antichainOverwrites, in the first word of a reported cell, says that the access overwrites a
	// dropped one. No cell of a line has it.
	antichainOverwrites = 1 << 63

	// added to the number of cells that a write is to report if it overwrites a dropped one
	antichainFoundDropped = 4 * antichainCells
)

// antichainDropped returns the bytes of dropped accesses that conflict with the write what,
// according to a slot.
//
//go:nosplit
func antichainDropped(slot uint32, what uint64) uint64 {
	switch mark := slot >> antichainDropShift; {
	case mark == 0, mark == antichainDropAtomic && what&antichainAtomic != 0:
		return 0
	case mark < antichainDropAtomic:
		return 1 << (mark - 1)
	case mark == antichainDropHalves:
		return antichainHalves
	}
	return antichainBytes
}

// antichainDropMark returns the mark of plain accesses to some bytes.
//
//go:nosplit
func antichainDropMark(bytes uint64) uint32 {
	switch {
	case bytes == 0:
		return 0
	case bytes&(bytes-1) == 0:
		return uint32(sys.TrailingZeros64(bytes)) + 1
	case bytes == antichainHalves:
		return antichainDropHalves
	}
	return antichainDropAny
}

// mark marks the line.
//
//go:nosplit
func (l *antichainLine) mark(mark uint32) {
	if slot := *l.slot; slot>>antichainDropShift != mark {
		atomic.StoreRel(l.slot, slot&antichainSlotMask|mark<<antichainDropShift)
	}
}

// overwrites reports whether an access is a write to bytes with a dropped access that conflicts
// with it.
//
//go:nosplit
func (l *antichainLine) overwrites(what uint64) bool {
	return what&antichainWrites != 0 && *l.more == antichainAll && l.slot != nil && antichainDropped(*l.slot, what)&what != 0
}

// takeDropped is overwrites for a write that is noted now.
//
//go:nosplit
func (l *antichainLine) takeDropped(what uint64) bool {
	if !l.overwrites(what) {
		return false
	}
	if left := antichainDropped(*l.slot, what) &^ what; what&antichainAtomic == 0 && (left == 0 || *l.slot>>antichainDropShift != antichainDropAtomic) {
		l.mark(antichainDropMark(left))
	}
	return true
}

// drop notes that an access is dropped.
//
//go:nosplit
func (l *antichainLine) drop(what uint64) {
	bytes, had := what&antichainBytes, *l.slot>>antichainDropShift
	switch {
	// an atomic load, if anything
	case bytes == 0 || what&(antichainAtomic|antichainWrites) == antichainAtomic:
	case what&antichainAtomic == 0 && had != antichainDropAtomic:
		l.mark(antichainDropMark(bytes | antichainDropped(*l.slot, what)))
	case what&antichainAtomic != 0 && (had == 0 || had == antichainDropAtomic):
		l.mark(antichainDropAtomic)
	default:
		l.mark(antichainDropAny)
	}
}

// lose notes that an access is dropped for want of memory.
//
//go:nosplit
func (l *antichainLine) lose(what uint64) {
	l.drop(what)
	*antichainWord32(antichainOffForgot) = 1
}
