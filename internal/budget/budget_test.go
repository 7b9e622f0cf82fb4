package budget_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/budget"
)

// Work that keeps its memory ends soon after it has reached the limit.
func TestMemoryEndsWork(t *testing.T) {
	const limit, most = 256 << 20, 4 << 30
	ctx, stop := budget.WithMemory(t.Context(), limit)
	defer stop()
	var kept [][]byte
	keep := func() {
		b := make([]byte, 1<<20)
		for i := 0; i < len(b); i += 512 {
			b[i] = 1 // really there
		}
		kept = append(kept, b)
	}
	for ctx.Err() == nil && len(kept) < most>>20 {
		keep()
	}
	var reached *budget.MemoryError
	if !errors.As(context.Cause(ctx), &reached) || reached.Limit != limit {
		t.Fatalf("after %d MiB: %v", len(kept), context.Cause(ctx))
	}
	if len(kept) < limit>>22 {
		t.Errorf("ended after %d MiB of %d", len(kept), limit>>20)
	}
	for len(kept) <= limit>>20 { // some of the memory may have been garbage
		keep()
	}
	again, stopAgain := budget.WithMemory(t.Context(), limit)
	defer stopAgain()
	if !errors.As(context.Cause(again), &reached) {
		t.Error("the memory is held, and work can begin")
	}
	runtime.KeepAlive(kept)
	kept = nil
	again, stopAgain = budget.WithMemory(t.Context(), limit)
	defer stopAgain()
	if err := again.Err(); err != nil {
		t.Errorf("only garbage is left, and no work can begin: %v", err)
	}
}

// Where others wait for the work it ends before it has reached the limit, and not for garbage.
func TestLiveEndsWork(t *testing.T) {
	const limit = 512 << 20
	ctx, stop := budget.WithLive(t.Context(), limit)
	defer stop()
	var kept [][]byte
	garbage := func(bytes int) {
		for range bytes >> 20 {
			kept = append(kept[:0], make([]byte, 1<<20))
		}
	}
	garbage(2 * limit)
	if ctx.Err() != nil {
		t.Fatal("ended by garbage")
	}
	kept = nil
	for ctx.Err() == nil && len(kept) < 2*limit>>20 {
		kept = append(kept, make([]byte, 1<<20))
		if len(kept)%64 == 0 {
			runtime.GC()
			time.Sleep(20 * time.Millisecond) // it looks every 10
		}
	}
	select {
	case <-ctx.Done():
	case <-time.After(time.Minute): // on a busy machine it looks later
	}
	var reached *budget.MemoryError
	if !errors.As(context.Cause(ctx), &reached) || reached.Limit != limit {
		t.Fatalf("after %d MiB: %v", len(kept), context.Cause(ctx))
	}
	if len(kept) < limit>>21 {
		t.Errorf("ended after %d MiB of %d", len(kept), limit>>20)
	}
	runtime.KeepAlive(kept)
	kept = nil
	again, stopAgain := budget.WithLive(t.Context(), limit)
	defer stopAgain()
	select {
	case <-again.Done():
		t.Error("ended by the memory of work that has ended")
	case <-time.After(50 * time.Millisecond): // it looks every 10
	}
}

func TestNoLimit(t *testing.T) {
	ctx, stop := budget.WithMemory(t.Context(), 0)
	if ctx.Err() != nil {
		t.Error("ended without a limit")
	}
	if stop(); ctx.Err() == nil {
		t.Error("goes on after the end")
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "512": 512, "12B": 12, "1k": 1 << 10, "512M": 512 << 20, "512MB": 512 << 20, "512MiB": 512 << 20,
		"2GiB": 2 << 30, "2 gib": 2 << 30, "1.5G": 3 << 29, "1T": 1 << 40,
	} {
		if got, err := budget.Parse(text); err != nil || got != want {
			t.Errorf("%q: %d %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "M", "-1", "-1M", "12X", "12MX", "1iB", "1M2", "nan", "inf", "1e30", "9000000T"} {
		if got, err := budget.Parse(text); err == nil {
			t.Errorf("%q: %d", text, got)
		}
	}
}

// What Format writes, Parse reads.
func TestFormat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 1<<20).Draw(t, "n") << rapid.IntRange(0, 32).Draw(t, "shift")
		text := budget.Format(n)
		if got, err := budget.Parse(text); err != nil || got != n {
			t.Fatalf("%d is %q, read as %d, %v", n, text, got, err)
		}
	})
	if got := budget.Format(1536 << 20); got != "1536 MiB" {
		t.Error(got)
	}
}

// Half of the remaining time ends by itself. Without a limit there is no half.
func TestHalf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		whole, stop := context.WithTimeout(t.Context(), time.Hour)
		defer stop()
		time.Sleep(20 * time.Minute)
		half, cancel := budget.Half(whole)
		defer cancel()
		start := time.Now()
		<-half.Done()
		if took := time.Since(start); took != 20*time.Minute || whole.Err() != nil {
			t.Errorf("it has taken %v, and the whole has ended: %v", took, whole.Err())
		}
		endless, cancel := budget.Half(t.Context())
		if _, ok := endless.Deadline(); ok {
			t.Error("half of for ever ends")
		}
		if cancel(); endless.Err() == nil {
			t.Error("it cannot be cancelled")
		}
	})
}
