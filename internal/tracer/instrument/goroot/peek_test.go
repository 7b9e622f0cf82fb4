//go:build linux && (amd64 || arm64)

package goroot

import (
	"fmt"
	"os/exec"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// sight is that a context has loaded a value, and how many marks it had written before that.
type sight struct{ ctx, marks, value uint64 }

// TestLoadsWithoutLock tests that whoever has loaded a value comes after the store of it, and
// before the next store, also if the load took no lock and is no record.
func TestLoadsWithoutLock(t *testing.T) {
	const stored, saw = 1, 2
	exe := program(t, "peek")
	loads, seen, late := 0, 0, 0
	for seed := range 8 {
		m := newMarks(false)
		known := map[uint64]clock{}   // what whoever stored a value knew
		next := map[uint64]uint64{}   // the value that was stored over another one
		last := map[uint64]uint64{}   // the value of each variable
		before := map[uint64]uint64{} // how many marks a context has written up to its last one
		var sights []sight
		trace(t, ring.Options{LateLoads: seed%2 == 0}, func(r *ring.Record) {
			m.add(r)
			switch r.Kind {
			case ring.KindLateLoad:
				late++
			case ring.KindAtomicLoad:
				loads++
			case ring.KindAtomicStore:
				next[last[r.Addr]] = r.Aux
				last[r.Addr] = r.Aux
				known[r.Aux] = m.known(r.Ctx)
			case ring.KindStmt:
				if r.Addr == saw && r.Aux != 0 {
					seen++
					sights = append(sights, sight{r.Ctx, before[r.Ctx], r.Aux})
					if by := r.Aux >> 32; known[r.Aux] == nil || !comesAfter(m.of(r.Ctx), known[r.Aux]) {
						t.Fatalf("seed %d, record %d: context %d has loaded what goroutine %d stored, and does not "+
							"come after that", seed, r.Index, r.Ctx, by)
					}
				}
				before[r.Ctx] = m.of(r.Ctx)[countOf(r.Ctx)]
			}
		}, exec.Command(exe, fmt.Sprint(seed), fmt.Sprint(2+seed%3), "20000")).ok(t)
		for _, s := range sights {
			if over, ok := next[s.value]; ok && known[over][countOf(s.ctx)] < s.marks {
				t.Fatalf("seed %d: context %d has loaded %#x, and %#x was stored over it without knowing what came "+
					"before that", seed, s.ctx, s.value, over)
			}
		}
	}
	if loads < 1000 || seen < 10_000 || late < 100 {
		t.Errorf("only %d loads were recorded, and %d late, of at least %d", loads, late, seen)
	}
}

// comesAfter reports whether who knows c knows the marks d.
func comesAfter(c, d clock) bool {
	for k, n := range d {
		if c[k] < n {
			return false
		}
	}
	return true
}
