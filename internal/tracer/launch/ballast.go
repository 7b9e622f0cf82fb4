package launch

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"weak"
)

// ballast is memory that counts as part of the heap and is never touched, and so takes no real
// memory. Reading the ring makes much garbage on a small heap: without ballast the garbage
// collector would run hundreds of times a second, on the processors that the program needs. Ballast
// counts against memory limits too, and so is only a small part of one.
//
// A large heap needs none: it may grow by its own size before it is collected. There the garbage
// that ballast makes room for is real.
type ballast struct {
	size   int
	memory atomic.Pointer[strings.Builder] // nil once dropped
}

const (
	maxBallast = 64 << 20
	largeHeap  = 2 // multiple of the ballast that the rest of the heap must exceed
)

// newBallast returns ballast that is dropped when the heap is large.
//
// It is made with a Builder, which does not clear the memory by which it grows. A new slice is
// cleared if the collector has freed any page of it, and clearing makes it real.
func newBallast() *ballast {
	memory := new(strings.Builder)
	b := &ballast{size: int(min(maxBallast, debug.SetMemoryLimit(-1)/16))}
	memory.Grow(b.size)
	b.memory.Store(memory)
	b.check()
	return b
}

func (b *ballast) drop() { b.memory.Store(nil) }

// collection becomes garbage with the next collection. It has a pointer because small values
// without one can share memory with others, and stay alive with them.
type collection struct{ _ *ballast }

// check checks the heap after each collection, until the ballast is dropped or unreachable.
func (b *ballast) check() {
	runtime.AddCleanup(new(collection), func(kept weak.Pointer[ballast]) {
		b := kept.Value()
		if b == nil {
			return
		}
		b.dropIfLarge()
		if b.memory.Load() != nil {
			b.check()
		}
	}, weak.Make(b))
}

func (b *ballast) dropIfLarge() {
	if heapInUse() > int64(b.size)*(1+largeHeap) {
		b.drop()
	}
}

// heapInUse returns how many bytes were live after the last collection.
func heapInUse() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
