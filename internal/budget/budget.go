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

// MemoryError is the cause of a context whose process has reached a limit of memory.
type MemoryError struct{ Limit int64 } // in bytes

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

// watchEvery is how often the memory is looked at. A process that allocates as fast as it
// can gets some tens of megabytes further in that time.
const watchEvery = 10 * time.Millisecond

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
	if held() > limit {
		debug.FreeOSMemory() // of work that has ended
	}
	if held() > limit {
		cancel(&MemoryError{limit})
		return ctx, stop
	}
	go watch(ctx, cancel, limit, func() bool { return held() > limit })
	return ctx, stop
}

// WithLive is WithMemory for work that others wait for: the context ends already when three quarters of the limit were in use when the garbage
// collector was through last. Nearer to the limit it takes most of the time.
func WithLive(parent context.Context, limit int64) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	if limit > 0 {
		go watch(ctx, cancel, limit, func() bool { return live() > limit-limit/4 })
	}
	return ctx, func() { cancel(context.Canceled) }
}

func watch(ctx context.Context, cancel context.CancelCauseFunc, limit int64, reached func() bool) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if reached() {
				cancel(&MemoryError{limit})
				return
			}
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
