package causality

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// lateProgram makes records as programs do: all loads in place, or without those that teach their
// goroutines nothing, which other goroutines then write before they store.
type lateProgram struct {
	feed func(rec ring.Record, in, late bool) // in: where all loads are in place; late: where not

	written map[uint64]uint64            // records of each context
	loaded  map[uint64]map[uint64]bool   // contexts that know the last store, by address
	noted   map[uint64]map[uint64]uint64 // when they loaded it last, by address
	mayEnd  map[uint64]bool              // contexts with loads that have been noted
}

func newLateProgram(feed func(ring.Record, bool, bool)) *lateProgram {
	return &lateProgram{feed, map[uint64]uint64{}, map[uint64]map[uint64]bool{}, map[uint64]map[uint64]uint64{},
		map[uint64]bool{}}
}

func (p *lateProgram) record(rec ring.Record) {
	p.feed(rec, true, true)
	p.written[rec.Ctx]++
}

func (p *lateProgram) end(ctx uint64) {
	rec := ring.Record{Kind: ring.KindEnd, Ctx: ctx}
	if p.mayEnd[ctx] {
		rec.Arg = ring.EndLate
	}
	p.record(rec)
}

func (p *lateProgram) load(ctx, addr uint64) {
	rec := ring.Record{Kind: ring.KindAtomicLoad, Ctx: ctx, Addr: addr}
	if p.loaded[addr] == nil {
		p.loaded[addr], p.noted[addr] = map[uint64]bool{}, map[uint64]uint64{}
	}
	if !p.loaded[addr][ctx] {
		p.loaded[addr][ctx] = true
		p.record(rec)
		return
	}
	p.noted[addr][ctx] = p.written[ctx]
	p.mayEnd[ctx] = true
	p.feed(rec, true, false)
	p.written[ctx]++
}

func (p *lateProgram) store(ctx, addr uint64) {
	for by := range uint64(1000) {
		count, ok := p.noted[addr][by]
		if !ok || by == ctx {
			continue
		}
		p.feed(ring.Record{Kind: ring.KindLateLoad, Ctx: ctx, Addr: addr, Aux: count, Arg: by}, false, true)
		p.written[ctx]++
	}
	p.record(ring.Record{Kind: ring.KindAtomicStore, Ctx: ctx, Addr: addr})
	p.loaded[addr], p.noted[addr] = map[uint64]bool{ctx: true}, map[uint64]uint64{}
}

// lateRun is an Order with the numbers of the operations in it that both ways have.
type lateRun struct {
	order  *Order
	shown  *op.Op
	common map[op.Task][]int32
}

func newLateRun() *lateRun {
	r := &lateRun{common: map[op.Task][]int32{}}
	r.order = New(Options{Sparse: true, Watch: watcherFunc(func(o *op.Op) { r.shown = o }),
		Keep: func(*event.Event) error { return nil }})
	return r
}

// known returns how many operations of each task, of those that both ways have, a clock knows.
func (r *lateRun) known(o *op.Op, at func(*op.Op, op.Task) int32) map[op.Task]int {
	known := map[op.Task]int{}
	for task, numbers := range r.common {
		if task == o.Task {
			continue
		}
		k, n := at(o, task), 0
		for n < len(numbers) && numbers[n] <= k {
			n++
		}
		if n > 0 {
			known[task] = n
		}
	}
	return known
}

func inFullClock(o *op.Op, t op.Task) int32 { return o.Full.At(int32(t)) }
func inFreeClock(o *op.Op, t op.Task) int32 { return o.Free.At(int32(t)) }

// feedLate feeds a random run of so many steps both ways, and calls see after each record that both
// have.
func feedLate(t *testing.T, seed uint64, steps int, see func(rec *ring.Record, all, late *lateRun)) (lates int) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 7))
	all, late := newLateRun(), newLateRun()
	p := newLateProgram(func(rec ring.Record, in, isLate bool) {
		for _, way := range [...]struct {
			run *lateRun
			has bool
		}{{all, in}, {late, isLate}} {
			way.run.shown = nil
			if !way.has {
				way.run.order.Count(rec.Ctx)
			} else if err := way.run.order.Feed(&rec); err != nil {
				t.Fatal(err)
			}
		}
		if !in {
			lates++
		}
		if !in || !isLate || all.shown == nil {
			return
		}
		for _, run := range [...]*lateRun{all, late} {
			run.common[run.shown.Task] = append(run.common[run.shown.Task], run.shown.K)
		}
		see(&rec, all, late)
	})
	live, next := []uint64{1}, uint64(2)
	stores := 1 + random.IntN(20)
	for range steps {
		i := random.IntN(len(live))
		ctx, addr := live[i], uint64(0x1000+64*random.IntN(3))
		lock := uint64(0x4000 + 64*random.IntN(2))
		switch n := random.IntN(100); {
		case n < 8 && len(live) < 12:
			p.record(ring.Record{Kind: ring.KindGo, Ctx: ctx, Addr: next})
			live = append(live, next)
			next++
		case n < 10 && i > 0:
			p.end(ctx)
			live = append(live[:i], live[i+1:]...)
		case n < 10+stores:
			p.store(ctx, addr)
		case n < 60:
			p.load(ctx, addr)
		case n < 80:
			p.record(ring.Record{Kind: ring.KindAcquire, Ctx: ctx, Addr: lock, Aux: lock, Arg: ring.OpLock})
			p.record(ring.Record{Kind: ring.KindRelease, Ctx: ctx, Addr: lock, Aux: lock, Arg: ring.OpUnlock})
		case n < 90:
			p.record(ring.Record{Kind: ring.KindReleaseMerge, Ctx: ctx, Addr: 0x5000, Aux: 0x5000, Arg: ring.OpDone})
		default:
			p.record(ring.Record{Kind: ring.KindAcquire, Ctx: ctx, Addr: 0x5000, Aux: 0x5000, Arg: ring.OpPut})
		}
	}
	for _, run := range [...]*lateRun{all, late} {
		if s := run.order.Stats(); s.Corrupt > 0 {
			t.Fatal(s.First)
		}
	}
	return lates
}

// Each operation comes after the same other ones, whether all loads are in place or those that
// teach nothing come late, also if the goroutine that loaded has ended.
func TestLateLoads(t *testing.T) {
	lates := 0
	for seed := range uint64(60) {
		lates += feedLate(t, seed, 300, func(rec *ring.Record, all, late *lateRun) {
			if all.shown.Kind != late.shown.Kind || all.shown.K != late.shown.K {
				t.Fatalf("seed %d, record %v: %v is number %d, %v number %d", seed, rec, all.shown.Kind, all.shown.K,
					late.shown.Kind, late.shown.K)
			}
			for name, at := range map[string]func(*op.Op, op.Task) int32{"full": inFullClock, "free": inFreeClock} {
				a, b := fmt.Sprint(all.known(all.shown, at)), fmt.Sprint(late.known(late.shown, at))
				if a != b {
					t.Fatalf("seed %d, record %v: in order %s it comes after %v, with late loads after %v", seed, rec,
						name, a, b)
				}
			}
		})
	}
	if lates < 1000 {
		t.Errorf("only %d loads came late", lates)
	}
}

// Of what a goroutine has learnt since a load, only so much is forgotten as was learnt right behind
// it: the store comes after that, too, and after nothing that the goroutine has learnt lately.
func TestLateLoadsOfLongAgo(t *testing.T) {
	const learnt = 5 * fewStages
	order, shown := watched()
	feed := func(rec ring.Record) {
		if err := order.Feed(&rec); err != nil {
			t.Fatal(err)
		}
	}
	feed(ring.Record{Kind: ring.KindGo, Ctx: 1, Addr: 2})
	feed(ring.Record{Kind: ring.KindGo, Ctx: 1, Addr: 3})
	feed(ring.Record{Kind: ring.KindGo, Ctx: 1, Addr: 4})
	feed(ring.Record{Kind: ring.KindAtomicLoad, Ctx: 2, Addr: 64})
	for range learnt { // 2 learns from 3
		feed(ring.Record{Kind: ring.KindRelease, Ctx: 3, Addr: 128, Aux: 128, Arg: ring.OpDone})
		feed(ring.Record{Kind: ring.KindAcquire, Ctx: 2, Addr: 128, Aux: 128, Arg: ring.OpWait})
	}
	feed(ring.Record{Kind: ring.KindLateLoad, Ctx: 4, Addr: 64, Aux: 1, Arg: 2})
	feed(ring.Record{Kind: ring.KindAtomicStore, Ctx: 4, Addr: 64})
	if own, others := shown.Full.At(1), shown.Full.At(2); own < 1 || others > learnt-fewStages {
		t.Errorf("the store comes after %d operations of the goroutine, and after %d of %d that it learnt of", own,
			others, learnt)
	}
	if n := len(order.goroutines.get(2).stages.known); n > 2*fewStages {
		t.Errorf("%d stages are kept", n)
	}
}

// watched returns an Order and its last operation.
func watched() (*Order, *op.Op) {
	shown := new(op.Op)
	return New(Options{Sparse: true, Watch: watcherFunc(func(o *op.Op) { *shown = *o }),
		Keep: func(*event.Event) error { return nil }}), shown
}

// Loads of goroutines that ended long ago come before the store, too.
func TestLateLoadsOfManyEnded(t *testing.T) {
	order, shown := watched()
	feed := func(rec ring.Record) {
		if err := order.Feed(&rec); err != nil {
			t.Fatal(err)
		}
	}
	const many = 3 * maxLateEnded
	for ctx := uint64(2); ctx < 2+many; ctx++ {
		feed(ring.Record{Kind: ring.KindGo, Ctx: 1, Addr: ctx})
		feed(ring.Record{Kind: ring.KindAtomicLoad, Ctx: ctx, Addr: 64})
		feed(ring.Record{Kind: ring.KindAtomicLoad, Ctx: ctx, Addr: 128})
		feed(ring.Record{Kind: ring.KindEnd, Ctx: ctx, Arg: ring.EndLate})
	}
	if n := len(order.watch.lateLoaders.of); n > 2*maxLateEnded {
		t.Errorf("%d goroutines that have ended are kept", n)
	}
	for _, ctx := range []uint64{2, 1 + many} {
		feed(ring.Record{Kind: ring.KindLateLoad, Ctx: 1, Addr: 64, Aux: 2, Arg: ctx})
	}
	feed(ring.Record{Kind: ring.KindAtomicStore, Ctx: 1, Addr: 64})
	for _, task := range []int32{1, many} {
		if k := shown.Full.At(task); k < 1 {
			t.Errorf("the store does not come after the load of task %d", task)
		}
	}
}

// A late load of a variable whose memory has been freed, and perhaps is another object's, orders
// nothing.
func TestLateLoadOfFreed(t *testing.T) {
	for _, again := range []bool{false, true} {
		order, shown := watched()
		records := []ring.Record{
			{Kind: ring.KindGo, Ctx: 1, Addr: 2}, {Kind: ring.KindAtomicLoad, Ctx: 2, Addr: 64},
			{Kind: ring.KindFree, Addr: 64, Aux: 8},
			{Kind: ring.KindAcquire, Ctx: 1, Addr: 64, Aux: 64, Arg: ring.OpLock},
			{Kind: ring.KindLateLoad, Ctx: 1, Addr: 64, Aux: 1, Arg: 2},
			{Kind: ring.KindAtomicStore, Ctx: 1, Addr: 64},
		}
		if !again {
			records = append(records[:3], records[4:]...)
		}
		for i := range records {
			if err := order.Feed(&records[i]); err != nil {
				t.Fatal(err)
			}
		}
		if k := shown.Full.At(1); k != 0 {
			t.Errorf("the store comes after %d operations of the goroutine that loaded what was there before", k)
		}
	}
}

// forgetful is a watcher that remembers no task.
type forgetful struct{ watcherFunc }

func (forgetful) Remembers(func(op.Task)) bool { return true }
func (forgetful) Forget(*clock.Sweep)          {}

// A goroutine whose loads can come late is not forgotten, unlike others that have ended.
func TestLateLoadsOfUnforgotten(t *testing.T) {
	var shown op.Op
	order := New(Options{Sparse: true, ForgetAfter: 100, Watch: forgetful{func(o *op.Op) { shown = *o }},
		Keep: func(*event.Event) error { return nil }})
	feed := func(rec ring.Record) {
		if err := order.Feed(&rec); err != nil {
			t.Fatal(err)
		}
	}
	const many, loader = 20000, 10000
	for ctx := uint64(2); ctx < many; ctx++ {
		feed(ring.Record{Kind: ring.KindGo, Ctx: 1, Addr: ctx})
		end := uint64(0)
		if ctx == loader {
			feed(ring.Record{Kind: ring.KindAtomicLoad, Ctx: ctx, Addr: 64})
			end = ring.EndLate
		}
		feed(ring.Record{Kind: ring.KindEnd, Ctx: ctx, Arg: end})
	}
	tasks := &order.watch.tasks
	if held := tasks.table.Held(); held > many/10 || tasks.at(loader-1) == nil {
		t.Errorf("of %d tasks %d are left, and of the loader there is %v", many, held, tasks.at(loader-1))
	}
	feed(ring.Record{Kind: ring.KindLateLoad, Ctx: 1, Addr: 64, Aux: 1, Arg: loader})
	feed(ring.Record{Kind: ring.KindAtomicStore, Ctx: 1, Addr: 64})
	if k := shown.Full.At(loader - 1); k != 1 {
		t.Errorf("the store comes after %d operations of the loader", k)
	}
}
