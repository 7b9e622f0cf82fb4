package wire

import (
	"encoding/binary"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/s2"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// bomb returns a batch of one record that unfolds to so many bytes.
func (l *testLog) bomb(t testing.TB, codec, size int) {
	t.Helper()
	l.batch(t, kmsg.RecordBatch{}, codec, []kmsg.Record{{Value: make([]byte, size)}}, 0)
}

// A batch that unfolds to too much is an error that says which, in bounded memory, and what is
// behind it can be read.
func TestTooLarge(t *testing.T) {
	const limit = 1 << 20
	d := NewDecoder(limit)
	defer d.Close()
	for codec := 1; codec < len(codecs); codec++ {
		l := &testLog{}
		l.bomb(t, codec, 10)
		l.bomb(t, codec, 64*limit)
		bytes := len(l.bytes)
		l.bomb(t, codec, 10)
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		records, next, err := d.Decode(nil, l.partition(), 0)
		runtime.ReadMemStats(&after)
		var batch *BatchError
		if !errors.As(err, &batch) || !batch.TooLarge || batch.First != 1 || batch.Last != 1 || batch.Bytes > bytes ||
			len(records) != 1 || next != 1 {
			t.Fatalf("codec %d: %d records, goes on at %d: %v", codec, len(records), next, err)
		}
		// The reader of lz4 has blocks of 4 MiB, and several of them.
		if used := after.TotalAlloc - before.TotalAlloc; used > 24*limit {
			t.Errorf("codec %d: %d MiB for a limit of one", codec, used>>20)
		}
		d.Reset()
		records, next, err = d.Decode(nil, l.partition(), batch.Last+1)
		if err != nil || len(records) != 1 || next != 3 {
			t.Errorf("codec %d: %d records behind it, goes on at %d: %v", codec, len(records), next, err)
		}
	}
}

// A batch above the decompression limit takes the limit, and the readers' own memory: it does not
// grow with the limit.
func TestTooLargeTakesTheLimit(t *testing.T) {
	const limit, readers = 64 << 20, 24 << 20
	d := NewDecoder(limit)
	defer d.Close()
	for codec := 1; codec < len(codecs); codec++ {
		l := &testLog{}
		l.bomb(t, codec, 2*limit)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := d.Decode(nil, l.partition(), 0)
		runtime.ReadMemStats(&after)
		if batch := (*BatchError)(nil); !errors.As(err, &batch) || !batch.TooLarge {
			t.Fatalf("codec %d: %v", codec, err)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > limit+readers {
			t.Errorf("codec %d: %d MiB for a limit of %d", codec, used>>20, limit>>20)
		}
	}
}

// The smallest records, and the smallest headers, take much more in memory than they unfold to.
func TestTooManySmall(t *testing.T) {
	const limit = 32 << 20
	// attributes, time, offset, no key, no value, no headers
	small := slices.Repeat([]byte{6 << 1, 0, 0, 0, 1, 1, 0}, limit/8)
	var headers encoder
	const count = limit / 4
	for _, n := range []int64{0, 0, 0, -1, -1, count} {
		headers.varint(n)
	}
	headers.b = append(headers.b, slices.Repeat([]byte{0, 1}, count)...)
	one := encoder{b: binary.AppendVarint(nil, int64(len(headers.b)))}
	one.b = append(one.b, headers.b...)
	for name, raw := range map[string][]byte{"records": small, "headers": one.b} {
		n := 1
		if name == "records" {
			n = limit / 8
		}
		b := kmsg.RecordBatch{Magic: 2, Attributes: codecZstd, NumRecords: int32(n),
			Records: compressor().EncodeAll(raw, nil)}
		d := NewDecoder(limit)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		records, _, err := d.Decode(nil, &Partition{Batches: sealed(b.AppendTo(nil))}, 0)
		runtime.ReadMemStats(&after)
		d.Close()
		if batch := (*BatchError)(nil); !errors.As(err, &batch) || !batch.TooLarge || len(records) > 0 {
			t.Errorf("%s: %d records, %v", name, len(records), err)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 3*limit {
			t.Errorf("%s: %d MiB for a limit of %d", name, used>>20, limit>>20)
		}
	}
}

// Many batches below the limit do not come at once.
func TestLimitOfAll(t *testing.T) {
	const limit = 1 << 20
	d := NewDecoder(limit)
	defer d.Close()
	l := &testLog{}
	const batches = 20
	for range batches {
		l.bomb(t, 4, limit/2)
	}
	calls := 0
	for next := int64(0); next < batches; calls++ {
		if _, same, err := d.Decode(nil, l.partition(), next); calls > 0 && (same != next || err != nil) {
			t.Fatalf("from %d to %d without a Reset: %v", next, same, err)
		}
		d.Reset()
		records, to, err := d.Decode(nil, l.partition(), next)
		if err != nil || len(records) > 3 || to <= next {
			t.Fatalf("%d records, from %d to %d: %v", len(records), next, to, err)
		}
		next = to
	}
	if calls < batches/3 {
		t.Errorf("%d calls", calls)
	}
}

// A damaged batch is an error with a reason, and no record is returned.
func TestDamaged(t *testing.T) {
	const limit = 1 << 20
	d := NewDecoder(limit)
	defer d.Close()
	header := func(change func(b []byte)) []byte {
		l := &testLog{}
		l.batch(t, kmsg.RecordBatch{}, 0, []kmsg.Record{{Value: []byte("a")}, {Value: []byte("b"), OffsetDelta: 1}}, 0)
		change(l.bytes)
		return l.bytes
	}
	with := func(codec int, inside []byte) []byte {
		b := kmsg.RecordBatch{Magic: 2, Attributes: int16(codec), NumRecords: 1, Records: inside}
		return sealed(b.AppendTo(nil))
	}
	framed := append(append([]byte{}, xerial...), 0, 0, 0, 1, 0, 0, 0, 1)
	wrapper := func(magic int8, inside []byte) []byte {
		return oldMessage(magic, 9, 0, 2, nil, s2.EncodeSnappy(nil, inside))
	}
	for want, b := range map[string][]byte{
		"its length is":             header(func(b []byte) { binary.BigEndian.PutUint32(b[lengthAt:], 1<<31) }),
		"its checksum is wrong":     header(func(b []byte) { b[len(b)-1]++ }),
		"its format 7 is not known": header(func(b []byte) { b[magicAt] = 7 }),
		"it ends before it begins": header(func(b []byte) {
			binary.BigEndian.PutUint32(b[23:],
				1<<31)
			sealed(b)
		}),
		"it has -1 records": header(func(b []byte) {
			binary.BigEndian.PutUint32(b[57:],
				1<<32-1)
			sealed(b)
		}),
		"it has 99 records in":           header(func(b []byte) { b[60] = 99; sealed(b) }),
		"a record of it ends too early":  header(func(b []byte) { b[60] = 3; sealed(b) }),
		"it has a record of offset 1":    header(func(b []byte) { b[26] = 0; sealed(b) }),
		"compression 5 is not known":     with(5, []byte("x")),
		"gzip":                           with(1, []byte("no gzip at all")),
		"corrupt":                        with(2, []byte{0x80, 0x80, 0x40, 0}),
		"unexpected EOF":                 with(2, append(framed, 0xff, 0xff, 0xff, 0xff)),
		"lz4":                            with(3, []byte("no lz4 at all")),
		"magic number mismatch":          with(4, []byte("no zstd at all")),
		"a message of it ends too early": oldMessage(1, 9, 0, 0, nil, nil)[:minMessage-2],
		"it is compressed twice":         wrapper(1, wrapper(1, nil)),
		"there is nothing in it":         wrapper(1, nil),
		"it has a message of offset":     wrapper(1, oldMessage(1, 10, 0, 0, nil, nil)),
		"the length of a message":        wrapper(0, make([]byte, minMessage)),
	} {
		if b[magicAt] < 2 { // its length is not what it was made with
			binary.BigEndian.PutUint32(b[lengthAt:], uint32(len(b)-12))
		}
		records, next, err := d.Decode(nil, &Partition{Batches: b}, 0)
		var batch *BatchError
		if !errors.As(err, &batch) || !strings.Contains(err.Error(), want) || len(records) > 0 || next != 0 ||
			batch.TooLarge {
			t.Errorf("%s: %d records, goes on at %d: %v", want, len(records), next, err)
		}
	}
}
