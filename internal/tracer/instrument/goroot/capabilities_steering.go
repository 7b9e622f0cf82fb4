package goroot

// The hooks choose the goroutine that runs, in a steered schedule; and goroutines yield now and
// then while built-in properties are checked.
var steering = capability{
	name: "steering", gives: "control over which goroutine runs",
	needs: []*capability{&goroutines, &turns},
	verbs: []string{"--explore", "--seed", "--yields", "--confirm", "replay"},
	disables: []disable{
		{file: "runtime/malloc.go", constant: "goexperiment.RandomizedHeapBase64", by: "false",
			reason: "a seed repeats hash values of addresses", since: 26},
	},
	patches: []patch{
		{
			name: "scheduler", file: "runtime/proc.go", in: "const randomizeScheduler",
			reason: "the race detector shuffles the run queue; tracing keeps the scheduler as it is",
			diff: `
				- raceenabled
				+ false
			`,
		},
		{
			name: "pick", file: "runtime/proc.go", in: "findRunnable",
			reason: "the goroutine of the highest priority runs",
			diff: `
				+ if antichainGp := antichainPick($pp); antichainGp != nil {
				+ 	return antichainGp, false, false
				+ }
				  if $gp, $inheritTime := runqget($pp); $gp != nil {
			`,
		},
		{
			name: "pick, fairness", file: "runtime/proc.go", in: "findRunnable",
			reason: "see pick",
			diff: `
				- if $pp.schedtick%61 == 0 && !sched.runq.empty() {
				+ if antichainSeed == 0 && $pp.schedtick%61 == 0 && !sched.runq.empty() {
			`,
		},
		{
			name: "yield", file: "runtime/proc.go", in: "Gosched",
			reason: "who yields waits for others",
			entry:  "antichainYieldsAt(sys.GetCallerPC())",
		},
		{
			name: "preempted", file: "runtime/proc.go", in: "gopreempt_m(gp)",
			reason: "see yield",
			entry:  "antichainPreempted($gp)",
		},
		{
			name: "system calls", file: "runtime/proc.go", in: "retake(now)",
			reason: "another goroutine runs at the same time only if a system call waits",
			diff: `
				- if runqempty($pp) && sched.nmspinning.Load()+sched.npidle.Load() > 0 && $pd.syscallwhen+10*1000*1000 > $now {
				+ if antichainHolds($now-$pd.syscallwhen) || runqempty($pp) && sched.nmspinning.Load()+sched.npidle.Load() > 0 && $pd.syscallwhen+10*1000*1000 > $now {
			`,
		},
		{
			name: "go, turn", file: "runtime/proc.go", in: "newproc",
			reason: "the new goroutine may run first",
			diff: `
				  runqput($pp, $newg, true)
				  ...
				  })
				+ antichainTurn(0)
			`,
		},
		{
			name: "processors", file: "runtime/debug.go", in: "GOMAXPROCS(n)",
			reason: "there is one, but the program gets as many goroutines as ever",
			entry:  "if antichainSeed != 0 {\n\treturn antichainProcs($n)\n}",
		},
		{
			name: "random numbers", file: "runtime/rand.go", in: "rand",
			reason: "a seed repeats what the program draws",
			entry:  "if x, ok := antichainRand(); ok {\n\treturn x\n}",
		},
		{
			name: "hash keys", file: "runtime/rand.go", in: "bootstrapRand",
			reason: "a seed repeats hash values, and so the operations on a hash trie and the order of a map",
			entry:  "if x, ok := antichainHashKey(); ok {\n\treturn x\n}",
		},
		{
			name: "select, order of cases", file: "runtime/select.go", in: "selectgo",
			reason: "a seed repeats it",
			diff: `
				- cheaprandn(uint32($norder + 1))
				+ antichainRandn(uint32($norder + 1))
			`,
		},
		{
			name: "mutex starvation", file: "internal/sync/mutex.go", in: "(*Mutex).lockSlow",
			reason: "the duration of a wait would decide about the schedule",
			diff: `
				- $starving = $starving || runtime_nanotime()-$since > starvationThresholdNs
				+ $starving = $starving || !race.Steered() && runtime_nanotime()-$since > starvationThresholdNs
			`,
		},
		{
			name: "standard input", file: "internal/poll/fd_mutex.go", in: "(*FD).readUnlock(fd)",
			reason:  "runs that keep a schedule have none, and a program that reads it may go another way",
			entry:   "if $fd.Sysfd == 0 {\n\trace.ReadsInput()\n}",
			imports: []string{"internal/race"},
		},
		{
			name: "clock", file: "runtime/time_nofake.go", in: "nanotime",
			reason: "it stands still or is moved on, see antichain_time.go and antichain_clock.go",
			diff: `
				- return nanotime1()
				+ return antichainNanotime()
			`,
		},
		{
			name: "clock, readings", file: "runtime/time.go", in: "time_runtimeNano",
			reason: "a reading takes a moment, and a goroutine that reads it again and again waits for time to go by",
			diff: `
				- return nanotime()
				+ return antichainReadsClock()
			`,
		},
		{
			name: "clock, timer", file: "runtime/time.go", in: "newTimer(when, _, _, _, _)",
			reason: "see clock, readings: timers do not see that",
			entry:  "$when = antichainWhen($when)",
		},
		{
			name: "clock, timer that is reset", file: "runtime/time.go", in: "resetTimer(_, when, _)",
			reason: "see clock, timer",
			entry:  "$when = antichainWhen($when)",
		},
		{
			name: "clock, sleep", file: "runtime/time.go", in: "timeSleep(ns)",
			reason: "a failure may rest on its end, and the report says for how long it was",
			entry:  "antichainSleep($ns)",
		},
		{
			name: "clock, deadline of a file", file: "runtime/netpoll.go", in: "poll_runtime_pollSetDeadline(pd, _, _)",
			reason: "see clock, sleep",
			entry:  "antichainNoteDeadline($pd)",
		},
		{
			name: "clock, next deadline", file: "runtime/proc.go", in: "findRunnable",
			reason: "it moves on to that when no goroutine can go on",
			diff: `
				- $list, $delta := netpoll($delay)
				+ $list, $delta := antichainNetpoll($delay)
			`,
		},
		{
			name: "clock, thread", file: "runtime/proc.go", in: "sysmon",
			reason: "it preempts goroutines by real time",
			diff: `
				- $now := nanotime()
				+ $now := nanotime1()
				  ...
				- $now = nanotime()
				+ $now = nanotime1()
				  ...
				- $lastpoll+10*1000*1000 < $now
				+ antichainPollsLate($lastpoll, $now)
			`,
		},
		{
			name: "clock, threads that wait", file: "runtime/lock_futex.go", in: "notetsleep_internal",
			reason: "they wait in real time",
			diff: `
				- $deadline := nanotime() + $ns
				+ $deadline := nanotime1() + $ns
			`,
		},
		{
			name: "clock, end of a wait", file: "runtime/lock_futex.go", in: "notetsleep_internal",
			reason: "see clock, threads that wait",
			diff: `
				- $now := nanotime()
				+ $now := nanotime1()
				  if $now >= $deadline {
			`,
		},
		{
			name: "clock, time of day", file: "runtime/time.go", in: "time_runtimeNow",
			reason: "see clock",
			diff: `
				- return time_now()
				+ return antichainNow()
			`,
		},
	},
}

// Before an operation a goroutine can be stopped, or yield to others.
var turns = capability{
	name: "turns", gives: "places before an operation where goroutines can be stopped",
	needs: []*capability{&goroutines},
	patches: []patch{
		turnOfRuntime("chan.go", "chansend(c, _, block, _)", "antichainTurnSend($c, $block)"),
		turnOfRuntime("chan.go", "chanrecv(c, _, block)", "antichainTurnRecv($c, $block)"),
		turnOfRuntime("chan.go", "closechan(c)", turnOf("c")), turnOfRuntime("chan.go", "chanlen(c)", turnOf("c")),
		turnOfRuntime("select.go", "selectgo(cas0, _, _, nsends, nrecvs, _)",
			"antichainTurnSelect($cas0, $nsends+$nrecvs)"),
		turnOfRuntime("sema.go", "notifyListAdd(l)", turnOf("l")),
		turnOfRuntime("sema.go", "notifyListNotifyOne(l)", turnOf("l")),
		turnOfRuntime("sema.go", "notifyListNotifyAll(l)", turnOf("l")),
		yieldBefore("internal/sync/mutex.go", "(*Mutex).Lock(m)",
			"race.TurnLock(unsafe.Pointer($m), unsafe.Pointer(&$m.state))"),
		yieldBefore("internal/sync/mutex.go", "(*Mutex).TryLock(m)", yieldOf("m")),
		yieldBefore("internal/sync/mutex.go", "(*Mutex).Unlock(m)", yieldOf("m")),
		yieldBefore("sync/rwmutex.go", "(*RWMutex).RLock(rw)", yieldOf("rw")),
		yieldBefore("sync/rwmutex.go", "(*RWMutex).RUnlock(rw)", yieldOf("rw")),
		// other writers hold w, whose state comes first
		yieldBefore("sync/rwmutex.go", "(*RWMutex).Lock(rw)",
			"race.TurnLock(unsafe.Pointer($rw), unsafe.Pointer(&$rw.w))"),
		yieldBefore("sync/rwmutex.go", "(*RWMutex).Unlock(rw)", yieldOf("rw")),
		yieldBefore("sync/rwmutex.go", "(*RWMutex).TryLock(rw)", yieldOf("rw")),
		yieldBefore("sync/rwmutex.go", "(*RWMutex).TryRLock(rw)", yieldOf("rw")),
	},
}

// yieldBefore makes an operation of the standard library a place to yield.
func yieldBefore(file, in, call string) patch {
	return patch{
		name: "turn, " + in, file: file, in: in,
		reason: "others may come before",
		entry:  call,
	}
}

// yieldOf is the call before an operation on an object that is nothing more.
func yieldOf(object string) string { return "race.Turn(unsafe.Pointer($" + object + "))" }

// turnOfRuntime makes an operation of package runtime a place to yield.
func turnOfRuntime(file, in, call string) patch { return yieldBefore("runtime/"+file, in, call) }

// turnOf is yieldOf in package runtime.
func turnOf(object string) string { return "antichainTurn(uintptr(unsafe.Pointer($" + object + ")))" }
