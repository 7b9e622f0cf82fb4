//go:build antichain_traced

package runtime

import (
	"internal/stringslite"
	"unsafe"
)

// The place of an access, in the few bits that the shadow memory has for it.

// antichainPlaces returns the place of an access and that of the call that led there. The access is
// at pc or, if pc is 0 or in antichainThrough, at the first call outside of antichainThrough.
//
//go:nosplit
func antichainPlaces(gp *g, pc, fp uintptr) uint64 {
	if pc != 0 && antichainIsThrough(pc) {
		pc = 0
	}
	lo, hi := gp.stack.lo, gp.stack.hi-2*8
	found := false
	for depth := 0; depth < 16 && lo <= fp && fp <= hi && fp&7 == 0; depth++ {
		at := *(*uintptr)(unsafe.Pointer(fp + 8))
		switch {
		case found:
			return antichainPlace(pc)<<antichainPlaceShift | antichainCaller(gp, pc, fp)<<antichainCallerShift
		case at == pc || pc == 0 && !antichainIsThrough(at):
			pc, found = at, true
		}
		next := *(*uintptr)(unsafe.Pointer(fp))
		if next <= fp {
			break
		}
		fp = next
	}
	return antichainPlace(pc) << antichainPlaceShift
}

// antichainThrough are packages of the standard library between the program and a hook: accesses in
// them get the place of their call.
var antichainThrough = [...]struct {
	prefix string
	text   antichainText
}{
	{prefix: "runtime."}, {prefix: "internal/runtime/maps."}, {prefix: "internal/sync."}, {prefix: "sync/atomic."},
	{prefix: "sync."}, {prefix: "syscall."}, {prefix: "internal/poll."}, {prefix: "os."}, {prefix: "io."}, {prefix: "net."},
	{prefix: "reflect."}, {prefix: "internal/reflectlite."},
}

// antichainThroughAll is from the first to the last of them. The packages of the program mostly lie
// behind.
var antichainThroughAll antichainText

// antichainText is a range of the program text.
type antichainText struct{ lo, hi uintptr }

//go:nosplit
func (t antichainText) has(pc uintptr) bool { return pc-t.lo < t.hi-t.lo }

// antichainFindThrough finds these packages: the linker lays packages out one after the other.
// Functions that the compiler has made of generic ones may be anywhere, so the range of a package
// is where most of its functions are together.
func antichainFindThrough() {
	const gap = 64 // functions of other names (linknamed, assembly) between those of a package
	type run struct{ first, last, n int }
	var runs, best [len(antichainThrough)]run
	tab, md := firstmoduledata.ftab, &firstmoduledata
	for i := range len(tab) - 1 {
		name := funcname(funcInfo{(*_func)(unsafe.Pointer(&md.pclntable[tab[i].funcoff])), md})
		for k := range runs {
			if !stringslite.HasPrefix(name, antichainThrough[k].prefix) {
				continue
			}
			if i-runs[k].last > gap {
				runs[k] = run{first: i}
			}
			runs[k].last, runs[k].n = i, runs[k].n+1
			if runs[k].n > best[k].n {
				best[k] = runs[k]
			}
		}
	}
	for k, r := range best {
		if r.n > 0 {
			text := antichainText{md.textAddr(tab[r.first].entryoff), md.textAddr(tab[r.last+1].entryoff)}
			antichainThrough[k].text = text
			if all := &antichainThroughAll; all.hi == 0 {
				*all = text
			} else {
				*all = antichainText{min(all.lo, text.lo), max(all.hi, text.hi)}
			}
		}
	}
}

//go:nosplit
func antichainIsThrough(pc uintptr) bool {
	if !antichainThroughAll.has(pc) {
		return false
	}
	for i := range antichainThrough {
		if antichainThrough[i].text.has(pc) {
			return true
		}
	}
	return false
}

// antichainIsRuntime reports whether the runtime calls at pc for itself, and not for another
// package: a function that it implements for another package is called as that package's
// (linkname), and append calls into the runtime.
//
//go:nosplit
func antichainIsRuntime(pc uintptr) bool {
	if !antichainThrough[0].text.has(pc) {
		return false
	}
	f := findfunc(pc)
	return f.valid() && antichainIsNamed(f, "runtime.") && !antichainIsNamed(f, "runtime.growslice")
}

// antichainIsNamed reports whether the name of f begins with prefix.
//
//go:nosplit
func antichainIsNamed(f funcInfo, prefix string) bool {
	name := f.datap.funcnametab[f.nameOff:]
	for i := range len(prefix) {
		if name[i] != prefix[i] { // a name ends in a zero
			return false
		}
	}
	return true
}

// antichainPlace is a program counter as a few bits, 0 if it needs more.
//
//go:nosplit
func antichainPlace(pc uintptr) uint64 {
	if off := pc - firstmoduledata.text; off < 1<<antichainPlaceBits {
		return uint64(off)
	}
	return 0
}

// antichainPC is the inverse of antichainPlace.
//
//go:nosplit
func antichainPC(place uint64) uint64 {
	if place &= 1<<antichainPlaceBits - 1; place != 0 {
		return uint64(firstmoduledata.text) + place
	}
	return 0
}
