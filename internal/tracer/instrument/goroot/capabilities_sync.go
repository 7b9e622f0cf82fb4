package goroot

import "github.com/antichain-go/antichain/internal/tracer/instrument/frontend"

// The capabilities of package sync record the operation with each record. They keep the methods
// that programs call from being inlined, which makes the second or third return address the call in
// the program.

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
