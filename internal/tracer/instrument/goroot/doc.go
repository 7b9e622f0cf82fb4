// Package goroot generates the overlay of the standard library that makes a Go program record its
// synchronisation.
//
// The overlay replaces the stubs of the race detector (runtime/race0.go) by hooks that write
// records (package internal/tracer/agent/runtime), which turns on the annotations that the runtime
// and the standard library carry for it, without the detector itself. Patches then make them
// precise: one record for each channel operation, the atomic operations, sync.Cond, the operation
// and the call in the program behind every record, and no order that only suits a detector. GOROOT
// is never written to.
//
// # Patches and releases of Go
//
// A patch is a semantic one (diff.go): it names a declaration of the standard library and the code
// in it that changes, by tokens, with placeholders for names that may differ between releases. It
// ignores comments, line breaks, redundant parentheses, renamed locals and declarations that have
// moved to another file of their package. It refuses code with another meaning. Variants for
// several releases stand side by side, each with the minor versions that it is for, and a new
// release is supported by adding to a table.
//
// Patches that only work together are a capability (capabilities). If one of them does not fit, or
// the self-test shows that the capability does not work (Prepare), it is left out, together with
// those that need it. Overlay.Lacks says which and why, and which verdicts and verbs rest on it;
// all others remain. Two files are always left: the hooks, and internal/race. An unknown release
// gets the newest variants, and the self-test decides.
//
// # Build flags
//
//   - -overlay with Overlay.Replace, merged with other replacements. The contents of the files
//     decide about cache hits, not their place.
//   - -gcflags=PACKAGE=CallAtomics for every package outside of the standard library that calls
//     functions of sync/atomic: otherwise the compiler replaces those calls by instructions, which
//     cannot be recorded. It must not be given for standard packages: sync/atomic itself relies on
//     the replacement. The flag costs the package its other intrinsics as well (math/bits and the
//     like become calls), not their results.
//   - -gcflags=PACKAGE=InstrumentMemory for the packages whose memory accesses are to be recorded,
//     with an overlay that was made for it (Options.Memory): any for which CanInstrumentMemory. The
//     compiler itself spares the runtime. With it go -tags=InstrumentTags and -ldflags=LinkMemory.
//   - neither -race, -msan nor -asan; CGO_ENABLED as the user has it.
//   - GOOS=linux and GOARCH amd64 or arm64.
//
// The traced program finds the ring through ring.EnvRing, or the file it is to write through
// ring.EnvTrace, and removes both before any other code runs. With the value control.TraceWait of
// the latter it waits for a checker instead (package internal/tracer/control).
//
// # Standard library packages injected beside it
//
// A package that the overlay adds below GOROOT/src may declare functions of the hooks by linkname,
// for instance
//
//	//go:linkname emit runtime.antichainEmit
//	func emit(kind uint8, addr, aux, arg uint64, payload []byte) bool
//
// antichain_agent.go in internal/tracer/agent/runtime lists them. It needs no linker flag.
//
// # Operations and schedules
//
// If the consumer asks for operations (ring.Options.Operations) the program also records facts that
// imply no order: blocked goroutines and their objects, the cases of select statements, stopped
// timers, channels that receive signals, and the causes of failures. Its goroutines then yield now
// and then; see antichain_perturb.go in internal/tracer/agent/runtime. With ring.Options.Seed it
// runs under a steered schedule; see antichain_steer.go there. Both need the capability
// "goroutines", which ring.Identity.Operations reports.
//
// # Assumptions and limits
//
//   - C code may synchronise: a cgo call comes after all that cgo calls on other goroutines began
//     before it returned, as in the race detector.
//   - Operations before a write to a TCP connection, a Unix stream socket or a pipe come before
//     those after a read of its bytes at the other end in the same process. Other files and UDP
//     order nothing, except that users of one descriptor exclude each other and that a failing use
//     comes after Close.
//   - Signals, and linknamed or assembly synchronisation are not seen.
//   - Atomic variables that lie on the stack of a goroutine are its own, and have no records.
package goroot

import "slices"

// CallAtomics is the compiler flag that makes a package call the functions of
// sync/atomic.
const CallAtomics = "-d=ssa/intrinsics/off"

// InstrumentMemory are the compiler flags that make a package report its memory accesses. They
// imply CallAtomics. With -race alone the compiler also checks conversions of unsafe pointers. A
// program that runs without the checks may fail them.
const InstrumentMemory = "-race -d=checkptr=0"

// InstrumentTags are the build tags of programs that report memory accesses: those that go build
// -race sets.
const InstrumentTags = "race"

// LinkMemory is the flag of the linker for them. Calls of the hooks take stack of functions that
// have no stack check.
const LinkMemory = "-race"

// NeverInstrumented are the packages that must not be compiled with InstrumentMemory. sync/atomic
// relies on the instructions that the compiler otherwise substitutes for calls. The operations of
// package sync are recorded; recording the atomic ones inside them would order all critical
// sections of a lock.
var NeverInstrumented = []string{"sync/atomic", "sync", "internal/sync"}

// CanInstrumentMemory reports whether a package may be compiled with InstrumentMemory.
func CanInstrumentMemory(path string) bool { return !slices.Contains(NeverInstrumented, path) }
