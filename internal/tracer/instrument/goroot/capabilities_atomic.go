package goroot

import "github.com/antichain-go/antichain/internal/tracer/instrument/frontend"

// The pointer functions of sync/atomic live in the runtime. The lock is taken before the write
// barrier, which must stay next to the write.
var atomics = capability{
	name: frontend.Atomics, gives: "atomic operations (and what is built on them: sync.Map, context)",
	order: true, properties: ofAll,
	rewrites: patchAtomics,
	patches: []patch{
		{
			name: "atomic store uintptr", file: "runtime/atomic_pointer.go", in: "sync_atomic_StoreUintptr",
			reason: "sync/atomic.StoreUintptr now has a Go body that records", removed: true,
		},
		{
			name: "atomic swap uintptr", file: "runtime/atomic_pointer.go", in: "sync_atomic_SwapUintptr",
			reason: "see atomic store uintptr", removed: true,
		},
		{
			name: "atomic cas uintptr", file: "runtime/atomic_pointer.go", in: "sync_atomic_CompareAndSwapUintptr",
			reason: "see atomic store uintptr", removed: true,
		},
		{
			name: "atomic store pointer, lock", file: "runtime/atomic_pointer.go",
			in:     "sync_atomic_StorePointer(ptr, _)",
			reason: "records the operation in the order of the operations on ptr",
			entry:  atomicBegin,
		},
		{
			name: "atomic store pointer", file: "runtime/atomic_pointer.go", in: "sync_atomic_StorePointer(ptr, new)",
			reason: "see atomic store pointer, lock",
			diff: `
				- sync_atomic_StoreUintptr((*uintptr)(unsafe.Pointer($ptr)), uintptr($new))
				+ atomic.Storeuintptr((*uintptr)(unsafe.Pointer($ptr)), uintptr($new))
				+ antichainAtomicEnd(antichainCtx, antichainKindAtomicStore, uintptr(unsafe.Pointer($ptr)), 0, 8)
			`,
		},
		{
			name: "atomic swap pointer, lock", file: "runtime/atomic_pointer.go", in: "sync_atomic_SwapPointer(ptr, _)",
			reason: "see atomic store pointer, lock",
			entry:  atomicBegin,
		},
		{
			name: "atomic swap pointer", file: "runtime/atomic_pointer.go", in: "sync_atomic_SwapPointer(ptr, new)",
			reason: "see atomic store pointer, lock",
			diff: `
				- $old := unsafe.Pointer(sync_atomic_SwapUintptr((*uintptr)(noescape(unsafe.Pointer($ptr))), uintptr($new)))
				+ $old := unsafe.Pointer(atomic.Xchguintptr((*uintptr)(noescape(unsafe.Pointer($ptr))), uintptr($new)))
				+ antichainAtomicEnd(antichainCtx, antichainKindAtomicRMW, uintptr(unsafe.Pointer($ptr)), 0, 8)
				  return $old
			`,
		},
		{
			name: "atomic cas pointer, lock", file: "runtime/atomic_pointer.go",
			in:     "sync_atomic_CompareAndSwapPointer(ptr, _, _)",
			reason: "see atomic store pointer, lock",
			entry:  atomicBegin,
		},
		{
			name: "atomic cas pointer", file: "runtime/atomic_pointer.go",
			in:     "sync_atomic_CompareAndSwapPointer(ptr, old, new)",
			reason: "see atomic store pointer, lock",
			diff: `
				- return sync_atomic_CompareAndSwapUintptr((*uintptr)(noescape(unsafe.Pointer($ptr))), uintptr($old), uintptr($new))
				+ antichainDone := atomic.Casuintptr((*uintptr)(noescape(unsafe.Pointer($ptr))), uintptr($old), uintptr($new))
				+ var antichainValue uintptr
				+ if antichainDone {
				+ 	antichainValue = 1
				+ }
				+ antichainAtomicEnd(antichainCtx, antichainKindAtomicRMW, uintptr(unsafe.Pointer($ptr)), antichainValue, 8)
				+ return antichainDone
			`,
		},
		{
			// A function that is inlined from the standard library into a package compiled with
			// CallAtomics loses its intrinsics. This one has no code of its own.
			name: "constant time", file: "crypto/internal/constanttime/constant_time.go", in: "boolToUint8(b)",
			reason: "called where it is not replaced by the compiler, which makes no jump of this either",
			entry:  "var n uint8\nif $b {\n\tn = 1\n}\nreturn n",
			since:  26,
		},
	},
}

const atomicBegin = "antichainCtx := antichainAtomicBegin(uintptr(unsafe.Pointer($ptr)))"
