//go:build antichain_traced

package agent

import "sync/atomic"

// The functions of sync/atomic. Called through a variable they are not replaced by an instruction,
// and record their operation.
var (
	AddInt32              = atomic.AddInt32
	AddInt64              = atomic.AddInt64
	AddUint32             = atomic.AddUint32
	AddUint64             = atomic.AddUint64
	AddUintptr            = atomic.AddUintptr
	AndInt32              = atomic.AndInt32
	AndInt64              = atomic.AndInt64
	AndUint32             = atomic.AndUint32
	AndUint64             = atomic.AndUint64
	AndUintptr            = atomic.AndUintptr
	CompareAndSwapInt32   = atomic.CompareAndSwapInt32
	CompareAndSwapInt64   = atomic.CompareAndSwapInt64
	CompareAndSwapUint32  = atomic.CompareAndSwapUint32
	CompareAndSwapUint64  = atomic.CompareAndSwapUint64
	CompareAndSwapUintptr = atomic.CompareAndSwapUintptr
	LoadInt32             = atomic.LoadInt32
	LoadInt64             = atomic.LoadInt64
	LoadUint32            = atomic.LoadUint32
	LoadUint64            = atomic.LoadUint64
	LoadUintptr           = atomic.LoadUintptr
	LoadPointer           = atomic.LoadPointer
	OrInt32               = atomic.OrInt32
	OrInt64               = atomic.OrInt64
	OrUint32              = atomic.OrUint32
	OrUint64              = atomic.OrUint64
	OrUintptr             = atomic.OrUintptr
	StoreInt32            = atomic.StoreInt32
	StoreInt64            = atomic.StoreInt64
	StoreUint32           = atomic.StoreUint32
	StoreUint64           = atomic.StoreUint64
	StoreUintptr          = atomic.StoreUintptr
	SwapInt32             = atomic.SwapInt32
	SwapInt64             = atomic.SwapInt64
	SwapUint32            = atomic.SwapUint32
	SwapUint64            = atomic.SwapUint64
	SwapUintptr           = atomic.SwapUintptr
)
