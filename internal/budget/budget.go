// Package budget limits the time and the memory of work by ending its context.
package budget

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// ErrMemory is what every MemoryError is.
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

// Bound returns a context that ends after a time, with ErrTime as its cause, or at a limit of memory, as that of WithMemory; 0 is
// no limit of either.
func Bound(ctx context.Context, timeout time.Duration, memory int64) (context.Context, context.CancelFunc) {
	ctx, stop := WithMemory(ctx, memory)
	if timeout <= 0 {
		return ctx, stop
	}
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, ErrTime)
	return ctx, func() { cancel(); stop() }
}

// Half returns a context that ends when half of the time is over that another one has left, if it ends.
func Half(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(end)/2)
}

// How often the memory is looked at: every watchEvery near the limit, and else as soon as a process could have allocated what is left, but at
// least every watchSeldom. One that allocates as fast as it can, which is fastest bytes a second, gets some tens of megabytes further in watchEvery.
const (
	watchEvery  = 10 * time.Millisecond
	watchSeldom = 250 * time.Millisecond
	fastest     = 4 << 30
)

// lookAfter is how long the memory need not be looked at if so many bytes are left.
func lookAfter(left int64) time.Duration {
	return min(max(time.Duration(float64(left)/fastest*float64(time.Second)), watchEvery), watchSeldom)
}

// WithMemory returns a context that ends with a *MemoryError as its cause when this process
// holds more than limit bytes of memory, at once if it does already; limit 0 is none. The memory is that
// of the Go runtime, garbage included that was not collected: LimitGarbage keeps it small. The
// function returned ends the watch, and the context.
func WithMemory(parent context.Context, limit int64) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	stop := func() { cancel(context.Canceled) }
	if limit <= 0 {
		return ctx, stop
	}
	ctx = context.WithValue(ctx, meterKey{}, &meter{limit, held, cancel})
	if held() > limit {
		debug.FreeOSMemory() // of work that has ended
	}
	if held() > limit {
		cancel(&MemoryError{limit})
		return ctx, stop
	}
	go watch(ctx, cancel, limit, func() int64 { return limit - held() })
	return ctx, stop
}

// WithLive is WithMemory for work that others wait for: the context ends already when three quarters of the limit were in use when the garbage
// collector was through last. Nearer to the limit it takes most of the time.
func WithLive(parent context.Context, limit int64) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	if limit > 0 {
		go watch(ctx, cancel, limit, func() int64 { return limit - limit/4 - live() })
	}
	return ctx, func() { cancel(context.Canceled) }
}

// watch cancels a context when nothing is left.
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

// held returns how many bytes the runtime has from the system and has not given back.
func held() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64() - sample[1].Value.Uint64())
}

// live returns how many bytes of the heap were in use when the garbage collector was through last.
func live() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// LimitGarbage lets the garbage collector work harder, for the whole process, before the
// memory comes near the limit: what WithMemory ends is then work that really needs it.
// A limit that is lower already stays, as that of the environment variable GOMEMLIMIT.
func LimitGarbage(limit int64) {
	soft := limit - limit/8
	if limit <= 0 {
		soft = math.MaxInt64
	}
	debug.SetMemoryLimit(min(soft, debug.SetMemoryLimit(-1)))
}
