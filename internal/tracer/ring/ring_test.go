//go:build linux

package ring

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"reflect"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// producer writes records the way the hooks do, into any memory laid out as a ring.
type producer struct{ mem []byte }

func (p producer) word(off int) *uint64 { return (*uint64)(unsafe.Pointer(&p.mem[off])) }

func (p producer) slot(index uint64) []byte {
	n := uint64(len(p.mem)-HeaderSize) / SlotSize
	return p.mem[HeaderSize+index%n*SlotSize:][:SlotSize]
}

// reserve returns the first of n indexes, or false if there is no room for them.
func (p producer) reserve(n uint64) (uint64, bool) {
	room := atomic.LoadUint64(p.word(OffCons)) + uint64(len(p.mem)-HeaderSize)/SlotSize
	if *p.word(OffProd)+n > room {
		return 0, false
	}
	return atomic.AddUint64(p.word(OffProd), n) - n, true
}

func (p producer) publish(index, seq uint64) {
	atomic.StoreUint64((*uint64)(unsafe.Pointer(&p.slot(index)[0])), seq)
}

func (p producer) fill(first uint64, r *Record, head bool) {
	extra := (len(r.Payload) + PayloadPerSlot - 1) / PayloadPerSlot
	for i := range extra {
		s := p.slot(first + 1 + uint64(i))
		clear(s[8:])
		copy(s[8:], r.Payload[i*PayloadPerSlot:])
		p.publish(first+1+uint64(i), (first+2+uint64(i))|ContinuationBit)
	}
	if head {
		encodeHead(r, extra, p.slot(first))
		p.publish(first, first+1)
	}
}

func (p producer) put(r *Record) bool {
	first, ok := p.reserve(1 + uint64(len(r.Payload)+PayloadPerSlot-1)/PayloadPerSlot)
	if ok {
		p.fill(first, r, true)
	}
	return ok
}

// wait is put that waits for room.
func (p producer) wait(r *Record) {
	for !p.put(r) {
		time.Sleep(100 * time.Microsecond)
	}
}

// encodeHead is the inverse of decodeHead.
func encodeHead(r *Record, extra int, slot []byte) {
	binary.LittleEndian.PutUint64(slot[OffWord:],
		uint64(r.Kind)<<KindShift|uint64(extra)<<ExtraShift|r.Ctx&CtxMask)
	binary.LittleEndian.PutUint64(slot[OffAddr:], r.Addr)
	binary.LittleEndian.PutUint64(slot[OffAux:], r.Aux)
	for i, pc := range r.PC {
		binary.LittleEndian.PutUint64(slot[OffPC+8*i:], pc)
	}
	binary.LittleEndian.PutUint64(slot[OffArg:], r.Arg)
}

func genRecord(t *rapid.T) *Record {
	r := &Record{
		Kind: Kind(rapid.IntRange(1, KindCount-1).Draw(t, "kind")),
		Ctx:  rapid.Uint64Range(0, CtxMask).Draw(t, "ctx"),
		Addr: rapid.Uint64().Draw(t, "addr"),
		Aux:  rapid.Uint64().Draw(t, "aux"),
		Arg:  rapid.Uint64().Draw(t, "arg"),
		PC:   [PCs]uint64{rapid.Uint64().Draw(t, "pc"), 1, 2},
	}
	if slots := rapid.SampledFrom([]int{0, 0, 0, 1, 2, 17, MaxExtra}).Draw(t, "slots"); slots > 0 {
		r.Payload = bytes.Repeat([]byte{byte(slots)}, slots*PayloadPerSlot)
	}
	return r
}

func newRing(t testing.TB, slots int) (*Ring, producer) {
	t.Helper()
	r, err := Create(t.TempDir(), Options{Slots: slots})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r, producer{r.mem}
}

// Records are delivered unchanged, in order, around the ring many times, whatever the pace.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r, p := newRing(t, minSlots)
		defer r.Close()
		var want, got []Record
		collect := func(rec *Record) bool {
			c := *rec
			c.Index, c.Payload = 0, bytes.Clone(rec.Payload)
			got = append(got, c)
			return true
		}
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			rec := genRecord(rt)
			for !p.put(rec) {
				if n, err := r.Poll(1, collect); err != nil || n != 1 {
					rt.Fatalf("full ring: poll gave %d, %v", n, err)
				}
			}
			want = append(want, *rec)
			if _, err := r.Poll(rapid.IntRange(1, 3).Draw(rt, "limit"), collect); err != nil {
				rt.Fatal(err)
			}
		}
		if err := r.Drain(collect); err != nil {
			rt.Fatal(err)
		}
		if !reflect.DeepEqual(want, got) { // cmp alone is slow on long payloads
			rt.Fatal(cmp.Diff(want, got))
		}
		if s := r.Stats(); s.Missing() != 0 || s.Holes != 0 || s.Records != uint64(len(want)) {
			rt.Fatalf("stats %+v", s)
		}
	})
}

// A process that died between reserving and publishing leaves holes, which Drain
// steps over and Poll does not.
func TestHoles(t *testing.T) {
	r, p := newRing(t, minSlots)
	long := &Record{Kind: KindStmt, Ctx: 3, Payload: make([]byte, 3*PayloadPerSlot)}
	p.put(&Record{Kind: KindGo, Ctx: 1})
	p.reserve(1) // never written
	first, _ := p.reserve(4)
	p.fill(first, long, false) // all but the head
	p.put(&Record{Kind: KindEnd, Ctx: 2})
	var got []Kind
	collect := func(rec *Record) bool { got = append(got, rec.Kind); return true }
	if n, err := r.Poll(0, collect); n != 1 || err != nil {
		t.Fatalf("poll: %d, %v", n, err)
	}
	if err := r.Drain(collect); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]Kind{KindGo, KindEnd}, got); d != "" {
		t.Error(d)
	}
	if s := r.Stats(); s.Holes != 5 || s.Missing() != 0 {
		t.Errorf("stats %+v, want 5 holes and nothing missing", s)
	}
}

// A slot that is not published is waited for while producers wait for room, however long that
// takes.
func TestStuckProducer(t *testing.T) { synctest.Test(t, stuckProducer) }

func stuckProducer(t *testing.T) {
	r, err := Create(t.TempDir(), Options{Slots: minSlots})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	p := producer{r.mem}
	slow, _ := p.reserve(1)
	for p.put(&Record{Kind: KindEnd}) {
	}
	n := 0
	poll := func() {
		if _, err := r.Poll(0, func(*Record) bool { n++; return true }); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		poll()
		if n != 0 {
			t.Fatalf("%d records got past an unpublished slot", n)
		}
		time.Sleep(time.Hour)
	}
	p.fill(slow, &Record{Kind: KindGo, Ctx: 1}, true)
	poll()
	if s := r.Stats(); n != minSlots || s.Missing() != 0 {
		t.Errorf("%d records, stats %+v", n, s)
	}
}

// A counter that no program can have come to is no reason to wait.
func TestScribbledCounter(t *testing.T) {
	r, p := newRing(t, minSlots)
	p.put(&Record{Kind: KindEnd})
	atomic.StoreUint64(r.word64(OffProd), 1<<40)
	if n, err := r.Poll(0, func(*Record) bool { return true }); n != 1 || err != ErrScribbled {
		t.Errorf("%d, %v", n, err)
	}
}

// Whatever is in the mapping, the consumer stays inside it, ends, and delivers only
// what a producer could have written.
func scribble(t testing.TB, mem []byte) {
	r, p := newRing(t, minSlots)
	for range 100 {
		p.put(&Record{Kind: KindStmt, Ctx: 1, Payload: make([]byte, PayloadPerSlot)})
	}
	copy(r.mem, mem)
	check := func(rec *Record) bool {
		if !rec.Kind.Valid() || len(rec.Payload) > MaxPayload || rec.Ctx > CtxMask {
			t.Errorf("delivered %+v", rec)
		}
		return true
	}
	for range 3 {
		if _, err := r.Poll(0, check); err != nil && err != ErrScribbled {
			t.Error(err)
		}
	}
	if err := r.Drain(check); err != nil {
		t.Error(err)
	}
	_ = r.Identity()
	if s := r.Stats(); s.Records > 4*minSlots {
		t.Errorf("%d records from a ring of %d slots", s.Records, minSlots)
	}
}

func FuzzScribble(f *testing.F) {
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte{0xff}, HeaderSize+minSlots*SlotSize))
	f.Add(bytes.Repeat([]byte{0x01}, HeaderSize+10*SlotSize))
	f.Fuzz(func(t *testing.T, mem []byte) {
		scribble(t, mem)
	})
}

// Random words, most of them plausible sequence numbers, are worse than random bytes.
func TestScribblePlausible(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		mem := make([]byte, HeaderSize+minSlots*SlotSize)
		for off := OffProd; off < len(mem); off += 8 {
			v := rng.Uint64()
			if rng.IntN(4) > 0 {
				v = uint64(rng.IntN(3 * minSlots))
			}
			if rng.IntN(4) == 0 {
				v |= ContinuationBit
			}
			binary.LittleEndian.PutUint64(mem[off:], v)
		}
		scribble(t, mem)
	}
}

func TestTruncatedUnderTheMapping(t *testing.T) { synctest.Test(t, truncatedUnderTheMapping) }

func truncatedUnderTheMapping(t *testing.T) {
	r, p := newRing(t, 1<<12)
	for p.put(&Record{Kind: KindEnd}) {
	}
	if err := os.Truncate(r.Path(), HeaderSize); err != nil {
		t.Fatal(err)
	}
	_, err := r.Poll(0, func(*Record) bool { return true })
	if !errors.Is(err, ErrTruncated) {
		t.Errorf("got %v", err)
	}
	if err := os.Truncate(r.Path(), 0); err != nil { // the header too, under the heartbeat
		t.Fatal(err)
	}
	if err := r.watch(0); !errors.Is(err, ErrTruncated) { // as happens between two steps
		t.Errorf("got %v", err)
	}
	time.Sleep(beatEvery)
	r.beats.Wait()
	r.closed.done = true // Stats would fault
	unix.Munmap(r.mem)
}

// A panic of the consumer's own function is not mistaken for a fault.
func TestPanicInFunction(t *testing.T) {
	r, p := newRing(t, minSlots)
	p.put(&Record{Kind: KindEnd})
	defer func() {
		if recover() != "mine" {
			t.Error("the panic was swallowed")
		}
	}()
	r.Poll(0, func(*Record) bool { panic("mine") })
}

func TestHeartbeatStopsWithTheReader(t *testing.T) { synctest.Test(t, heartbeatStops) }

func heartbeatStops(t *testing.T) {
	const busy = 10*beatEvery + beatEvery/2
	r, err := Create(t.TempDir(), Options{Slots: minSlots, Busy: busy})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	beats := func(after time.Duration) uint64 {
		time.Sleep(after)
		synctest.Wait()
		return atomic.LoadUint64(r.word64(OffBeat))
	}
	for n := range uint64(20) { // longer than Busy
		if got := beats(beatEvery); got != n+1 {
			t.Fatalf("%d beats in %d periods while the ring is polled", got, n+1)
		}
		r.Poll(0, nil)
	}
	if got := beats(100 * beatEvery); got != 30 {
		t.Errorf("%d beats after the last poll, want 10", got-20)
	}
}

func TestCreate(t *testing.T) {
	dir := t.TempDir()
	r, err := Create(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(r.Path())
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 || info.Size() != HeaderSize+DefaultSlots*SlotSize {
		t.Errorf("mode %v, size %d", info.Mode(), info.Size())
	}
	if id := r.Identity(); id.PID != 0 {
		t.Errorf("claimed by %d before a program ran", id.PID)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(r.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is still there: %v", err)
	}
	if err := r.Close(); err != nil {
		t.Error("second Close:", err)
	}
	_, _ = r.Stats(), r.Identity()
	for _, slots := range []int{-1, 1, minSlots / 2, minSlots + 1, 2 * MaxSlots} {
		if _, err := Create(dir, Options{Slots: slots}); err == nil {
			t.Errorf("a ring of %d slots was made", slots)
		}
	}
}

func BenchmarkPoll(b *testing.B) {
	r, p := newRing(b, 1<<16)
	rec := &Record{Kind: KindAcquire, Ctx: 1, Addr: 2, PC: [PCs]uint64{1, 2, 3}}
	var sum uint64
	b.ReportAllocs()
	for n := 0; n < b.N; {
		b.StopTimer()
		for p.put(rec) {
		}
		b.StartTimer()
		more, err := r.Poll(0, func(r *Record) bool { sum += r.Addr; return true })
		if err != nil {
			b.Fatal(err)
		}
		n += more
	}
}
