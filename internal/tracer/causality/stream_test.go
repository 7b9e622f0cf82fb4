package causality

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// streamModel is what comes before what by definition: each write is kept for ever.
type streamModel struct {
	known  map[uint64]map[uint64]int // by context: the last operation of each context that it knows
	writes map[uint64][]writeModel   // by key
}

func newStreamModel() *streamModel {
	return &streamModel{map[uint64]map[uint64]int{}, map[uint64][]writeModel{}}
}

type writeModel struct {
	id, at uint64
	which  int
	end    bool
	known  map[uint64]int
}

// feed returns what the goroutine of a record knows then. wide is as much as it may know: a read
// then comes after all that was written to the stream in any connection with the key.
func (m *streamModel) feed(rec *ring.Record, wide bool) map[uint64]int {
	known := m.known[rec.Ctx]
	if known == nil {
		known = map[uint64]int{}
		m.known[rec.Ctx] = known
	}
	known[rec.Ctx]++
	which, position := streamOf(rec)
	end := rec.Op() == ring.OpStreamEnd
	if rec.Kind == ring.KindReleaseMerge {
		m.writes[rec.Addr] = append(m.writes[rec.Addr], writeModel{rec.Aux, position, which, end, maps.Clone(known)})
		return known
	}
	for _, w := range m.writes[rec.Addr] {
		if w.which != which {
			continue
		}
		all := position >= ring.StreamAll || rec.Aux == 0
		read := all || end && w.end || w.at < position && !w.end
		if wide || w.id == 0 || rec.Aux == 0 || w.id == rec.Aux && read {
			for ctx, k := range w.known {
				known[ctx] = max(known[ctx], k)
			}
		}
	}
	return known
}

// drawStreams draws records of goroutines that write to and read from connections.
func drawStreams(random *rand.Rand, steps int, unknown bool) (records []ring.Record) {
	type end struct{ written, read [2]uint64 }
	ends := map[[2]uint64]*end{}
	for range steps {
		key, id := 1<<63|random.Uint64N(2), 1+random.Uint64N(3)
		which := random.Uint64N(2)
		e := ends[[2]uint64{key, id}]
		if e == nil {
			e = new(end)
			ends[[2]uint64{key, id}] = e
		}
		if unknown && random.IntN(8) == 0 {
			id = 0
		}
		ctx := 1 + random.Uint64N(5)
		rec := ring.Record{Ctx: ctx, Addr: key, Aux: id, Kind: ring.KindReleaseMerge, Arg: ring.OpStream}
		position := uint64(0)
		switch kind := random.IntN(20); {
		case kind < 10:
			position = e.written[which]
			e.written[which] += 1 + random.Uint64N(5)
		case kind == 10:
			rec.Arg = ring.OpStreamEnd
		case kind == 11:
			e.read[which] = e.written[which]
			rec.Kind, rec.Arg, position = ring.KindAcquire, ring.OpStreamEnd, e.read[which]
		case kind == 12 && unknown:
			rec.Kind, position = ring.KindAcquire, ring.StreamAll
		default:
			rec.Kind = ring.KindAcquire
			e.read[which] += random.Uint64N(1 + e.written[which] - e.read[which])
			position = e.read[which]
		}
		rec.Arg |= which<<ring.OpShift | position<<ring.StreamShift
		records = append(records, rec)
	}
	return records
}

// startFive returns an Order with the goroutines 1 to 5.
func startFive(t *testing.T, opt Options) *Order {
	opt.Keep = func(*event.Event) error { return nil }
	opt.Sparse = true
	order := New(opt)
	for ctx := uint64(2); ctx <= 5; ctx++ {
		if err := order.Feed(&ring.Record{Kind: ring.KindGo, Ctx: 1, Addr: ctx}); err != nil {
			t.Fatal(err)
		}
	}
	return order
}

// A read comes after the writes that began before its position, and after no other ones. Where it
// is unknown what was read or written, it comes after all of these at least.
func TestStream(t *testing.T) {
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 1))
		unknown := seed%3 == 0
		order := startFive(t, Options{Watch: op.Discard})
		begun := map[uint64]int32{} // operations of the goroutines before the records
		for ctx := uint64(1); ctx <= 5; ctx++ {
			begun[ctx] = order.goroutines.get(ctx).know.ops.k
		}
		least, most := newStreamModel(), newStreamModel()
		for i, rec := range drawStreams(random, 400, unknown) {
			atLeast, atMost := least.feed(&rec, false), most.feed(&rec, unknown)
			if err := order.Feed(&rec); err != nil || order.Stats().Corrupt > 0 {
				t.Fatal(err, order.Stats())
			}
			g := order.goroutines.get(rec.Ctx)
			for ctx := uint64(1); ctx <= 5; ctx++ {
				got := max(0, int(g.know.ops.latestKnown(order.TaskOf(ctx), inFull)-begun[ctx]))
				if got < atLeast[ctx] || got > atMost[ctx] {
					t.Fatalf("seed %d, record %d: goroutine %d knows %d of %d, want %d to %d\n%+v", seed, i, rec.Ctx,
						got, ctx, atLeast[ctx], atMost[ctx], rec)
				}
			}
			if random.IntN(100) == 0 {
				order.forget()
			}
		}
	}
}

// Writes that are not read take bounded memory, and so do connections whose other ends are unknown.
// A read of them nevertheless comes after them.
func TestStreamBounds(t *testing.T) {
	order := startFive(t, Options{Watch: op.Discard})
	feed := func(ctx uint64, kind ring.Kind, key, id, arg uint64) {
		t.Helper()
		if err := order.Feed(&ring.Record{Ctx: ctx, Kind: kind, Addr: key, Aux: id, Arg: arg}); err != nil {
			t.Fatal(err)
		}
	}
	const key, other = 1 << 63, 1<<63 + 64
	written := map[uint64]int32{}
	for i := range uint64(10_000) {
		ctx := 1 + i%4
		feed(ctx, ring.KindReleaseMerge, key, 1, ring.OpStream|i<<ring.StreamShift)
		written[ctx] = order.goroutines.get(ctx).know.ops.k
		s := &order.connectionsAt(key).known[1].streams[0]
		if len(s.unread) > maxUnread || len(s.unread) > maxNeverRead && !s.isRead {
			t.Fatalf("%d unread writes", len(s.unread))
		}
		if i == 5_000 {
			feed(5, ring.KindAcquire, key, 1, ring.OpStream|1<<ring.StreamShift)
		}
	}
	feed(5, ring.KindAcquire, key, 1, ring.OpStream|10_000<<ring.StreamShift)
	for ctx, k := range written {
		if got := order.goroutines.get(5).know.ops.latestKnown(order.TaskOf(ctx), inFull); got < k {
			t.Errorf("the reader knows %d operations of goroutine %d, not %d", got, ctx, k)
		}
	}
	for id := range uint64(2 * maxHalfClosed) {
		feed(1, ring.KindReleaseMerge, other, 1+id, ring.OpStream)
		feed(1, ring.KindReleaseMerge, other, 1+id, ring.OpStreamEnd|1<<ring.StreamShift)
		if id == 0 {
			written[1] = order.goroutines.get(1).know.ops.k
		}
	}
	if n := len(order.connectionsAt(other).known); n > maxHalfClosed {
		t.Errorf("%d connections with one end", n)
	}
	feed(2, ring.KindAcquire, other, 1, ring.OpStreamEnd|1<<ring.StreamShift)
	if got := order.goroutines.get(2).know.ops.latestKnown(order.TaskOf(1), inFull); got < written[1] {
		t.Error("the reader of a connection with one end that was forgotten does not come after its writer")
	}
	// both ends are closed
	feed(3, ring.KindReleaseMerge, other, 1<<20, ring.OpStreamEnd|1<<ring.StreamShift)
	feed(4, ring.KindReleaseMerge, other, 1<<20, ring.OpStreamEnd|1<<ring.OpShift|1<<ring.StreamShift)
	if order.connectionsAt(other).known[1<<20] != nil {
		t.Error("a connection is kept that is closed at both ends")
	}
	order.Unwatch()
	feed(2, ring.KindAcquire, other, 0, ring.OpStream|1<<ring.StreamShift)
}
