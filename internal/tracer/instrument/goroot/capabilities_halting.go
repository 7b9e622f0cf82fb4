package goroot

import (
	"github.com/antichain-go/antichain/internal/tracer/instrument/frontend"
)

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
