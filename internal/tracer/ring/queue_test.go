//go:build linux

package ring

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// genPacked draws a record at or behind index next.
func genPacked(t *rapid.T, next uint64) *Record {
	r := genRecord(t)
	r.Index = next + rapid.SampledFrom([]uint64{0, 0, 0, 1, 1 << 40}).Draw(t, "hole")
	word := rapid.OneOf(rapid.Uint64Range(0, 3), rapid.SampledFrom([]uint64{1<<32 - 1, 1 << 32, 1<<64 - 1}))
	r.Arg, r.Aux = word.Draw(t, "small arg"), word.Draw(t, "small aux")
	few := rapid.Uint64Range(0, 2)
	r.PC = [PCs]uint64{few.Draw(t, "pc"), few.Draw(t, "pc"), few.Draw(t, "pc")}
	if rapid.Bool().Draw(t, "as before") {
		r.Kind, r.Arg, r.Ctx, r.Addr = KindAcquire, few.Draw(t, "arg"), few.Draw(t, "ctx"), few.Draw(t, "addr")<<40
		r.Aux = few.Draw(t, "aux")<<40 + r.Addr*few.Draw(t, "offset")
	}
	return r
}

func nextIndex(r *Record) uint64 { return r.Index + 1 + uint64(len(r.Payload)/PayloadPerSlot) }

func cloneRecord(r *Record) Record {
	c := *r
	c.Payload = bytes.Clone(r.Payload)
	return c
}

// A packed record is unpacked unchanged, whatever came before it.
func TestPacking(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var in, out packing
		var want []Record
		next := uint64(0)
		b := make([]byte, 0, 8*packedMax)
		for range rapid.IntRange(1, 8).Draw(rt, "records") {
			r := genPacked(rt, next)
			next = nextIndex(r)
			want = append(want, cloneRecord(r))
			before := len(b)
			b = in.append(b, r)
			if len(b)-before > packedMax {
				rt.Fatalf("%d bytes, more than packedMax", len(b)-before)
			}
		}
		var got []Record
		var r Record
		for len(b) > 0 {
			b = out.cut(b, &r)
			got = append(got, cloneRecord(&r))
		}
		if !reflect.DeepEqual(want, got) {
			rt.Fatal(cmp.Diff(want, got))
		}
	})
}

// memoryFile is a spillFile that fails on request.
type memoryFile struct {
	b               []byte
	noGrow, noWrite bool
	partly, noRead  bool
	closed          bool
}

var errInTest = errors.New("in a test")

func (f *memoryFile) grow(size, n int64) error {
	if f.noGrow {
		return errInTest
	}
	f.b = append(f.b[:size], make([]byte, n)...)
	return nil
}

func (f *memoryFile) WriteAt(p []byte, off int64) (int, error) {
	if f.partly {
		copy(f.b[off:], p[:len(p)/2])
		return len(p) / 2, errInTest
	}
	if f.noWrite {
		return 0, errInTest
	}
	return copy(f.b[off:off+int64(len(p))], p), nil
}

func (f *memoryFile) ReadAt(p []byte, off int64) (int, error) {
	if f.noRead {
		return 0, errInTest
	}
	return copy(p, f.b[off:]), nil
}

func (f *memoryFile) Close() error { f.closed = true; return nil }

// mustQueue returns a queue that is closed by whoever asks for it.
func mustQueue(t interface{ Fatal(...any) }, opt Options) *queue {
	q, err := newQueue(opt)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// nextOf returns the oldest record, nil if there is none.
func nextOf(q *queue) (*Record, error) {
	if q.delivered() {
		if ok, err := q.advance(); !ok {
			return nil, err
		}
	}
	return q.next(), nil
}

// A queue is a queue: compared with a slice, whatever its file can do and cannot do.
func TestQueue(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := new(memoryFile)
		q := mustQueue(rt, Options{Memory: rapid.IntRange(0, 4).Draw(rt, "chunks") * chunkSize,
			SpillMax: rapid.SampledFrom([]int64{0, spillStep, 3 * spillStep}).Draw(rt, "most")})
		q.spilled.open = func() (spillFile, error) { return f, nil }
		var model []Record
		next := uint64(0)
		put := func() {
			r := genPacked(rt, next)
			n := rapid.SampledFrom([]int{1, 10, 100, 3000}).Draw(rt, "times")
			for i := 0; i < n && q.room(); i++ {
				r.Index = max(r.Index, next)
				next = nextIndex(r)
				model = append(model, *r)
				if more := q.put(r); more != q.room() {
					rt.Fatal("put and room disagree")
				}
			}
		}
		take := func() {
			for range min(len(model), rapid.SampledFrom([]int{1, 100, 10000}).Draw(rt, "taken")) {
				r, err := nextOf(q)
				if err != nil || r == nil || !reflect.DeepEqual(*r, model[0]) {
					rt.Fatalf("got %v, %v, want %v", r, err, model[0])
				}
				model = model[1:]
			}
			if q.empty() != (len(model) == 0) {
				rt.Fatalf("empty %v with %d records", q.empty(), len(model))
			}
		}
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			f.noGrow = rapid.IntRange(0, 3).Draw(rt, "no grow") == 0
			f.noWrite = rapid.IntRange(0, 3).Draw(rt, "no write") == 0
			f.partly = rapid.IntRange(0, 3).Draw(rt, "partly") == 0
			if rapid.Bool().Draw(rt, "put") {
				put()
			} else {
				take()
			}
			if q.chunks > max(q.most, minChunks) || int64(len(f.b)) > q.spilled.most {
				rt.Fatalf("%d chunks, file of %d bytes", q.chunks, len(f.b))
			}
		}
		ended := rapid.Bool().Draw(rt, "end")
		if ended {
			q.end()
		}
		for len(model) > 0 {
			take()
		}
		zero := func(c []byte) bool { return bytes.Count(c[:cap(c)], []byte{0}) == cap(c) }
		if ended && slices.ContainsFunc(q.free, func(c []byte) bool { return !zero(c) }) {
			rt.Fatal("a chunk that is not in use has memory")
		}
		if r, err := nextOf(q); r != nil || err != nil {
			rt.Fatalf("at the end: %v, %v", r, err)
		}
		if err := q.close(); err != nil || f.closed != (q.spilled.file != nil) {
			rt.Fatalf("close: %v", err)
		}
	})
}

// fillQueue puts records in until there is no room, and returns how many.
func fillQueue(q *queue) (n uint64) {
	for q.room() {
		q.put(&Record{Kind: KindEnd, Index: n})
		n++
	}
	return n
}

// A full disk is no loss: there is no room until what waits has been taken.
func TestQueueDiskFull(t *testing.T) {
	f := &memoryFile{noGrow: true}
	q := mustQueue(t, Options{SpillMax: 1 << 30})
	q.spilled.open = func() (spillFile, error) { return f, nil }
	n := fillQueue(q)
	for range n {
		if _, err := nextOf(q); err != nil {
			t.Fatal(err)
		}
	}
	if !q.empty() || !q.room() {
		t.Error("no room in an empty queue")
	}
}

func TestQueueUnreadable(t *testing.T) {
	f := new(memoryFile)
	q := mustQueue(t, Options{SpillMax: spillStep})
	q.spilled.open = func() (spillFile, error) { return f, nil }
	fillQueue(q)
	f.noRead = true
	for {
		r, err := nextOf(q)
		if errors.Is(err, errInTest) {
			break
		}
		if r == nil || err != nil {
			t.Fatalf("%v, %v", r, err)
		}
	}
}

// The file is on a disk, has no name, and stops growing before the disk is full.
func TestSpillFile(t *testing.T) {
	dir := t.TempDir()
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		t.Fatal(err)
	}
	if st.Type == unix.TMPFS_MAGIC {
		t.Skip("the directory for temporary files is in memory")
	}
	f, err := openSpill([]string{"/dev/shm", dir})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if names, _ := os.ReadDir(dir); len(names) > 0 {
		t.Errorf("visible: %v", names)
	}
	if err := unix.Fstatfs(int(f.(diskFile).Fd()), &st); err != nil || st.Type == unix.TMPFS_MAGIC {
		t.Errorf("file system %x, %v", st.Type, err)
	}
	if err := f.grow(0, chunkSize); err != nil {
		t.Error(err)
	}
	if err := f.grow(chunkSize, int64(st.Bavail)*st.Bsize*2/3); !errors.Is(err, errDiskFull) {
		t.Errorf("took two thirds of what is free: %v", err)
	}
	if _, err := openSpill([]string{"/dev/shm", dir + "/missing"}); !errors.Is(err, errNoDisk) {
		t.Errorf("without a disk: %v", err)
	}
}

// follow runs Follow and Drain over what a producer puts in while yield is slow, and
// checks that all of it comes, in order.
func follow(t *testing.T, opt Options, records int) *Ring {
	t.Helper()
	r, err := Create(t.TempDir(), opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	p := producer{r.mem}
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		rec := &Record{Kind: KindSend, Ctx: 1}
		for i := range records {
			rec.Addr, rec.Payload = uint64(i), make([]byte, i%3*PayloadPerSlot)
			for !p.put(rec) {
				runtime.Gosched()
			}
		}
	}()
	n := 0
	yield := func(rec *Record) bool {
		if rec.Addr != uint64(n) || len(rec.Payload) != n%3*PayloadPerSlot {
			t.Errorf("record %d: %+v", n, rec)
			return false
		}
		if n++; n%64 == 0 {
			runtime.Gosched()
		}
		return true
	}
	if err := r.Consume(exited, yield); err != nil {
		t.Fatal(err)
	}
	if s := r.Stats(); n != records || s.Missing() != 0 || s.Holes != 0 || s.Records != uint64(records) {
		t.Errorf("%d records of %d, stats %+v", n, records, s)
	}
	return r
}

func TestFollow(t *testing.T) {
	for _, tt := range []struct {
		name string
		opt  Options
	}{
		{"in memory", Options{}},
		{"on a disk", Options{Memory: 1, SpillDirs: []string{t.TempDir()}}},
		{"no room", Options{Memory: 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.opt.Slots = minSlots
			follow(t, tt.opt, 100_000)
		})
	}
}

// The queue is delivered before the ring.
func TestDrainQueue(t *testing.T) {
	r, p := newRing(t, minSlots)
	for i := range uint64(30) {
		p.put(&Record{Kind: KindEnd, Addr: i})
		if i == 19 {
			if err := r.empty(); err != nil {
				t.Fatal(err)
			}
			if _, err := r.deliver(batch, func(rec *Record) bool { return rec.Addr < 9 }); err != nil {
				t.Fatal(err)
			}
		}
	}
	var got []uint64
	if err := r.Drain(func(rec *Record) bool { got = append(got, rec.Addr); return rec.Addr != 25 }); err != nil {
		t.Fatal(err)
	}
	if len(got) != 16 || got[0] != 10 || got[15] != 25 {
		t.Errorf("got %v, want 10 to 25", got)
	}
}

func TestFollowStops(t *testing.T) {
	r, p := newRing(t, minSlots)
	for range 100 {
		p.put(&Record{Kind: KindEnd})
	}
	n := 0
	more, err := r.Follow(nil, func(*Record) bool { n++; return n < 50 })
	if more || err != nil || n != 50 {
		t.Errorf("%v, %v after %d records", more, err, n)
	}
}

// Stopping while the ring is empty and the queue is not is stopping too.
func TestFollowStopsInQueue(t *testing.T) {
	r, p := newRing(t, minSlots)
	for range 100 {
		p.put(&Record{Kind: KindEnd})
	}
	if err := r.empty(); err != nil {
		t.Fatal(err)
	}
	if more, err := r.Follow(nil, func(*Record) bool { return false }); more || err != nil {
		t.Errorf("%v, %v", more, err)
	}
}

// However long a call takes that a record is delivered to, the program does not wait as long as
// there is room in the queue.
func TestSlowDelivery(t *testing.T) {
	r, p := newRing(t, minSlots)
	const records = 20 * minSlots
	written, exited := make(chan struct{}), make(chan struct{})
	go func() {
		for i := range uint64(records) {
			p.wait(&Record{Kind: KindEnd, Addr: i})
		}
		close(written)
	}()
	var got uint64
	more, err := r.Follow(exited, func(rec *Record) bool {
		if rec.Addr != got {
			t.Errorf("record %d comes as number %d", rec.Addr, got)
			return false
		}
		if got++; got == 1 {
			<-written
		}
		if got == records {
			close(exited)
		}
		return true
	})
	if !more || err != nil || got != records || r.Waited() != 0 {
		t.Errorf("%v, %v after %d records, waited %v", more, err, got, r.Waited())
	}
}

// When the program is let go, what was taken out of the ring is delivered, and nothing else.
func TestStop(t *testing.T) {
	r, p := newRing(t, minSlots)
	for i := range uint64(30) {
		p.put(&Record{Kind: KindEnd, Addr: i})
		if i == 19 {
			if err := r.empty(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	exited := make(chan struct{})
	var got uint64
	yield := func(rec *Record) bool {
		if got++; got == 10 {
			close(exited)
		}
		return rec.Addr == got-1
	}
	if more, err := r.Follow(exited, yield); !more || err != nil {
		t.Fatalf("%v, %v", more, err)
	}
	if err := r.Drain(yield); err != nil || got != 20 {
		t.Errorf("%v after %d records, want 20", err, got)
	}
}

// The program is not let go while records are being taken: what it writes after that has gaps.
func TestStopWaits(t *testing.T) {
	r, _ := newRing(t, minSlots)
	r.taking.Lock()
	done := make(chan error)
	go func() { done <- r.Stop() }()
	for range 1000 {
		runtime.Gosched()
	}
	if atomic.LoadUint32(r.word32(OffFlags)) == 0 {
		t.Error("the program was let go")
	}
	r.taking.Unlock()
	if err := <-done; err != nil || atomic.LoadUint32(r.word32(OffFlags)) != 0 {
		t.Errorf("%v, flags %#x", err, atomic.LoadUint32(r.word32(OffFlags)))
	}
}

// A program that waits for room is known to wait.
func TestWaited(t *testing.T) {
	r, err := Create(t.TempDir(), Options{Slots: minSlots, Memory: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	p := producer{r.mem}
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		for range 10*minSlots + 3*chunkSize/packedHead {
			p.wait(&Record{Kind: KindEnd})
		}
	}()
	waits := false
	if more, err := r.Follow(exited, func(*Record) bool {
		for !waits {
			waits = r.Waited() > 0
			time.Sleep(time.Millisecond)
		}
		return true
	}); !more || err != nil {
		t.Errorf("%v, %v", more, err)
	}
}

func BenchmarkQueue(b *testing.B) {
	b.Run("memory", func(b *testing.B) { benchmarkQueue(b, Options{Memory: 64 << 20}) })
	b.Run("file", func(b *testing.B) {
		benchmarkQueue(b, Options{Memory: 1, SpillMax: 1 << 30, SpillDirs: []string{b.TempDir()}})
	})
}

func benchmarkQueue(b *testing.B, opt Options) {
	q := mustQueue(b, opt)
	defer q.close()
	const n = 100_000
	// as of 16 goroutines that go through 64 places, which share 40 locks and have some of their
	// own
	records := make([]Record, n)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range records {
		ctx, place := random.Uint64N(16), random.Uint64N(64)
		addr := 0xc000000000 + place*96
		if place > 40 {
			addr += (ctx + uint64(i)/1000*16) << 16
		}
		records[i] = Record{Kind: KindAcquire, Ctx: ctx, Addr: addr, Aux: addr - 8, Arg: 1,
			PC: [PCs]uint64{place << 8, place << 10, place << 16}}
	}
	var sum uint64
	var bytes int
	b.ReportAllocs()
	for at := 0; at < b.N; at += n {
		for i := range records {
			records[i].Index = uint64(at + i)
			before := len(q.filling)
			q.put(&records[i])
			bytes += max(0, len(q.filling)-before)
		}
		for range n {
			r, err := nextOf(q)
			if err != nil {
				b.Fatal(err)
			}
			sum += r.Addr
		}
	}
	b.ReportMetric(float64(bytes)/float64((b.N+n-1)/n*n), "B/record")
}

// Nothing is given back before it has been judged.
func TestFollowInStep(t *testing.T) {
	r, p := newRing(t, minSlots)
	for range 10 {
		p.put(&Record{Kind: KindEnd})
	}
	records, batches := 0, 0
	yield := func(*Record) bool { records++; return true }
	judge := func(idle bool) bool {
		batches++
		if back := atomic.LoadUint64(r.word64(OffCons)); back != 0 && batches == 1 {
			t.Errorf("%d slots were given back too early", back)
		}
		if idle != (batches > 1) {
			t.Errorf("batch %d of %d records: idle=%v", batches, records, idle)
		}
		return batches < 3
	}
	more, err := r.FollowInStep(nil, yield, judge)
	if more || err != nil || records != 10 || batches != 3 {
		t.Errorf("%v, %v after %d records, %d batches", more, err, records, batches)
	}
	if back := atomic.LoadUint64(r.word64(OffCons)); back != 10 {
		t.Errorf("%d slots were given back", back)
	}
	p.put(&Record{Kind: KindEnd})
	refuse := func(*Record) bool { return false }
	if more, err := r.FollowInStep(nil, refuse, func(bool) bool { t.Error("judged"); return true }); more ||
		err != nil {
		t.Errorf("%v, %v", more, err)
	}
}
