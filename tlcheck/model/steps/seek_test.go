package steps

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// fakeSeeker is a Seeker that fails.
type fakeSeeker struct {
	kripke.System
	next func(context.Context) ([]kripke.State, error)
}

func (x fakeSeeker) Seek(kripke.State, *temporal.Formula) (func(context.Context) ([]kripke.State, error), error) {
	return x.next, nil
}

// TestSeekGivenUp: if a Seeker fails, or takes too long, the search continues without it. The time
// is that of a bubble, which passes only while no goroutine computes.
func TestSeekGivenUp(t *testing.T) {
	fails := func(context.Context) ([]kripke.State, error) { return nil, errors.New("too many parts") }
	hangs := func(ctx context.Context) ([]kripke.State, error) {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	never := func(context.Context) ([]kripke.State, error) {
		t.Error("asked for what holds at the beginning")
		return nil, nil
	}
	for _, tt := range []struct {
		formula string
		next    func(context.Context) ([]kripke.State, error)
		moves   int
	}{
		{"F a", fails, 4},
		{"F a", hangs, 4},
		{"F !a", never, 0},
	} {
		for _, mode := range []Mode{Shortest, Minimal} {
			synctest.Test(t, func(t *testing.T) {
				s, err := New(fakeSeeker{diamonds(2).system(t), tt.next}, parse(t, tt.formula), 0,
					Options{Mode: mode, Limit: 20})
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				step, err := s.Next(ctx)
				if err != nil || step == nil || len(step.States) != tt.moves+1 {
					t.Errorf("%s, %s: %v, %v", tt.formula, mode, step, err)
				}
				if step, err = s.Next(ctx); step != nil || err != nil {
					t.Errorf("%s, %s: another one, %v, %v", tt.formula, mode, step, err)
				}
				cancel()
				s.Close()
			})
		}
	}
}
