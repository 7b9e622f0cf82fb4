package goroot

import "github.com/antichain-go/antichain/internal/tracer/instrument/frontend"

// The capabilities of package sync record the operation with each record. They keep the methods
// that programs call from being inlined, which makes the second or third return address the call in
// the program.

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

var waitGroups = capability{
	name: frontend.WaitGroups, gives: "operations on sync.WaitGroup",
	properties: append([]string{"waitgroup", "copy"}, ofWaits...),
	patches: []patch{
		{
			name: "waitgroup add", file: "sync/waitgroup.go", in: "(*WaitGroup).Add(wg, delta)",
			reason: "see waitgroup counter; and what fails for want of a WaitGroup is to leave recording as it was",
			diff: `
				- if $delta < 0 {
				- 	race.ReleaseMerge(unsafe.Pointer($wg))
				- }
				+ _ = *$wg
			`,
		},
		{
			name: "waitgroup counter", file: "sync/waitgroup.go", in: "(*WaitGroup).Add(wg, delta)",
			reason: "the records have the order in which the counter changes",
			diff: `
				- $state := $wg.state.Add(uint64($delta) << 32)
				+ race.Enable()
				+ $state := race.AddCounter(unsafe.Pointer($wg), unsafe.Pointer(&$wg.state), $delta)
				+ race.Disable()
			`,
		},
		{
			name: "waitgroup wait, counter", file: "sync/waitgroup.go", in: "(*WaitGroup).Wait(wg)",
			reason: "see waitgroup counter; and waits",
			diff: `
				  for {
				- 	$state := $wg.state.Load()
				+ 	race.Enable()
				+ 	$state := race.WaitCounter(unsafe.Pointer($wg), unsafe.Pointer(&$wg.state))
				+ 	race.Disable()
			`,
		},
		{
			name: "waitgroup wait", file: "sync/waitgroup.go", in: "(*WaitGroup).Wait(wg)",
			reason: "WaitCounter has recorded it",
			diff: `
				  if $v == 0 {
				  	if race.Enabled {
				  		race.Enable()
				- 		race.Acquire(unsafe.Pointer($wg))
				  	}
			`,
		},
		{
			name: "waitgroup woken", file: "sync/waitgroup.go", in: "(*WaitGroup).Wait(wg)",
			reason: "names the operation",
			diff: `
				  runtime_SemacquireWaitGroup(&$wg.sema, $durable)
				  ...
				  if race.Enabled {
				  	race.Enable()
				- 	race.Acquire(unsafe.Pointer($wg))
				+ 	race.AcquireOp(unsafe.Pointer($wg), unsafe.Pointer($wg), race.OpWait)
				  }
			`,
			since: 26,
		},
		{
			name: "waitgroup woken", file: "sync/waitgroup.go", in: "(*WaitGroup).Wait(wg)",
			reason: "names the operation; and what it fails for is to leave recording as it was",
			diff: `
				  runtime_SemacquireWaitGroup(&$wg.sema, $durable)
				- if $wg.state.Load() != 0 {
				- 	panic("sync: WaitGroup is reused before previous Wait has returned")
				- }
				+ isReused := $wg.state.Load() != 0
				  if race.Enabled {
				  	race.Enable()
				- 	race.Acquire(unsafe.Pointer($wg))
				+ 	race.AcquireOp(unsafe.Pointer($wg), unsafe.Pointer($wg), race.OpWait)
				  }
				+ if isReused {
				+ 	race.MisuseOp(unsafe.Pointer($wg), race.MisuseWaitReuse)
				+ 	panic("sync: WaitGroup is reused before previous Wait has returned")
				+ }
			`,
			until: 25,
		},
		{
			name: "waitgroup negative", file: "sync/waitgroup.go", in: "(*WaitGroup).Add(wg, delta)",
			reason: "says what it is about to fail for",
			diff: `
				+ race.MisuseOp(unsafe.Pointer($wg), race.MisuseCounter)
				  panic("sync: negative WaitGroup counter")
			`,
		},
		{
			name: "waitgroup misuse", file: "sync/waitgroup.go", in: "(*WaitGroup).Add(wg, delta)",
			reason: "says what it is about to fail for",
			diff: `
				+ race.MisuseOp(unsafe.Pointer($wg), race.MisuseWaitReuse)
				  panic("sync: WaitGroup misuse: Add called concurrently with Wait")
			`,
			count: 2,
		},
		{
			name: "waitgroup reuse", file: "sync/waitgroup.go", in: "(*WaitGroup).Wait(wg)",
			reason: "says what it is about to fail for",
			diff: `
				+ race.MisuseOp(unsafe.Pointer($wg), race.MisuseWaitReuse)
				  panic("sync: WaitGroup is reused before previous Wait has returned")
			`,
			since: 26,
		},
		noinline("sync/waitgroup.go", "(*WaitGroup).Add"),
		noinline("sync/waitgroup.go", "(*WaitGroup).Done"),
		noinline("sync/waitgroup.go", "(*WaitGroup).Wait"),
		noinline("sync/waitgroup.go", "(*WaitGroup).Go"),
	},
}

var givenFunctions = capability{
	name: "given functions", gives: "the names of functions given to WaitGroup.Go",
	needs: []*capability{&goroutines},
	patches: []patch{{
		name: "waitgroup go", file: "sync/waitgroup.go", in: "(*WaitGroup).Go(wg, f)",
		reason: "the goroutine runs the function of the user, whatever it begins with",
		diff: `
			  $wg.Add(1)
			+ race.Starts($f)
			  go func() {
			  	...
			  }()
		`,
	}},
}

var onces = capability{
	name: frontend.Onces, gives: "operations on sync.Once",
	order: true, properties: ofWaits,
	patches: []patch{
		{
			name: "once field", file: "sync/once.go", in: "type Once",
			reason: "the flag is read and written without records of its own: one record of the Once says it all",
			diff: `
				- done atomic.Bool
				+ done uint32
			`,
		},
		{
			name: "once do", file: "sync/once.go", in: "(*Once).Do(o, f)",
			reason: "the return from f happens before the return of every Do",
			diff: `
				- if !$o.done.Load() {
				+ if atomic.LoadUint32(&$o.done) == 0 {
				  	$o.doSlow($f)
				  }
				+ race.AcquireOp(unsafe.Pointer($o), unsafe.Pointer($o), race.OpOnce)
			`,
			imports: []string{"internal/race", "unsafe"},
		},
		{
			name: "once slow", file: "sync/once.go", in: "(*Once).doSlow(o, f)",
			reason: "see once do",
			diff: `
				- if !$o.done.Load() {
				- 	defer $o.done.Store(true)
				+ if atomic.LoadUint32(&$o.done) == 0 {
				+ 	defer func() {
				+ 		race.ReleaseOp(unsafe.Pointer($o), unsafe.Pointer($o), race.OpOnce)
				+ 		atomic.StoreUint32(&$o.done, 1)
				+ 	}()
			`,
		},
		{
			name: "once lock", file: "sync/once.go", in: "(*Once).doSlow(o, f)",
			reason: "waits; the mutex inside is none of its own, and the program is three frames away " +
				"from it",
			diff: `
				- $o.m.Lock()
				- defer $o.m.Unlock()
				+ race.Disable()
				+ if !$o.m.TryLock() {
				+ 	race.Enable()
				+ 	race.BlockOp(unsafe.Pointer($o), race.OpOnceLock)
				+ 	race.Disable()
				+ 	$o.m.Lock()
				+ }
				+ race.Enable()
				+ race.AcquireOp(unsafe.Pointer(&$o.m), unsafe.Pointer($o), race.OpOnceLock)
				+ defer func() {
				+ 	race.ReleaseOp(unsafe.Pointer(&$o.m), unsafe.Pointer($o), race.OpOnceUnlock)
				+ 	race.Disable()
				+ 	$o.m.Unlock()
				+ 	race.Enable()
				+ }()
			`,
		},
		noinline("sync/once.go", "(*Once).Do"),
	},
}

var pools = capability{
	name: frontend.Pools, gives: "operations on sync.Pool",
	order: true,
	patches: []patch{
		{
			name: "pool put", file: "sync/pool.go", in: "(*Pool).Put(p, x)",
			reason: "names the object, drops nothing at random, and fails for want of a pool while recording is on",
			diff: `
				- if runtime_randn(4) == 0 {
				- 	return
				- }
				- race.ReleaseMerge(poolRaceAddr($x))
				+ _ = *$p
				+ race.Put($x, unsafe.Pointer($p))
			`,
		},
		{
			name: "pool get from none", file: "sync/pool.go", in: "(*Pool).Get(p)",
			reason: "what fails for want of a pool is to leave recording as it was",
			diff: `
				+ _ = *$p
				  race.Disable()
			`,
		},
		{
			name: "pool get", file: "sync/pool.go", in: "(*Pool).Get(p)",
			reason: "names the operation",
			diff: `
				- race.Acquire(poolRaceAddr($x))
				+ race.Get($x, unsafe.Pointer($p))
			`,
		},
	},
}
