//go:build antichain_traced

package agent

import _ "unsafe" // for go:linkname

// The functions of the hooks in package runtime.

//go:linkname active runtime.antichainActive
func active() bool

//go:noescape
//go:linkname emit runtime.antichainEmit
func emit(kind uint8, addr, aux, arg uint64, payload []byte) bool

//go:linkname before runtime.antichainBeforeEvent
func before(site uint32)

//go:linkname beforeLine runtime.antichainBeforeLine
func beforeLine(line uint32)

//go:linkname panicking runtime.antichainPanic
func panicking() uintptr

//go:linkname goexiting runtime.antichainGoexit
func goexiting() bool

//go:linkname ignore runtime.antichainIgnore
func ignore(delta int8)

//go:linkname renew runtime.antichainRenew
func renew()

//go:linkname identify runtime.antichainIdentify
func identify(text string)

// setPanicOnFault makes a fault of the calling goroutine a panic: a torn value may hold
// an address that does not exist.
//
//go:linkname setPanicOnFault runtime/debug.setPanicOnFault
func setPanicOnFault(new bool) (old bool)

// For the operator.

//go:linkname operate runtime.antichainOperate
func operate(f func())

//go:linkname controlFD runtime.antichainControlFD
func controlFD() int32

//go:linkname haltProgram runtime.antichainHalt
func haltProgram() bool

//go:linkname resumeProgram runtime.antichainResume
func resumeProgram()

//go:linkname detachProgram runtime.antichainDetach
func detachProgram()

//go:linkname consumerLost runtime.antichainLost
func consumerLost()

//go:linkname setOrphan runtime.antichainSetOrphan
func setOrphan(value uint32)

//go:linkname consumerBeat runtime.antichainBeat
func consumerBeat() uint64

//go:linkname await runtime.antichainAwait
func await(fd int32, write bool, timeout int64) bool

//go:linkname listTasks runtime.antichainTasks
func listTasks(from int, tasks []task) (n, next int)

//go:linkname midMap runtime.antichainMidMap
func midMap() bool
