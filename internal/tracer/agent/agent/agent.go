//go:build antichain_traced

// Package agent records the events and values that rewritten code passes to it.
package agent

import "unsafe"

// On says whether records are wanted. After initialisation it changes at most once, to
// false, when the operator ends the trace; sites that do not see that yet write records
// which the hooks drop.
var On bool

func init() {
	On = active()
	if On {
		identify(identity(table))
	}
	if fd := controlFD(); fd >= 0 {
		operate(func() { serve(int(fd)) })
	}
}

// identity is the second line of the table: what the program was built for. It keeps the table in
// the binary, where other programs look for it.
//
//go:noinline
func identity(table string) string {
	start := 0
	for i := range len(table) {
		if table[i] == '\n' {
			if start > 0 {
				return table[start:i]
			}
			start = i + 1
		}
	}
	return ""
}

// Frame is a traced function that has been entered. The zero Frame is one that was not
// recorded.
type Frame struct {
	on    bool
	panic uintptr // identifies the panic of the goroutine on entry
}

// Entered sends the record of a function's entry. As for noinline see Enter.
//
//go:noinline
func (r *Rec) Entered() Frame {
	r.send(0)
	return Frame{on: true, panic: panicking()}
}

// Exit is deferred first, so it runs last. It never calls recover. Results are pointers; after a
// panic or Goexit they mean nothing and are not read.
func (f Frame) Exit(site uint32, results ...any) { f.exit(site, len(results), results) }

// exit sends the record of the end of a function. Results behind the tracked ones are those of an
// operation.
func (f Frame) exit(site uint32, tracked int, results []any) {
	if !f.on {
		return
	}
	r := begin(ringKindExit, site)
	if panicking() != f.panic {
		how := uint64(ringExitPanic)
		if goexiting() {
			how = ringExitGoexit
		}
		r.send(how)
		return
	}
	for _, p := range results[:tracked] {
		r.Ref(p)
	}
	for _, p := range results[tracked:] {
		r.Identity(p)
	}
	r.send(ringExitReturn)
}

// Address is the address of a variable.
type Address = uintptr

// Addr returns the address that p, a pointer, holds. p does not escape.
func Addr(p any) Address { return words(&p)[1] }

// Same reports whether p is the address that get returns. get is nil while packages are
// initialised.
func Same(get func() Address, p any) bool { return get != nil && get() == words(&p)[1] }

// Nil reports whether p, a pointer, is nil, for code in which the name nil may be redefined.
func Nil(p any) bool { return words(&p)[1] == 0 }

// words are the two words of an interface value: type and, of a pointer, the pointer. As
// numbers they keep nothing alive and let nothing escape.
func words(p *any) [2]uintptr { return *(*[2]uintptr)(unsafe.Pointer(p)) }
