//go:build antichain_traced

package runtime

import "unsafe"

// Operations that count under the strategy surw, constraints of the strategy rff, and goroutines
// and operations that are noted for them; see package internal/tracer/strategy. Names of goroutines
// come from the tree of go statements, and those of sites from offsets in the program text. Both
// are the same in all runs.

// antichainCounts is where package ring has put what is known of them; nil if there is nothing.
var antichainCounts unsafe.Pointer

// antichainConstraints are those of the lottery.
var antichainConstraints [maxConstraints]constraint

// antichainStartCounts finds that.
func antichainStartCounts() {
	if *antichainWord64(antichainOffCounts) == 0 {
		return
	}
	behind := uintptr(antichainMask+1)*antichainSlotSize + uintptr(*antichainWord64(antichainOffSchedule))
	antichainCounts = add(antichainSlots, behind)
	if antichainLibrary.bits == nil {
		antichainFindLibrary()
	}
	constraints := antichainConstraints[:min(*antichainCountsWord(antichainCountsConstraints), maxConstraints)]
	for i := range constraints {
		at := antichainCountsData + uintptr(i)*antichainConstraintSize
		constraints[i] = constraint{
			writer: *antichainCountsWord(at + antichainConstraintWriter),
			reader: *antichainCountsWord(at + antichainConstraintReader),
			other:  *antichainCountsWord(at + antichainConstraintOther) != 0,
		}
	}
	antichainSteering.lottery.constraints = constraints
}

//go:nosplit
func antichainCountsWord(off uintptr) *uint32 { return (*uint32)(add(antichainCounts, off)) }

// antichainCountGo gives the state child of newg, which parent starts, its place in the tree of go
// statements and what it is expected to do. parent is nil if no goroutine of the program starts it.
//
//go:nosplit
func antichainCountGo(parent, child *antichainSteered, newg *g, n uint64) {
	from := uint64(0)
	if parent != nil {
		from = uint64(parent.name)
	}
	child.name = uint32(mixed(mixed(from) + n))
	if antichainCounts == nil {
		return
	}
	by := uint32(mixed(uint64(newg.gopc - firstmoduledata.text)))
	antichainNoteCount(child.name, by, antichainNoteStarts|from)
	child.left = antichainWeightOf(child.name, by)
	if parent != nil {
		antichainSteering.lottery.starts(&parent.ticket, &child.ticket)
	}
}

// antichainWeightOf returns how many operations that count a goroutine is expected to do that is
// started by a go statement.
//
//go:nosplit
func antichainWeightOf(name, by uint32) (steps uint64) {
	at := antichainCountsData + 4*uintptr(*antichainCountsWord(antichainCountsSites))
	for range *antichainCountsWord(antichainCountsWeights) {
		switch *antichainCountsWord(at) {
		case name:
			return uint64(*antichainCountsWord(at + 4))
		case by:
			steps = uint64(*antichainCountsWord(at + 4))
		}
		at += antichainWeightSize
	}
	return steps
}

// antichainCountTurn finds out where gp, whose state is s, is about to operate on objects, and
// whether that counts. It returns the site, 0 for none.
func antichainCountTurn(gp *g, s *antichainSteered, objects *[ticketObjects]uint64) (site uint32) {
	s.looks = objects[0] != 0 && objects[0] == uint64(s.looksAt)
	s.counts, s.site, s.looksAt = false, 0, 0
	if antichainCounts == nil || objects[0] == 0 {
		return 0
	}
	if site = antichainSite(gp, getfp()); site == 0 {
		return 0
	}
	s.site = site
	sites := *antichainCountsWord(antichainCountsSites)
	s.counts = sites == 0 && *antichainCountsWord(antichainCountsWeights) > 0
	for i := range uintptr(sites) {
		s.counts = s.counts || *antichainCountsWord(antichainCountsData + 4*i) == site
	}
	return site
}

// antichainNoteTurn notes that a goroutine operates on objects at a site now, 0 for none.
func antichainNoteTurn(s *antichainSteered, site uint32, objects *[ticketObjects]uint64) {
	if site == 0 {
		return
	}
	name, looks := s.name, uint64(0)
	if s.looks {
		looks = antichainNoteLooks
	}
	for _, object := range objects {
		if object != 0 {
			antichainNoteCount(name, site, object|looks)
			name = 0
		}
	}
}

// antichainOnlyReads notes that the next operation of the caller, if it is on the object at this
// address, changes nothing there.
//
//go:nosplit
func antichainOnlyReads(object uintptr) {
	if antichainSeed != 0 {
		antichainState(getg()).steered.looksAt = object
	}
}

// antichainSite returns what stands for the call on the stack of gp, from frame fp outward, with
// which the program operates on an object, and for the call that led there. It is 0 if the standard
// library does so for its own ends.
//
//go:nosplit
func antichainSite(gp *g, fp uintptr) uint32 {
	var pcs [8]uint64
	n := antichainWalk(pcs[:], gp, fp)
	for i := range n {
		pc := uintptr(pcs[i])
		if antichainIsSync(pc) {
			continue
		}
		if antichainIsLibrary(pc) {
			break
		}
		caller := uint64(0)
		if i+1 < n {
			caller = pcs[i+1] - uint64(firstmoduledata.text)
		}
		return uint32(mixed(mixed(uint64(pc-firstmoduledata.text))+caller)) | 1
	}
	return 0
}

// antichainIsSync reports whether the call at pc is in a package that synchronises for others.
//
//go:nosplit
func antichainIsSync(pc uintptr) bool {
	if !antichainIsLibrary(pc) {
		return false
	}
	f := findfunc(pc)
	return f.valid() && (antichainIsNamed(f, "sync.") || antichainIsNamed(f, "sync/atomic.") ||
		antichainIsNamed(f, "internal/sync.") || antichainIsNamed(f, "internal/race."))
}

// antichainNoteCount writes a note, if there is room.
//
//go:nosplit
func antichainNoteCount(goroutine, site uint32, object uint64) {
	used := antichainCountsWord(antichainCountsUsed)
	if *used >= *antichainCountsWord(antichainCountsRoom) {
		return
	}
	constraints := uintptr(*antichainCountsWord(antichainCountsConstraints))
	note := add(antichainCounts,
		antichainCountsData+constraints*antichainConstraintSize+uintptr(*used)*antichainNoteSize)
	*(*uint32)(add(note, antichainNoteGoroutine)) = goroutine
	*(*uint32)(add(note, antichainNoteSite)) = site
	*(*uint64)(add(note, antichainNoteObject)) = object
	*used++
}
