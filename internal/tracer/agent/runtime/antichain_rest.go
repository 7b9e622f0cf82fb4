//go:build antichain_traced

package runtime

import (
	"internal/cpu"
	"internal/runtime/atomic"
	"unsafe"
)

// Cells behind the second. Few granules have them at a time: most that get a third cell soon lose
// it again, as where a buffer is read byte by byte that has been copied to and read before. So they
// are not beside the first ones, where each page of the kernel that one of them has ever been in
// would stay, but in slots of one array, which are given back.
//
// A granule owns a slot from when its line grows, under the lock of the line, to when it is empty
// or the memory is reused. A goroutine that looks at a line without the lock may find a slot that
// has become another granule's, as with a cell that is being written.

// antichainRest is the content of a slot.
type antichainRest [antichainCells - 2]antichainCell

const (
	// the bits above in a slot's word mark dropped accesses
	antichainMaxRests = 1 << antichainDropShift
	antichainSlotMask = antichainMaxRests - 1
	antichainSpares   = 64 // Ps that keep a slot
)

var (
	antichainRests     unsafe.Pointer // the array; nil if there is no memory for it
	antichainRestsUsed uint32         // slots that have ever been used, and 0, which is none

	// antichainFreeRests is the free list without the spare slots: how often it has changed, and
	// the first slot. The first word of a slot is the next one. The count distinguishes a slot from
	// the same one before it was taken and given back.
	antichainFreeRests uint64

	// antichainSpareRests are slots that Ps have given back last.
	antichainSpareRests [antichainSpares]struct {
		slot uint32
		_    cpu.CacheLinePad
	}
)

//go:nosplit
func antichainRestOf(slot uint32) *antichainRest {
	return (*antichainRest)(add(antichainRests, uintptr(slot)*unsafe.Sizeof(antichainRest{})))
}

// antichainSpareRest returns where the P of the caller, which is not preempted, keeps a slot, nil
// if it does not.
//
//go:nosplit
func antichainSpareRest() *uint32 {
	if pp := getg().m.p.ptr(); pp != nil && pp.id < antichainSpares {
		return &antichainSpareRests[uint32(pp.id)%antichainSpares].slot
	}
	return nil
}

// antichainTakeRest returns an empty slot, 0 if there is none.
//
//go:nosplit
func antichainTakeRest() uint32 {
	if spare := antichainSpareRest(); spare != nil && *spare != 0 {
		slot := *spare
		*spare = 0
		return slot
	}
	for {
		head := atomic.Load64(&antichainFreeRests)
		slot := uint32(head)
		if slot == 0 {
			break
		}
		next := &antichainRestOf(slot)[0].when
		if atomic.Cas64(&antichainFreeRests, head, (head>>32+1)<<32|atomic.Load64(next)) {
			*next = 0
			return slot
		}
	}
	if antichainRests == nil || atomic.Load(&antichainRestsUsed) >= antichainMaxRests-1 {
		return 0
	}
	return atomic.Xadd(&antichainRestsUsed, 1)
}

// antichainGiveRest gives back a slot, which is empty.
//
//go:nosplit
func antichainGiveRest(slot uint32) {
	if spare := antichainSpareRest(); spare != nil && *spare == 0 {
		*spare = slot
		return
	}
	for {
		head := atomic.Load64(&antichainFreeRests)
		atomic.Store64(&antichainRestOf(slot)[0].when, head&(1<<32-1))
		if atomic.Cas64(&antichainFreeRests, head, (head>>32+1)<<32|uint64(slot)) {
			return
		}
	}
}
