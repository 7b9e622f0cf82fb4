//go:build linux && (amd64 || arm64)

package goroot

import (
	"os"
	"os/exec"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// Objects of packages that do not report their memory accesses are new ones too, however the
// compiler allocates them.
func TestRenewedMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	exe := withMemory(t, "renewed", "-gcflags="+InstrumentMemory)
	c := &conflictChecker{newChecker(), map[uint64][]uint64{}, map[uint64]bool{}}
	first, again := map[uint64]uint64{}, 0
	cmd := exec.Command(exe)
	// memory that one processor has to give away would not be used by others
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	trace(t, ring.Options{Accesses: true}, func(r *ring.Record) {
		if r.Kind != ring.KindStmt {
			c.add(r)
			return
		}
		c.count(r.Ctx)
		if ctx := first[r.Addr]; ctx == 0 {
			first[r.Addr] = r.Ctx
		} else if ctx != r.Ctx {
			again++
		}
	}, cmd).ok(t)
	if again == 0 {
		t.Error("no memory was used again")
	}
	for addr := range c.racy {
		t.Errorf("a race at %x, of objects of which one is gone", addr)
	}
}

// A goroutine that survives a failure of Wait is recorded on.
func TestRecordedAfterMisuse(t *testing.T) {
	failed, locked := false, false
	r := trace(t, ring.Options{Operations: true}, func(r *ring.Record) {
		failed = failed || r.Kind == ring.KindMisuse && r.Ctx == 1
		locked = locked || failed && r.Kind == ring.KindAcquire && r.Op() == ring.OpLock && r.Ctx == 1
	}, exec.Command(program(t, "misuse"), "recovered"))
	r.ok(t)
	if !failed || !locked {
		t.Errorf("Wait has failed: %v, and a lock after that is recorded: %v", failed, locked)
	}
}

// Timers of a bubble that fire at the same time do so in several contexts.
func TestBubbleTimers(t *testing.T) {
	exe := program(t, "bubble")
	for range 3 {
		// contexts whose timer has yet to start its function
		fires, fired, mixed := map[uint64]bool{}, 0, 0
		trace(t, ring.Options{}, func(r *ring.Record) {
			switch {
			case r.Kind == ring.KindCtxStart:
				if fires[r.Addr] {
					mixed++
				}
				fires[r.Addr] = true
			case r.Kind == ring.KindGo && fires[r.Ctx]:
				fires[r.Ctx] = false
				fired++
			}
		}, exec.Command(exe)).ok(t)
		if fired < 4000 || mixed > 0 {
			t.Errorf("of %d timers %d began to fire in a context in which another one did", fired, mixed)
		}
	}
}
