package goroot

import "github.com/antichain-go/antichain/internal/tracer/instrument/frontend"

var timers = capability{
	name: frontend.Timers, gives: "timers, and the functions started by time.AfterFunc",
	needs: []*capability{&goroutines}, order: true, properties: ofAll,
	patches: []patch{
		{
			name: "timer creation", file: "runtime/time.go", in: "newTimer(_, period, _, arg, c)",
			reason: "says which function AfterFunc will start, and who armed it",
			diff: `
				  if raceenabled {
				- 	racerelease(unsafe.Pointer(&$t.timer))
				+ 	antichainArm(&$t.timer, $c != nil, $arg, $period)
				  }
			`,
		},
		{
			name: "timer reset", file: "runtime/time.go", in: "resetTimer(t, when, period)",
			reason: "its records are made under a lock, where a goroutine cannot be held",
			diff: `
				  if raceenabled {
				- 	racerelease(unsafe.Pointer(&$t.timer))
				+ 	antichainBefore()
				  }
				  ...
				- return $t.reset($when, $period)
				+ antichainPending := $t.reset($when, $period)
				+ antichainPoint()
				+ return antichainPending
			`,
		},
		{
			name: "timer reset, arming", file: "runtime/time.go", in: "(*timer).modify(t, when, period, f, _, _)",
			reason: "see timer creation. The record has its place between those of the firings before and after",
			diff: `
				  $t.when = $when
				+ antichainArmAgain($t, $f == nil, $period)
			`,
		},
		{
			name: "timer reset, outcome", file: "runtime/time.go", in: "(*timer).modify(t, _, _, f, _, _)",
			reason: "it shows whether the timer had been armed, or had fired. The lock keeps the records in " +
				"the order of the operations",
			diff: `
				+ if $async || !$t.isChan {
				+ 	antichainRearmed($t, $f == nil, $pending)
				+ }
				  $t.unlock()
				  if !$async && $t.isChan {
				  	if timerchandrain($t.hchan()) {
				  		$pending = true
				  	}
				+ 	antichainRearmed($t, $f == nil, $pending)
				  	unlock(&$t.sendLock)
				  }
			`,
			until: 26,
		},
		{
			name: "timer reset, outcome", file: "runtime/time.go", in: "(*timer).modify(t, _, _, f, _, _)",
			reason: "see the variant before",
			diff: `
				+ if !$t.isChan {
				+ 	antichainRearmed($t, $f == nil, $pending)
				+ }
				  $t.unlock()
				  if $t.isChan {
				  	if timerchandrain($t.hchan()) {
				  		$pending = true
				  	}
				+ 	antichainRearmed($t, $f == nil, $pending)
				  	unlock(&$t.sendLock)
				  }
			`,
			since: 27,
		},
		{
			name: "timer reset, outcome in a bubble", file: "runtime/time.go", in: "(*timer).modify(t, _, _, f, _, _)",
			reason: "see timer reset, outcome",
			diff: `
				  if $t.state&timerHeaped == 0 && $when <= $bubble.now {
				+ 	antichainRearmed($t, $f == nil, $pending)
				  	systemstack(func() {
				  		...
				  	})
				  	return $pending
			`,
		},
		{
			name: "timer stop", file: "runtime/time.go", in: "stopTimer(t)",
			reason: "see timer reset",
			diff: `
				- return $t.stop()
				+ antichainPending := $t.stop()
				+ antichainPoint()
				+ return antichainPending
			`,
		},
		{
			name: "timer stop, outcome", file: "runtime/time.go", in: "(*timer).stop(t)",
			reason: "what waits for the timer waits for ever; and see timer reset, outcome",
			diff: `
				+ if $async || !$t.isChan {
				+ 	antichainDisarm($t, $pending)
				+ }
				  $t.unlock()
				  if !$async && $t.isChan {
				- 	unlock(&$t.sendLock)
				- 	if timerchandrain($t.hchan()) {
				+ 	if timerchandrain($t.hchan()) {
				  		$pending = true
				  	}
				+ 	antichainDisarm($t, $pending)
				+ 	unlock(&$t.sendLock)
				  }
			`,
			until: 26,
		},
		{
			name: "timer stop, outcome", file: "runtime/time.go", in: "(*timer).stop(t)",
			reason: "see the variant before",
			diff: `
				+ if !$t.isChan {
				+ 	antichainDisarm($t, $pending)
				+ }
				  $t.unlock()
				  if $t.isChan {
				- 	unlock(&$t.sendLock)
				- 	if timerchandrain($t.hchan()) {
				+ 	if timerchandrain($t.hchan()) {
				  		$pending = true
				  	}
				+ 	antichainDisarm($t, $pending)
				+ 	unlock(&$t.sendLock)
				  }
			`,
			since: 27,
		},
		{
			name: "timer firing", file: "runtime/time.go", in: "(*timer).unlockAndRun(t, _, bubble)",
			reason: "every firing is a context of its own; sharing it would order all timers of a P",
			diff: `
				- if $tsLocal.raceCtx == 0 {
				- 	$tsLocal.raceCtx = racegostart(abi.FuncPCABIInternal((*timers).run) + sys.PCQuantum)
				- }
				- raceacquirectx($tsLocal.raceCtx, unsafe.Pointer($t))
				+ $tsLocal.raceCtx = antichainFire($tsLocal.raceCtx, $t, $bubble)
			`,
		},
	},
}

var bubbles = capability{
	name: frontend.Bubbles, gives: "time in bubbles of testing/synctest",
	needs: []*capability{&timers}, order: true, properties: ofAll,
	patches: []patch{
		{
			name: "bubble clock", file: "runtime/synctest.go", in: "synctestRun",
			reason: "in a bubble, time moves after all that its goroutines have done",
			diff: `
				+ antichainClock($bubble)
				  $next := $bubble.timers.wakeTime()
			`,
		},
		{
			name: "bubble timers", file: "runtime/time.go", in: "(*timer).unlockAndRun(_, _, bubble)",
			reason: "the context is that of the processor, as since Go 1.27: goroutines of one bubble can fire " +
				"timers at the same time",
			diff: `
				- $tsLocal = &$bubble.timers
				+ $tsLocal = &getg().m.p.ptr().timers
			`,
			until: 26,
		},
		{
			name: "bubble timers, function", file: "runtime/time.go", in: "(*timer).unlockAndRun(_, _, bubble)",
			reason: "see bubble timers",
			diff: `
				- $gp.racectx = $bubble.timers.raceCtx
				+ $gp.racectx = $gp.m.p.ptr().timers.raceCtx
			`,
			until: 26,
		},
	},
}
