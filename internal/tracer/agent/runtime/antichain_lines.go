//go:build antichain_traced

package runtime

import (
	"internal/runtime/atomic"
	"internal/runtime/sys"
	"unsafe"
)

// Lines of the source that are to be reached at once. After the steps of a schedule there may be a
// list of lines (ring.Schedule). A goroutine that reaches one is held before its statement, if that
// place in the list is free. As soon as there is a goroutine at each of them the program stops, as
// by a command of the consumer, which then halts it.
//
// A held goroutine may own what others need to reach their lines. So if everything else blocks, the
// goroutine held longest is released, and may return to the line. After some time all are released
// for good.

// antichainLines are the lines. Except for since, they do not change after package initialisation.
var antichainLines struct {
	numbers unsafe.Pointer // of uint32
	n       uint32
	all     uint64 // a bit for each
	holds   int64
	since   [antichainMaxLines]int64 // when the goroutine held at a line came there
}

// antichainLineWord is a counter of the lines.
//
//go:nosplit
func antichainLineWord(off uintptr) *uint64 { return (*uint64)(add(antichainToKeep.base, off)) }

// antichainLinesMet returns a word that is not 0 when all lines are reached and the program stops.
//
//go:nosplit
func antichainLinesMet() *uint32 { return (*uint32)(add(antichainToKeep.base, antichainScheduleMet)) }

// antichainBeforeLine is a place before the statement of a line, by its number.
//
//go:linkname antichainBeforeLine
func antichainBeforeLine(line uint32) {
	gp := getg()
	if !antichainScheduled || antichainOn != antichainWriting || gp.racectx == 0 || !antichainFree(gp) {
		return
	}
	i, taken := antichainTakeLine(line)
	if !taken {
		return
	}
	antichainHoldAtLine(gp, i)
	antichainPoint()
}

// antichainTakeLine takes a free place in the list for the caller, which is at the line of that
// number. The goroutine that takes the last one makes the program stop.
func antichainTakeLine(line uint32) (i uint32, taken bool) {
	at := antichainLineWord(antichainScheduleAt)
	for {
		held := atomic.Load64(at)
		if held == antichainLines.all || held&antichainLinesGivenUp != 0 {
			return 0, false
		}
		for i = 0; i < antichainLines.n; i++ {
			if held>>i&1 == 0 && *(*uint32)(add(antichainLines.numbers, uintptr(i)*antichainLineSize)) == line {
				break
			}
		}
		if i == antichainLines.n {
			return 0, false
		}
		if !atomic.Cas64(at, held, held|1<<i) {
			continue
		}
		held |= 1 << i
		antichainNoteMost(held)
		if held == antichainLines.all {
			atomic.Or(antichainWord32(antichainOffHalt), antichainHaltNow)
			atomic.Store(antichainLinesMet(), 1)
		}
		return i, true
	}
}

// antichainNoteMost notes the lines that are reached at once if they are more than ever before.
func antichainNoteMost(held uint64) {
	most := antichainLineWord(antichainScheduleMost)
	for {
		old := atomic.Load64(most)
		if sys.OnesCount64(old) >= sys.OnesCount64(held) || atomic.Cas64(most, old, held) {
			return
		}
	}
}

// antichainLeaveLine frees a place in the list, and gives all up with givenUp. It fails if all
// lines are reached by now.
func antichainLeaveLine(i uint32, givenUp uint64) bool {
	at := antichainLineWord(antichainScheduleAt)
	for {
		held := atomic.Load64(at)
		if held == antichainLines.all {
			return false
		}
		if atomic.Cas64(at, held, held&^(1<<i)|givenUp) {
			return true
		}
	}
}

// antichainHoldAtLine returns when gp, the caller, may continue from the line at that place in the
// list.
func antichainHoldAtLine(gp *g, i uint32) {
	const look = 1e6 // nanoseconds between two looks at the others
	since := nanotime()
	atomic.Storeint64(&antichainLines.since[i], since)
	looked, quiet := since, 0
	antichainKeepWhile(gp, func() bool {
		now := nanotime()
		if atomic.Load(antichainLinesMet()) != 0 || atomic.Load64(antichainLineWord(antichainScheduleAt))&antichainLinesGivenUp != 0 || antichainOn != antichainWriting {
			return false
		}
		if now-since > antichainLines.holds && antichainLeaveLine(i, antichainLinesGivenUp) {
			return false
		}
		if now-looked > look {
			looked = now
			if quiet++; !antichainHeldLongest(i, since) || !antichainOthersStand(gp, since+antichainLines.holds) {
				quiet = 0
			}
			return quiet < 2 || !antichainLeaveLine(i, 0)
		}
		return true
	})
}

// antichainHeldLongest reports whether no goroutine has been held longer than that at place i.
func antichainHeldLongest(i uint32, since int64) bool {
	held := atomic.Load64(antichainLineWord(antichainScheduleAt))
	for k := uint32(0); k < antichainLines.n; k++ {
		if k != i && held>>k&1 != 0 {
			if other := atomic.Loadint64(&antichainLines.since[k]); other < since || other == since && k < i {
				return false
			}
		}
	}
	return true
}

// antichainOthersStand reports whether, among the goroutines other than self, only those held at
// lines could run, even if all timers fire before end, and events come from outside.
func antichainOthersStand(self *g, end int64) bool {
	written := atomic.Load64(antichainWord64(antichainOffProd))
	stand := true
	forEachGRace(func(gp *g) {
		if gp != self && gp.racectx != 0 && stand && !antichainState(gp).kept.awaits {
			does := antichainDoes(gp, end)
			stand = does == antichainOthersGone || does == antichainOthersWait && gp.waitreason != waitReasonIOWait
		}
	})
	return stand && !antichainTimerFires(end) && written == atomic.Load64(antichainWord64(antichainOffProd))
}
