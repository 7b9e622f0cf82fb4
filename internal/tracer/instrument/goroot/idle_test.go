//go:build linux && (amd64 || arm64)

package goroot

import (
	"fmt"
	"maps"
	"os/exec"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// marks is the order of the records that are no atomic operations: which of them come before, by
// context, how many. Unlike in checker, loads come before the stores that they have not seen.
type marks struct {
	*checker
	idle   bool               // idle operations are among the records, and loads that can be late
	knew   map[uint64][]clock // what each context knew after so many of its records
	exists map[uint64]bool    // variables
}

func newMarks(idle bool) *marks {
	return &marks{newChecker(), idle, map[uint64][]clock{}, map[uint64]bool{}}
}

// countOf is where clocks count the marks of a context.
func countOf(ctx uint64) uint64 { return ctx | 1<<60 }

func (m *marks) add(r *ring.Record) {
	const stores, loads = 1 << 60, 1 << 61 // apart from what is released at the same address
	variable, loaded := place{r.Addr, stores}, place{r.Addr, loads}
	m.remember(r)
	switch r.Kind {
	case ring.KindLateLoad:
		if m.exists[r.Addr] && !m.idle {
			m.loadedLate(r, loaded)
		}
	case ring.KindAtomicLoad, ring.KindAtomicStore, ring.KindAtomicRMW:
		if r.Arg != 0 && !m.idle {
			return
		}
		m.exists[r.Addr] = true
		m.acquire(r.Ctx, variable)
		if r.Kind == ring.KindAtomicLoad {
			m.release(r.Ctx, loaded, false)
			return
		}
		m.acquire(r.Ctx, loaded)
		m.release(r.Ctx, variable, true)
		delete(m.objects[r.Addr], loads)
	case ring.KindAcquire, ring.KindReleaseMerge:
		if handsOn(r) {
			if r.Delta() == 0 || m.idle {
				m.checker.add(r)
			}
			return
		}
		m.count(r.Ctx)
		m.checker.add(r)
	case ring.KindHandoff:
		m.checker.add(r)
		m.count(r.Aux)
		m.count(r.Ctx)
	case ring.KindFree:
		m.checker.add(r)
		for off := range r.Aux {
			delete(m.exists, r.Addr+off)
		}
	default:
		m.count(r.Ctx) // before it is handed on
		m.checker.add(r)
	}
}

// remember keeps what the contexts of a record know before it, as the program counts their records.
func (m *marks) remember(r *ring.Record) {
	switch r.Kind {
	case ring.KindRead, ring.KindWrite, ring.KindFree, ring.KindCtxStart, ring.KindThreadStart:
		return
	case ring.KindHandoff:
		m.knew[r.Aux] = append(m.knew[r.Aux], m.of(r.Aux).copy())
	}
	m.knew[r.Ctx] = append(m.knew[r.Ctx], m.of(r.Ctx).copy())
}

// loadedLate hands on what a context knew when it loaded a variable.
func (m *marks) loadedLate(r *ring.Record, loaded place) {
	known := m.of(r.Arg)
	if r.Aux < uint64(len(m.knew[r.Arg])) {
		known = m.knew[r.Arg][r.Aux]
	}
	slots := m.objects[r.Addr]
	if slots[loaded.slot] == nil {
		slots[loaded.slot] = clock{}
	}
	slots[loaded.slot].join(known)
}

// handsOn reports whether a record is of a Pool, or of a return from Do of a Once.
func handsOn(r *ring.Record) bool {
	switch r.Op() {
	case ring.OpPut, ring.OpGet:
		return true
	}
	return r.Op() == ring.OpOnce && r.Kind == ring.KindAcquire
}

func (m *marks) count(ctx uint64) { m.of(ctx)[countOf(ctx)]++ }

// known is what comes before the next record of a context.
func (m *marks) known(ctx uint64) clock {
	known := clock{}
	for k, n := range m.of(ctx) {
		if k&(1<<60) != 0 {
			known[k] = n
		}
	}
	return known
}

// The order of the other records is the same with and without idle operations, and with late loads
// instead of those that may be. The first use of a variable is none, whatever was in its memory
// before.
func TestIdleOperations(t *testing.T) {
	exe := program(t, "idle")
	idle, others, compared, again, spared, late := 0, 0, 0, 0, 0, 0
	handed := map[string]int{}
	for seed := range 6 {
		all, without := newMarks(true), newMarks(false)
		freed := map[uint64]bool{}
		cmd := exec.Command(exe, fmt.Sprint(seed), fmt.Sprint(2+seed%4), "500")
		trace(t, ring.Options{Atomics: true, Operations: seed%2 == 0, LateLoads: seed%3 > 0}, func(r *ring.Record) {
			all.add(r)
			without.add(r)
			switch {
			case r.Kind == ring.KindLateLoad:
				late++
			case handsOn(r):
				handed[fmt.Sprintf("%s %d", r.Op(), r.Delta())]++
			case isAtomic(r):
				switch {
				case r.Arg == 0:
					others++
				case freed[r.Addr]:
					t.Fatalf("seed %d, record %d: the first operation on a variable is left out", seed, r.Index)
				case r.Arg == ring.AtomicLate:
					spared++
				default:
					idle++
				}
				if freed[r.Addr] {
					again++
					delete(freed, r.Addr)
				}
			case r.Kind == ring.KindFree:
				for off := range r.Aux {
					freed[r.Addr+off] = true
				}
			default:
				if a, b := all.known(r.Ctx), without.known(r.Ctx); !maps.Equal(a, b) {
					t.Fatalf("seed %d, record %d (%s by context %d) comes after %v, without idle operations %v", seed,
						r.Index, r.Kind, r.Ctx, a, b)
				}
				compared++
			}
		}, cmd).ok(t)
	}
	if idle < 1000 || others < 1000 || compared < 1000 || again < 10 {
		t.Errorf("only %d idle operations, %d others, %d of them on memory that is used again, %d comparisons", idle,
			others, again, compared)
	}
	if spared < 500 || late < 50 {
		t.Errorf("only %d loads can come late, and %d of these do", spared, late)
	}
	for _, what := range []string{"put 0", "put 1", "get 0", "get 1", "once 0", "once 1"} {
		if handed[what] < 100 {
			t.Errorf("there were only %v", handed)
		}
	}
}

func isAtomic(r *ring.Record) bool {
	return r.Kind == ring.KindAtomicLoad || r.Kind == ring.KindAtomicStore || r.Kind == ring.KindAtomicRMW
}

// Where accesses are noted, a release hands on those that came before it, whatever was released
// before: only what acquires is idle, and none of it learns of an access.
func TestIdleOperationsWithAccesses(t *testing.T) {
	exe := withMemory(t, "idle", "-gcflags="+InstrumentMemory)
	idle, others := map[ring.Kind]int{}, map[ring.Kind]int{}
	for seed := range 6 {
		all, without := newChecker(), newChecker()
		without.drop = isIdle
		cmd := exec.Command(exe, fmt.Sprint(seed), fmt.Sprint(2+seed%4), "500")
		trace(t, ring.Options{Atomics: true, Accesses: true, Operations: seed%2 == 0}, func(r *ring.Record) {
			all.add(r)
			without.add(r)
			if a, b := all.of(r.Ctx), without.of(r.Ctx); !maps.Equal(a, b) {
				t.Fatalf("seed %d, record %d (%s by context %d) knows %v, without idle operations %v", seed, r.Index,
					r.Kind, r.Ctx, a, b)
			}
			switch {
			case isIdle(r):
				idle[r.Kind]++
			case isAtomic(r), handsOn(r):
				others[r.Kind]++
			}
		}, cmd).ok(t)
	}
	for _, acquires := range []ring.Kind{ring.KindAtomicLoad, ring.KindAcquire} {
		if idle[acquires] < 100 || others[acquires] < 100 {
			t.Errorf("there were only %v, and others %v", idle, others)
		}
		delete(idle, acquires)
	}
	if len(idle) > 0 {
		t.Errorf("%v were idle", idle)
	}
}

func isIdle(r *ring.Record) bool {
	return isAtomic(r) && r.Arg == ring.AtomicIdle || handsOn(r) && r.Delta() != 0
}

// Idle operations are not written unless they are requested.
func TestNoIdleOperations(t *testing.T) {
	plain, memory := program(t, "idle"), withMemory(t, "idle", "-gcflags="+InstrumentMemory)
	for _, opt := range []ring.Options{{}, {Operations: true}, {Accesses: true}} {
		n, exe := 0, plain
		if opt.Accesses {
			exe = memory
		}
		trace(t, opt, func(r *ring.Record) {
			switch {
			case handsOn(r) && r.Delta() != 0:
				t.Fatalf("record %d is idle", r.Index)
			case isAtomic(r):
				n++
				if r.Arg != 0 {
					t.Fatalf("record %d is idle", r.Index)
				}
			}
		}, exec.Command(exe, "1", "4", "1000")).ok(t)
		if n < 1000 {
			t.Errorf("only %d atomic operations", n)
		}
	}
}
