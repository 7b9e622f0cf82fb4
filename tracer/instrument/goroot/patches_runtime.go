package goroot

// runtimePatches are the patches of package runtime.
var runtimePatches = []patch{
	// Scheduler and goroutines.
	{
		name: "scheduler", file: "runtime/proc.go",
		reason: "the race detector shuffles the run queue; tracing keeps the scheduler as it is",
		old:    "const randomizeScheduler = raceenabled",
		new:    "const randomizeScheduler = false",
	},
	{
		name: "goroutine state", file: "runtime/runtime2.go",
		reason: "what the hooks remember of a goroutine",
		old:    "\tvalgrindStackID uintptr\n}\n",
		new:    "\tvalgrindStackID uintptr\n\n\tantichain antichainG\n}\n",
	},
	{
		name: "stack reuse", file: "runtime/proc.go",
		reason: "tells a race detector about a stack",
		old:    "\t\tif raceenabled {\n\t\t\tracemalloc(",
		new:    "\t\tif false {\n\t\t\tracemalloc(",
	},
	{
		name: "go statement", file: "runtime/proc.go",
		reason: "the hook must know the new goroutine to tell those of the runtime; labels are ordered only for profiles",
		old:    "newg.racectx = racegostart(callerpc)\n\t\tnewg.raceignore = 0\n\t\tif newg.labels != nil {",
		new:    "newg.racectx = antichainGoStart(callerpc, newg)\n\t\tnewg.raceignore = 0\n\t\tif false {",
	},
	{
		name: "C thread, creation", file: "runtime/proc.go",
		reason: "a goroutine for C threads gets its context when a thread enters Go",
		old:    "gp.racectx = racegostart(abi.FuncPCABIInternal(newextram) + sys.PCQuantum)",
		new:    "gp.racectx = 0",
	},
	{
		name: "C thread, end", file: "runtime/proc.go",
		reason: "the next C thread that uses this goroutine is another task",
		old:    "\t// Return mp.curg to _Gdeadextra state.\n",
		new:    "\tantichainDropThread(mp.curg)\n\t// Return mp.curg to _Gdeadextra state.\n",
	},
	{
		name: "C thread, callback", file: "runtime/cgocall.go",
		reason: "a C thread that calls into Go begins to exist for the trace",
		old:    "\tif raceenabled {\n\t\traceacquire(unsafe.Pointer(&racecgosync))\n\t}\n\n\t// Invoke callback.",
		new:    "\tantichainCallback(gp, uintptr(fn))\n\traceacquire(unsafe.Pointer(&racecgosync))\n\n\t// Invoke callback.",
	},
	{
		name: "coroutine end", file: "runtime/coro.go",
		reason: "the goroutine of an iter.Pull does not end in goexit",
		old:    "func coroexit(c *coro) {\n\tgp := getg()\n",
		new:    "func coroexit(c *coro) {\n\tgp := getg()\n\tracegoend()\n",
	},
	{
		name: "cleanup enter", file: "runtime/mcleanup.go",
		reason: "cleanups are actions of the goroutine that runs them",
		old:    "\t\t\tif raceenabled {\n\t\t\t\t// Enter a new race context",
		new:    "\t\t\tif false {\n\t\t\t\t// Enter a new race context",
	},
	{
		name: "cleanup leave", file: "runtime/mcleanup.go",
		reason: "see cleanup enter",
		old:    "\t\t\tif raceenabled {\n\t\t\t\t// Restore the old context.",
		new:    "\t\t\tif false {\n\t\t\t\t// Restore the old context.",
	},
	{
		name: "exec", file: "runtime/proc.go",
		reason: "what the process becomes is not traced",
		old:    "func syscall_runtime_BeforeExec() {\n",
		new:    "func syscall_runtime_BeforeExec() {\n\tantichainRecord(antichainKindExec, 0, 0, 1)\n",
	},
	{
		name: "exec that failed", file: "runtime/proc.go",
		reason: "the process stays what it was",
		old:    "func syscall_runtime_AfterExec() {\n\texecLock.unlock()\n",
		new:    "func syscall_runtime_AfterExec() {\n\texecLock.unlock()\n\tantichainRecord(antichainKindExec, 0, 0, 0)\n",
	},

	{
		name: "main", file: "runtime/proc.go",
		reason: "the packages are initialised, and the program begins; later it ends",
		old:    "\tfn := main_main // make an indirect call, as the linker doesn't know the address of the main package when laying down the runtime\n\tfn()\n",
		new:    "\tfn := main_main // make an indirect call, as the linker doesn't know the address of the main package when laying down the runtime\n\tantichainOperation(antichainKindStarted, 0, 0, 0)\n\tfn()\n\tantichainLeaving(1)\n",
	},
	{
		name: "exit", file: "runtime/proc.go",
		reason: "the program ends",
		old:    "func os_beforeExit(exitCode int) {\n",
		new:    "func os_beforeExit(exitCode int) {\n\tantichainLeaving(0)\n",
	},

	// Halting.
	{
		name: "halt", file: "runtime/proc.go",
		reason: "the end of a garbage collection must not let a halted program go on",
		old:    "func schedEnableUser(enable bool) {\n\tlock(&sched.lock)\n",
		new:    "func schedEnableUser(enable bool) {\n\tlock(&sched.lock)\n\tenable = antichainEnable(enable)\n",
	},
	{
		name: "collector start", file: "runtime/mgc.go",
		reason: "the channel is the runtime's own, and a goroutine that stopped at it would own the semaphores that halting needs",
		old:    "\tmp := acquirem()\n\tready := make(chan struct{}, 1)\n",
		new:    "\tgetg().raceignore++\n\tmp := acquirem()\n\tready := make(chan struct{}, 1)\n",
	},
	{
		name: "collector started", file: "runtime/mgc.go",
		reason: "see collector start",
		old:    "\t\tgcBgMarkWorkerCount++\n\t}\n}\n",
		new:    "\t\tgcBgMarkWorkerCount++\n\t}\n\tgetg().raceignore--\n}\n",
	},
	{
		name: "halted timers", file: "runtime/time.go",
		reason: "a timer that fires is an action of the program",
		old:    "\tnext := ts.wakeTime()\n\tif next == 0 {\n\t\t// No timers to run or adjust.\n",
		new:    "\tnext := ts.wakeTime()\n\tif next == 0 || antichainFrozen() {\n\t\t// No timers to run or adjust.\n",
	},

	{
		name: "interrupt", file: "runtime/signal_unix.go",
		reason: "the terminal interrupts all of its foreground; the consumer may want that alone",
		old:    "\tif sig == _SIGUSR1 && testSigusr1 != nil && testSigusr1(gp) {\n\t\treturn\n\t}\n",
		new:    "\tif sig == _SIGUSR1 && testSigusr1 != nil && testSigusr1(gp) {\n\t\treturn\n\t}\n\n\tif sig == _SIGINT && !c.sigFromUser() && antichainDeaf() {\n\t\treturn\n\t}\n",
	},

	{
		name: "sweep", file: "runtime/mgcsweep.go",
		reason: "what is synchronised on is freed",
		old:    "\t// Copy over and clear the inline mark bits if necessary.\n",
		new:    "\tantichainSweep(s)\n\n\t// Copy over and clear the inline mark bits if necessary.\n",
	},

	// Timers.
	{
		name: "timer creation", file: "runtime/time.go",
		reason: "says which function AfterFunc will start, and who armed it",
		old:    "\tif raceenabled {\n\t\tracerelease(unsafe.Pointer(&t.timer))\n\t}\n\tif c != nil {",
		new:    "\tantichainArm(&t.timer, c != nil, arg, period)\n\tif c != nil {",
	},
	{
		name: "timer reset", file: "runtime/time.go",
		reason: "see timer creation",
		old:    "\tif raceenabled {\n\t\tracerelease(unsafe.Pointer(&t.timer))\n\t}\n\tif t.isFake",
		new:    "\tantichainArm(&t.timer, t.isChan, t.arg, period)\n\tif t.isFake",
	},
	{
		name: "timer stop", file: "runtime/time.go",
		reason: "what waits for the timer waits for ever",
		old:    "\treturn t.stop()\n",
		new:    "\tpending := t.stop()\n\tantichainDisarm(&t.timer, pending)\n\treturn pending\n",
	},
	{
		name: "timer firing", file: "runtime/time.go",
		reason: "every firing is a context of its own; sharing it would order all timers of a P",
		old:    "\t\tif tsLocal.raceCtx == 0 {\n\t\t\ttsLocal.raceCtx = racegostart(abi.FuncPCABIInternal((*timers).run) + sys.PCQuantum)\n\t\t}\n\t\traceacquirectx(tsLocal.raceCtx, unsafe.Pointer(t))\n",
		new:    "\t\ttsLocal.raceCtx = antichainFire(tsLocal.raceCtx, t, bubble)\n",
	},

	{
		name: "bubble clock", file: "runtime/synctest.go",
		reason: "in a bubble, time moves after everything that its goroutines have done",
		old:    "\t\tnext := bubble.timers.wakeTime()\n",
		new:    "\t\tantichainClock(bubble)\n\t\tnext := bubble.timers.wakeTime()\n",
	},
	{
		name: "timer imports", file: "runtime/time.go",
		reason: "no longer used",
		old:    "\t\"internal/abi\"\n\t\"internal/runtime/atomic\"\n\t\"internal/runtime/sys\"\n",
		new:    "\t\"internal/runtime/atomic\"\n",
	},

	// Condition variables.
	{
		name: "cond wait, early", file: "runtime/sema.go",
		reason: "Signal happens before the return of the Wait it unblocks; not even the race detector knows",
		old:    "\tif less(t, l.notify) {\n\t\tunlock(&l.lock)\n",
		new:    "\tif less(t, l.notify) {\n\t\tunlock(&l.lock)\n\t\tantichainNotifiedEarly(l)\n",
	},
	{
		name: "cond waits", file: "runtime/sema.go",
		reason: "who waits for what",
		old:    "\t// Enqueue itself.\n\ts := acquireSudog()\n",
		new:    "\t// Enqueue itself.\n\tantichainBlock(unsafe.Pointer(l), antichainOpCondWait)\n\ts := acquireSudog()\n",
	},
	{
		name: "cond wait", file: "runtime/sema.go",
		reason: "see cond wait, early",
		old:    "\tgoparkunlock(&l.lock, waitReasonSyncCondWait, traceBlockCondWait, 3)\n",
		new:    "\tgoparkunlock(&l.lock, waitReasonSyncCondWait, traceBlockCondWait, 3)\n\tantichainNotified(l)\n",
	},
	{
		name: "cond broadcast, early", file: "runtime/sema.go",
		reason: "for waiters that are not in the list yet",
		old:    "\tatomic.Store(&l.notify, l.wait.Load())\n\tunlock(&l.lock)\n",
		new:    "\tantichainNotifyEarly(l, antichainOpBroadcast)\n\tatomic.Store(&l.notify, l.wait.Load())\n\tunlock(&l.lock)\n",
	},
	{
		name: "cond broadcast", file: "runtime/sema.go",
		reason: "see cond wait, early",
		old:    "\t\treadyWithTime(s, 4)\n\t\ts = next\n",
		new:    "\t\tantichainNotify(l, s, antichainOpNone)\n\t\treadyWithTime(s, 4)\n\t\ts = next\n",
	},
	{
		name: "cond signal", file: "runtime/sema.go",
		reason: "see cond wait, early",
		old:    "\t\t\treadyWithTime(s, 4)\n\t\t\treturn\n\t\t}\n\t}\n\tunlock(&l.lock)\n",
		new:    "\t\t\tantichainNotify(l, s, antichainOpSignal)\n\t\t\treadyWithTime(s, 4)\n\t\t\treturn\n\t\t}\n\t}\n\tantichainNotifyEarly(l, antichainOpSignal)\n\tunlock(&l.lock)\n",
	},

	{
		name: "cond broadcast, in vain", file: "runtime/sema.go",
		reason: "who is woken by nothing may have missed it",
		old:    "func notifyListNotifyAll(l *notifyList) {\n\t// Fast-path: if there are no new waiters since the last notification\n\t// we don't need to acquire the lock.\n\tif l.wait.Load() == atomic.Load(&l.notify) {\n",
		new:    "func notifyListNotifyAll(l *notifyList) {\n\tif l.wait.Load() == atomic.Load(&l.notify) {\n\t\tantichainNotifyNobody(l, antichainOpBroadcast)\n",
	},
	{
		name: "cond signal, in vain", file: "runtime/sema.go",
		reason: "see cond broadcast, in vain",
		old:    "\t// we don't need to acquire the lock at all.\n\tif l.wait.Load() == atomic.Load(&l.notify) {\n",
		new:    "\tif l.wait.Load() == atomic.Load(&l.notify) {\n\t\tantichainNotifyNobody(l, antichainOpSignal)\n",
	},
	{
		name: "cond signal, late", file: "runtime/sema.go",
		reason: "see cond broadcast, in vain",
		old:    "\tif t == l.wait.Load() {\n\t\tunlock(&l.lock)\n",
		new:    "\tif t == l.wait.Load() {\n\t\tunlock(&l.lock)\n\t\tantichainNotifyNobody(l, antichainOpSignal)\n",
	},

	// The pointer functions of sync/atomic live in the runtime. The lock is taken
	// before the write barrier, which must stay next to the write.
	{
		name: "atomic store uintptr", file: "runtime/atomic_pointer.go",
		reason: "sync/atomic.StoreUintptr now has a Go body that records",
		old:    "//go:linkname sync_atomic_StoreUintptr sync/atomic.StoreUintptr\nfunc sync_atomic_StoreUintptr(ptr *uintptr, new uintptr)\n",
	},
	{
		name: "atomic swap uintptr", file: "runtime/atomic_pointer.go",
		reason: "see atomic store uintptr",
		old:    "//go:linkname sync_atomic_SwapUintptr sync/atomic.SwapUintptr\nfunc sync_atomic_SwapUintptr(ptr *uintptr, new uintptr) uintptr\n",
	},
	{
		name: "atomic cas uintptr", file: "runtime/atomic_pointer.go",
		reason: "see atomic store uintptr",
		old:    "//go:linkname sync_atomic_CompareAndSwapUintptr sync/atomic.CompareAndSwapUintptr\nfunc sync_atomic_CompareAndSwapUintptr(ptr *uintptr, old, new uintptr) bool\n",
	},
	{
		name: "atomic store pointer, lock", file: "runtime/atomic_pointer.go",
		reason: "records the operation in the order of the operations on ptr",
		old:    "func sync_atomic_StorePointer(ptr *unsafe.Pointer, new unsafe.Pointer) {\n",
		new:    "func sync_atomic_StorePointer(ptr *unsafe.Pointer, new unsafe.Pointer) {\n\tctx := antichainAtomicBegin(uintptr(unsafe.Pointer(ptr)))\n",
	},
	{
		name: "atomic store pointer", file: "runtime/atomic_pointer.go",
		reason: "see atomic store pointer, lock",
		old:    "\tsync_atomic_StoreUintptr((*uintptr)(unsafe.Pointer(ptr)), uintptr(new))\n",
		new:    "\tatomic.Storeuintptr((*uintptr)(unsafe.Pointer(ptr)), uintptr(new))\n\tantichainAtomicEnd(ctx, antichainKindAtomicStore, uintptr(unsafe.Pointer(ptr)), 0, 8)\n",
	},
	{
		name: "atomic swap pointer, lock", file: "runtime/atomic_pointer.go",
		reason: "see atomic store pointer, lock",
		old:    "func sync_atomic_SwapPointer(ptr *unsafe.Pointer, new unsafe.Pointer) unsafe.Pointer {\n",
		new:    "func sync_atomic_SwapPointer(ptr *unsafe.Pointer, new unsafe.Pointer) unsafe.Pointer {\n\tctx := antichainAtomicBegin(uintptr(unsafe.Pointer(ptr)))\n",
	},
	{
		name: "atomic swap pointer", file: "runtime/atomic_pointer.go",
		reason: "see atomic store pointer, lock",
		old:    "\told := unsafe.Pointer(sync_atomic_SwapUintptr((*uintptr)(noescape(unsafe.Pointer(ptr))), uintptr(new)))\n",
		new:    "\told := unsafe.Pointer(atomic.Xchguintptr((*uintptr)(noescape(unsafe.Pointer(ptr))), uintptr(new)))\n\tantichainAtomicEnd(ctx, antichainKindAtomicRMW, uintptr(unsafe.Pointer(ptr)), 0, 8)\n",
	},
	{
		name: "atomic cas pointer, lock", file: "runtime/atomic_pointer.go",
		reason: "see atomic store pointer, lock",
		old:    "func sync_atomic_CompareAndSwapPointer(ptr *unsafe.Pointer, old, new unsafe.Pointer) bool {\n",
		new:    "func sync_atomic_CompareAndSwapPointer(ptr *unsafe.Pointer, old, new unsafe.Pointer) bool {\n\tctx := antichainAtomicBegin(uintptr(unsafe.Pointer(ptr)))\n",
	},
	{
		name: "atomic cas pointer", file: "runtime/atomic_pointer.go",
		reason: "see atomic store pointer, lock",
		old:    "\treturn sync_atomic_CompareAndSwapUintptr((*uintptr)(noescape(unsafe.Pointer(ptr))), uintptr(old), uintptr(new))\n",
		new:    "\tdone := atomic.Casuintptr((*uintptr)(noescape(unsafe.Pointer(ptr))), uintptr(old), uintptr(new))\n\tvar value uintptr\n\tif done {\n\t\tvalue = 1\n\t}\n\tantichainAtomicEnd(ctx, antichainKindAtomicRMW, uintptr(unsafe.Pointer(ptr)), value, 8)\n\treturn done\n",
	},

	// What is inlined from the standard library into a package that is compiled with CallAtomics loses
	// its intrinsics with that. This one has no code of its own.
	{
		name: "constant time", file: "crypto/internal/constanttime/constant_time.go",
		reason: "called where it is not replaced by the compiler, which makes no jump of this either",
		old:    "\tpanic(\"unreachable; must be intrinsicified\")\n",
		new:    "\tvar n uint8\n\tif b {\n\t\tn = 1\n\t}\n\treturn n\n",
	},
}
