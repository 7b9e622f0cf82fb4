//go:build antichain_traced

package runtime

import (
	"internal/runtime/atomic"
	"internal/runtime/sys"
	"unsafe"
)

// Memory accesses. Packages that are compiled with -race call raceread and its like before they
// touch memory that others could touch too; the runtime does so for maps, slices, strings and
// channels. Hardly any of these become records: a shadow memory (antichain_shadow.go) has the
// latest accesses of each eight bytes, and a record is written when a goroutine first meets a
// conflicting access of another one. The reader decides whether the two are ordered.
//
// As in the race detector, an access to a single value counts for its first byte only, which every
// access to the value contains.

// antichainMallocgc is mallocgc, for functions that stand in tables that mallocgc mentions.
var antichainMallocgc func(size uintptr, typ *_type, needzero bool) unsafe.Pointer

// raceread is called before a value at addr is read. It checks the most frequent case first, that
// the goroutine has done the same since its last record.
//
//go:nosplit
func raceread(addr uintptr) {
	gp := getg()
	moment := antichainState(gp).moment
	if moment == 0 || addr-gp.stack.lo < gp.stack.hi-gp.stack.lo {
		return
	}
	if b := antichainBlockOf(addr); b != nil && atomic.Load(b.state(addr)) == antichainSeparate {
		line := b.line(addr)
		now, what := *(*uint64)(unsafe.Pointer(moment)), uint64(1)<<(addr%antichainWordSize)
		if line.first.is(now, what) || *line.more != 0 && line.second.is(now, what) {
			return
		}
		if line.first.when == now && !antichainPairs && b.widen(addr, now, what|antichainPlacesHere(gp, sys.GetCallerPC(), getfp())) {
			return
		}
	}
	antichainKeepAccess(addr, 1, 0, getfp())
	antichainTouchHere(gp, addr, 0, sys.GetCallerPC(), getfp())
}

// racewrite is raceread for a value that is written.
//
//go:nosplit
func racewrite(addr uintptr) {
	gp := getg()
	moment := antichainState(gp).moment
	if moment == 0 || addr-gp.stack.lo < gp.stack.hi-gp.stack.lo {
		return
	}
	if b := antichainBlockOf(addr); b != nil && atomic.Load(b.state(addr)) == antichainSeparate {
		now, what := *(*uint64)(unsafe.Pointer(moment)), antichainWrites|uint64(1)<<(addr%antichainWordSize)
		first := b.line(addr).first
		if first.is(now, what) {
			return
		}
		if first.when == now && !antichainPairs && b.widen(addr, now, what|antichainPlacesHere(gp, sys.GetCallerPC(), getfp())) {
			return
		}
	}
	antichainKeepAccess(addr, 1, antichainWrites, getfp())
	antichainTouchHere(gp, addr, antichainWrites, sys.GetCallerPC(), getfp())
}

//go:nosplit
func racereadrange(addr, size uintptr) {
	antichainKeepAccess(addr, size, 0, getfp())
	antichainTouchRange(addr, size, 0, sys.GetCallerPC(), getfp())
}

//go:nosplit
func racewriterange(addr, size uintptr) {
	antichainKeepAccess(addr, size, antichainWrites, getfp())
	antichainTouchRange(addr, size, antichainWrites, sys.GetCallerPC(), getfp())
}

// Return addresses are found on the stack.

//go:nosplit
func racefuncenter(pc uintptr) {}

//go:nosplit
func racefuncexit() {}

// antichainTouchPC notes an access that the runtime reports for the function that called it at
// callerpc: size 0 is a single value. The runtime makes channel operations on system stacks, too.
//
//go:nosplit
func antichainTouchPC(addr, size uintptr, what uint64, callerpc uintptr) {
	gp := getg()
	if gp.m == nil || gp != gp.m.curg || antichainState(gp).moment == 0 {
		return
	}
	antichainKeepAccess(addr, size, what, getfp())
	switch {
	case size > 0:
		antichainTouchRange(addr, size, what, callerpc, getfp())
	default:
		what |= 1 << (addr % antichainWordSize)
		if antichainIsNew(gp, addr, what) {
			antichainTouch(gp, addr, what, antichainPlaces(gp, callerpc, getfp()), getfp())
		}
	}
}

// antichainIsNew reports whether an access of gp to the word at addr, not on its stack, is to be
// noted.
//
//go:nosplit
func antichainIsNew(gp *g, addr uintptr, what uint64) bool {
	if addr-gp.stack.lo < gp.stack.hi-gp.stack.lo {
		return false
	}
	b := antichainBlockOf(addr)
	return b == nil || b.isNew(addr, *(*uint64)(unsafe.Pointer(antichainState(gp).moment)), what)
}

// antichainTouchAtomic receives an atomic operation of the caller, right after its record, which
// the access comes before; or, if it is not recorded, instead of that. For an operation across the
// end of a word, as of a Once behind a bool, only the first bytes are noted: copying or overwriting
// it touches them.
//
//go:nosplit
func antichainTouchAtomic(addr, size uintptr, what uint64, recorded bool) {
	gp := getg()
	if gp.m == nil || gp != gp.m.curg {
		return
	}
	moment := antichainState(gp).moment
	if moment == 0 {
		return
	}
	size = min(size, antichainWordSize-addr%antichainWordSize)
	now := *(*uint64)(unsafe.Pointer(moment))
	what |= antichainAtomic | (1<<size-1)<<(addr%antichainWordSize)
	switch {
	case !recorded:
		if !antichainIsNew(gp, addr, what) {
			return
		}
	case uint32(now) == 0:
		return
	default:
		now--
	}
	fp := getfp()
	antichainTouchAt(gp, now, addr, what|antichainPlaces(gp, 0, fp), fp)
}

// antichainTouchSync receives an operation on an object, right after its record. Operations of
// package sync change the object atomically, which conflicts with copying or overwriting it. A Once
// does so when its lock is taken, too: its state then decides whether the function runs.
//
//go:nosplit
func antichainTouchSync(object, op uintptr) {
	if op &= antichainOpMask; antichainOpLock <= op && op <= antichainOpOnce || op == antichainOpOnceLock {
		antichainTouchAtomic(object, antichainWordSize, antichainWrites, true)
	}
}

// antichainTouchRange notes an access to some bytes, page by page: to all of a page at once, if
// that is possible, or word by word.
//
//go:nosplit
func antichainTouchRange(addr, size uintptr, what uint64, pc, fp uintptr) {
	gp := getg()
	moment := antichainState(gp).moment
	if moment == 0 || addr-gp.stack.lo < gp.stack.hi-gp.stack.lo {
		return
	}
	antichainTouchUsed(gp, addr, size, what, fp)
	var a antichainAccess
	a.gp, a.now, a.what, a.fp = gp, *(*uint64)(unsafe.Pointer(moment)), what|antichainBytes, fp
	for end := addr + size; addr < end; {
		next := min(end, (addr|(antichainPageSize-1))+1)
		if b := antichainBlockFor(addr); b != nil && !a.touchPage(b, addr, next-addr, pc) {
			a.touchWords(b, addr, next-addr, pc)
		}
		addr = next
	}
}

// touchWords notes an access to some memory of a page, word by word. pc is for antichainPlaces.
//
//go:nosplit
func (a *antichainAccess) touchWords(b *antichainShadow, addr, size, pc uintptr) {
	for end := addr + size; addr < end; {
		n := min(end-addr, antichainWordSize-addr%antichainWordSize)
		bytes := uint64(1<<n-1) << (addr % antichainWordSize)
		if b.isNew(addr, a.now, a.what&antichainWrites|bytes) {
			a.locate(pc)
			whole := a.what
			a.what = whole&^antichainBytes | bytes
			a.touchWord(addr)
			a.what = whole
		}
		addr += n
	}
}

// locate finds the place of the access, if that is not known.
//
//go:nosplit
func (a *antichainAccess) locate(pc uintptr) {
	if a.what>>antichainPlaceShift == 0 {
		a.what |= antichainPlaces(a.gp, pc, a.fp)
	}
}

// antichainTouchUsed writes a record if a range contains an object that goroutines have
// synchronised on. Synchronisation itself is not instrumented, so the object is being copied, or
// overwritten.
//
//go:nosplit
func antichainTouchUsed(gp *g, addr, size uintptr, what uint64, fp uintptr) {
	if antichainIsUsed(addr, size) {
		systemstack(func() { // see meet
			antichainPut(antichainKindCopy, gp.racectx, addr, size, uintptr(what>>antichainFlagShift&antichainAccessWrites), gp, fp)
		})
	}
}

// antichainTouchHere notes the access of a function, to the first byte of a value. The function
// calls at pc the one with the frame fp.
//
//go:nosplit
func antichainTouchHere(gp *g, addr uintptr, what uint64, pc, fp uintptr) {
	what |= antichainPlacesHere(gp, pc, fp) | 1<<(addr%antichainWordSize)
	antichainTouchAt(gp, *(*uint64)(unsafe.Pointer(antichainState(gp).moment)), addr, what, fp)
}

// antichainPlacesHere is antichainPlaces for a pc in the program. The frame fp is that of the
// function called there.
//
//go:nosplit
func antichainPlacesHere(gp *g, pc, fp uintptr) uint64 {
	return antichainPlace(pc)<<antichainPlaceShift | antichainCaller(gp, pc, *(*uintptr)(unsafe.Pointer(fp)))<<antichainCallerShift
}

// antichainTouch notes the access what of gp, the caller, to the word at addr.
//
//go:nosplit
func antichainTouch(gp *g, addr uintptr, what, places uint64, fp uintptr) {
	antichainTouchAt(gp, *(*uint64)(unsafe.Pointer(antichainState(gp).moment)), addr, what|places, fp)
}

// antichainTouchAt notes an access at the moment now.
//
//go:nosplit
func antichainTouchAt(gp *g, now uint64, addr uintptr, what uint64, fp uintptr) {
	var a antichainAccess // a literal would be copied, and processors wait long for that
	a.gp, a.now, a.what, a.fp = gp, now, what, fp
	a.touchWord(addr)
}

// touchWord notes the access to the word at addr. The code for ranges has no room on small stacks
// for another access.
//
//go:nosplit
func (a *antichainAccess) touchWord(addr uintptr) {
	b := antichainBlockFor(addr)
	if b == nil {
		return
	}
	if atomic.Load(b.state(addr)) != antichainSeparate {
		if !b.isNew(addr, a.now, a.what&(antichainWhole|antichainWrites)) {
			return
		}
		b.separate(addr)
		if !b.isNew(addr, a.now, a.what&(antichainWhole|antichainWrites)) {
			return // it is at the end of an extent, and look does not return the extent
		}
	}
	line := b.line(addr)
	first := antichainLockLine(&line.first.when)
	if line.refresh(first, a.now, a.what) {
		antichainUnlockLine(&line.first.when, a.now)
		return
	}
	a.base = addr &^ (antichainWordSize - 1)
	a.meet(&line, first)
}

// antichainTold are hashes of pairs of accesses that have been reported lately. The order of two
// accesses depends only on their moments, so a pair at the same moments and places is nothing new,
// wherever the memory is. A collision is too unlikely to matter.
var antichainTold [1 << 14]uint64

// tell writes a record of a and the conflicting earlier access c, or the one that
// antichainOverwrites stands for. If a writes a location that its goroutine has just read, and c
// was reported then, a claims it.
//
//go:nosplit
func (a *antichainAccess) tell(c *antichainCell) {
	bits := a.what & c.what & antichainBytes
	h := a.now*0x9e3779b97f4a7c15 ^ (c.when+0x7f4a7c15)*0xbf58476d1ce4e5b9
	h ^= h >> 29
	h = (h ^ a.what&^antichainBytes) * 0x94d049bb133111eb
	h ^= h >> 32
	h = (h ^ c.what&^antichainBytes) * 0x9e3779b97f4a7c15
	h ^= h >> 31
	told := &antichainTold[h%uint64(len(antichainTold))]
	if *told == h {
		return
	}
	*told = h
	index, ok := antichainReserve(2)
	if !ok {
		return
	}
	var pcs [antichainPCs + antichainAccessPCs]uint64
	antichainWalkOut(pcs[:], a.gp, a.fp)
	p := antichainPayload{index: index + 1}
	p.put(c.when &^ (antichainClaimed | antichainOverwrites))
	p.put(c.what >> antichainFlagShift & 3)
	p.put(antichainPC(c.what >> antichainPlaceShift))
	p.put(antichainPC(c.what >> antichainCallerShift))
	for _, pc := range pcs[antichainPCs:] {
		p.put(pc)
	}
	p.close()
	kind := uint64(antichainKindRead)
	if a.what&antichainWrites != 0 {
		kind = antichainKindWrite
	}
	s := antichainHead(index)
	s.word = kind<<antichainKindShift | 1<<antichainExtraShift | uint64(a.gp.racectx)
	s.addr = uint64(a.base) + uint64(sys.TrailingZeros64(bits))
	s.aux = uint64(sys.Len64(bits) - sys.TrailingZeros64(bits))
	s.arg = a.what >> antichainFlagShift & antichainAccessAtomic
	if antichainState(a.gp).rewrites {
		s.arg |= antichainAccessRewrites
	}
	if c.when&antichainClaimed != 0 {
		s.arg |= antichainAccessClaims
	}
	if c.when&antichainOverwrites != 0 {
		s.arg |= antichainAccessOverwrites
	}
	s.pc = [antichainPCs]uint64(pcs[:antichainPCs])
	antichainPublish(s, index)
}
