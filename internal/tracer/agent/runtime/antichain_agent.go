//go:build antichain_traced

package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// The functions of this file are for the agent package and package sync/atomic, which reach them by
// a linkname of their own (//go:linkname emit runtime.antichainEmit).

// antichainActive reports whether records are being written.
//
//go:linkname antichainActive
//go:nosplit
func antichainActive() bool { return antichainOn == antichainWriting }

// antichainCtx is the context of the calling goroutine, 0 for an agent goroutine.
//
//go:linkname antichainCtx
//go:nosplit
func antichainCtx() uint64 { return uint64(getg().racectx) }

// antichainEmit writes a record of the calling goroutine with a payload of at most
// antichainMaxPayload bytes, padded with zeros to whole slots. It reports whether the
// record was written. It is written even between antichainIgnore(1) and
// antichainIgnore(-1), where the goroutine's synchronisation is not.
//
//go:linkname antichainEmit
//go:nosplit
func antichainEmit(kind uint8, addr, aux, arg uint64, payload []byte) bool {
	gp := getg()
	if antichainOn == antichainOff || gp.racectx == 0 || len(payload) > antichainMaxPayload {
		return false
	}
	extra := (uint64(len(payload)) + antichainPayloadPerSlot - 1) / antichainPayloadPerSlot
	index, ok := antichainReserve(1 + extra)
	if !ok {
		return false
	}
	p, left := unsafe.Pointer(unsafe.SliceData(payload)), uintptr(len(payload))
	for i := uint64(1); i <= extra; i++ {
		c := add(antichainSlots, uintptr((index+i)&antichainMask)*antichainSlotSize)
		n := min(left, antichainPayloadPerSlot)
		memmove(add(c, 8), p, n)
		memclrNoHeapPointers(add(c, 8+n), antichainPayloadPerSlot-n)
		atomic.StoreRel64((*uint64)(c), index+i+1|antichainContinuationBit)
		if left -= n; left > 0 {
			p = add(p, n) // never past the end: that could be another object
		}
	}
	s := antichainHead(index)
	s.word = uint64(kind)<<antichainKindShift | extra<<antichainExtraShift | uint64(gp.racectx)
	s.addr = addr
	s.aux = aux
	s.arg = arg
	antichainCallers(s, gp, getfp())
	antichainPublish(s, index)
	antichainKeepStep(index + 1 + extra)
	return true
}

// antichainPanic identifies the innermost panic or Goexit that the calling goroutine
// is in, 0 for none. A function is left by one if this differs between its entry and
// its deferred call.
//
//go:linkname antichainPanic
//go:nosplit
func antichainPanic() uintptr { return uintptr(unsafe.Pointer(getg()._panic)) }

// antichainRenew begins a new epoch of the caller: its next steps are recorded, although they may
// add nothing to its earlier ones.
//
//go:linkname antichainRenew
//go:nosplit
func antichainRenew() {
	if antichainHasGoroutines {
		antichainState(getg()).epoch++
	}
}

// antichainGoexit reports whether the calling goroutine is in runtime.Goexit.
//
//go:linkname antichainGoexit
//go:nosplit
func antichainGoexit() bool {
	p := getg()._panic
	return p != nil && p.goexit
}

// antichainIgnore(1) stops recording the synchronisation of the calling goroutine,
// antichainIgnore(-1) resumes it. Calls nest.
//
//go:linkname antichainIgnore
//go:nosplit
func antichainIgnore(delta int8) { getg().raceignore += delta }

// antichainExempt makes the calling goroutine an agent goroutine: it and all
// goroutines it starts are invisible in the trace.
//
//go:linkname antichainExempt
//go:nosplit
func antichainExempt() {
	getg().racectx = 0
	antichainNote(getg(), 0)
}

// antichainIdentify writes the agent's text about the program into the header: the specification
// that it was built for. Longer texts are cut.
//
//go:linkname antichainIdentify
func antichainIdentify(text string) {
	if antichainOn != antichainOff {
		antichainSetText(antichainOffIdentity, text, antichainIdentityMax)
	}
}
