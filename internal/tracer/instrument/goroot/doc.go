// Package goroot generates the overlay of the standard library that makes a Go
// program record its synchronisation.
//
// The overlay replaces the stubs of the race detector (runtime/race0.go) by hooks that
// write records (package internal/tracer/agent/runtime), which turns on the annotations that
// the runtime and the standard library carry for it, without the detector itself.
// Patches then make them precise: one record for each channel operation,
// the atomic operations, sync.Cond, the operation and the call in the program behind
// every record, and no order that only suits a detector. GOROOT is never written to.
//
// # Patches and releases of Go
//
// A patch is a semantic one (diff.go): it names a declaration of the standard library and the code in it that changes, by tokens,
// with names for what the release may call otherwise. Comments, line breaks, parentheses that change nothing, renamed locals and
// declarations that have moved to another file of their package do not matter to it; code that means something else is refused.
// Variants for several releases stand side by side, each with the minor versions that it is for, so that a new release is
// supported by adding to a table.
//
// Patches that only work together are a capability (capabilities). If one of them does not fit, or the self-test shows that the
// capability does not work (Prepare), it is left out, and with it those that need it. Overlay.Lacks says which and why, and which
// verdicts and verbs rest on it; all others stand. Without any there are two files left: the hooks, and internal/race.
// A release that nobody has seen gets the newest variants, and the self-test decides.
//
// # What a build must pass
//
//   - -overlay with Overlay.Replace, merged with other replacements. The contents of
//     the files decide about cache hits, their place does not.
//   - -gcflags=PACKAGE=CallAtomics for every package outside of the standard library
//     that calls functions of sync/atomic: without it the
//     compiler replaces those calls by instructions that nobody sees. It must not be
//     given for standard packages: sync/atomic itself relies on the replacement. The
//     flag costs the package its other intrinsics as well (math/bits and the like
//     become calls), not their results.
//   - -gcflags=PACKAGE=InstrumentMemory for the packages whose memory accesses are to be told, with
//     an overlay that was made for it (Options.Memory): any for which CanInstrumentMemory. The compiler
//     itself spares the runtime. With it go -tags=InstrumentTags and -ldflags=LinkMemory.
//   - neither -race, -msan nor -asan; CGO_ENABLED as the user has it.
//   - GOOS=linux and GOARCH amd64 or arm64.
//
// The traced program finds the ring through ring.EnvRing, or the file it is to write
// through ring.EnvTrace, and removes both before any other code runs. With the value
// control.TraceWait of the latter it waits for a checker instead (package internal/tracer/control).
//
// # Standard library packages injected beside it
//
// A package that the overlay adds below GOROOT/src may declare functions of the hooks
// by linkname, for instance
//
//	//go:linkname emit runtime.antichainEmit
//	func emit(kind uint8, addr, aux, arg uint64, payload []byte) bool
//
// See antichain_agent.go in internal/tracer/agent/runtime for what there is. It needs no linker
// flag.
//
// # Operations and schedules
//
// If the consumer asks for operations (ring.Options.Operations) the program tells also what is no order: who
// is about to wait for what, what a select statement had to choose from, timers that are stopped, channels
// over which signals come, and what a goroutine is about to fail for. Its goroutines then let others go
// first now and then; see antichain_perturb.go in internal/tracer/agent/runtime. With ring.Options.Seed it runs under
// a steered schedule; see antichain_steer.go there. Without the capability "goroutines" they can do neither, and say so
// (ring.Identity.Operations).
//
// # What is assumed, and what is not seen
//
//   - C code may synchronise: a cgo call comes after all that cgo calls on other
//     goroutines began before it returned, as the race detector has it.
//   - What precedes a write to a TCP connection or a pipe comes before what follows a
//     read at its other end in the same process. Other files, Unix sockets and UDP
//     order nothing, except that users of one descriptor exclude each other and that
//     a failing use comes after Close.
//   - Deadlines set on a connection, a connection being accepted, signals, and
//     linknamed or assembly synchronisation are not seen.
//   - Atomic variables that lie on the stack of a goroutine are its own, and have no records.
package goroot

import "slices"

// CallAtomics is the compiler flag that makes a package call the functions of
// sync/atomic.
const CallAtomics = "-d=ssa/intrinsics/off"

// InstrumentMemory are the compiler flags that make a package tell its memory accesses. They imply
// CallAtomics. With -race alone the compiler also checks conversions of unsafe pointers, which a program may not pass that runs without.
const InstrumentMemory = "-race -d=checkptr=0"

// InstrumentTags are the build tags of programs that tell memory accesses: those that go build -race sets.
const InstrumentTags = "race"

// LinkMemory is the flag of the linker for them. Calls of the hooks take stack of functions that have no stack check.
const LinkMemory = "-race"

// NeverInstrumented are the packages that must not be compiled with InstrumentMemory: sync/atomic, which relies on the
// instructions that the compiler otherwise puts in place of calls, and package sync: its operations are recorded,
// and the atomic ones of which they consist would order all critical sections of a lock.
var NeverInstrumented = []string{"sync/atomic", "sync", "internal/sync"}

// CanInstrumentMemory reports whether a package may be compiled with InstrumentMemory.
func CanInstrumentMemory(path string) bool { return !slices.Contains(NeverInstrumented, path) }
