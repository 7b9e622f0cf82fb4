// Package budget limits the time and the memory of work by ending its context.
package budget

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// ErrMemory matches every MemoryError in errors.Is.
var ErrMemory = errors.New("the memory limit was reached")

// MemoryError is the cause of a context whose process has reached a limit of memory.
type MemoryError struct{ Limit int64 } // in bytes

// Is reports whether e is meant by ErrMemory.
func (e *MemoryError) Is(target error) bool { return target == ErrMemory }

func (e *MemoryError) Error() string {
	return fmt.Sprintf("the memory limit of %s was reached", Format(e.Limit))
}

// ErrTime is the cause of a context whose time ran out.
var ErrTime = errors.New("the time ran out")

// Bound returns a context that ends after a time, with ErrTime as its cause, or at a limit of
// memory, as with WithMemory. 0 is no limit.
func Bound(ctx context.Context, timeout time.Duration, memory int64) (context.Context, context.CancelFunc) {
	ctx, stop := WithMemory(ctx, memory)
	if timeout <= 0 {
		return ctx, stop
	}
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, ErrTime)
	return ctx, func() { cancel(); stop() }
}

// Half returns a context that ends after half of the time that ctx has left, if ctx has a deadline.
func Half(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(end)/2)
}

// How often the memory is measured: every watchEvery near the limit, and otherwise as soon as a
// process could have allocated the rest, but at least every watchSeldom. A process that allocates
// as fast as possible, fastest bytes a second, gets some tens of megabytes further in watchEvery.
const (
	watchEvery  = 10 * time.Millisecond
	watchSeldom = 250 * time.Millisecond
	fastest     = 4 << 30
)

// lookAfter is the time until the next measurement if this many bytes are left.
func lookAfter(left int64) time.Duration {
	return min(max(time.Duration(float64(left)/fastest*float64(time.Second)), watchEvery), watchSeldom)
}

// WithMemory returns a context that ends with a *MemoryError as its cause when this process holds
// more than limit bytes of memory, immediately if it already does. 0 is no limit. The memory is
// that of the Go runtime, including uncollected garbage, which LimitGarbage keeps small. The
// returned function ends the watch and the context.
func WithMemory(parent context.Context, limit int64) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	stop := func() { cancel(context.Canceled) }
	if limit <= 0 {
		return ctx, stop
	}
	ctx = context.WithValue(ctx, meterKey{}, &meter{limit, held, cancel})
	if held() > limit {
		debug.FreeOSMemory() // memory of finished work
	}
	if held() > limit {
		cancel(&MemoryError{limit})
		return ctx, stop
	}
	go watch(ctx, cancel, limit, func() int64 { return limit - held() })
	return ctx, stop
}

// WithLive is WithMemory for work that must stay responsive: the context ends as soon as three
// quarters of the limit were in use after the last garbage collection. Closer to the limit, the
// collector takes most of the time.
func WithLive(parent context.Context, limit int64) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	if limit > 0 {
		left := func() int64 { return limit - limit/4 - live() }
		if left() < 0 {
			runtime.GC() // finished work
		}
		go watch(ctx, cancel, limit, left)
	}
	return ctx, func() { cancel(context.Canceled) }
}

// watch cancels a context when no memory is left.
func watch(ctx context.Context, cancel context.CancelCauseFunc, limit int64, left func() int64) {
	next := time.NewTimer(watchEvery)
	defer next.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-next.C:
			bytes := left()
			if bytes < 0 {
				cancel(&MemoryError{limit})
				return
			}
			next.Reset(lookAfter(bytes))
		}
	}
}

// held returns the number of bytes that the runtime has from the system.
func held() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64() - sample[1].Value.Uint64())
}

// live returns the number of bytes of the heap that were in use after the last garbage collection.
func live() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// LimitGarbage makes the garbage collector of the whole process work harder as the memory comes
// close to the limit. Then WithMemory ends only work that really needs the memory. A lower limit
// stays, such as that of the environment variable GOMEMLIMIT.
func LimitGarbage(limit int64) {
	soft := limit - limit/8
	if limit <= 0 {
		soft = math.MaxInt64
	}
	debug.SetMemoryLimit(min(soft, debug.SetMemoryLimit(-1)))
}
