//go:build antichain_traced

package runtime

import "internal/runtime/atomic"

// Keeping step. A checker can halt the program right where a violation has come about only if
// the program has not gone on meanwhile. So with FlagStep a goroutine waits behind each record
// of the specification until the consumer has judged it, which it shows by giving the slots
// back. A round trip takes a thousand times as long as a record: where there are too many of
// them the goroutine does not wait, and the program halts a little later.

// A goroutine waits only as long as all of them together have waited for less than one part
// in antichainShare of the time, but in the beginning, or after a rest, for antichainCredit
// nanoseconds. A wait counts for antichainDear at most: what takes longer is the fault of a
// machine that is busy, or of a checker that will hold the program up anyway.
const (
	antichainShare  = 8
	antichainCredit = 250e6
	antichainDear   = 1e6
)

// antichainPaid is the time up to which what was waited for is paid for, at that rate.
var antichainPaid int64

// antichainSolvent reports whether a goroutine may wait.
//
//go:nosplit
func antichainSolvent() bool {
	return atomic.Loadint64(&antichainPaid) < nanotime()+antichainCredit*antichainShare
}

// antichainPay notes that a goroutine has waited since then.
//
//go:nosplit
func antichainPay(since int64) {
	now := nanotime()
	for {
		paid := atomic.Loadint64(&antichainPaid)
		if atomic.Casint64(&antichainPaid, paid, max(paid, now)+antichainShare*min(now-since, antichainDear)) {
			return
		}
	}
}

// antichainKeepStep waits until the slots below end are given back. It comes behind
// antichainPublish, and looks again whether the program is to be halted.
//
//go:nosplit
func antichainKeepStep(end uint64) {
	if atomic.Load(antichainWord32(antichainOffFlags))&antichainFlagStep == 0 ||
		!antichainFree(getg()) || !antichainSolvent() {
		return
	}
	since := nanotime()
	var pulse antichainPulse
	for round := 0; antichainBehind(end); round++ {
		if round < 20 {
			procyield(30)
			continue
		}
		antichainYield()
		if antichainBehind(end) {
			antichainNap(&pulse)
		}
	}
	antichainPay(since)
	antichainPoint()
}

// antichainBehind reports whether a consumer that wants it has yet to judge slots below end.
//
//go:nosplit
func antichainBehind(end uint64) bool {
	return antichainOn == antichainWriting &&
		atomic.Load64(antichainWord64(antichainOffCons)) < end &&
		atomic.Load(antichainWord32(antichainOffFlags))&antichainFlagStep != 0
}
