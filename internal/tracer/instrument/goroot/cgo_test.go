//go:build linux && cgo && (amd64 || arm64)

package goroot

import (
	"os/exec"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// A C thread is a task of its own, the same one in all its calls into Go.
func TestCThreads(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no C compiler")
	}
	exe := program(t, "cthread")
	c := newChecker()
	starts, ends := map[uint64]int{}, map[uint64]int{}
	callers := map[uint64]map[uint64]int{} // argument -> context -> calls
	trace(t, ring.Options{}, func(r *ring.Record) {
		c.add(r)
		switch r.Kind {
		case ring.KindThreadStart:
			starts[r.Ctx]++
		case ring.KindEnd:
			ends[r.Ctx]++
		case ring.KindStmt:
			if callers[r.Arg] == nil {
				callers[r.Arg] = map[uint64]int{}
			}
			callers[r.Arg][r.Ctx]++
		}
	}, exec.Command(exe)).ok(t)
	if len(c.races) > 0 {
		t.Errorf("false races: %q", c.races)
	}
	contexts := map[uint64]bool{}
	for n := range uint64(3) {
		for ctx, calls := range callers[n+1] {
			if calls != 2 || contexts[ctx] || starts[ctx] != 1 || ends[ctx] != 1 {
				t.Errorf("thread %d: context %d with %d calls, %d starts, %d ends; seen before: %v",
					n, ctx, calls, starts[ctx], ends[ctx], contexts[ctx])
			}
			contexts[ctx] = true
		}
	}
	if len(contexts) != 3 {
		t.Errorf("%d contexts, want 3", len(contexts))
	}
}
