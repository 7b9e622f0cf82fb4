//go:build antichain_traced

package runtime

// Goroutines that wait in loops. In a steered schedule one that polls for a condition could keep
// away the one that would bring it about. An operation is idle if it brings nothing new: a load of
// what the goroutine knows, or an attempt that it repeats. A goroutine whose operations are idle
// lets the others go first, now and then. If those of all goroutines are idle, they wait for time
// to go by, and it does.

// antichainSpinPart is the part of the time that went by so which the next idle operation takes at
// least. So a sleep of an hour takes a million of them.
const antichainSpinPart = 100_000

// antichainNoteIdle lets others go before a goroutine with state s, now and then, if its operations
// bring nothing new.
func antichainNoteIdle(s *antichainSteered) {
	if !s.idle {
		s.idles, antichainTime.spins = 0, 0
		return
	}
	s.idle = false
	antichainSpins()
	if s.idles++; s.idles%antichainSteering.patience == 0 || antichainOnlySpins() {
		antichainSteering.lottery.yields(&s.ticket)
	}
}

// antichainIsIdle notes that the operation of the caller has brought nothing new.
//
//go:nosplit
func antichainIsIdle() {
	if antichainSeed != 0 {
		antichainState(getg()).steered.idle = true
	}
}

// antichainVain are the last attempts in vain of a goroutine, and defaults of select statements
// that it took. As long as it has no other news it only repeats them: a loop may try several things
// in turn. All are recorded: what one shows can have come about after the attempt before it.
type antichainVain struct {
	keys  [8]uint64
	next  uint8  // place of the next key
	epoch uint64 // of the goroutine, behind the latest
}

// antichainAttempts notes that the caller is about to record an attempt.
func antichainAttempts(key uint64) {
	if antichainSeed == 0 {
		return
	}
	state := antichainState(getg())
	l := &state.steered.vain
	if l.epoch != state.epoch {
		*l = antichainVain{}
	}
	for _, known := range l.keys {
		if known == key {
			antichainIsIdle()
			return
		}
	}
	l.keys[l.next%8] = key
	l.next++
}

// antichainAttempted notes that the caller has recorded it.
func antichainAttempted() {
	if antichainSeed != 0 {
		state := antichainState(getg())
		state.steered.vain.epoch = state.epoch
	}
}

// antichainSpins notes that the caller, a goroutine of the program, has looked for news in vain. If
// all goroutines do only that, those that could bring news wait for time to go by.
func antichainSpins() {
	if t := &antichainTime; t.spins < antichainReadings {
		t.spins++
		t.spun = t.shows
	} else {
		antichainGoesBy(max(antichainReading, (t.shows-t.spun)/antichainSpinPart))
	}
}

// antichainOnlySpins reports whether that was so for long.
func antichainOnlySpins() bool { return antichainTime.spins == antichainReadings }

// antichainIsDue reports whether a timer of the caller's processor fires by now.
func antichainIsDue() bool {
	when := getg().m.p.ptr().timers.wakeTime()
	return when != 0 && when <= nanotime()
}
