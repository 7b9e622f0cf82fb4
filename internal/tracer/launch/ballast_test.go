//go:build unix

package launch

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"weak"

	"golang.org/x/sys/unix"
)

// faults counts the pages that f makes real on a heap that has been collected before.
func faults(tb testing.TB, f func()) int64 {
	garbage := make([]byte, 8<<20)
	clear(garbage)
	runtime.KeepAlive(garbage)
	garbage = nil
	runtime.GC()
	var before, after unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &before); err != nil {
		tb.Fatal(err)
	}
	f()
	if err := unix.Getrusage(unix.RUSAGE_SELF, &after); err != nil {
		tb.Fatal(err)
	}
	return after.Minflt - before.Minflt
}

// TestBallast: ballast is not real, also where the heap has free memory that has been used.
func TestBallast(t *testing.T) {
	const size = 64 << 20
	if debug.SetMemoryLimit(-1)/16 < size {
		t.Skip("a limit of memory makes it smaller")
	}
	var ballast any
	got := faults(t, func() { ballast = newBallast() })
	runtime.KeepAlive(ballast)
	if pages := int64(size / unix.Getpagesize()); got > pages/4 {
		t.Errorf("%d of %d pages became real", got, pages)
	}
}

// Of a large heap the ballast is dropped when that has been collected, of a small one it is kept.
func TestBallastOfLargeHeap(t *testing.T) {
	b := newBallast()
	defer b.drop()
	runtime.GC()
	if b.dropIfLarge(); b.memory.Load() == nil {
		t.Fatal("it is dropped at once")
	}
	var large strings.Builder
	large.Grow(b.size * (largeHeap + 1))
	for b.memory.Load() != nil {
		runtime.GC()
	}
	runtime.KeepAlive(&large)
}

// A run that did not start, or whose end has failed, does not drop its ballast, which goes with it.
func TestBallastGoesWithRun(t *testing.T) {
	kept := weak.Make(newBallast())
	for range 3 { // also after it has looked at the heap
		runtime.GC()
	}
	if kept.Value() != nil {
		t.Error("it is kept though nobody has it")
	}
}

func BenchmarkBallast(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		debug.FreeOSMemory()
		var ballast any
		faults(b, func() {
			b.StartTimer()
			ballast = newBallast()
			b.StopTimer()
		})
		runtime.KeepAlive(ballast)
		b.StartTimer()
	}
}
