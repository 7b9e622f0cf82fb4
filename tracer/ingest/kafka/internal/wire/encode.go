package wire

import (
	"encoding/binary"
	"hash/crc32"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Producer identifies the sender of a batch. Brokers drop a batch of a producer that they already
// have, and refuse one whose sequence does not follow the last one.
type Producer struct {
	ID    int64 // -1 for NoProducer
	Epoch int16
}

// NoProducer is the producer of batches that brokers accept as often as they are sent.
var NoProducer = Producer{ID: -1, Epoch: -1}

// AppendBatch appends a batch of records, at least one, to bytes. The sequence is the number of the
// first record among all that the producer has sent to the partition. The offsets of the records do
// not matter: brokers set them.
func AppendBatch(to []byte, records []Record, by Producer, sequence int32, zstd bool) []byte {
	begin := len(to)
	e := encoder{b: to}
	var attributes int16
	if zstd {
		attributes = codecZstd
	}
	first, last := timesOf(records)
	e.int64(0)
	e.int32(0)
	e.int32(-1) // epoch of the leader
	e.int8(2)
	e.int32(0)
	e.int16(attributes)
	e.int32(int32(len(records) - 1))
	e.int64(first)
	e.int64(last)
	e.int64(by.ID)
	e.int16(by.Epoch)
	e.int32(sequence)
	e.int32(int32(len(records)))
	if zstd {
		raw := encoder{b: spare.get()}
		raw.records(records, first)
		e.b = compressor().EncodeAll(raw.b, e.b)
		spare.put(raw.b)
	} else {
		e.records(records, first)
	}
	batch := e.b[begin:]
	binary.BigEndian.PutUint32(batch[lengthAt:], uint32(len(batch)-lengthAt-4))
	seal(batch)
	return e.b
}

// setProducer changes the producer of a batch.
func setProducer(batch []byte, by Producer, sequence int32) {
	binary.BigEndian.PutUint64(batch[producerAt:], uint64(by.ID))
	binary.BigEndian.PutUint16(batch[producerAt+8:], uint16(by.Epoch))
	binary.BigEndian.PutUint32(batch[producerAt+10:], uint32(sequence))
	seal(batch)
}

// seal sets the checksum of a batch.
func seal(batch []byte) {
	binary.BigEndian.PutUint32(batch[checksumAt:], crc32.Checksum(batch[attributesAt:], castagnoli))
}

const codecZstd = 4

// timesOf returns the time of the first record, and the latest of all.
func timesOf(records []Record) (first, last int64) {
	first, last = records[0].Time, records[0].Time
	for i := range records {
		last = max(last, records[i].Time)
	}
	return first, last
}

func (e *encoder) records(records []Record, first int64) {
	for i := range records {
		r := &records[i]
		e.varint(int64(sizeOf(r, int64(i), r.Time-first)))
		e.int8(0)
		e.varint(r.Time - first)
		e.varint(int64(i))
		e.varbytes(r.Key)
		e.varbytes(r.Value)
		e.varint(int64(len(r.Headers)))
		for _, h := range r.Headers {
			e.varint(int64(len(h.Key)))
			e.b = append(e.b, h.Key...)
			e.varbytes(h.Value)
		}
	}
}

// MaxSize bounds the bytes of a record in a batch before compression.
func MaxSize(r *Record) int {
	const numbers = 5 + 1 + 10 + 5 // length, attributes, time and offset
	return numbers + sizeOf(r, 0, 0)
}

// EmptyBatch is the size of a batch without records.
const EmptyBatch = headerSize

// sizeOf returns the length of a record, with its index in the batch and its time since the first
// one.
func sizeOf(r *Record, place, time int64) int {
	n := 1 + varintSize(time) + varintSize(place) + varbytesSize(r.Key) + varbytesSize(r.Value) +
		varintSize(int64(len(r.Headers)))
	for _, h := range r.Headers {
		n += varintSize(int64(len(h.Key))) + len(h.Key) + varbytesSize(h.Value)
	}
	return n
}

func varbytesSize(b []byte) int {
	if b == nil {
		return 1
	}
	return varintSize(int64(len(b))) + len(b)
}

func varintSize(v int64) int {
	n := 1
	for u := uint64(v<<1) ^ uint64(v>>63); u >= 0x80; u >>= 7 {
		n++
	}
	return n
}

// compressor compresses batches, several at a time. It is made on first use, which takes a while,
// and memory.
var compressor = sync.OnceValue(func() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithWindowSize(64<<10))
	if err != nil {
		panic(err) // the options are ours
	}
	return e
})

// spare are buffers for records before compression, for batches and for requests.
var spare buffers

type buffers struct{ pool sync.Pool }

func (p *buffers) get() []byte {
	if b, ok := p.pool.Get().(*[]byte); ok {
		return (*b)[:0]
	}
	return nil
}

func (p *buffers) put(b []byte) { p.pool.Put(&b) }
