//go:build antichain_traced

package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// Goroutines that timers start. One is known by where its timer was armed, as if it had been
// started there. The records say so, too.

// antichainArmed are the timers that will start goroutines of the schedule, and the classes of
// these. A goroutine of a timer that has no room here is none of the schedule.
var antichainArmed [256]struct {
	timer uintptr // 0: the entry is free
	class uint32
}

// antichainFiring are the timers that fire, by the number of their processor. Of processors
// with higher numbers no timer is known.
var antichainFiring [256]uintptr

// antichainKeepArm notes that the caller has armed a timer that will start a goroutine.
func antichainKeepArm(t *timer) {
	gp := getg()
	if !antichainScheduled || gp != gp.m.curg {
		return
	}
	antichainKeepDisarm(t)
	parent := antichainState(gp).kept.class
	if parent == antichainNoStep {
		return
	}
	class := antichainStarts(parent, antichainUserPlace(gp, getfp()))
	if class == antichainNoStep {
		return
	}
	for i := range antichainArmed {
		if x := &antichainArmed[i]; atomic.Casuintptr(&x.timer, 0, uintptr(unsafe.Pointer(t))) {
			x.class = class
			return
		}
	}
}

// antichainKeepDisarm notes that a timer starts no goroutine, or no other one, and returns the
// class of the one that it was to start.
//
//go:nosplit
func antichainKeepDisarm(t *timer) (class uint32) {
	for i := range antichainArmed {
		if x := &antichainArmed[i]; atomic.Loaduintptr(&x.timer) == uintptr(unsafe.Pointer(t)) {
			class = x.class
			atomic.Storeuintptr(&x.timer, 0)
			return class
		}
	}
	return antichainNoStep
}

// antichainKeepFire notes that a timer fires on the caller's processor.
//
//go:nosplit
func antichainKeepFire(t *timer) {
	if id := getg().m.p.ptr().id; int(id) < len(antichainFiring) {
		antichainFiring[id] = uintptr(unsafe.Pointer(t))
	}
}

// antichainKeepFired begins to keep the schedule in a goroutine that a timer starts, the one that
// fires on the caller's processor.
//
//go:nosplit
func antichainKeepFired(newg *g) {
	if id := getg().m.p.ptr().id; int(id) < len(antichainFiring) && antichainFiring[id] != 0 {
		t := (*timer)(unsafe.Pointer(antichainFiring[id]))
		antichainState(newg).kept.isOf(antichainKeepDisarm(t))
		antichainFiring[id] = 0
	}
}
