package causality

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// pool is a program that starts goroutines, which hand on what they have done. At most so many live
// at a time.
type pool struct {
	live int
	does func(n uint64) []ring.Record // by the n-th of them, from 0, without its beginning and end
	// by the goroutine that takes what it has handed on, nil if none does
	after func(n uint64) []ring.Record
}

const (
	poolReceiver = 2
	poolFirst    = 3
	poolLock     = 1000
	poolGroup    = 1100
	poolChannel  = 1200
	poolCount    = 1300
	poolSlots    = 16
)

func poolRecord(kind ring.Kind, ctx, addr, does uint64) ring.Record {
	return ring.Record{Kind: kind, Ctx: ctx, Addr: addr, Aux: addr, Arg: does}
}

func locked(n uint64) []ring.Record {
	return []ring.Record{poolRecord(ring.KindAcquire, n+poolFirst, poolLock, ring.OpLock),
		poolRecord(ring.KindRelease, n+poolFirst, poolLock, ring.OpUnlock)}
}

func sent(n uint64) []ring.Record {
	return []ring.Record{{Kind: ring.KindSend, Ctx: n + poolFirst, Addr: poolChannel, Aux: n % poolSlots}}
}

func received(n uint64) []ring.Record {
	return []ring.Record{{Kind: ring.KindRecv, Ctx: poolReceiver, Addr: poolChannel, Aux: n % poolSlots}}
}

func counted(n uint64) []ring.Record {
	return []ring.Record{{Kind: ring.KindAtomicRMW, Ctx: n + poolFirst, Addr: poolCount},
		{Kind: ring.KindAtomicLoad, Ctx: n + poolFirst, Addr: poolCount}}
}

func lockedAndSent(n uint64) []ring.Record { return append(locked(n), sent(n)...) }

func all(n uint64) []ring.Record { return append(append(locked(n), counted(n)...), sent(n)...) }

var pools = map[string]pool{
	"lock":     {live: 64, does: locked},
	"channel":  {live: 64, does: sent, after: received},
	"atomic":   {live: 64, does: counted},
	"all":      {live: 64, does: all, after: received},
	"lockSend": {live: 64, does: lockedAndSent, after: received},
	"crowd":    {live: 1 << 12, does: all, after: received},
}

// feed feeds the records of so many goroutines to f. The order of their operations does not follow
// from their beginnings.
func (p *pool) feed(goroutines uint64, f func(*ring.Record)) {
	random := rand.New(rand.NewPCG(1, 2))
	feed := func(records ...ring.Record) {
		for i := range records {
			f(&records[i])
		}
	}
	feed(ring.Record{Kind: ring.KindGo, Ctx: 1, Addr: poolReceiver},
		ring.Record{Kind: ring.KindMakeChan, Ctx: 1, Addr: poolChannel, Aux: poolSlots})
	next := func(contexts []uint64, handed uint64) []uint64 {
		i := random.IntN(len(contexts))
		n := contexts[i]
		contexts[i] = contexts[len(contexts)-1]
		for _, r := range p.does(n) {
			if r.Kind == ring.KindSend {
				r.Aux = handed % poolSlots
			}
			feed(r)
		}
		feed(poolRecord(ring.KindReleaseMerge, n+poolFirst, poolGroup, ring.OpDone),
			ring.Record{Kind: ring.KindEnd, Ctx: n + poolFirst})
		if p.after != nil {
			feed(p.after(handed)...)
		}
		return contexts[:len(contexts)-1]
	}
	var contexts []uint64
	for n := range goroutines {
		feed(poolRecord(ring.KindMark, 1, poolGroup, ring.OpAdd|1<<ring.OpShift),
			ring.Record{Kind: ring.KindGo, Ctx: 1, Addr: n + poolFirst})
		if contexts = append(contexts, n); len(contexts) == p.live {
			contexts = next(contexts, n)
		}
	}
	for handed := goroutines; len(contexts) > 0; handed++ {
		contexts = next(contexts, handed)
	}
	feed(poolRecord(ring.KindAcquire, 1, poolGroup, ring.OpWait))
}

// run feeds the pool to a watched order, and returns that and the number of records.
func (p *pool) run(t testing.TB, goroutines uint64) (order *Order, records int) {
	order = New(Options{Sparse: true, Watch: op.Discard, Keep: func(*event.Event) error { return nil }})
	p.feed(goroutines, func(r *ring.Record) {
		records++
		if err := order.Feed(r); err != nil {
			t.Fatal(err)
		}
	})
	if s := order.Stats(); s.Corrupt > 0 {
		t.Fatal(s.First)
	}
	return order, records
}

// A pool that starts more goroutines costs no more for each of them, but for the depth of what is
// compared.
func TestPoolsAreLinear(t *testing.T) {
	for name, p := range pools {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each := func(goroutines uint64) float64 {
				order, _ := p.run(t, goroutines)
				return float64(order.know.clocks.Compared()) / float64(goroutines)
			}
			few, many := each(1<<11), each(1<<14)
			t.Logf("parts compared for each goroutine: %.1f of 2,048, %.1f of 16,384", few, many)
			if many > 2*few+8 {
				t.Errorf("%.1f parts are compared for each of 2,048 goroutines, and %.1f for each of 16,384", few, many)
			}
		})
	}
}

// When operations are no longer reported, nothing is known of them, and no goroutine learns of
// others.
func TestUnwatch(t *testing.T) {
	p := pools["crowd"]
	order := New(Options{Sparse: true, Watch: op.Discard, Keep: func(*event.Event) error { return nil }})
	records := 0
	p.feed(3*uint64(p.live), func(r *ring.Record) {
		if records++; records == 10*p.live {
			order.Unwatch()
		}
		if err := order.Feed(r); err != nil {
			t.Fatal(err)
		}
	})
	order.goroutines.each(func(g *goroutine) {
		if g.know.ops != (operationClocks{}) {
			t.Errorf("task %d knows operations", g.self)
		}
	})
	for o := range order.objects.all() {
		if r := o.released; r != nil && (r.ops != (operationClocks{}) || r.others != nil || r.taskIndex != nil) {
			t.Errorf("what was released at %d has operations", o.addr)
		}
	}
	if name := order.Task(5).Name; name != "main.5" {
		t.Errorf("task 5 is %q", name)
	}
}

// BenchmarkPool is what a goroutine costs that a pool starts, of so many.
func BenchmarkPool(b *testing.B) {
	for _, name := range []string{"lock", "channel", "atomic", "all", "crowd"} {
		p := pools[name]
		for goroutines := uint64(12500); goroutines <= 400000; goroutines *= 2 {
			b.Run(fmt.Sprintf("%s/%d", name, goroutines), func(b *testing.B) {
				b.ReportAllocs()
				fed := 0
				for b.Loop() {
					_, records := p.run(b, goroutines)
					fed += records
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(fed), "ns/record")
			})
		}
	}
}
