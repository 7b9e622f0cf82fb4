package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"unsafe"

	"github.com/segmentio/kafka-go/compress"
)

// Record is a record of a partition. Its bytes are parts of its batch.
type Record struct {
	Offset  int64
	Time    int64  // milliseconds since 1970
	Key     []byte // nil is null, as in Value
	Value   []byte
	Headers []Header
}

// Header is a header of a record.
type Header struct {
	Key   string
	Value []byte
}

// The layout of a batch: its length is that of the part after the length, its checksum that of the
// part after the checksum.
const (
	lengthAt     = 8
	magicAt      = 16
	checksumAt   = 17
	attributesAt = 21
	producerAt   = 43 // with epoch and first sequence
	headerSize   = 61 // size of the part before the records
)

// Attributes of a batch.
const (
	codecMask     = 7
	appendTime    = 1 << 3 // all records have the time at which the broker received the batch
	transactional = 1 << 4
	control       = 1 << 5 // it ends a transaction
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// BatchError says that a batch cannot be read, and which. It exceeds the decompression limit
// (TooLarge), or is damaged.
type BatchError struct {
	First, Last int64 // offsets
	Bytes       int   // as received from the broker
	TooLarge    bool
	Err         error
}

func (e *BatchError) Error() string {
	return fmt.Sprintf("the batch of offsets %d to %d, of %d bytes: %v", e.First, e.Last, e.Bytes, e.Err)
}

// Unwrap returns why.
func (e *BatchError) Unwrap() error { return e.Err }

// Decoder decodes the batches of partitions. It is for one goroutine at a time.
type Decoder struct {
	unfolder unfolder
	unfolded int // decompressed bytes since Reset, and the memory of their records
}

// NewDecoder returns a decoder with a limit on decompressed bytes.
func NewDecoder(limit int) *Decoder {
	return &Decoder{unfolder: unfolder{limit: limit}}
}

// Reset says that the records decoded so far are no longer in use.
func (d *Decoder) Reset() { d.unfolded = 0 }

// Close frees the resources of the decoder.
func (d *Decoder) Close() { d.unfolder.close() }

// Decode appends the records of a fetched partition from an offset on, and returns the offset to
// fetch next. It leaves out records of aborted transactions, if the partition was fetched that way.
//
// It stops after the batch that exhausts the limit since Reset, even if there are more: these
// records never decompress to more than twice the limit. It stops at a batch that cannot be read,
// with a *BatchError. A caller that wants to skip it continues after its Last.
func (d *Decoder) Decode(records []Record, p *Partition, from int64) (_ []Record, next int64, err error) {
	next = from
	records = slices.Grow(records, recordsIn(p.Batches))
	aborted := newAborted(p.Aborted)
	for b := p.Batches; len(b) > magicAt && d.unfolded < d.unfolder.limit; {
		size := int64(int32(binary.BigEndian.Uint32(b[lengthAt:]))) + lengthAt + 4
		if size <= magicAt || size > int64(len(b)) {
			if size > magicAt && next > from {
				break // brokers truncate the last one
			}
			return records, next, &BatchError{First: next, Last: next, Bytes: len(b),
				Err: fmt.Errorf("its length is %d", size)}
		}
		batch := b[:size:size]
		b = b[size:]
		var n int
		switch magic := batch[magicAt]; magic {
		case 0, 1:
			records, next, n, err = d.messages(records, batch, next)
		case 2:
			records, next, n, err = d.batch(records, batch, next, aborted)
		default:
			at := int64(binary.BigEndian.Uint64(batch))
			err = &BatchError{First: at, Last: at, Bytes: len(batch),
				Err: fmt.Errorf("its format %d is not known", magic)}
		}
		if err != nil {
			return records, next, err
		}
		d.unfolded += n
	}
	return records, next, nil
}

// header is the part of a batch before its records.
type header struct {
	first, last       int64 // offsets
	attributes        int16
	time, maxTime     int64
	producer          int64
	count             int
	bytes             int // of the batch
	compressedRecords []byte
}

func parseHeader(batch []byte) (h header, err error) {
	h.bytes = len(batch)
	d := decoder{b: batch}
	h.first = d.int64()
	h.last = h.first
	d.take(checksumAt - lengthAt)
	sum := uint32(d.int32())
	h.attributes = d.int16()
	h.last = h.first + int64(d.int32())
	h.time, h.maxTime = d.int64(), d.int64()
	h.producer = d.int64()
	d.take(2 + 4) // epoch and sequence of the producer
	h.count = int(d.int32())
	h.compressedRecords = d.b
	switch {
	case d.bad:
		return h, h.damaged(errors.New("it is too short"))
	case crc32.Checksum(batch[attributesAt:], castagnoli) != sum:
		return h, h.damaged(errors.New("its checksum is wrong"))
	case h.last < h.first:
		return h, h.damaged(errors.New("it ends before it begins"))
	case h.count < 0:
		return h, h.damaged(fmt.Errorf("it has %d records", h.count))
	}
	return h, nil
}

func (h *header) damaged(err error) error {
	return &BatchError{First: h.first, Last: max(h.first, h.last), Bytes: h.bytes,
		TooLarge: errors.Is(err, errTooLarge), Err: err}
}

// batch appends the records of a batch, and returns their memory beside that of the batch.
func (d *Decoder) batch(records []Record, batch []byte, from int64, aborted aborted) (_ []Record, next int64,
	unfolded int, err error) {
	h, err := parseHeader(batch)
	if err != nil {
		return records, from, 0, err
	}
	if h.last < from {
		return records, from, 0, nil
	}
	isAborted := aborted.contains(&h)
	if isAborted && h.attributes&control == 0 {
		return records, h.last + 1, 0, nil
	}
	raw := h.compressedRecords
	if codec := compress.Compression(h.attributes & codecMask); codec != compress.None {
		if raw, err = d.unfolder.unfold(codec, raw); err != nil {
			return records, from, 0, h.damaged(err)
		}
		unfolded = len(raw)
	}
	if h.count > len(raw) { // each takes a byte at least
		return records, from, 0, h.damaged(fmt.Errorf("it has %d records in %d bytes", h.count, len(raw)))
	}
	if h.attributes&control != 0 {
		aborted.endTransaction(&h, raw)
		return records, h.last + 1, unfolded, nil
	}
	was := len(records)
	records, room, err := appendRecords(records, &h, raw, from, d.unfolder.limit-unfolded)
	if err != nil {
		return records[:was], from, 0, h.damaged(err)
	}
	return records, h.last + 1, d.unfolder.limit - room, nil
}

// recordsIn returns the number of records in batches, by their own account, as far as it is
// plausible.
func recordsIn(batches []byte) (n int) {
	const believed = 1 << 16
	for len(batches) >= headerSize && n < believed {
		size := int64(binary.BigEndian.Uint32(batches[lengthAt:])) + lengthAt + 4
		if batches[magicAt] != 2 || size > int64(len(batches)) {
			break
		}
		n += int(binary.BigEndian.Uint32(batches[headerSize-4:]))
		batches = batches[size:]
	}
	return min(n, believed)
}

// The memory of a record and a header beside their bytes. The smallest records take many times
// their decompressed size.
const (
	recordBytes = int(unsafe.Sizeof(Record{}))
	headerBytes = int(unsafe.Sizeof(Header{}))
)

// Memory returns the memory of a record in bytes.
func (r *Record) Memory() int {
	n := recordBytes + len(r.Key) + len(r.Value) + len(r.Headers)*headerBytes
	for _, h := range r.Headers {
		n += len(h.Value) // names are shared
	}
	return n
}

// appendRecords appends the records of a batch, within so much memory. It returns the remaining
// memory.
func appendRecords(records []Record, h *header, raw []byte, from int64, room int) (_ []Record, left int, err error) {
	all := decoder{b: raw}
	var headers, last []Header // of all records, and of the last one
	for range h.count {
		one := decoder{b: all.take(int(min(max(all.varint(), -1), int64(len(raw)))))}
		one.int8() // attributes, which are unused
		r := Record{Time: h.time + one.varint(), Offset: h.first + one.varint()}
		if h.attributes&appendTime != 0 {
			r.Time = h.maxTime
		}
		r.Key, r.Value = one.varbytes(), one.varbytes()
		n := one.length(one.varint())
		if room -= recordBytes + n*headerBytes; room < 0 {
			return records, 0, errTooLarge
		}
		if n > 0 {
			if cap(headers)-len(headers) < n {
				headers = make([]Header, 0, max(n, min(n*h.count, 1024, len(raw))))
			}
			at := len(headers)
			for i := range n {
				headers = append(headers, Header{nameLike(last, i, one.varbytes()), one.varbytes()})
			}
			r.Headers = headers[at:len(headers):len(headers)]
			last = r.Headers
		}
		switch {
		case all.bad || one.bad:
			return records, 0, errors.New("a record of it ends too early")
		case r.Offset < h.first || r.Offset > h.last:
			return records, 0, fmt.Errorf("it has a record of offset %d", r.Offset)
		case r.Offset >= from:
			records = append(records, r)
		}
	}
	return records, room, nil
}

// nameLike returns the name of a header. Producers give each record the same names, so it reuses
// that of the previous record if it is equal.
func nameLike(last []Header, i int, name []byte) string {
	if i < len(last) && last[i].Key == string(name) {
		return last[i].Key
	}
	return string(name)
}

// aborted has the first offsets of the aborted transactions, for each producer in their order.
type aborted map[int64][]int64

func newAborted(all []Aborted) aborted {
	if len(all) == 0 {
		return nil
	}
	a := aborted{}
	for _, t := range all {
		a[t.Producer] = append(a[t.Producer], t.First)
	}
	for _, first := range a {
		slices.Sort(first) // some brokers do not
	}
	return a
}

// contains reports whether a batch belongs to an aborted transaction.
func (a aborted) contains(h *header) bool {
	first := a[h.producer]
	return h.attributes&transactional != 0 && len(first) > 0 && h.first >= first[0]
}

// abortMarker is the kind of the record that ends an aborted transaction.
const abortMarker = 0

// endTransaction notes the end of a transaction. The key of the first record says how it ended,
// after its version.
func (a aborted) endTransaction(h *header, raw []byte) {
	if !a.contains(h) {
		return
	}
	d := decoder{b: raw}
	d.varint() // length
	d.int8()
	d.varint()
	d.varint()
	key := decoder{b: d.varbytes()}
	key.int16()
	if kind := key.int16(); kind == abortMarker && !key.bad {
		a[h.producer] = a[h.producer][1:]
	}
}
