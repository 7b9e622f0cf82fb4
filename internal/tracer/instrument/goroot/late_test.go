//go:build linux && (amd64 || arm64)

package goroot

import (
	"os/exec"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// A load that teaches nothing is recorded where the program may have decided by it what to do:
// right before a store to the variable, or an operation on a channel, and behind one. It has its
// own place.
func TestLateLoadsThatDecide(t *testing.T) {
	exe := program(t, "late")
	recorded := map[bool]map[uint64][]ring.Record{} // loads by the mark before them
	for _, late := range []bool{false, true} {
		loads, mark := map[uint64][]ring.Record{}, uint64(0)
		trace(t, ring.Options{Operations: true, LateLoads: late}, func(r *ring.Record) {
			switch {
			case r.Ctx != 1:
			case r.Kind == ring.KindStmt:
				mark = r.Addr
			case r.Kind == ring.KindAtomicLoad && mark > 0:
				loads[mark] = append(loads[mark], *r)
			}
		}, exec.Command(exe)).ok(t)
		recorded[late] = loads
	}
	for mark := uint64(1); mark <= 14; mark++ {
		if n := len(recorded[false][mark]); n != 1 {
			t.Errorf("behind mark %d there are %d loads", mark, n)
			continue
		}
		all, late := recorded[false][mark][0], recorded[true][mark]
		switch decides := mark < 7 || mark > 12; { // the 7th starts a goroutine first
		case len(late) == 1 != decides:
			t.Errorf("behind mark %d, %d loads are recorded", mark, len(late))
		case decides && (late[0].PC != all.PC || late[0].Addr != all.Addr || late[0].Aux != all.Aux):
			t.Errorf("behind mark %d the load is %v, not %v", mark, late[0], all)
		}
	}
}

// A store comes after the loads of other goroutines, with the number of records that these had
// written.
func TestLateLoadsBeforeStore(t *testing.T) {
	written, before, late := uint64(0), uint64(0), []ring.Record{}
	stores := false
	trace(t, ring.Options{Operations: true, LateLoads: true}, func(r *ring.Record) {
		if r.Ctx == 1 || r.Kind == ring.KindHandoff && r.Aux == 1 {
			written++
		}
		if r.Kind == ring.KindStmt && r.Addr == 15 {
			before = written
		}
		switch {
		case r.Ctx == 1 || stores:
		case r.Kind == ring.KindLateLoad:
			late = append(late, *r)
		case r.Kind == ring.KindAtomicStore:
			stores = true
		}
	}, exec.Command(program(t, "late"))).ok(t)
	if !stores || len(late) != 1 || late[0].Arg != 1 || late[0].Aux != before {
		t.Errorf("before the store there are %v, not one load of 1 after %d records", late, before)
	}
}
