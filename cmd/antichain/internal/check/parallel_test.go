package check

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// A property that ran out of memory beside others is decided again, alone. What is told comes in
// the order of the properties.
func TestDecisionsMemory(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	c, _, _ := checker(t, exclusive, one, exclusive, one)
	var running, first atomic.Int32
	both := make(chan bool)
	all := decideAll(t.Context(), c.Properties, func(_ context.Context, p *spec.Property, _ tlcheck.Options) (*tlcheck.Result, error) {
		n := running.Add(1)
		defer running.Add(-1)
		r := &tlcheck.Result{Property: p, Verdict: tlcheck.Holds}
		switch {
		case p.Name == "p1" && first.Add(1) == 1:
			<-both
			r.Verdict, r.Stopped = tlcheck.Unknown, tlcheck.ErrMemory
		case p.Name == "p1" && n > 1:
			t.Error("p1 is decided again beside others")
		case p.Name == "p2":
			both <- true
		}
		return r, nil
	}, tlcheck.Options{})
	for i, p := range c.Properties {
		for range 2 { // it may be asked for again
			if made := all.await(c, i, p); made.err != nil || made.result.Property != p || made.result.Verdict != tlcheck.Holds {
				t.Errorf("%s: %+v", p.Name, made)
			}
		}
	}
}
