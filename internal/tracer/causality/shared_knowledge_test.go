package causality

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// vectors are the naive way to compute an order: a number of each task, copied whenever one learns
// from another.
type vectors struct {
	// of each context, its own records included
	tasks                    map[uint64]map[uint64]int32
	stored, loaded, released map[uint64]map[uint64]int32 // of each address
	free                     bool                        // unlocking orders nothing
}

func newVectors(free bool) *vectors {
	return &vectors{map[uint64]map[uint64]int32{}, map[uint64]map[uint64]int32{}, map[uint64]map[uint64]int32{},
		map[uint64]map[uint64]int32{}, free}
}

func learned(v, of map[uint64]int32) map[uint64]int32 {
	sum := maps.Clone(v)
	if sum == nil {
		sum = map[uint64]int32{}
	}
	for task, k := range of {
		sum[task] = max(sum[task], k)
	}
	return sum
}

func (v *vectors) feed(r *ring.Record) {
	v.tasks[r.Ctx] = learned(v.tasks[r.Ctx], map[uint64]int32{r.Ctx: v.tasks[r.Ctx][r.Ctx] + 1})
	know := v.tasks[r.Ctx]
	switch r.Kind {
	case ring.KindGo:
		v.tasks[r.Addr] = learned(know, nil)
	case ring.KindAtomicLoad:
		know = learned(know, v.stored[r.Addr])
		v.loaded[r.Addr] = learned(v.loaded[r.Addr], know)
	case ring.KindAtomicStore:
		know = learned(learned(know, v.stored[r.Addr]), v.loaded[r.Addr])
		v.stored[r.Addr], v.loaded[r.Addr] = know, nil
	case ring.KindRelease:
		if !v.free || r.Op() != ring.OpUnlock {
			v.released[r.Addr] = know
		}
	case ring.KindReleaseMerge:
		if v.free && r.Op() == ring.OpRUnlock {
			break
		}
		v.released[r.Addr] = learned(v.released[r.Addr], know)
	case ring.KindAcquire:
		know = learned(know, v.released[r.Addr])
	}
	v.tasks[r.Ctx] = know
}

// watcherFunc is a watcher.
type watcherFunc func(*op.Op)

func (f watcherFunc) Op(o *op.Op) { f(o) }

// Tasks that hand on through the same objects know each other as by vector clocks, also where they
// are so many that they are found by an index, some have ended, and some know of others. Readers of
// a lock hand on in one order and not in the other.
func TestSharedKnowledge(t *testing.T) {
	crowds, seeds := 0, uint64(30)
	if testing.Short() { // the race detector makes it slow
		seeds = 6
	}
	for seed := range seeds {
		random := rand.New(rand.NewPCG(seed, 1))
		all, free := newVectors(false), newVectors(true)
		var told *op.Op
		tasks := map[uint64]op.Task{1: 0} // by context
		order := New(Options{Sparse: true, Accesses: seed%2 == 0, Watch: watcherFunc(func(o *op.Op) { told = o }),
			Keep: func(*event.Event) error { return nil }})
		feed := func(r *ring.Record) {
			told = nil
			all.feed(r)
			free.feed(r)
			if err := order.Feed(r); err != nil {
				t.Fatal(err)
			}
			if told == nil {
				return
			}
			if told.Kind == op.Go {
				tasks[r.Addr] = told.Other
			}
			for ctx, task := range tasks {
				if k := free.tasks[r.Ctx][ctx]; ctx != r.Ctx && told.Free.At(int32(task)) != k {
					t.Fatalf("seed %d, record %v: without locks, %d operations of %d are known, not %d", seed, r,
						told.Free.At(int32(task)), ctx, k)
				}
				if k := all.tasks[r.Ctx][ctx]; ctx != r.Ctx && told.Full.At(int32(task)) != k {
					t.Fatalf("seed %d, record %v: %d operations of %d are known, not %d", seed, r,
						told.Full.At(int32(task)), ctx, k)
				}
			}
			if told.K != all.tasks[r.Ctx][r.Ctx] {
				t.Fatalf("seed %d, record %v: its number is %d, not %d", seed, r, told.K, all.tasks[r.Ctx][r.Ctx])
			}
		}
		live, next := []uint64{1}, uint64(2)
		// where it is, where readers acquire, where writers do
		const lock, readers, writers = 0x4000, 0x4008, 0x4010
		// in a hundred: where they are rare, many loads come together
		stores := random.IntN(20)
		for range 1500 {
			ctx := live[random.IntN(len(live))]
			addr := uint64(0x1000 + 64*random.IntN(3))
			switch n := random.IntN(100); {
			case n < 15 && len(live) < 200:
				feed(&ring.Record{Kind: ring.KindGo, Ctx: ctx, Addr: next})
				live = append(live, next)
				next++
			case n < 20 && len(live) > 1 && ctx != 1:
				feed(&ring.Record{Kind: ring.KindEnd, Ctx: ctx})
				for i := range live {
					if live[i] == ctx {
						live[i] = live[len(live)-1]
						live = live[:len(live)-1]
						break
					}
				}
			case n < 20+stores:
				feed(&ring.Record{Kind: ring.KindAtomicStore, Ctx: ctx, Addr: addr})
			case n < 65:
				feed(&ring.Record{Kind: ring.KindAtomicLoad, Ctx: ctx, Addr: addr})
			case n < 79:
				feed(&ring.Record{Kind: ring.KindAcquire, Ctx: ctx, Addr: readers, Aux: lock, Arg: ring.OpRLock})
				feed(&ring.Record{Kind: ring.KindReleaseMerge, Ctx: ctx, Addr: writers, Aux: lock, Arg: ring.OpRUnlock})
			case n < 80:
				feed(&ring.Record{Kind: ring.KindAcquire, Ctx: ctx, Addr: readers, Aux: lock, Arg: ring.OpNone})
				feed(&ring.Record{Kind: ring.KindAcquire, Ctx: ctx, Addr: writers, Aux: lock, Arg: ring.OpLock})
				feed(&ring.Record{Kind: ring.KindRelease, Ctx: ctx, Addr: readers, Aux: lock, Arg: ring.OpUnlock})
			case n < 97:
				feed(&ring.Record{Kind: ring.KindReleaseMerge, Ctx: ctx, Addr: addr + 0x1000, Aux: addr + 0x1000,
					Arg: ring.OpPut})
			default:
				feed(&ring.Record{Kind: ring.KindAcquire, Ctx: ctx, Addr: addr + 0x1000, Aux: addr + 0x1000,
					Arg: ring.OpGet})
			}
			for _, o := range order.objects.blocks.All() {
				for ; o != nil; o = o.nextInBlock {
					if o.released != nil && o.released.taskIndex != nil || o.atomic != nil && o.atomic.loaded != nil &&
						o.atomic.loaded.taskIndex != nil {
						crowds++
					}
				}
			}
		}
		if s := order.Stats(); s.Corrupt > 0 {
			t.Fatal(s.First)
		}
	}
	if crowds == 0 {
		t.Error("no object had a crowd")
	}
	t.Logf("%d times an object had a crowd", crowds)
}
