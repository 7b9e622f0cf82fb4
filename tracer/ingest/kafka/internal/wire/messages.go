package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/segmentio/kafka-go/compress"
)

// Before Kafka 0.11 there were messages, of format 0 and 1, instead of batches. A message may be a
// wrapper: its value is other messages, compressed. Brokers before 4.0 return such stored messages
// unchanged.

// minMessage is the minimum size of a message: offset, length, checksum, format, attributes, and
// the lengths of key and value.
const minMessage = 8 + 4 + 4 + 1 + 1 + 4 + 4

type message struct {
	record     Record
	magic      int8
	attributes int8
}

func (m *message) codec() compress.Compression { return compress.Compression(m.attributes & codecMask) }

func parseMessage(b []byte) (m message, err error) {
	d := decoder{b: b}
	m.record.Offset = d.int64()
	d.int32()
	sum := uint32(d.int32())
	m.magic, m.attributes = d.int8(), d.int8()
	if m.magic == 1 {
		m.record.Time = d.int64()
	}
	m.record.Key, m.record.Value = d.bytes(), d.bytes()
	switch {
	case d.bad:
		return m, errors.New("a message of it ends too early")
	case m.magic != 0 && m.magic != 1:
		return m, fmt.Errorf("the format %d of a message of it is not known", m.magic)
	case crc32.ChecksumIEEE(b[magicAt:]) != sum:
		return m, errors.New("its checksum is wrong")
	}
	return m, nil
}

// messages appends a message, or those that it wraps, and returns its decompressed size.
func (d *Decoder) messages(records []Record, b []byte, from int64) (_ []Record, next int64, unfolded int, err error) {
	m, err := parseMessage(b)
	last := m.record.Offset
	damaged := func(err error) error {
		return &BatchError{First: min(from, last), Last: last, Bytes: len(b), TooLarge: errors.Is(err, errTooLarge),
			Err: err}
	}
	if err != nil {
		return records, from, 0, damaged(err)
	}
	if last < from && (last > 0 || m.codec() == compress.None) {
		return records, from, 0, nil
	}
	if m.codec() == compress.None {
		return append(records, m.record), last + 1, 0, nil
	}
	raw, err := d.unfolder.unfold(m.codec(), m.record.Value)
	if err != nil {
		return records, from, 0, damaged(err)
	}
	inner, err := wrapped(&m, raw, (d.unfolder.limit-len(raw))/recordBytes)
	if err != nil {
		return records, from, 0, damaged(err)
	}
	for _, r := range inner {
		if r.Offset >= from {
			records = append(records, r)
		}
	}
	last = max(last, inner[len(inner)-1].Offset)
	return records, max(from, last+1), len(raw) + len(inner)*recordBytes, nil
}

// wrapped returns the messages in a wrapper, at most that many. The wrapper's offset is that of the
// last one.
func wrapped(wrapper *message, raw []byte, most int) (records []Record, err error) {
	for len(raw) > 0 {
		if len(records) == most {
			return nil, errTooLarge
		}
		if len(raw) < minMessage {
			return nil, errors.New("a message of it ends too early")
		}
		size := int64(int32(binary.BigEndian.Uint32(raw[lengthAt:]))) + lengthAt + 4
		if size < minMessage || size > int64(len(raw)) {
			return nil, fmt.Errorf("the length of a message of it is %d", size)
		}
		m, err := parseMessage(raw[:size:size])
		switch {
		case err != nil:
			return nil, err
		case m.codec() != compress.None:
			return nil, errors.New("it is compressed twice")
		}
		if wrapper.magic == 1 && wrapper.attributes&appendTime != 0 {
			m.record.Time = wrapper.record.Time
		}
		records = append(records, m.record)
		raw = raw[size:]
	}
	return records, setOffsets(wrapper, records)
}

// setOffsets sets the offsets of the messages in a wrapper: in format 1 they are counted from the
// first one that was in it. An old version of librdkafka has left the wrapper's offset 0, and those
// inside unchanged.
func setOffsets(wrapper *message, records []Record) error {
	if len(records) == 0 {
		return errors.New("there is nothing in it")
	}
	base, end := int64(0), wrapper.record.Offset
	if last := records[len(records)-1].Offset; wrapper.magic == 1 && end != 0 {
		base = end - last
	}
	for i := range records {
		r := &records[i]
		if r.Offset += base; r.Offset < base || base < 0 || end != 0 && r.Offset > end {
			return fmt.Errorf("it has a message of offset %d", r.Offset)
		}
	}
	return nil
}
