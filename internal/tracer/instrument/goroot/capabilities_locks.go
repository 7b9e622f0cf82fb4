package goroot

import "github.com/antichain-go/antichain/internal/tracer/instrument/frontend"

// The capabilities of locks follow the rules of package sync, which stand in capabilities_sync.go.

var mutexes = capability{
	name: frontend.Mutexes, gives: "operations on sync.Mutex",
	properties: ofLocks,
	patches: []patch{
		{
			name: "mutex trylock", file: "internal/sync/mutex.go", in: "(*Mutex).TryLock(m)",
			reason: "names the operation",
			diff: `
				- race.Acquire(unsafe.Pointer($m))
				+ race.AcquireOp(unsafe.Pointer($m), unsafe.Pointer($m), race.OpLock|race.OpTried)
			`,
		},
		{
			name: "mutex trylock, failed", file: "internal/sync/mutex.go", in: "(*Mutex).TryLock(m)",
			reason: "the lock is held: that two come at the same time is no reason to fail",
			diff: `
				+ antichainSince := race.Since()
				+ for {
				  $old := $m.state
				  if $old&(mutexLocked|mutexStarving) != 0 {
				+ 	race.TriedOp(unsafe.Pointer($m), race.OpLock, antichainSince)
				  	return false
				  }
				  if !atomic.CompareAndSwapInt32(&$m.state, $old, $old|mutexLocked) {
				- 	return false
				+ 	continue
				  }
				+ break
				+ }
			`,
		},
		{
			name: "mutex lock, slow", file: "internal/sync/mutex.go", in: "(*Mutex).lockSlow(m)",
			reason: "the record is Lock's: one frame nearer to the call in the program",
			diff: `
				- if race.Enabled {
				- 	race.Acquire(unsafe.Pointer($m))
				- }
			`,
		},
		{
			name: "mutex lock", file: "internal/sync/mutex.go", in: "(*Mutex).Lock(m)",
			reason: "names the operation",
			diff: `
				  if race.Enabled {
				- 	race.Acquire(unsafe.Pointer($m))
				+ 	race.AcquireOp(unsafe.Pointer($m), unsafe.Pointer($m), race.OpLock)
				  }
				  return
				  }
				  $m.lockSlow()
				+ race.AcquireOp(unsafe.Pointer($m), unsafe.Pointer($m), race.OpLock)
			`,
		},
		{
			name: "mutex unlock", file: "internal/sync/mutex.go", in: "(*Mutex).Unlock(m)",
			reason: "names the operation",
			diff: `
				- race.Release(unsafe.Pointer($m))
				+ race.ReleaseOp(unsafe.Pointer($m), unsafe.Pointer($m), race.OpUnlock)
			`,
		},
		{
			name: "mutex waits", file: "internal/sync/mutex.go", in: "(*Mutex).lockSlow(m)",
			reason: "waits",
			diff: `
				+ race.BlockOp(unsafe.Pointer($m), race.OpLock)
				  runtime_SemacquireMutex(&$m.sema, $queueLifo, 2)
			`,
		},
		{
			name: "mutex misuse", file: "internal/sync/mutex.go", in: "(*Mutex).unlockSlow(m, _)",
			reason: "says what it is about to fail for",
			diff: `
				+ race.MisuseOp(unsafe.Pointer($m), race.MisuseUnlock)
				  fatal("sync: unlock of unlocked mutex")
			`,
		},
		noinline("sync/mutex.go", "(*Mutex).Lock"),
		noinline("sync/mutex.go", "(*Mutex).TryLock"),
		noinline("sync/mutex.go", "(*Mutex).Unlock"),
	},
}

var rwMutexes = capability{
	name: frontend.RWMutexes, gives: "operations on sync.RWMutex",
	properties: ofLocks,
	patches: []patch{
		readOfRWMutex("RLock"), readOfRWMutex("TryRLock"), readOfRWMutex("RUnlock"),
		readOfRWMutex("Lock"), readOfRWMutex("TryLock"), readOfRWMutex("Unlock"),
		{
			name: "rwmutex rlock", file: "sync/rwmutex.go", in: "(*RWMutex).RLock(rw)",
			reason: "names the operation",
			diff: `
				- race.Acquire(unsafe.Pointer(&$rw.readerSem))
				+ race.AcquireOp(unsafe.Pointer(&$rw.readerSem), unsafe.Pointer($rw), race.OpRLock)
			`,
		},
		{
			name: "rwmutex tryrlock", file: "sync/rwmutex.go", in: "(*RWMutex).TryRLock(rw)",
			reason: "names the operation",
			diff: `
				- race.Acquire(unsafe.Pointer(&$rw.readerSem))
				+ race.AcquireOp(unsafe.Pointer(&$rw.readerSem), unsafe.Pointer($rw), race.OpRLock|race.OpTried)
			`,
		},
		{
			name: "rwmutex runlock", file: "sync/rwmutex.go", in: "(*RWMutex).RUnlock(rw)",
			reason: "names the operation",
			diff: `
				- race.ReleaseMerge(unsafe.Pointer(&$rw.writerSem))
				+ race.ReleaseMergeOp(unsafe.Pointer(&$rw.writerSem), unsafe.Pointer($rw), race.OpRUnlock)
			`,
		},
		{
			name: "rwmutex trylock", file: "sync/rwmutex.go", in: "(*RWMutex).TryLock(rw)",
			reason: "names the operation, at the second of two records",
			diff: `
				  race.Acquire(unsafe.Pointer(&$rw.readerSem))
				- race.Acquire(unsafe.Pointer(&$rw.writerSem))
				+ race.AcquireOp(unsafe.Pointer(&$rw.writerSem), unsafe.Pointer($rw), race.OpLock|race.OpTried)
			`,
		},
		{
			name: "rwmutex tryrlock, failed", file: "sync/rwmutex.go", in: "(*RWMutex).TryRLock(rw)",
			reason: "a writer holds the lock, or waits for readers",
			diff: `
				+ antichainSince := race.Since()
				  for {
				  	$c := $rw.readerCount.Load()
				  	if $c < 0 {
				  		if race.Enabled {
				  			race.Enable()
				+ 			race.TriedOp(unsafe.Pointer($rw), race.OpRLock, antichainSince)
				  		}
				  		return false
				  	}
			`,
		},
		{
			name: "rwmutex trylock, failed", file: "sync/rwmutex.go", in: "(*RWMutex).TryLock(rw)",
			reason: "the lock is held",
			diff: `
				+ antichainSince := race.Since()
				  if !$rw.w.TryLock() {
				  	if race.Enabled {
				  		race.Enable()
				+ 		race.TriedOp(unsafe.Pointer($rw), race.OpLock, antichainSince)
				  	}
				  	return false
				  }
				  if !$rw.readerCount.CompareAndSwap(0, -rwmutexMaxReaders) {
				  	$rw.w.Unlock()
				  	if race.Enabled {
				  		race.Enable()
				+ 		race.TriedOp(unsafe.Pointer($rw), race.OpLock, antichainSince)
				  	}
				  	return false
				  }
			`,
		},
		{
			name: "rwmutex announces", file: "sync/rwmutex.go", in: "(*RWMutex).Lock(rw)",
			reason: "who tries to lock for reading from now on cannot",
			diff: `
				- if $r != 0 && $rw.readerWait.Add($r) != 0 {
				+ if $r != 0 {
				+ 	race.Enable()
				+ 	race.TriedOp(unsafe.Pointer($rw), race.OpAnnounce, 0)
				+ 	race.Disable()
				+ }
				+ if $r != 0 && $rw.readerWait.Add($r) != 0 {
			`,
		},
		{
			name: "rwmutex lock", file: "sync/rwmutex.go", in: "(*RWMutex).Lock(rw)",
			reason: "names the operation, at the second of two records",
			diff: `
				  race.Acquire(unsafe.Pointer(&$rw.readerSem))
				- race.Acquire(unsafe.Pointer(&$rw.writerSem))
				+ race.AcquireOp(unsafe.Pointer(&$rw.writerSem), unsafe.Pointer($rw), race.OpLock)
			`,
		},
		{
			name: "rwmutex unlock", file: "sync/rwmutex.go", in: "(*RWMutex).Unlock(rw)",
			reason: "names the operation",
			diff: `
				- race.Release(unsafe.Pointer(&$rw.readerSem))
				+ race.ReleaseOp(unsafe.Pointer(&$rw.readerSem), unsafe.Pointer($rw), race.OpUnlock)
			`,
		},
		{
			name: "rwmutex rlock waits", file: "sync/rwmutex.go", in: "(*RWMutex).RLock(rw)",
			reason: "waits",
			diff: `
				+ race.Enable()
				+ race.BlockOp(unsafe.Pointer($rw), race.OpRLock)
				+ race.Disable()
				  runtime_SemacquireRWMutexR(&$rw.readerSem, false, 0)
			`,
		},
		{
			name: "rwmutex lock waits for writers", file: "sync/rwmutex.go", in: "(*RWMutex).Lock(rw)",
			reason: "waits; the mutex inside is none of its own",
			diff: `
				- $rw.w.Lock()
				+ if !$rw.w.TryLock() {
				+ 	race.Enable()
				+ 	race.BlockOp(unsafe.Pointer($rw), race.OpLock)
				+ 	race.Disable()
				+ 	$rw.w.Lock()
				+ }
			`,
		},
		{
			name: "rwmutex lock waits for readers", file: "sync/rwmutex.go", in: "(*RWMutex).Lock(rw)",
			reason: "waits",
			diff: `
				+ race.Enable()
				+ race.BlockOp(unsafe.Pointer($rw), race.OpLock)
				+ race.Disable()
				  runtime_SemacquireRWMutex(&$rw.writerSem, false, 0)
			`,
		},
		{
			name: "rwmutex misuse", file: "sync/rwmutex.go", in: "(*RWMutex).Unlock(rw)",
			reason: "says what it is about to fail for",
			diff: `
				+ race.MisuseOp(unsafe.Pointer($rw), race.MisuseUnlock)
				  fatal("sync: Unlock of unlocked RWMutex")
			`,
		},
		{
			name: "rwmutex misuse by a reader", file: "sync/rwmutex.go", in: "(*RWMutex).rUnlockSlow(rw, _)",
			reason: "says what it is about to fail for",
			diff: `
				+ race.MisuseOp(unsafe.Pointer($rw), race.MisuseRUnlock)
				  fatal("sync: RUnlock of unlocked RWMutex")
			`,
		},
		noinline("sync/rwmutex.go", "(*RWMutex).RLock"),
		noinline("sync/rwmutex.go", "(*RWMutex).RUnlock"),
		noinline("sync/rwmutex.go", "(*RWMutex).Lock"),
		noinline("sync/rwmutex.go", "(*RWMutex).Unlock"),
		noinline("sync/rwmutex.go", "(*RWMutex).TryLock"),
		noinline("sync/rwmutex.go", "(*RWMutex).TryRLock"),
	},
}

func readOfRWMutex(method string) patch {
	return patch{
		name: "rwmutex read, " + method, file: "sync/rwmutex.go", in: "(*RWMutex)." + method + "(rw)",
		reason: "a memory access for the race detector, which fails, as this does, if there is no lock: further on " +
			"that would leave recording off",
		diff: `
			- race.Read(unsafe.Pointer(&$rw.w))
			+ _ = *$rw
		`,
	}
}
