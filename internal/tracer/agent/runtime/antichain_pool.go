//go:build antichain_traced

package runtime

import (
	"internal/abi"
	"internal/runtime/atomic"
	"unsafe"
)

// Objects of a Pool. A Get may return a new object instead of one that was put: "Callers should not
// assume any relation between values passed to Put and the values returned by Get" (package sync).
// The Put then orders nothing. But another object may also lead to other locks and channels, and so
// the order stays where the object leads to anything that synchronises. Where accesses to memory
// are judged it stays for all objects, since their memory is the same.

// race_Put records that the caller puts x into a Pool.
//
//go:linkname race_Put internal/race.Put
func race_Put(x any, pool unsafe.Pointer) {
	if !antichainIsExchangeable(x) {
		race_ReleaseMergeOp(efaceOf(&x).data, pool, antichainOpPut)
	}
}

// race_Get records that the caller has got x from a Pool.
//
//go:linkname race_Get internal/race.Get
func race_Get(x any, pool unsafe.Pointer) {
	if !antichainIsExchangeable(x) {
		race_AcquireOp(efaceOf(&x).data, pool, antichainOpGet)
	}
}

// antichainMostParts bounds the parts of an object that are looked at. An object with more of them
// is assumed to lead to something that synchronises.
const antichainMostParts = 64

// antichainIsExchangeable reports whether a new object instead of x would change no more than
// memory, and the consumer judges none.
func antichainIsExchangeable(x any) bool {
	if antichainOn == antichainOff ||
		atomic.Load(antichainWord32(antichainOffFlags))&antichainFlagNewFromPools == 0 {
		return false
	}
	e := efaceOf(&x)
	if e._type == nil || e._type.Kind() != abi.Pointer {
		return false // a number may stand for anything
	}
	left := antichainMostParts
	return antichainIsPassive((*abi.PtrType)(unsafe.Pointer(e._type)).Elem, e.data, &left)
}

// antichainIsPassive reports whether the value of type t at p leads to nothing that synchronises
// and to no function. left is decreased by the parts looked at.
func antichainIsPassive(t *_type, p unsafe.Pointer, left *int) bool {
	if *left--; *left < 0 {
		return false
	}
	switch t.Kind() {
	case abi.Bool, abi.Int, abi.Int8, abi.Int16, abi.Int32, abi.Int64, abi.Uint, abi.Uint8, abi.Uint16,
		abi.Uint32, abi.Uint64, abi.Uintptr, abi.Float32, abi.Float64, abi.Complex64, abi.Complex128, abi.String:
		return true
	case abi.Chan, abi.Func, abi.Map, abi.UnsafePointer, abi.Interface:
		return *(*unsafe.Pointer)(p) == nil
	case abi.Pointer:
		to := *(*unsafe.Pointer)(p)
		return to == nil || antichainIsPassive((*abi.PtrType)(unsafe.Pointer(t)).Elem, to, left)
	case abi.Slice:
		elem := (*abi.SliceType)(unsafe.Pointer(t)).Elem
		s := (*slice)(p)
		// Elements are not followed: if another goroutine appends by mistake, their number may be
		// that of another array.
		return s.cap == 0 || elem.Kind() == abi.String || !elem.Pointers() && antichainIsPassive(elem, s.array, left)
	case abi.Array:
		a := (*abi.ArrayType)(unsafe.Pointer(t))
		n := a.Len
		if !a.Elem.Pointers() {
			n = min(n, 1) // one stands for all
		}
		for i := range n {
			if !antichainIsPassive(a.Elem, add(p, i*a.Elem.Size_), left) {
				return false
			}
		}
		return true
	case abi.Struct:
		s := (*abi.StructType)(unsafe.Pointer(t))
		switch s.PkgPath.Name() {
		case "sync", "internal/sync", "sync/atomic", "internal/poll":
			return false
		}
		for i := range s.Fields {
			f := &s.Fields[i]
			if !antichainIsPassive(f.Typ, add(p, f.Offset), left) {
				return false
			}
		}
		return true
	}
	return false
}
