//go:build antichain_traced

package agent

import _ "unsafe" // for go:linkname

// What the hooks in package runtime offer.

//go:linkname active runtime.antichainActive
func active() bool

//go:noescape
//go:linkname emit runtime.antichainEmit
func emit(kind uint8, addr, aux, arg uint64, payload []byte) bool

//go:linkname panicking runtime.antichainPanic
func panicking() uintptr

//go:linkname goexiting runtime.antichainGoexit
func goexiting() bool

//go:linkname ignore runtime.antichainIgnore
func ignore(delta int8)

//go:linkname identify runtime.antichainIdentify
func identify(text string)

// setPanicOnFault makes a fault of the calling goroutine a panic: a torn value may hold
// an address that does not exist.
//
//go:linkname setPanicOnFault runtime/debug.setPanicOnFault
func setPanicOnFault(new bool) (old bool)
