//go:build antichain_traced

package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// Failed attempts. A buffered channel was full or empty, which shows the elements that were in it,
// or a lock was held. An unbuffered channel shows nothing, since another goroutine may arrive at
// any time. The length of a channel shows both.
//
// Loops that poll do little else. A goroutine that repeats an attempt, and has done and learnt
// nothing in between, could have made it together with the first one, so there is no record of it.

// antichainTried records that op of the caller on c, which is locked, failed.
func antichainTried(c *hchan, op uintptr) {
	if !antichainTells(c) {
		return
	}
	key := antichainTriedKey(0, uintptr(unsafe.Pointer(c)), op)
	if antichainTriesAgain(key) {
		return
	}
	antichainRecord(antichainKindTry, uintptr(unsafe.Pointer(c)), uintptr(unsafe.Pointer(c)), op)
	antichainHasTried(key)
}

// antichainTriedCases is antichainTried for the cases of a select statement that takes its default.
// All channels are locked.
func antichainTriedCases(cases []scase, nsends int) {
	key := uint64(0)
	for i := range cases {
		if c := cases[i].c; antichainTells(c) {
			key = antichainTriedKey(key, uintptr(unsafe.Pointer(c)), antichainCaseOp(i, nsends))
		}
	}
	if key == 0 || antichainTriesAgain(key) {
		return
	}
	for i := range cases {
		if c := cases[i].c; antichainTells(c) {
			antichainRecord(antichainKindTry, uintptr(unsafe.Pointer(c)), uintptr(unsafe.Pointer(c)), antichainCaseOp(i, nsends))
		}
	}
	antichainHasTried(key)
}

// antichainLen returns how many elements are in c.
func antichainLen(c *hchan) int {
	if !antichainTells(c) {
		return int(c.qcount)
	}
	lock(&c.lock)
	n := c.qcount
	object := uintptr(unsafe.Pointer(c))
	key := antichainTriedKey(antichainTriedKey(0, object, antichainOpSend), object, ^uintptr(n))
	if !antichainTriesAgain(key) {
		if n > 0 {
			antichainRecord(antichainKindTry, object, object, antichainOpSend)
		}
		if n < c.dataqsiz {
			antichainRecord(antichainKindTry, object, object, antichainOpRecv)
		}
		antichainHasTried(key)
	}
	unlock(&c.lock)
	return int(n)
}

func antichainCaseOp(i, nsends int) uintptr {
	if i < nsends {
		return antichainOpSend
	}
	return antichainOpRecv
}

// antichainTells reports whether it is recorded that the caller finds c full or empty.
func antichainTells(c *hchan) bool {
	// otherwise a timer sends
	return antichainOn != antichainOff && c != nil && c.dataqsiz > 0 && getg() == getg().m.curg
}

// antichainTriedLock records that the caller could not lock object. since is the earlier result of
// antichainSince.
func antichainTriedLock(object, op, since uintptr) {
	if antichainOn == antichainOff || antichainSelf() == 0 {
		return
	}
	key := antichainTriedKey(0, object, op)
	if antichainTriesAgain(key) {
		return
	}
	antichainSync(antichainKindTry, object, object, op|since<<antichainOpShift)
	antichainHasTried(key)
}

// antichainSince is the index of the next record.
//
//go:nosplit
func antichainSince() uintptr {
	if antichainOn != antichainWriting {
		return 0
	}
	return uintptr(atomic.Load64(antichainWord64(antichainOffProd)))
}

// antichainTriedKey adds a failed attempt of the caller to a key, which is never 0 then.
func antichainTriedKey(key uint64, object, op uintptr) uint64 {
	const prime = 1099511628211 // of FNV-1a
	key = ((key^uint64(object))*prime ^ uint64(op)) * prime
	return key | 1
}

// antichainTriesAgain reports whether the caller has just made the same attempt.
func antichainTriesAgain(key uint64) bool {
	if !antichainHasGoroutines {
		return false
	}
	state := antichainState(getg())
	again := state.tried == key && state.triedIn == state.epoch
	if again {
		antichainIsIdle()
	} else {
		antichainAttempts(key)
	}
	return again
}

// antichainHasTried notes the caller's attempt, after its records.
func antichainHasTried(key uint64) {
	if antichainHasGoroutines {
		state := antichainState(getg())
		state.tried, state.triedIn = key, state.epoch
		antichainAttempted()
	}
}
