package goroot

// syncPatches are the patches of package sync and what it stands on. They say which
// operation a record belongs to, and keep the methods that programs call from being
// inlined, so that the second or third return address is the call in the program.
var syncPatches = []patch{
	{
		name: "mutex trylock", file: "internal/sync/mutex.go",
		reason: "names the operation",
		old:    "\t\trace.Acquire(unsafe.Pointer(m))\n\t}\n\treturn true\n",
		new:    "\t\trace.AcquireOp(unsafe.Pointer(m), unsafe.Pointer(m), race.OpLock|race.OpTried)\n\t}\n\treturn true\n",
	},
	{
		name: "mutex lock, slow", file: "internal/sync/mutex.go",
		reason: "the record is Lock's: one frame nearer to the call in the program",
		old:    "\tif race.Enabled {\n\t\trace.Acquire(unsafe.Pointer(m))\n\t}\n}\n",
		new:    "}\n",
	},
	{
		name: "mutex lock, contended", file: "internal/sync/mutex.go",
		reason: "see mutex lock, slow",
		old:    "\tm.lockSlow()\n}\n",
		new:    "\tm.lockSlow()\n\trace.Acquire(unsafe.Pointer(m))\n}\n",
	},
	{
		name: "mutex lock", file: "internal/sync/mutex.go",
		reason: "names the operation",
		old:    "race.Acquire(unsafe.Pointer(m))",
		new:    "race.AcquireOp(unsafe.Pointer(m), unsafe.Pointer(m), race.OpLock)",
		count:  2,
	},
	{
		name: "mutex unlock", file: "internal/sync/mutex.go",
		reason: "names the operation",
		old:    "race.Release(unsafe.Pointer(m))",
		new:    "race.ReleaseOp(unsafe.Pointer(m), unsafe.Pointer(m), race.OpUnlock)",
	},
	{
		name: "mutex waits", file: "internal/sync/mutex.go",
		reason: "who waits for what",
		old:    "\t\t\truntime_SemacquireMutex(&m.sema, queueLifo, 2)\n",
		new:    "\t\t\trace.BlockOp(unsafe.Pointer(m), race.OpLock)\n\t\t\truntime_SemacquireMutex(&m.sema, queueLifo, 2)\n",
	},
	{
		name: "mutex misuse", file: "internal/sync/mutex.go",
		reason: "says what it is about to fail for",
		old:    "\t\tfatal(\"sync: unlock of unlocked mutex\")\n",
		new:    "\t\trace.MisuseOp(unsafe.Pointer(m), race.MisuseUnlock)\n\t\tfatal(\"sync: unlock of unlocked mutex\")\n",
	},
	noinline("sync/mutex.go", "func (m *Mutex) Lock() {"),
	noinline("sync/mutex.go", "func (m *Mutex) TryLock() bool {"),
	noinline("sync/mutex.go", "func (m *Mutex) Unlock() {"),

	{
		name: "rwmutex read", file: "sync/rwmutex.go",
		reason: "a memory access for the race detector, which fails, as this does, if there is no lock: further on that would leave recording off",
		old:    "\t\trace.Read(unsafe.Pointer(&rw.w))\n",
		new:    "\t\t_ = *rw\n",
		count:  6,
	},
	{
		name: "rwmutex rlock", file: "sync/rwmutex.go",
		reason: "names the operation",
		old:    "\t\trace.Enable()\n\t\trace.Acquire(unsafe.Pointer(&rw.readerSem))\n\t}\n}",
		new:    "\t\trace.Enable()\n\t\trace.AcquireOp(unsafe.Pointer(&rw.readerSem), unsafe.Pointer(rw), race.OpRLock)\n\t}\n}",
	},
	{
		name: "rwmutex tryrlock", file: "sync/rwmutex.go",
		reason: "names the operation",
		old:    "\t\t\t\trace.Acquire(unsafe.Pointer(&rw.readerSem))\n",
		new:    "\t\t\t\trace.AcquireOp(unsafe.Pointer(&rw.readerSem), unsafe.Pointer(rw), race.OpRLock|race.OpTried)\n",
	},
	{
		name: "rwmutex runlock", file: "sync/rwmutex.go",
		reason: "names the operation",
		old:    "race.ReleaseMerge(unsafe.Pointer(&rw.writerSem))",
		new:    "race.ReleaseMergeOp(unsafe.Pointer(&rw.writerSem), unsafe.Pointer(rw), race.OpRUnlock)",
	},
	{
		name: "rwmutex trylock", file: "sync/rwmutex.go",
		reason: "names the operation",
		old:    "\t\trace.Acquire(unsafe.Pointer(&rw.writerSem))\n\t}\n\treturn true\n",
		new:    "\t\trace.AcquireOp(unsafe.Pointer(&rw.writerSem), unsafe.Pointer(rw), race.OpLock|race.OpTried)\n\t}\n\treturn true\n",
	},
	{
		name: "rwmutex lock", file: "sync/rwmutex.go",
		reason: "names the operation, at the second of two records",
		old:    "race.Acquire(unsafe.Pointer(&rw.writerSem))",
		new:    "race.AcquireOp(unsafe.Pointer(&rw.writerSem), unsafe.Pointer(rw), race.OpLock)",
	},
	{
		name: "rwmutex unlock", file: "sync/rwmutex.go",
		reason: "names the operation",
		old:    "race.Release(unsafe.Pointer(&rw.readerSem))",
		new:    "race.ReleaseOp(unsafe.Pointer(&rw.readerSem), unsafe.Pointer(rw), race.OpUnlock)",
	},
	{
		name: "rwmutex rlock waits", file: "sync/rwmutex.go",
		reason: "who waits for what",
		old:    "\t\truntime_SemacquireRWMutexR(&rw.readerSem, false, 0)\n",
		new:    "\t\trace.Enable()\n\t\trace.BlockOp(unsafe.Pointer(rw), race.OpRLock)\n\t\trace.Disable()\n\t\truntime_SemacquireRWMutexR(&rw.readerSem, false, 0)\n",
	},
	{
		name: "rwmutex lock waits for writers", file: "sync/rwmutex.go",
		reason: "who waits for what; the mutex inside is none of its own",
		old:    "\t// First, resolve competition with other writers.\n\trw.w.Lock()\n",
		new:    "\t// First, resolve competition with other writers.\n\tif !rw.w.TryLock() {\n\t\trace.Enable()\n\t\trace.BlockOp(unsafe.Pointer(rw), race.OpLock)\n\t\trace.Disable()\n\t\trw.w.Lock()\n\t}\n",
	},
	{
		name: "rwmutex lock waits for readers", file: "sync/rwmutex.go",
		reason: "who waits for what",
		old:    "\t\truntime_SemacquireRWMutex(&rw.writerSem, false, 0)\n",
		new:    "\t\trace.Enable()\n\t\trace.BlockOp(unsafe.Pointer(rw), race.OpLock)\n\t\trace.Disable()\n\t\truntime_SemacquireRWMutex(&rw.writerSem, false, 0)\n",
	},
	{
		name: "rwmutex misuse", file: "sync/rwmutex.go",
		reason: "says what it is about to fail for",
		old:    "\t\tfatal(\"sync: Unlock of unlocked RWMutex\")\n",
		new:    "\t\trace.MisuseOp(unsafe.Pointer(rw), race.MisuseUnlock)\n\t\tfatal(\"sync: Unlock of unlocked RWMutex\")\n",
	},
	{
		name: "rwmutex misuse by a reader", file: "sync/rwmutex.go",
		reason: "says what it is about to fail for",
		old:    "\t\tfatal(\"sync: RUnlock of unlocked RWMutex\")\n",
		new:    "\t\trace.MisuseOp(unsafe.Pointer(rw), race.MisuseRUnlock)\n\t\tfatal(\"sync: RUnlock of unlocked RWMutex\")\n",
	},
	noinline("sync/rwmutex.go", "func (rw *RWMutex) RLock() {"),
	noinline("sync/rwmutex.go", "func (rw *RWMutex) RUnlock() {"),
	noinline("sync/rwmutex.go", "func (rw *RWMutex) Lock() {"),
	noinline("sync/rwmutex.go", "func (rw *RWMutex) Unlock() {"),
	noinline("sync/rwmutex.go", "func (rw *RWMutex) TryLock() bool {"),
	noinline("sync/rwmutex.go", "func (rw *RWMutex) TryRLock() bool {"),

	{
		name: "waitgroup add", file: "sync/waitgroup.go",
		reason: "see waitgroup counter; and what fails for want of a WaitGroup is to leave recording as it was",
		old:    "\t\tif delta < 0 {\n\t\t\t// Synchronize decrements with Wait.\n\t\t\trace.ReleaseMerge(unsafe.Pointer(wg))\n\t\t}\n",
		new:    "\t\t_ = *wg\n",
	},
	{
		name: "waitgroup counter", file: "sync/waitgroup.go",
		reason: "the records have the order in which the counter changes",
		old:    "\tstate := wg.state.Add(uint64(delta) << 32)\n",
		new:    "\trace.Enable()\n\tstate := race.AddCounter(unsafe.Pointer(wg), unsafe.Pointer(&wg.state), delta)\n\trace.Disable()\n",
	},
	{
		name: "waitgroup wait, counter", file: "sync/waitgroup.go",
		reason: "see waitgroup counter; and who waits for what",
		old:    "\tfor {\n\t\tstate := wg.state.Load()\n",
		new:    "\tfor {\n\t\trace.Enable()\n\t\tstate := race.WaitCounter(unsafe.Pointer(wg), unsafe.Pointer(&wg.state))\n\t\trace.Disable()\n",
	},
	{
		name: "waitgroup wait", file: "sync/waitgroup.go",
		reason: "WaitCounter has recorded it",
		old:    "\t\t\t\trace.Enable()\n\t\t\t\trace.Acquire(unsafe.Pointer(wg))\n\t\t\t}\n\t\t\tif w == 0",
		new:    "\t\t\t\trace.Enable()\n\t\t\t}\n\t\t\tif w == 0",
	},
	{
		name: "waitgroup woken", file: "sync/waitgroup.go",
		reason: "names the operation",
		old:    "\t\t\t\trace.Enable()\n\t\t\t\trace.Acquire(unsafe.Pointer(wg))\n\t\t\t}\n\t\t\tif isReset",
		new:    "\t\t\t\trace.Enable()\n\t\t\t\trace.AcquireOp(unsafe.Pointer(wg), unsafe.Pointer(wg), race.OpWait)\n\t\t\t}\n\t\t\tif isReset",
	},
	{
		name: "waitgroup negative", file: "sync/waitgroup.go",
		reason: "says what it is about to fail for",
		old:    "\t\tpanic(\"sync: negative WaitGroup counter\")\n",
		new:    "\t\trace.MisuseOp(unsafe.Pointer(wg), race.MisuseCounter)\n\t\tpanic(\"sync: negative WaitGroup counter\")\n",
	},
	{
		name: "waitgroup misuse", file: "sync/waitgroup.go",
		reason: "says what it is about to fail for",
		old:    "\t\tpanic(\"sync: WaitGroup misuse: Add called concurrently with Wait\")\n",
		new:    "\t\trace.MisuseOp(unsafe.Pointer(wg), race.MisuseWaitReuse)\n\t\tpanic(\"sync: WaitGroup misuse: Add called concurrently with Wait\")\n",
		count:  2,
	},
	{
		name: "waitgroup reuse", file: "sync/waitgroup.go",
		reason: "says what it is about to fail for",
		old:    "\t\t\t\tpanic(\"sync: WaitGroup is reused before previous Wait has returned\")\n",
		new:    "\t\t\t\trace.MisuseOp(unsafe.Pointer(wg), race.MisuseWaitReuse)\n\t\t\t\tpanic(\"sync: WaitGroup is reused before previous Wait has returned\")\n",
	},
	noinline("sync/waitgroup.go", "func (wg *WaitGroup) Add(delta int) {"),
	noinline("sync/waitgroup.go", "func (wg *WaitGroup) Done() {"),
	noinline("sync/waitgroup.go", "func (wg *WaitGroup) Wait() {"),
	noinline("sync/waitgroup.go", "func (wg *WaitGroup) Go(f func()) {"),

	{
		name: "once imports", file: "sync/once.go",
		reason: "used below",
		old:    "import (\n\t\"sync/atomic\"\n)",
		new:    "import (\n\t\"internal/race\"\n\t\"sync/atomic\"\n\t\"unsafe\"\n)",
	},
	{
		name: "once field", file: "sync/once.go",
		reason: "the flag is read and written without records of its own: one record of the Once says it all",
		old:    "\tdone atomic.Bool\n",
		new:    "\tdone uint32\n",
	},
	{
		name: "once do", file: "sync/once.go",
		reason: "the return from f happens before the return of every Do",
		old:    "\tif !o.done.Load() {\n\t\t// Outlined slow-path to allow inlining of the fast-path.\n\t\to.doSlow(f)\n\t}\n",
		new:    "\tif atomic.LoadUint32(&o.done) == 0 {\n\t\to.doSlow(f)\n\t}\n\trace.AcquireOp(unsafe.Pointer(o), unsafe.Pointer(o), race.OpOnce)\n",
	},
	{
		name: "once slow", file: "sync/once.go",
		reason: "see once do",
		old:    "\tif !o.done.Load() {\n\t\tdefer o.done.Store(true)\n",
		new:    "\tif atomic.LoadUint32(&o.done) == 0 {\n\t\tdefer func() {\n\t\t\trace.ReleaseOp(unsafe.Pointer(o), unsafe.Pointer(o), race.OpOnce)\n\t\t\tatomic.StoreUint32(&o.done, 1)\n\t\t}()\n",
	},
	{
		name: "once lock", file: "sync/once.go",
		reason: "who waits for what; the mutex inside is none of its own, and the program is three frames away from it",
		old:    "\to.m.Lock()\n\tdefer o.m.Unlock()\n",
		new: "\trace.Disable()\n\tif !o.m.TryLock() {\n\t\trace.Enable()\n\t\trace.BlockOp(unsafe.Pointer(o), race.OpOnceLock)\n\t\trace.Disable()\n\t\to.m.Lock()\n\t}\n" +
			"\trace.Enable()\n\trace.AcquireOp(unsafe.Pointer(&o.m), unsafe.Pointer(o), race.OpOnceLock)\n" +
			"\tdefer func() {\n\t\trace.ReleaseOp(unsafe.Pointer(&o.m), unsafe.Pointer(o), race.OpOnceUnlock)\n\t\trace.Disable()\n\t\to.m.Unlock()\n\t\trace.Enable()\n\t}()\n",
	},
	noinline("sync/once.go", "func (o *Once) Do(f func()) {"),

	noinline("sync/cond.go", "func (c *Cond) Wait() {"),
	noinline("sync/cond.go", "func (c *Cond) Signal() {"),
	noinline("sync/cond.go", "func (c *Cond) Broadcast() {"),

	{
		name: "pool put", file: "sync/pool.go",
		reason: "names the operation, drops nothing at random, and fails for want of a pool while recording is on",
		old:    "\t\tif runtime_randn(4) == 0 {\n\t\t\t// Randomly drop x on floor.\n\t\t\treturn\n\t\t}\n\t\trace.ReleaseMerge(poolRaceAddr(x))\n",
		new:    "\t\t_ = *p\n\t\trace.ReleaseMergeOp(poolRaceAddr(x), unsafe.Pointer(p), race.OpPut)\n",
	},
	{
		name: "pool get from none", file: "sync/pool.go",
		reason: "what fails for want of a pool is to leave recording as it was",
		old:    "func (p *Pool) Get() any {\n\tif race.Enabled {\n",
		new:    "func (p *Pool) Get() any {\n\tif race.Enabled {\n\t\t_ = *p\n",
	},
	{
		name: "pool get", file: "sync/pool.go",
		reason: "names the operation",
		old:    "race.Acquire(poolRaceAddr(x))",
		new:    "race.AcquireOp(poolRaceAddr(x), unsafe.Pointer(p), race.OpGet)",
	},
	{
		name: "pool object", file: "sync/pool.go",
		reason: "the object itself is the key; 128 shared ones would order users of unrelated objects",
		old:    "\tptr := uintptr((*[2]unsafe.Pointer)(unsafe.Pointer(&x))[1])\n\th := uint32((uint64(uint32(ptr)) * 0x85ebca6b) >> 16)\n\treturn unsafe.Pointer(&poolRaceHash[h%uint32(len(poolRaceHash))])\n",
		new:    "\treturn (*[2]unsafe.Pointer)(unsafe.Pointer(&x))[1]\n",
	},

	// A file descriptor: readers follow each other, so do writers, and whoever finds
	// it closed comes after Close.
	{
		name: "fd imports", file: "internal/poll/fd_mutex.go",
		reason: "used below",
		old:    "import \"sync/atomic\"\n",
		new:    "import (\n\t\"internal/race\"\n\t\"sync/atomic\"\n\t\"unsafe\"\n)\n",
	},
	{
		name: "fd incref", file: "internal/poll/fd_mutex.go",
		reason: "a use that fails comes after Close",
		old:    "\t\tif old&mutexClosed != 0 {\n\t\t\treturn false\n\t\t}\n\t\tnew := old + mutexRef\n",
		new:    "\t\tif old&mutexClosed != 0 {\n\t\t\trace.Acquire(unsafe.Pointer(&mu.state))\n\t\t\treturn false\n\t\t}\n\t\tnew := old + mutexRef\n",
	},
	{
		name: "fd close", file: "internal/poll/fd_mutex.go",
		reason: "what comes before Close comes before every failing use",
		old:    "\t\tif atomic.CompareAndSwapUint64(&mu.state, old, new) {\n\t\t\t// Wake all read",
		new:    "\t\trace.ReleaseMerge(unsafe.Pointer(&mu.state))\n\t\tif atomic.CompareAndSwapUint64(&mu.state, old, new) {\n\t\t\t// Wake all read",
	},
	{
		name: "fd rwlock on closed", file: "internal/poll/fd_mutex.go",
		reason: "see fd incref",
		old:    "\t\tif old&mutexClosed != 0 {\n\t\t\treturn false\n\t\t}\n\t\tvar new uint64\n",
		new:    "\t\tif old&mutexClosed != 0 {\n\t\t\trace.Acquire(unsafe.Pointer(&mu.state))\n\t\t\treturn false\n\t\t}\n\t\tvar new uint64\n",
	},
	{
		name: "fd rwlock", file: "internal/poll/fd_mutex.go",
		reason: "a lock",
		old:    "\t\t\tif old&mutexBit == 0 {\n\t\t\t\treturn true\n",
		new:    "\t\t\tif old&mutexBit == 0 {\n\t\t\t\trace.Acquire(unsafe.Pointer(mutexSema))\n\t\t\t\treturn true\n",
	},
	{
		name: "fd rwunlock", file: "internal/poll/fd_mutex.go",
		reason: "an unlock; and a blocked read that a Close has ended comes after it",
		old:    "\tfor {\n\t\told := atomic.LoadUint64(&mu.state)\n\t\tif old&mutexBit == 0 || old&mutexRefMask == 0 {\n",
		new:    "\trace.Release(unsafe.Pointer(mutexSema))\n\tfor {\n\t\told := atomic.LoadUint64(&mu.state)\n\t\tif old&mutexClosed != 0 {\n\t\t\trace.Acquire(unsafe.Pointer(&mu.state))\n\t\t}\n\t\tif old&mutexBit == 0 || old&mutexRefMask == 0 {\n",
	},
}

// noinline keeps a function from being inlined.
func noinline(file, decl string) patch {
	return patch{
		name: "noinline " + decl, file: file,
		reason: "keeps its own frame, so that the next one is the call in the program",
		old:    "\n" + decl + "\n",
		new:    "\n//\n//go:noinline\n" + decl + "\n",
	}
}
