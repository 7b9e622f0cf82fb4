package process

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// A lock is recorded once it is held. Failed attempts may be recorded before that.
func TestTryBeforeLockIsRecorded(t *testing.T) {
	const m, soon, late = 100, 0, 1000 // the index of the next record, before a try
	try := func(ctx, since uint64) ring.Record {
		return ring.Record{Kind: ring.KindTry, Ctx: ctx, Addr: m, Aux: m, Arg: ring.OpLock | since<<ring.OpShift}
	}
	lock := func(ctx uint64) ring.Record { return rec(ring.KindAcquire, ctx, m, m, ring.OpLock) }
	unlock := func(ctx uint64) ring.Record { return rec(ring.KindRelease, ctx, m, m, ring.OpUnlock) }
	start := []ring.Record{goRec(1, 2), goRec(1, 3)}
	begin := []string{"main spawn main.1 op go f7 at a.go:9", "main spawn main.2 op go f7 at a.go:9"}
	for _, tt := range []struct {
		name    string
		records []ring.Record
		want    []string
	}{
		{"the lock is still to come", []ring.Record{enterRec(2), try(3, late), enterRec(3), goRec(1, 4), lock(2)},
			[]string{
				"main.1 enter g at p.go:3",
				"main.1 op lock mutex 1",
				"main.2 enter g at p.go:3 after main.1/2",
				"main spawn main.3 op go f7 at a.go:9",
			}},
		{"it is that of a writer, in two steps",
			[]ring.Record{enterRec(2), try(3, late), enterRec(3), rec(ring.KindAcquire, 2, m+12, m+12, 0), lock(2)},
			[]string{
				"main.1 enter g at p.go:3",
				"main.1", // which is the first step
				"main.2 enter g at p.go:3 after main.1/2",
			}},
		{"a writer waits", []ring.Record{enterRec(2),
			{Kind: ring.KindTry, Ctx: 2, Addr: m, Aux: m, Arg: ring.OpAnnounce}, try(3, late), enterRec(3)}, []string{
			"main.1 enter g at p.go:3",
			"main.1",
			"main.2 enter g at p.go:3 after main.1/2",
		}},
		{"it is unlocked by another goroutine",
			[]ring.Record{lock(1), unlock(1), enterRec(2), unlock(3), enterRec(3), lock(2)}, []string{
				"main.1 enter g at p.go:3",
				"main.1 op lock mutex 1 after main/2",
				"main.2 enter g at p.go:3 after main.1/2",
			}},
		{"it was locked before it was traced", []ring.Record{enterRec(2), unlock(3), enterRec(3), lock(2)}, []string{
			"main.1 enter g at p.go:3",
			"main.2 enter g at p.go:3",
			"main.1 op lock mutex 1 after main/2",
		}},
		{"it never comes", []ring.Record{enterRec(2), try(3, late), enterRec(3)}, []string{
			"main.1 enter g at p.go:3", "main.2 enter g at p.go:3",
		}},
		{"two wait for it", []ring.Record{enterRec(2), goRec(1, 4), try(3, late), try(4, late), enterRec(3), lock(2),
			enterRec(4)}, []string{
			"main.1 enter g at p.go:3",
			"main spawn main.3 op go f7 at a.go:9",
			"main.1 op lock mutex 1",
			"main.2 enter g at p.go:3 after main.1/2",
			"main.3 enter g at p.go:3 after main.1/2",
		}},
		{"it is not unlocked yet", []ring.Record{enterRec(2), lock(2), enterRec(2), unlock(2), try(3, late),
			enterRec(3)}, []string{
			"main.1 enter g at p.go:3",
			"main.1 op lock mutex 1",
			"main.1 enter g at p.go:3",
			"main.1 op unlock mutex 1",
			"main.2 enter g at p.go:3 after main.1/2",
		}},
		{"it was unlocked meanwhile", []ring.Record{lock(2), unlock(2), try(3, soon), enterRec(3)}, []string{
			"main.2 enter g at p.go:3",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProcess(t, testTable(), Options{})
			got := lines(run(t, p, append(start[:2:2], tt.records...)))
			if diff := cmp.Diff(append(begin[:2:2], tt.want...), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if s := p.Stats(); s.Corrupt != 0 {
				t.Errorf("corrupt: %d, first %s", s.Corrupt, s.First)
			}
		})
	}
}
