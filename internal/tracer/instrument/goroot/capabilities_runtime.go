package goroot

import (
	"strings"

	hooks "github.com/antichain-go/antichain/internal/tracer/agent/runtime"
	"github.com/antichain-go/antichain/internal/tracer/instrument/frontend"
)

// Goroutines, which all other capabilities about them rest on.
var goroutines = capability{
	name: "goroutines", gives: "goroutines of the program as opposed to those of the runtime, and its beginning " +
		"and end",
	properties: ofAll,
	patches: []patch{
		{
			name: "goroutine state", file: "runtime/runtime2.go", in: "type g",
			reason: "what the hooks remember of a goroutine",
			diff: `
				  type g struct {
				  	...
				+ 	antichain antichainG
				  }
			`,
		},
		{
			name: "go statement", file: "runtime/proc.go", in: "newproc1(_, _, callerpc, _, _)",
			reason: "the hook must recognise new goroutines of the runtime; labels are ordered only for " +
				"profiles",
			diff: `
				- $newg.racectx = racegostart($callerpc)
				+ $newg.racectx = antichainGoStart($callerpc, $newg)
				  $newg.raceignore = 0
				- if $newg.labels != nil {
				+ if false {
			`,
		},
		{
			name: "main", file: "runtime/proc.go", in: "main",
			reason: "the packages are initialised, and the program begins; later it ends",
			diff: `
				  $fn := main_main
				+ antichainMainBegins()
				  $fn()
				+ antichainLeaving(1)
			`,
		},
		{
			name: "exit", file: "runtime/proc.go", in: "os_beforeExit",
			reason: "the program ends",
			entry:  "antichainLeaving(0)",
		},
		{
			name: "exec", file: "runtime/proc.go", in: "syscall_runtime_BeforeExec",
			reason: "what the process becomes is not traced",
			entry:  "antichainRecord(antichainKindExec, 0, 0, 1)",
		},
		{
			name: "exec that failed", file: "runtime/proc.go", in: "syscall_runtime_AfterExec",
			reason: "the process stays what it was",
			diff: `
				  execLock.unlock()
				+ antichainRecord(antichainKindExec, 0, 0, 0)
			`,
		},
	},
}

var coroutines = capability{
	name: frontend.Coroutines, gives: "the end of the goroutine of an iter.Pull",
	needs: []*capability{&goroutines}, properties: ofWaits,
	patches: []patch{{
		name: "coroutine end", file: "runtime/coro.go", in: "coroexit",
		reason: "the goroutine of an iter.Pull does not end in goexit",
		entry:  "racegoend()",
	}},
}

var threads = capability{
	name: frontend.Threads, gives: "threads of C code that call into Go",
	needs: []*capability{&goroutines}, order: true, properties: ofAll,
	patches: []patch{
		{
			name: "C thread, creation", file: "runtime/proc.go", in: "oneNewExtraM",
			reason: "a goroutine for C threads gets its context when a thread enters Go",
			diff: `
				- $gp.racectx = racegostart(abi.FuncPCABIInternal(newextram) + sys.PCQuantum)
				+ $gp.racectx = 0
			`,
		},
		{
			name: "C thread, end", file: "runtime/proc.go", in: "dropm",
			reason: "the next C thread that uses this goroutine is another task",
			diff: `
				+ antichainDropThread($mp.curg)
				  casgstatus($mp.curg, _Gsyscall, _Gdeadextra)
			`,
			since: 26,
		},
		{
			name: "C thread, end", file: "runtime/proc.go", in: "dropm",
			reason: "the next C thread that uses this goroutine is another task",
			diff: `
				+ antichainDropThread($mp.curg)
				  casgstatus($mp.curg, _Gsyscall, _Gdead)
			`,
			until: 25,
		},
		{
			name: "C thread, callback", file: "runtime/cgocall.go", in: "cgocallbackg1(fn, _, _)",
			reason: "a C thread that calls into Go begins to exist for the trace",
			diff: `
				  if raceenabled {
				+ 	antichainCallback(getg(), uintptr($fn))
				  	raceacquire(unsafe.Pointer(&racecgosync))
				  }
			`,
		},
	},
}

var cleanups = capability{
	name: frontend.Cleanups, gives: "functions of runtime.AddCleanup",
	properties: ofAll,
	patches: []patch{
		{
			name: "cleanup enter", file: "runtime/mcleanup.go", in: "runCleanups",
			reason: "cleanups are actions of the goroutine that runs them",
			diff: `
				  var $racectx uintptr
				- if raceenabled {
				+ if false {
			`,
		},
		{
			name: "cleanup leave", file: "runtime/mcleanup.go", in: "runCleanups",
			reason: "see cleanup enter",
			diff: `
				- if raceenabled {
				+ if false {
				  	raceRestoreCtx($racectx)
				  }
			`,
		},
	},
}

var reuse = capability{
	name: "reuse of memory", gives: "what is synchronised on being freed",
	order: true, properties: ofAll,
	patches: []patch{{
		name: "sweep", file: "runtime/mgcsweep.go", in: "(*sweepLocked).sweep",
		reason: "what is synchronised on is freed, and its memory is given to others",
		diff: `
			+ antichainSweep($s)
			  if gcUsesSpanInlineMarkBits($s.elemsize) {
			  	$s.moveInlineMarks($s.gcmarkBits)
			  }
		`,
	}},
}

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
			name: "timer reset", file: "runtime/time.go", in: "resetTimer(t, _, period)",
			reason: "see timer creation",
			diff: `
				  if raceenabled {
				- 	racerelease(unsafe.Pointer(&$t.timer))
				+ 	antichainArm(&$t.timer, $t.isChan, $t.arg, $period)
				  }
			`,
		},
		{
			name: "timer reset, outcome", file: "runtime/time.go", in: "resetTimer(t, when, period)",
			reason: "it shows whether the timer had been armed, or had fired",
			diff: `
				- return $t.reset($when, $period)
				+ antichainPending := $t.reset($when, $period)
				+ antichainRearmed(&$t.timer, antichainPending)
				+ return antichainPending
			`,
		},
		{
			name: "timer stop", file: "runtime/time.go", in: "stopTimer(t)",
			reason: "what waits for the timer waits for ever; and see timer reset, outcome",
			diff: `
				- return $t.stop()
				+ antichainPending := $t.stop()
				+ antichainDisarm(&$t.timer, antichainPending)
				+ return antichainPending
			`,
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

// Not even the race detector knows that Signal happens before the return of the Wait that it ends.
var conditions = capability{
	name: frontend.Conditions, gives: "sync.Cond",
	needs: []*capability{&goroutines}, order: true, properties: ofWaits,
	patches: []patch{
		{
			name: "cond wait, early", file: "runtime/sema.go", in: "notifyListWait(l, t)",
			reason: "has been signalled before it could wait",
			diff: `
				  if less($t, $l.notify) {
				  	unlock(&$l.lock)
				+ 	antichainNotifiedEarly($l)
				  	return
				  }
				+ antichainBlock(unsafe.Pointer($l), antichainOpCondWait)
			`,
		},
		{
			name: "cond wait", file: "runtime/sema.go", in: "notifyListWait(l, _)",
			reason: "comes after the signal",
			diff: `
				  goparkunlock(&$l.lock, waitReasonSyncCondWait, traceBlockCondWait, 3)
				+ antichainNotified($l)
			`,
		},
		{
			name: "cond broadcast, early", file: "runtime/sema.go", in: "notifyListNotifyAll(l)",
			reason: "for waiters that are not in the list yet",
			diff: `
				+ antichainNotifyEarly($l, antichainOpBroadcast)
				  atomic.Store(&$l.notify, $l.wait.Load())
				  unlock(&$l.lock)
			`,
		},
		{
			name: "cond broadcast", file: "runtime/sema.go", in: "notifyListNotifyAll(l)",
			reason: "comes before the return of each Wait",
			diff: `
				+ antichainNotify($l, $s, antichainOpNone)
				  readyWithTime($s, 4)
			`,
		},
		{
			name: "cond signal", file: "runtime/sema.go", in: "notifyListNotifyOne(l)",
			reason: "comes before the return of the Wait",
			diff: `
				+ 		antichainNotify($l, $s, antichainOpSignal)
				  		readyWithTime($s, 4)
				  		return
				  	}
				  }
				+ antichainNotifyEarly($l, antichainOpSignal)
				  unlock(&$l.lock)
			`,
		},
		{
			name: "cond broadcast, in vain", file: "runtime/sema.go", in: "notifyListNotifyAll(l)",
			reason: "who is woken by nothing may have missed it",
			diff: `
				  if $l.wait.Load() == atomic.Load(&$l.notify) {
				+ 	antichainNotifyNobody($l, antichainOpBroadcast)
				  	return
				  }
			`,
		},
		{
			name: "cond signal, in vain", file: "runtime/sema.go", in: "notifyListNotifyOne(l)",
			reason: "see cond broadcast, in vain",
			diff: `
				  if $l.wait.Load() == atomic.Load(&$l.notify) {
				+ 	antichainNotifyNobody($l, antichainOpSignal)
				  	return
				  }
			`,
		},
		{
			name: "cond signal, late", file: "runtime/sema.go", in: "notifyListNotifyOne(l)",
			reason: "see cond broadcast, in vain",
			diff: `
				  if $t == $l.wait.Load() {
				  	unlock(&$l.lock)
				+ 	antichainNotifyNobody($l, antichainOpSignal)
				  	return
				  }
			`,
		},
		noinline("sync/cond.go", "(*Cond).Wait"),
		noinline("sync/cond.go", "(*Cond).Signal"),
		noinline("sync/cond.go", "(*Cond).Broadcast"),
	},
}

var halting = capability{
	name: "halting", gives: "halting and resuming the program",
	needs: []*capability{&goroutines, &turns}, verbs: []string{"--live", "debug", "attach"},
	patches: []patch{
		{
			name: "halt", file: "runtime/proc.go", in: "schedEnableUser(enable)",
			reason: "the end of a garbage collection must not let a halted program go on",
			diff: `
				  lock(&sched.lock)
				+ $enable = antichainEnable($enable)
				  if sched.disable.user == !$enable {
			`,
		},
		{
			name: "collector start", file: "runtime/mgc.go", in: "gcBgMarkStartWorkers",
			reason: "the channel is the runtime's own, and a goroutine that stopped at it would own the semaphores " +
				"that halting needs",
			diff: `
				+ getg().raceignore++
				  $mp := acquirem()
				  $ready := make(chan struct{}, 1)
				  releasem($mp)
				  ...
				  for gcBgMarkWorkerCount < gomaxprocs {
				  	...
				  	<-$ready
				  	...
				  }
				+ getg().raceignore--
			`,
		},
		{
			name: "halted timers", file: "runtime/time.go", in: "(*timers).check",
			reason: "a timer that fires is an action of the program",
			diff: `
				  $next := $ts.wakeTime()
				- if $next == 0 {
				+ if $next == 0 || antichainFrozen() {
			`,
		},
		{
			name: "halted deadlock", file: "runtime/proc.go", in: "checkdead",
			reason: "a program that is about to be halted in a deadlock is to be looked at there, and not to end; " +
				"a goroutine that waits for the checker continues",
			entry: "if antichainHalting() || antichainAnyParked() {\n\treturn\n}",
		},
		{
			name: "interrupt", file: "runtime/signal_unix.go", in: "sighandler(sig, _, _, gp)",
			reason: "the terminal interrupts all of its foreground; the consumer may want that alone",
			diff: `
				  $c := &sigctxt{$info, $ctxt}
				  ...
				+ if $sig == _SIGINT && !$c.sigFromUser() && antichainDeaf() {
				+ 	return
				+ }
				  $flags := int32(_SigThrow)
			`,
		},
	},
}

// Panics while the program is kept from its end must not change how it exits.
var lingering = capability{
	name: "lingering", gives: "waiting for goroutines when function main returns",
	needs: []*capability{&goroutines}, properties: []string{"panic"}, verbs: []string{"--linger"},
	patches: []patch{
		{
			name: "last panic", file: "runtime/panic.go", in: "fatalpanic(msgs)",
			reason: "it ends the program, unless that ends anyway",
			entry:  "antichainPanics($msgs)",
		},
		lastFailure("sync_fatal"), lastFailure("internal_sync_fatal"), lastFailure("maps_fatal"),
	},
}

// lastFailure is for fatal errors that cannot be recovered from.
func lastFailure(in string) patch {
	return patch{
		name: "last failure, " + in, file: "runtime/panic.go", in: in + "(s)",
		reason: "see last panic",
		entry:  "antichainFails($s)",
	}
}

// The garbage collector knows which goroutines wait for ever.
var reachability = capability{
	name: "reachability", gives: "the check whether anything still leads to what a goroutine waits for",
	needs: []*capability{&goroutines},
	files: map[string]string{
		"runtime/antichain_reachability.go": strings.TrimPrefix(hooks.Reachability, hooks.Constraint),
	},
	patches: []patch{
		{
			name: "check, end of marking", file: "runtime/mgc.go", in: "findGoroutineLeaks",
			reason: "a check says which goroutines are cut off, and leaves their status alone",
			entry:  "if antichainCheck.cycle {\n\treturn antichainMarked()\n}",
		},
		{
			name: "check, beginning", file: "runtime/mgc.go", in: "setSyncObjectsUntraceable",
			reason: "the cycle is a check, and small objects in one block have nothing to do with each other",
			entry:  "antichainCycle()",
		},
		{
			name: "check, package variables", file: "runtime/mgcmark.go", in: "markroot(_, i, _)",
			reason: "a check finds what only package variables lead to",
			entry:  "if antichainPostpones($i) {\n\treturn 0\n}",
		},
		{
			name: "check, locks in package variables", file: "runtime/mgc.go", in: "(*g).isMaybeRunnable(gp)",
			reason: "see check, package variables",
			entry:  "if antichainAwaitsGlobal($gp) {\n\treturn false\n}",
		},
		{
			name: "check, pools", file: "runtime/mgc.go", in: "gcStart",
			reason: "a check must not take from the program what it would have found",
			diff: `
				+ if !antichainCheck.on {
				  clearpools()
				+ }
			`,
		},
		{
			name: "check, weak pointers", file: "runtime/mgcmark.go", in: "markrootSpans(gcw, shard)",
			reason: "a weak pointer leads to its object, which can be had from it as long as it is there",
			diff: `
				  lock(&$s.speciallock)
				  for $sp := $s.specials; $sp != nil; $sp = $sp.next {
				  switch $sp.kind {
				  ...
				  $spw := (*specialWeakHandle)(unsafe.Pointer($sp))
				  scanblock(uintptr(unsafe.Pointer(&$spw.handle)), goarch.PtrSize, &oneptrmask[0], $gcw, nil)
				+ antichainMarkWeak($s, uintptr($sp.offset), $gcw)
			`,
		},
		{
			name: "check, new weak pointers", file: "runtime/mheap.go", in: "getOrAddWeakHandle(p)",
			reason: "see check, weak pointers; the span may have been looked at before",
			diff: `
				  if gcphase != _GCoff {
				  	$mp := acquirem()
				+ 	antichainShadeWeak($p)
				  	$gcw := &$mp.p.ptr().gcw
			`,
		},
		{
			name: "check, finalizers", file: "runtime/mfinal.go", in: "wakefing",
			reason: "a program that is about to end runs no finalizers that it would not have run",
			entry:  "if antichainCheck.on {\n\treturn nil\n}",
		},
		{
			name: "check, cleanups", file: "runtime/mcleanup.go", in: "(*cleanupQueue).needsWake",
			reason: "see check, finalizers",
			entry:  "if antichainCheck.on {\n\treturn false\n}",
		},
		{
			name: "check, asked for", file: "runtime/proc.go", in: "forcegchelper",
			reason: "a check takes a goroutine, and each one of the program may wait",
			diff: `
				  goparkunlock(&forcegc.lock, waitReasonForceGCIdle, traceBlockSystemGoroutine, 1)
				+ if antichainLooks() {
				+ 	continue
				+ }
			`,
		},
		{
			name: "check, signal", file: "runtime/signal_unix.go", in: "sighandler(sig, _, _, _)",
			reason: "a check comes before a signal ends the program",
			diff: `
				+ if $flags&_SigKill != 0 && antichainPutsOff($sig) {
				+ 	return
				+ }
				  if $flags&_SigKill != 0 {
				  	dieFromSignal($sig)
				  }
			`,
		},
	},
}

// Actions of the runtime for a race detector that serve no recording.
var heap = capability{
	name: "heap", gives: "objects in the places that they have otherwise",
	disables: []disable{
		{file: "runtime/malloc.go", constant: runtimeEnabled, by: "false",
			reason: "a shadow memory wants the heap at fixed addresses and no packing of small objects; we have " +
				"none, and tracing should not change where objects lie"},
		{file: "runtime/malloc_generated.go", constant: runtimeEnabled, by: "false", reason: "as in malloc.go",
			since: 26},
		{file: "runtime/arena.go", constant: runtimeEnabled, by: "false", reason: "reports memory to a race detector"},
		{file: "runtime/mgcsweep.go", constant: runtimeEnabled, by: "false",
			reason: "walks freed objects to report them to a race detector"},
		{file: "runtime/stack.go", constant: runtimeEnabled, by: "false", reason: "reports stacks to a race detector"},
	},
	patches: []patch{{
		name: "stack reuse", file: "runtime/proc.go", in: "gfget",
		reason: "reports a stack to a race detector",
		diff: `
			- if raceenabled {
			+ if false {
			  	racemalloc(unsafe.Pointer($gp.stack.lo), $gp.stack.hi-$gp.stack.lo)
		`,
	}},
}

// Synchronisation inside of the runtime and package syscall that orders unrelated operations.
var innerOrder = capability{
	name: frontend.InnerOrder, gives: "freedom from order inside the standard library that programs cannot rely on",
	order: true, properties: ofAll,
	disables: []disable{
		{file: "runtime/mprof.go", constant: runtimeEnabled, by: "false",
			reason: "a fiction that orders profile labels"},
		{file: "runtime/profbuf.go", constant: runtimeEnabled, by: "false",
			reason: "a fiction that orders profile labels"},
		{file: "runtime/proflabel.go", constant: runtimeEnabled, by: "false",
			reason: "a fiction that orders profile labels"},
		{file: "runtime/metrics.go", constant: runtimeEnabled, by: "false",
			reason: "a lock inside the runtime; would order readers of metrics that have nothing to do with " +
				"each other"},
		{file: "runtime/runtime.go", constant: runtimeEnabled, by: "false",
			reason: "internal synchronisation of GODEBUG counters"},
		{file: "runtime/type.go", constant: runtimeEnabled, by: "false",
			reason: "a lock inside the runtime; would order users of reflection that have nothing to do with " +
				"each other"},
	},
	patches: []patch{
		ioSync("Read", "Acquire"), ioSync("Pread", "Acquire"), ioSync("Write", "ReleaseMerge"),
		ioSync("Pwrite", "ReleaseMerge"),
		{
			name: "execution tracer, start", file: "runtime/trace.go", in: "(*traceAdvancerState).start(s)",
			reason: ownGoroutines,
			diff: `
				+ getg().raceignore++
				  $s.done = make(chan struct{})
				  ...
				  go func() {
				  	...
				  }()
				+ getg().raceignore--
			`,
		},
		{
			name: "execution tracer, stop", file: "runtime/trace.go", in: "(*traceAdvancerState).stop(s)",
			reason: ownGoroutines,
			diff: `
				+ getg().raceignore++
				  $s.timer.wake()
				  ...
				  $s.timer.close()
				+ getg().raceignore--
			`,
		},
		{
			name: "execution tracer, profile start", file: "runtime/tracecpu.go", in: "traceStartReadCPU",
			reason: ownGoroutines,
			diff: `
				+ getg().raceignore++
				  trace.cpuSleep = newWakeableSleep()
				  ...
				  trace.cpuLogDone = $done
				+ getg().raceignore--
			`,
		},
		{
			name: "execution tracer, profile stop", file: "runtime/tracecpu.go", in: "traceStopReadCPU",
			reason: ownGoroutines,
			diff: `
				+ getg().raceignore++
				  trace.cpuSleep.wake()
				  ...
				  trace.cpuSleep.close()
				+ getg().raceignore--
			`,
		},
		{
			name: "execution tracer, timer", file: "runtime/trace.go", in: "(*wakeableSleep).wake(s)",
			reason: ownGoroutines + "; and a timer of the runtime's own fires on no goroutine's behalf",
			diff: `
				+ getg().raceignore++
				  lock(&$s.lock)
				  ...
				  unlock(&$s.lock)
				+ getg().raceignore--
			`,
		},
	},
}

// ownGoroutines is why operations on the channels of the execution tracer's goroutines are not
// recorded. That Stop comes after everything has been written is recorded, since its documentation
// guarantees it.
const ownGoroutines = "a goroutine of the runtime is at the other end of the channels"

func ioSync(call, what string) patch {
	return patch{
		name: "inner order of " + call, file: "syscall/syscall_unix.go", in: call,
		reason: "one object that every read and write of the process synchronises on; would order all I/O",
		diff:   "- race." + what + "(unsafe.Pointer(&ioSync))",
	}
}

// ownTables is why accesses under a lock of the runtime are not reported: the lock orders them, but
// that is no order of the program's (innerOrder).
const ownTables = "maps of the runtime, which its lock guards; the program has no part in them"

// mapClone is for maps.Clone in some releases.
func mapClone(p patch) patch {
	p.name, p.in = "clone of a map", "mapclone(m)"
	p.reason = "it reads the map, and does not report that"
	p.entry = "if antichainMemory {\n\tracereadpc(efaceOf(&$m).data, sys.GetCallerPC(), 0)\n}"
	return p
}

// Accesses to memory are reported only if they are wanted (Options.Memory).
var memory = capability{
	name: MemoryAccesses, gives: "accesses to memory",
	needs: []*capability{&goroutines}, properties: []string{"race", "copy"},
	disables: []disable{
		{file: "runtime/mbarrier.go", constant: runtimeEnabled, by: "antichainMemory", reason: reportsMemory},
		{file: "runtime/string.go", constant: runtimeEnabled, by: "antichainMemory", reason: reportsMemory},
		{file: "runtime/slice.go", constant: runtimeEnabled, by: "antichainMemory", reason: reportsMemory},
		{file: "runtime/iface.go", constant: runtimeEnabled, by: "antichainMemory", reason: reportsMemory},
		{file: "runtime/map.go", constant: runtimeEnabled, by: "antichainMemory", reason: reportsMemory, since: 26},
		{file: "runtime/map_swiss.go", constant: runtimeEnabled, by: "antichainMemory", reason: reportsMemory,
			until: 25},
		{file: "runtime/map_noswiss.go", constant: runtimeEnabled, by: "antichainMemory", reason: reportsMemory,
			until: 25},
		{file: "runtime/map_fast32_noswiss.go", constant: runtimeEnabled, by: "antichainMemory", reason: reportsMemory,
			until: 25},
		{file: "runtime/map_fast64_noswiss.go", constant: runtimeEnabled, by: "antichainMemory", reason: reportsMemory,
			until: 25},
		{file: "runtime/map_faststr_noswiss.go", constant: runtimeEnabled, by: "antichainMemory", reason: reportsMemory,
			until: 25},
		{file: "runtime/linkname_shim.go", constant: runtimeEnabled, by: "antichainMemory", reason: reportsMemory,
			since: 26},
		{file: "runtime/linkname_swiss.go", constant: runtimeEnabled, by: "antichainMemory", reason: reportsMemory,
			until: 25},
		{file: "runtime/panic.go", constant: runtimeEnabled, by: "antichainMemory", reason: reportsMemory},
		{file: "internal/runtime/maps/runtime.go", constant: raceEnabled, by: "race.Memory", reason: reportsMemory,
			since: 26},
		{file: "internal/runtime/maps/runtime_swiss.go", constant: raceEnabled, by: "race.Memory",
			reason: reportsMemory, until: 25},
		{file: "internal/runtime/maps/runtime_fast32.go", constant: raceEnabled, by: "race.Memory",
			reason: reportsMemory, since: 26},
		{file: "internal/runtime/maps/runtime_fast32_swiss.go", constant: raceEnabled, by: "race.Memory",
			reason: reportsMemory, until: 25},
		{file: "internal/runtime/maps/runtime_fast64.go", constant: raceEnabled, by: "race.Memory",
			reason: reportsMemory, since: 26},
		{file: "internal/runtime/maps/runtime_fast64_swiss.go", constant: raceEnabled, by: "race.Memory",
			reason: reportsMemory, until: 25},
		{file: "internal/runtime/maps/runtime_faststr.go", constant: raceEnabled, by: "race.Memory",
			reason: reportsMemory, since: 26},
		{file: "internal/runtime/maps/runtime_faststr_swiss.go", constant: raceEnabled, by: "race.Memory",
			reason: reportsMemory, until: 25},
		{file: "reflect/map.go", constant: raceEnabled, by: "race.Memory", reason: reportsMemory, since: 26},
		{file: "reflect/map_swiss.go", constant: raceEnabled, by: "race.Memory", reason: reportsMemory, until: 25},
	},
	patches: []patch{
		mapClone(patch{file: "runtime/map.go", since: 26}), mapClone(patch{file: "runtime/map_swiss.go", until: 25}),
		{
			name: "tables of reflection, lock", file: "runtime/type.go", in: "reflectOffsLock",
			reason: ownTables,
			entry:  "antichainUnnoted(true)",
		},
		{
			name: "tables of reflection, unlock", file: "runtime/type.go", in: "reflectOffsUnlock",
			reason: ownTables,
			entry:  "antichainUnnoted(false)",
		},
		{
			name: "types of modules", file: "runtime/type.go", in: "moduleTypelinks(md)",
			reason: ownTables,
			diff: `
				+ antichainUnnoted(true)
				  lock(&moduleToTypelinksLock)
				  ...
				  if $typelinks, $ok := moduleToTypelinks[$md]; $ok {
				  	...
				+ 	antichainUnnoted(false)
				  	unlock(&moduleToTypelinksLock)
				  	return $typelinks
				  }
				  ...
				+ antichainUnnoted(false)
				  unlock(&moduleToTypelinksLock)
				  return $ret
			`,
			since: 27,
		},
		{
			name: "table of metrics, lock", file: "runtime/metrics.go", in: "metricsLock",
			reason: ownTables,
			diff: `
				  semacquire1(&metricsSema, true, 0, 0, waitReasonSemacquire)
				+ antichainUnnoted(true)
			`,
		},
		{
			name: "table of metrics, unlock", file: "runtime/metrics.go", in: "metricsUnlock",
			reason: ownTables,
			entry:  "antichainUnnoted(false)",
		},
		{
			name: "arguments of made functions", file: "reflect/makefunc.go", in: "moveMakeFuncArgPtrs",
			reason: "it has next to no stack left: the hooks do not fit; it touches registers that were saved " +
				"there, which belong to it alone",
			directive: "//go:norace",
		},
		{
			name: "malloc", file: "runtime/malloc.go", in: "mallocgc",
			reason: "what was done to an object that is gone does not concern the next one in its place",
			diff: `
				- if raceenabled {
				+ if antichainMemory {
				  	racemalloc($x, $size-$asanRZ)
			`,
		},
		{
			name: "tiny objects", file: "runtime/malloc.go", in: "mallocgcTiny",
			reason: "two objects in eight bytes would be taken for one",
			diff: `
				- if !raceenabled && ($size < $c.tinyoffset || $c.tiny == 0) {
				+ if !antichainMemory && ($size < $c.tinyoffset || $c.tiny == 0) {
			`,
		},
		{
			name: "specialised malloc", file: "runtime/malloc.go", in: "const sizeSpecializedMallocEnabled",
			reason: "does not come by the place of the first patch",
			diff: `
				- !raceenabled
				+ !antichainMemory
			`,
			since: 26,
		},
		{
			name: "specialised malloc, called by compilers", file: "runtime/malloc_generated.go",
			in: "mallocgc*(size, typ, needzero)",
			reason: "packages that are compiled without InstrumentMemory do not come by mallocgc, nor by the place " +
				"of the first patch",
			entry: "if antichainMemory {\n\treturn antichainMallocgc($size, $typ, $needzero)\n}",
			since: 26,
		},
		{
			name: "malloc of all sizes", file: "runtime/malloc.go", in: "mallocinit",
			reason: "see specialised malloc, called by compilers; it mentions these functions, and so must not be " +
				"mentioned by them",
			entry: "antichainMallocgc = mallocgc",
			since: 26,
		},
	},
}
