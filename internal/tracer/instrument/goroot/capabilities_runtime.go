package goroot

import (
	"github.com/antichain-go/antichain/internal/tracer/instrument/frontend"
	"github.com/antichain-go/antichain/tracer/op"
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

// A goroutine belongs to the test that it runs, or that the goroutine which has started it was in.
var tests = capability{
	name: "tests", gives: "which test has started a goroutine",
	needs: []*capability{&goroutines},
	patches: []patch{
		{
			name: "outside of tests", file: "testing/testing.go", in: "MainStart",
			reason: "what TestMain starts belongs to no test",
			entry:  "race.BeginTest(\"" + op.OutsideTests + "\")",
		},
		{
			name: "test", file: "testing/testing.go", in: "tRunner(t, _)",
			reason: "a test, a part of one, or one in a bubble begins",
			entry:  "race.BeginTest($t.name)",
		},
		{
			name: "fuzz test", file: "testing/fuzz.go", in: "fRunner(f, _)",
			reason:  "a fuzz test begins; each of its inputs is a test",
			entry:   "race.BeginTest($f.name)",
			imports: []string{"internal/race"},
		},
		{
			name: "benchmark", file: "testing/benchmark.go", in: "(*B).runN(b, _)",
			reason:  "a benchmark begins, or goes on; that of all benchmarks has no parent",
			entry:   "if $b.parent != nil {\n\trace.BeginTest($b.name)\n}",
			imports: []string{"internal/race"},
		},
		{
			name: "example", file: "testing/run_example.go", in: "runExample(eg)",
			reason:  "an example begins, on the main goroutine",
			entry:   "race.BeginTest($eg.Name)\ndefer race.BeginTest(\"" + op.OutsideTests + "\")",
			imports: []string{"internal/race"},
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
