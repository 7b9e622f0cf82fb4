// Package runtime holds the source of the hooks that are compiled into package runtime of a traced
// program. The files with the constraint antichain_traced are never part of this package: they are
// text, which package internal/tracer/instrument/goroot writes into an overlay of GOROOT, together
// with the constants of internal/tracer/ring.
//
// With raceenabled set, the runtime and the standard library call about thirty functions, the
// hooks, at every synchronisation (race0.go declares them as stubs). Here these functions append a
// record to a shared mapping. No race detector, no cgo, no allocation.
//
// Rules for everything that can run inside a hook (it may hold a runtime lock, run on a system
// stack, or be in the middle of a channel operation):
//
//   - go:nosplit, all the way down: a stack check is a preemption point, and between reserving a
//     slot and publishing it the goroutine must not be descheduled;
//   - no allocation, no write barrier: pointers are stored as uintptr only;
//   - a giving operation (release, send, close, go) is recorded before it takes effect, a taking
//     one (acquire, receive) after, or both under the lock of the object: then the order of the
//     reservations is a linear extension of happens-before;
//   - never wait without limit on the other process (antichainWait).
package runtime

import "embed"

// Sources are the hooks, to be placed into GOROOT/src/runtime under their names.
// race0.go replaces the file of that name, the others are new.
//
//go:embed race0.go antichain_*.go
var Sources embed.FS

// Constraint is the build constraint line that the sources carry here and must not
// carry in the overlay.
const Constraint = "//go:build antichain_traced\n"

// Reachability is the source of antichain_reachability.go, which needs what not all releases of Go
// have.
//
//go:embed reachability.go
var Reachability string
