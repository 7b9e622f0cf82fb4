//go:build antichain_traced

package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// Looking from outside. The consumer may ask while the program runs which goroutines are cut off
// (see reachability.go), and before it kills the program. A signal that the program does not handle
// ends it, and it looks before that, too. A check takes a goroutine. But all of them may wait, and
// sysmon sleep. So a thread of the agent, which is like that of sysmon and has no processor, wakes
// the runtime's goroutine for periodic collections: no goroutine is added to the program. A
// consumer waits for the answer before it kills the program. A signal that would end the program is
// put off, and the thread ends the program by it.

// antichainLookMost is for how long a signal is put off at most, in nanoseconds.
const antichainLookMost = 1e9

// antichainFatal is the signal that was put off, 0 if there was none.
var antichainFatal uint32

// antichainStartLook starts the thread, unless the release of Go lacks what the search needs.
func antichainStartLook() {
	if antichainChecks == nil || !antichainOperations() {
		return
	}
	systemstack(func() { newm(antichainLookWhenAsked, nil, -1) })
	atomic.Cas(antichainWord32(antichainOffLook), 0, antichainLookReady)
}

// antichainLookWhenAsked is the thread. It does not keep a deadlocked program alive.
//
//go:nowritebarrierrec
func antichainLookWhenAsked() {
	antichainIdle()
	look := antichainWord32(antichainOffLook)
	for end := int64(0); end == 0 || nanotime1() < end; {
		switch state := atomic.Load(look); state {
		case 0, antichainLookReady: // 0: antichainStartLook has not come so far
			antichainSleepWhile(look, state, antichainLookMost)
		case antichainLookNow, antichainLookAsked:
			if state == antichainLookAsked && end == 0 {
				end = nanotime1() + antichainLookMost
			}
			antichainWakeCollector()
			antichainSleepWhile(look, state, antichainWatchful)
		default:
			end = 1 // it has looked for the last time
		}
	}
	switch sig := atomic.Load(&antichainFatal); sig {
	case 0:
	case _SIGQUIT:
		raiseproc(sig) // which now prints the stacks, and ends the program
	default:
		dieFromSignal(sig)
	}
	var never note
	notesleep(&never)
}

// antichainSleepWhile sleeps while a futex has that value, for so many nanoseconds at most.
func antichainSleepWhile(futex *uint32, value uint32, most int64) {
	ts := timespec{tv_sec: most / 1e9, tv_nsec: most % 1e9}
	antichainSyscall(antichainSysFutex, uintptr(unsafe.Pointer(futex)), antichainFutexWait, uintptr(value),
		uintptr(unsafe.Pointer(&ts)))
}

// antichainWakeCollector wakes the goroutine for periodic collections, as sysmon does, if it is
// idle.
//
//go:nowritebarrierrec
func antichainWakeCollector() {
	if !forcegc.idle.Load() {
		return
	}
	lock(&forcegc.lock)
	forcegc.idle.Store(false)
	var list gList
	list.push(forcegc.g)
	injectglist(&list)
	unlock(&forcegc.lock)
}

// antichainLooks is called by the goroutine for periodic collections when it is woken. It reports
// whether the goroutine was to look for what is cut off.
func antichainLooks() bool {
	if antichainOn == antichainOff {
		return false
	}
	look := antichainWord32(antichainOffLook)
	asked := atomic.Load(look)
	if asked != antichainLookNow && asked != antichainLookAsked {
		return false
	}
	why := antichainGoesOn
	if asked == antichainLookAsked {
		why = antichainEnds
	}
	antichainChecks(antichainLookMost/2, why)
	if asked == antichainLookAsked {
		atomic.Store(look, antichainLookDone)
	} else if !atomic.Cas(look, antichainLookNow, antichainLookReady) {
		return true // it is to look for the last time, and is woken again
	}
	antichainSyscall(antichainSysFutex, uintptr(unsafe.Pointer(look)), antichainFutexWake, 1, 0)
	return true
}

// antichainPutsOff reports whether a signal with these flags ends the program and is put off. A
// second one is not. A program that crashes sends SIGQUIT to its own threads.
//
//go:nowritebarrierrec
func antichainPutsOff(sig uint32, flags int32) bool {
	ends := flags&_SigKill != 0 || sig == _SIGQUIT && panicking.Load() == 0
	if !ends || antichainOn != antichainWriting {
		return false
	}
	look := antichainWord32(antichainOffLook)
	now := atomic.Load(look)
	if now != antichainLookReady && now != antichainLookNow || !atomic.Cas(&antichainFatal, 0, sig) {
		return false
	}
	for now = antichainLookReady; !atomic.Cas(look, now, antichainLookAsked); now = atomic.Load(look) {
		if now > antichainLookNow { // the consumer has asked
			return true
		}
	}
	antichainSyscall(antichainSysFutex, uintptr(unsafe.Pointer(look)), antichainFutexWake, 1, 0)
	return true
}
