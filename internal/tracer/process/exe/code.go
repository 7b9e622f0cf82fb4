package exe

import "github.com/antichain-go/antichain/internal/tracer/ring"

// UserCode returns the code of functions outside the standard library, ascending, as ranges of
// return addresses. For functions that the compiler makes, as for method values, it is the code
// that was inlined into them.
func (f *File) UserCode() []ring.Code {
	var user []ring.Code
	add := func(lo, hi uint64) {
		c := ring.Code{Lo: lo - f.start + 1, Hi: hi - f.start + 1}
		if n := len(user); n > 0 && c.Lo <= user[n-1].Hi {
			user[n-1].Hi = c.Hi
		} else {
			user = append(user, c)
		}
	}
	for fn := range f.userFunctions() {
		if file, _ := fn.line(fn.entry); file != generated {
			add(fn.entry, fn.end)
			continue
		}
		for lo, hi := range fn.segments() {
			if f.userLine(fn, lo) != "" {
				add(lo, hi)
			}
		}
	}
	return user
}

// Lines returns for each line of the user's code, written as Position does, the return addresses of
// the calls on it. Lines without code are left out. An inlined call of a function of the standard
// library counts at its own line.
func (f *File) Lines(lines map[string]bool) map[string][]ring.Code {
	found := make(map[string][]ring.Code)
	for fn := range f.userFunctions() {
		for lo, hi := range fn.segments() {
			at := f.userLine(fn, lo)
			if !lines[at] {
				continue
			}
			c := ring.Code{Lo: lo - f.start + 1, Hi: hi - f.start + 1}
			if all := found[at]; len(all) > 0 && all[len(all)-1].Hi == c.Lo {
				all[len(all)-1].Hi = c.Hi
			} else {
				found[at] = append(all, c)
			}
		}
	}
	return found
}

// userLine returns the line of the innermost call at pc in fn that is outside the standard library.
func (f *File) userLine(fn function, pc uint64) string {
	for c := range fn.frames(pc) {
		if !f.isStd(c.file) {
			return f.position(c)
		}
	}
	return ""
}

// segments yields ranges of the function's code in which all instructions have the same position.
func (fn function) segments() func(yield func(lo, hi uint64) bool) {
	return func(yield func(lo, hi uint64) bool) {
		tables := []uint64{fn.field(funcFile), fn.field(funcLine)}
		if fn.field(funcNpcdata) > pcdataInlTreeIndex {
			tables = append(tables, fn.field(funcSize+4*pcdataInlTreeIndex))
		}
		for lo := fn.entry; lo < fn.end; {
			hi := fn.end
			for _, off := range tables {
				if _, until, ok := fn.valueUntil(off, lo); ok {
					hi = min(hi, until)
				}
			}
			if hi <= lo || !yield(lo, hi) {
				return
			}
			lo = hi
		}
	}
}
