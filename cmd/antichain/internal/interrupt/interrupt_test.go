package interrupt

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestDo(t *testing.T) {
	did := false
	if !Do(t.Context(), func() { did = true }) || !did {
		t.Error("it was not done")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	hang := make(chan bool)
	if Do(ctx, func() { <-hang }) {
		t.Error("what hangs was done")
	}
	close(hang)
}

// TestDoPanics looks for the place of a panic in another goroutine.
func TestDoPanics(t *testing.T) {
	defer func() {
		if text, _ := recover().(string); !strings.HasPrefix(text, "a bug\n") || !strings.Contains(text, "interrupt_test.go") {
			t.Errorf("the panic is %q", text)
		}
	}()
	Do(t.Context(), func() { panic("a bug") })
}

func TestAfter(t *testing.T) {
	const grace = time.Minute
	other := errors.New("another cause")
	for cause, want := range map[error]time.Duration{Err: grace, other: 0} {
		synctest.Test(t, func(t *testing.T) {
			parent, end := context.WithCancelCause(t.Context())
			ctx, stop := After(parent, grace)
			defer stop()
			synctest.Wait()
			if ctx.Err() != nil {
				t.Fatal("it has ended before its parent")
			}
			start := time.Now()
			end(cause)
			<-ctx.Done()
			if took := time.Since(start); took != want || context.Cause(ctx) != cause {
				t.Errorf("%v: ended after %v with %v", cause, took, context.Cause(ctx))
			}
		})
	}
}

// TestAfterStopped ends what nobody waits for any more.
func TestAfterStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := After(t.Context(), time.Minute)
		stop()
		if ctx.Err() == nil {
			t.Error("it goes on")
		}
	})
}
