package process

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// Copying or overwriting memory is reported for the objects in it that must not be copied.
func TestCopies(t *testing.T) {
	p, ops := watchRun(t, []ring.Record{
		rec(ring.KindAcquire, 1, 100, 100, ring.OpLock), rec(ring.KindRelease, 1, 100, 100, ring.OpUnlock),
		rec(ring.KindMark, 1, 116, 116, ring.OpAdd|1<<ring.OpShift),
		rec(ring.KindMakeChan, 1, 132, 0),
		rec(ring.KindAtomicStore, 1, 140, 0),
		rec(ring.KindCopy, 1, 96, 48),
		rec(ring.KindCopy, 1, 104, 12, ring.AccessWrites), // between the two
		rec(ring.KindCopy, 1, 101, 16, ring.AccessWrites), // from behind the begin of the mutex
		{Kind: ring.KindFree, Addr: 96, Aux: 8},
		rec(ring.KindCopy, 1, 0, 1<<20),
	}, Options{})
	want := []string{
		"main/1 lock mutex 1",
		"main/2 unlock mutex 1",
		"main/3 add waitgroup 1 1",
		"main/4 make chan 1",
		"main/5 store [140]",
		"main/6 copy mutex 1",
		"main/6 copy waitgroup 1",
		"main/8 copy waitgroup 1 1",
		"nobody free mutex 1",
		"main/9 copy waitgroup 1",
	}
	if d := cmp.Diff(want, opLines(p, ops)); d != "" {
		t.Error("-want +got:", d)
	}
}
