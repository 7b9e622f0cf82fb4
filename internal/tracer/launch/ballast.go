package launch

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"weak"
)

// ballast is memory that is never touched, and so is never real, but counts as
// part of the heap. What is read from the ring makes a lot of garbage on a small heap:
// without ballast the garbage collector would run hundreds of times a second, on the
// processors that the program wants. It counts against limits of memory too, and so takes only a
// small part of one.
//
// A large heap grows by as much as is in use before it is collected, and needs none: the garbage for which ballast makes room there is real.
type ballast struct {
	size   int
	memory atomic.Pointer[strings.Builder] // nil: it is dropped
}

const (
	maxBallast = 64 << 20
	largeHeap  = 2 // times the ballast, besides it
)

// newBallast returns ballast that is dropped when the heap is large.
//
// A Builder does not clear what it grows by. A new slice is cleared, and so made real, if the
// collector has freed but a page of what it is to be in.
func newBallast() *ballast {
	memory := new(strings.Builder)
	b := &ballast{size: int(min(maxBallast, debug.SetMemoryLimit(-1)/16))}
	memory.Grow(b.size)
	b.memory.Store(memory)
	b.look()
	return b
}

func (b *ballast) drop() { b.memory.Store(nil) }

// collection is garbage with the next collection. It has a pointer since small values without any can share memory with others, and stay with them.
type collection struct{ _ *ballast }

// look looks at the heap after each collection until the ballast is dropped, or nobody has it any more.
func (b *ballast) look() {
	runtime.AddCleanup(new(collection), func(kept weak.Pointer[ballast]) {
		b := kept.Value()
		if b == nil {
			return
		}
		b.dropIfLarge()
		if b.memory.Load() != nil {
			b.look()
		}
	}, weak.Make(b))
}

func (b *ballast) dropIfLarge() {
	if heapInUse() > int64(b.size)*(1+largeHeap) {
		b.drop()
	}
}

// heapInUse returns how many bytes of the heap were in use when it was collected last.
func heapInUse() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
