package goroot

import (
	"strings"

	hooks "github.com/antichain-go/antichain/internal/tracer/agent/runtime"
	"github.com/antichain-go/antichain/internal/tracer/instrument/frontend"
)

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
			name: "check, signal", file: "runtime/signal_unix.go", in: "sighandler(sig, info, _, _)",
			reason: "a check comes before a signal ends the program; and the terminal sends SIGQUIT to all of its " +
				"foreground, where the consumer alone wants it",
			diff: `
				+ if antichainIgnoresQuit($sig, $info) {
				+ 	return
				+ }
				+ if antichainPutsOff($sig, $flags) {
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
