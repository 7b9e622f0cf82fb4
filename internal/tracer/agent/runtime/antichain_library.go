//go:build antichain_traced

package runtime

import "unsafe"

// The calls of the standard library. An access of the library to memory of the program gets the
// place where the program calls it, however deep in the library it is.

// antichainLibrary has a bit for each piece of the program text: whether it contains a function of
// the standard library.
var antichainLibrary struct {
	bits *uint64
	size uintptr // of the text that has bits
}

const (
	antichainLibraryShift = 4  // functions begin at multiples of 16
	antichainMaxDepth     = 64 // number of calls that are inspected
)

// antichainFindLibrary fills antichainLibrary.
func antichainFindLibrary() {
	md := &firstmoduledata
	size := md.etext - md.text
	bits := antichainMap(size>>antichainLibraryShift/8 + 8)
	if bits == nil {
		return
	}
	for i := range len(md.ftab) - 1 {
		name := funcname(funcInfo{(*_func)(unsafe.Pointer(&md.pclntable[md.ftab[i].funcoff])), md})
		if !antichainIsLibraryName(name) {
			continue
		}
		from, to := md.textAddr(md.ftab[i].entryoff)-md.text, md.textAddr(md.ftab[i+1].entryoff)-md.text
		for at := from >> antichainLibraryShift; at < to>>antichainLibraryShift; at++ {
			*(*uint64)(add(bits, at/64*8)) |= 1 << (at % 64)
		}
	}
	antichainLibrary.bits, antichainLibrary.size = (*uint64)(bits), size
}

// antichainIsLibraryName reports whether a function of that name is the standard library's, by the
// first element of the path of its package, or made by the compiler.
func antichainIsLibraryName(name string) bool {
	end := 0
	for end < len(name) && name[end] != '.' && name[end] != '/' && name[end] != ':' {
		end++
	}
	if end < len(name) && name[end] == ':' {
		return true
	}
	first, lo, hi := name[:end], 0, len(antichainLibraryRoots)
	for lo < hi {
		if mid := (lo + hi) / 2; antichainLibraryRoots[mid] < first {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo < len(antichainLibraryRoots) && antichainLibraryRoots[lo] == first
}

// antichainIsLibrary reports whether the call at pc is in the standard library.
//
//go:nosplit
func antichainIsLibrary(pc uintptr) bool {
	at := pc - 1 - firstmoduledata.text
	if at >= antichainLibrary.size {
		return false
	}
	at >>= antichainLibraryShift
	return *(*uint64)(add(unsafe.Pointer(antichainLibrary.bits), at/64*8))>>(at%64)&1 != 0
}

// antichainCaller returns the place of the call that led to pc. The caller's return address is in
// the frame fp. For code in the standard library it is the innermost call of the program, if there
// is one.
//
//go:nosplit
func antichainCaller(gp *g, pc, fp uintptr) uint64 {
	if fp-gp.stack.lo > gp.stack.hi-gp.stack.lo-2*8 || fp%8 != 0 {
		return 0
	}
	if antichainIsLibrary(pc) {
		if at := antichainProgramCall(gp, fp); at != 0 {
			return antichainPlace(at)
		}
	}
	return antichainPlace(*(*uintptr)(unsafe.Pointer(fp + 8)))
}

// antichainProgramCall returns the innermost return address on the stack, from the frame fp on,
// that is not in the standard library, 0 if there is none.
//
//go:nosplit
func antichainProgramCall(gp *g, fp uintptr) uintptr {
	below, hi := gp.stack.lo-1, gp.stack.hi-2*8
	for depth := 0; depth < antichainMaxDepth && fp > below && fp <= hi && fp&7 == 0; depth++ {
		if pc := *(*uintptr)(unsafe.Pointer(fp + 8)); !antichainIsLibrary(pc) {
			return pc
		}
		below, fp = fp, *(*uintptr)(unsafe.Pointer(fp))
	}
	return 0
}

// antichainWalkOut is antichainWalk. If it would only find return addresses in the standard
// library, the last one is the call of the program that led there.
func antichainWalkOut(pcs []uint64, gp *g, fp uintptr) {
	n := antichainWalk(pcs, gp, fp)
	if n < len(pcs) {
		return
	}
	for _, pc := range pcs {
		if !antichainIsLibrary(uintptr(pc)) {
			return
		}
	}
	if at := antichainProgramCall(gp, fp); at != 0 {
		pcs[n-1] = uint64(at)
	}
}
