package wire

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"pgregory.net/rapid"
)

// testLog is a partition that is written with the types of another library.
type testLog struct {
	bytes   []byte
	next    int64
	open    map[int64]int64 // first offset of the transaction of a producer that goes on
	aborted []Aborted
}

var codecs = []kgo.CompressionCodec{
	kgo.NoCompression(), kgo.GzipCompression(), kgo.SnappyCompression(), kgo.Lz4Compression(), kgo.ZstdCompression(),
}

// compressed returns bytes as the codec of a number makes them.
func compressed(t rapid.TB, codec int, raw []byte) []byte {
	if codec == 0 {
		return raw
	}
	c, err := kgo.DefaultCompressor(codecs[codec])
	if err != nil {
		t.Fatal(err)
	}
	out, _ := c.Compress(new(bytes.Buffer), raw)
	return slices.Clone(out)
}

// batch appends records, whose offsets are counted from the one that comes next, with room for some
// behind them.
func (l *testLog) batch(t rapid.TB, b kmsg.RecordBatch, codec int, records []kmsg.Record, room int32) {
	var raw []byte
	for _, r := range records {
		r.Length = int32(len(r.AppendTo(nil)) - 1) // without its own length, which is one byte now
		raw = r.AppendTo(raw)
		b.LastOffsetDelta = max(b.LastOffsetDelta, r.OffsetDelta)
	}
	b.LastOffsetDelta += room
	b.FirstOffset, b.NumRecords, b.Magic = l.next, int32(len(records)), 2
	b.Attributes |= int16(codec)
	b.Records = compressed(t, codec, raw)
	l.next += int64(b.LastOffsetDelta) + 1
	l.bytes = append(l.bytes, sealed(b.AppendTo(nil))...)
}

// sealed sets the length and the checksum of a batch.
func sealed(b []byte) []byte {
	binary.BigEndian.PutUint32(b[lengthAt:], uint32(len(b)-12))
	binary.BigEndian.PutUint32(b[checksumAt:], crc32.Checksum(b[attributesAt:], castagnoli))
	return b
}

// end ends the transaction of a producer.
func (l *testLog) end(t rapid.TB, producer int64, abort bool) {
	kind := int16(1)
	if first, ok := l.open[producer]; ok && abort {
		kind = abortMarker
		l.aborted = append(l.aborted, Aborted{producer, first})
	}
	delete(l.open, producer)
	key := kmsg.ControlRecordKey{Type: kmsg.ControlRecordKeyType(kind)}
	l.batch(t, kmsg.RecordBatch{ProducerID: producer, Attributes: transactional | control}, 0,
		[]kmsg.Record{{Key: key.AppendTo(nil), Value: make([]byte, 6)}}, 0)
}

// message returns a message of the format 0 or 1.
func oldMessage(magic int8, offset, time int64, attributes int8, key, value []byte) []byte {
	var b []byte
	if magic == 0 {
		m := kmsg.MessageV0{Offset: offset, Attributes: attributes, Key: key, Value: value}
		b = m.AppendTo(nil)
	} else {
		m := kmsg.MessageV1{Offset: offset, Magic: 1, Attributes: attributes, Timestamp: time, Key: key, Value: value}
		b = m.AppendTo(nil)
	}
	binary.BigEndian.PutUint32(b[lengthAt:], uint32(len(b)-12))
	binary.BigEndian.PutUint32(b[12:], crc32.ChecksumIEEE(b[magicAt:]))
	return b
}

// wrapper appends messages in a wrapper.
func (l *testLog) wrapper(t rapid.TB, magic int8, codec int, values [][]byte) {
	var raw []byte
	for i, v := range values {
		at := int64(i)
		if magic == 0 {
			at += l.next
		}
		raw = append(raw, oldMessage(magic, at, 1000+at, 0, []byte("k"), v)...)
	}
	l.next += int64(len(values))
	l.bytes = append(l.bytes, oldMessage(magic, l.next-1, 77, int8(codec), nil, compressed(t, codec, raw))...)
}

var (
	someBytes = rapid.SliceOfN(rapid.Byte(), 0, 40)
	nullable  = rapid.OneOf(rapid.Just[[]byte](nil), someBytes)
)

// drawLog returns a partition of everything that there may be in one.
func drawLog(t *rapid.T) *testLog {
	l := &testLog{next: rapid.Int64Range(0, 1<<40).Draw(t, "first"), open: map[int64]int64{}}
	for range rapid.IntRange(0, 8).Draw(t, "batches") {
		producer := rapid.Int64Range(1, 3).Draw(t, "producer")
		codec := rapid.IntRange(0, 4).Draw(t, "codec")
		switch rapid.IntRange(0, 7).Draw(t, "kind") {
		case 0:
			l.next += rapid.Int64Range(0, 9).Draw(t, "hole")
		case 1:
			l.end(t, producer, rapid.Bool().Draw(t, "abort"))
		case 2:
			values := rapid.SliceOfN(someBytes, 1, 4).Draw(t, "values")
			l.wrapper(t, int8(rapid.IntRange(0, 1).Draw(t, "magic")), 1+codec%3, values)
		case 3:
			l.bytes = append(l.bytes, oldMessage(int8(codec%2), l.next, 5, 0, nullable.Draw(t, "key"),
				nullable.Draw(t, "value"))...)
			l.next++
		default:
			l.drawBatch(t, producer, codec)
		}
	}
	return l
}

func (l *testLog) drawBatch(t *rapid.T, producer int64, codec int) {
	b := kmsg.RecordBatch{ProducerID: producer, FirstTimestamp: 1e12, MaxTimestamp: 2e12}
	if rapid.Bool().Draw(t, "append time") {
		b.Attributes |= appendTime
	}
	if rapid.Bool().Draw(t, "transactional") {
		b.Attributes |= transactional
		if _, ok := l.open[producer]; !ok {
			l.open[producer] = l.next
		}
	}
	var records []kmsg.Record
	offset := int32(0)
	for range rapid.IntRange(0, 5).Draw(t, "records") {
		offset += rapid.Int32Range(0, 2).Draw(t, "compacted")
		r := kmsg.Record{
			OffsetDelta: offset, TimestampDelta64: rapid.Int64Range(-5, 1<<33).Draw(t, "time"),
			Key: nullable.Draw(t, "key"), Value: nullable.Draw(t, "value"),
		}
		for range rapid.IntRange(0, 3).Draw(t, "headers") {
			r.Headers = append(r.Headers, kmsg.Header{Key: string(someBytes.Draw(t, "name")),
				Value: nullable.Draw(t, "header")})
		}
		records = append(records, r)
		offset++
	}
	l.batch(t, b, codec, records, rapid.Int32Range(0, 2).Draw(t, "room"))
}

// partition returns the log as brokers answer.
func (l *testLog) partition() *Partition { return &Partition{Batches: l.bytes, Aborted: l.aborted} }

// oracle returns what another library reads.
func (l *testLog) oracle(t rapid.TB, from int64, committed bool) (records []*kgo.Record, next int64) {
	answer := kmsg.FetchResponseTopicPartition{RecordBatches: l.bytes}
	options := kgo.ProcessFetchPartitionOpts{Offset: from}
	if committed {
		options.IsolationLevel = kgo.ReadCommitted()
		for _, a := range l.aborted {
			answer.AbortedTransactions = append(answer.AbortedTransactions,
				kmsg.FetchResponseTopicPartitionAbortedTransaction{ProducerID: a.Producer, FirstOffset: a.First})
		}
	}
	got, next := kgo.ProcessFetchPartition(options, &answer, kgo.DefaultDecompressor(), nil)
	if got.Err != nil {
		t.Fatal(got.Err)
	}
	return got.Records, next
}

// same fails unless records are those of the other library.
func same(t rapid.TB, got []Record, want []*kgo.Record) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d records, not %d", len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		equal := g.Offset == w.Offset && alike(g.Key, w.Key) && alike(g.Value, w.Value) &&
			len(g.Headers) == len(w.Headers)
		if w.Attrs.TimestampType() >= 0 {
			equal = equal && g.Time == w.Timestamp.UnixMilli()
		}
		for j := 0; equal && j < len(w.Headers); j++ {
			equal = g.Headers[j].Key == w.Headers[j].Key && alike(g.Headers[j].Value, w.Headers[j].Value)
		}
		if !equal {
			t.Fatalf("record %d is %+v, not %+v", i, g, w)
		}
	}
}

// alike reports whether bytes are the same, and null if the others are.
func alike(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }

func TestDecodeAsOthersDo(t *testing.T) {
	d := NewDecoder(1 << 20)
	defer d.Close()
	rapid.Check(t, func(t *rapid.T) {
		l := drawLog(t)
		committed := rapid.Bool().Draw(t, "committed")
		from := max(0, l.next-rapid.Int64Range(0, 40).Draw(t, "back"))
		want, next := l.oracle(t, from, committed)
		p := l.partition()
		if !committed {
			p.Aborted = nil
		}
		d.Reset()
		got, gotNext, err := d.Decode(nil, p, from)
		if err != nil {
			t.Fatal(err)
		}
		if gotNext != next {
			t.Fatalf("goes on at %d, not %d", gotNext, next)
		}
		same(t, got, want)
	})
}

// A producer has transactions that were aborted, and others before and behind them.
func TestTransactions(t *testing.T) {
	l := &testLog{open: map[int64]int64{}}
	for i, abort := range []bool{false, true, false, true, true, false} {
		l.open[1] = l.next
		b := kmsg.RecordBatch{ProducerID: 1, Attributes: transactional}
		l.batch(t, b, 0, []kmsg.Record{{Value: []byte{byte(i)}}}, 0)
		l.batch(t, kmsg.RecordBatch{ProducerID: 2, Attributes: transactional}, 0,
			[]kmsg.Record{{Value: []byte("other")}}, 0)
		l.end(t, 1, abort)
	}
	slices.Reverse(l.aborted) // some brokers have them in another order
	want, next := l.oracle(t, 0, true)
	d := NewDecoder(1 << 20)
	defer d.Close()
	got, gotNext, err := d.Decode(nil, l.partition(), 0)
	if err != nil || gotNext != next || len(want) != 3+6 {
		t.Fatalf("%d records, goes on at %d, not %d: %v", len(got), gotNext, next, err)
	}
	same(t, got, want)
}

// A batch that the broker has cut off is read with the next fetch.
func TestDecodeCutOff(t *testing.T) {
	d := NewDecoder(1 << 20)
	defer d.Close()
	rapid.Check(t, func(t *rapid.T) {
		l := drawLog(t)
		want, end := l.oracle(t, 0, false)
		var got []Record
		p := l.partition()
		p.Aborted = nil
		whole := p.Batches
		p.Batches = whole[:rapid.IntRange(0, len(whole)).Draw(t, "cut")]
		d.Reset()
		records, next, err := d.Decode(nil, p, 0)
		if err != nil && len(records) > 0 {
			t.Fatal(err)
		}
		got = append(got, records...)
		p.Batches = whole
		if records, next, err = d.Decode(nil, p, next); err != nil || next != end {
			t.Fatalf("goes on at %d, not %d: %v", next, end, err)
		}
		same(t, append(got, records...), want)
	})
}

func TestEncodeForOthers(t *testing.T) {
	d := NewDecoder(1 << 20)
	defer d.Close()
	rapid.Check(t, func(t *rapid.T) {
		var records []Record
		size := EmptyBatch
		for i := range rapid.IntRange(1, 9).Draw(t, "records") {
			r := Record{
				Offset: int64(i), Time: rapid.Int64Range(0, 1<<42).Draw(t, "time"),
				Key: nullable.Draw(t, "key"), Value: nullable.Draw(t, "value"),
			}
			for range rapid.IntRange(0, 3).Draw(t, "headers") {
				r.Headers = append(r.Headers, Header{string(someBytes.Draw(t, "name")), nullable.Draw(t, "header")})
			}
			size += MaxSize(&r)
			records = append(records, r)
		}
		by := Producer{rapid.Int64().Draw(t, "id"), rapid.Int16().Draw(t, "epoch")}
		sequence := rapid.Int32().Draw(t, "sequence")
		before := rapid.SliceOfN(rapid.Byte(), 0, 9).Draw(t, "before")
		zstd := rapid.Bool().Draw(t, "zstd")
		out := AppendBatch(slices.Clone(before), records, by, sequence, zstd)
		if !bytes.HasPrefix(out, before) {
			t.Fatal("what was there is gone")
		}
		l := &testLog{bytes: out[len(before):]}
		if !zstd && len(l.bytes) > size {
			t.Errorf("%d bytes, more than the %d that were expected", len(l.bytes), size)
		}
		want, _ := l.oracle(t, 0, false)
		same(t, records, want)
		var b kmsg.RecordBatch
		if err := b.ReadFrom(l.bytes); err != nil || b.ProducerID != by.ID || b.ProducerEpoch != by.Epoch ||
			b.FirstSequence != sequence {
			t.Errorf("%+v, error %v", b, err)
		}
		d.Reset()
		got, next, err := d.Decode(nil, l.partition(), 0)
		if err != nil || next != int64(len(records)) {
			t.Fatalf("goes on at %d: %v", next, err)
		}
		same(t, got, want)
	})
}
