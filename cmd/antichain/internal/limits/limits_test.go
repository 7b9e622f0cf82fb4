package limits

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/tlcheck"
)

func TestBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		ctx, stop := (&Limits{Timeout: time.Hour}).Bound(t.Context())
		defer stop()
		<-ctx.Done()
		if took := time.Since(start); took != time.Hour || context.Cause(ctx) != tlcheck.ErrTime {
			t.Errorf("ended after %v with %v", took, context.Cause(ctx))
		}
	})
}

func TestBoundMemory(t *testing.T) {
	ctx, stop := (&Limits{Memory: 1}).Bound(t.Context()) // this process has more
	defer stop()
	<-ctx.Done()
	var memory *budget.MemoryError
	if !errors.As(context.Cause(ctx), &memory) {
		t.Error(context.Cause(ctx))
	}
}

func TestUnbounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := (&Limits{}).Bound(t.Context())
		time.Sleep(1000 * time.Hour)
		if ctx.Err() != nil {
			t.Error(context.Cause(ctx))
		}
		if stop(); ctx.Err() == nil {
			t.Error("it goes on")
		}
	})
}

func TestRemedy(t *testing.T) {
	tests := []struct {
		stopped error
		want    string
	}{
		{tlcheck.ErrTime, "; --timeout allows more"},
		{fmt.Errorf("reading: %w", &budget.MemoryError{}), "; --memory allows more"},
		{errors.New("another one"), ""},
		{nil, ""},
		{&ReadStoppedError{3, tlcheck.ErrTime}, ""}, // it has it in its text
	}
	for _, test := range tests {
		if got := Remedy(test.stopped); got != test.want {
			t.Errorf("%v: %q", test.stopped, got)
		}
	}
	if got, want := (&ReadStoppedError{3, tlcheck.ErrTime}).Error(), "the time ran out after 3 events of the trace; --timeout allows more"; got != want {
		t.Error(got)
	}
}

func TestSize(t *testing.T) {
	var s Size
	if err := s.Set("64MiB"); err != nil || s != 64<<20 || s.String() != "64 MiB" {
		t.Error(s, err)
	}
	if err := s.Set("much"); err == nil {
		t.Error("much is a size")
	}
}
