package wire

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// checkDecoded fails unless records are in their order, behind where was begun, and within twice
// the limit. They have all the bytes of the answer at most, or what those unfold to.
func checkDecoded(t *testing.T, limit int, b []byte, from int64) {
	d := NewDecoder(limit)
	defer d.Close()
	records, next, err := d.Decode(nil, &Partition{Batches: b, Aborted: []Aborted{{1, 5}, {1, 2}}}, from)
	if next < from || err == nil && len(records) > 0 && next <= from {
		t.Fatalf("goes on at %d behind %d: %v", next, from, err)
	}
	size := 0
	for _, r := range records {
		if r.Offset < from {
			t.Fatalf("offset %d before %d", r.Offset, from)
		}
		size += len(r.Key) + len(r.Value)
		for _, h := range r.Headers {
			size += len(h.Key) + len(h.Value)
		}
	}
	if size > 2*limit+len(b) {
		t.Fatalf("%d bytes for a limit of %d", size, limit)
	}
}

// FuzzDecode has bytes as a broker may send them.
func FuzzDecode(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte, from int64) { checkDecoded(t, 1<<16, b, max(0, from)) })
}

// FuzzRecords has batches with valid headers: the fuzzer reaches their contents.
func FuzzRecords(f *testing.F) {
	raw := (&kmsg.Record{Length: 12, Key: []byte("k"), Value: []byte("v"),
		Headers: []kmsg.Header{{Key: "h"}}}).AppendTo(nil)
	for codec := range codecs {
		f.Add(int16(codec), int32(1), int32(0), compressed(f, codec, raw))
		f.Add(int16(codec|transactional|control), int32(1), int32(0), compressed(f, codec, raw))
		f.Add(int16(codec), int32(9), int32(9), compressed(f, codec, bytes.Repeat(raw, 9)))
	}
	f.Fuzz(func(t *testing.T, attributes int16, count, last int32, records []byte) {
		b := kmsg.RecordBatch{Magic: 2, Attributes: attributes, NumRecords: count, LastOffsetDelta: last, ProducerID: 1,
			Records: records}
		one := sealed(b.AppendTo(nil))
		b.FirstOffset = int64(max(0, last)) + 1
		checkDecoded(t, 1<<16, append(slices.Clone(one), sealed(b.AppendTo(nil))...), 0)
	})
}

// FuzzMessages does so for the formats before batches.
func FuzzMessages(f *testing.F) {
	inside := oldMessage(1, 3, 9, 0, []byte("k"), []byte("v"))
	for codec := range 4 {
		f.Add(int8(1), int8(codec), int64(3), compressed(f, codec, inside))
		f.Add(int8(0), int8(codec), int64(3), compressed(f, codec, inside))
	}
	f.Fuzz(func(t *testing.T, magic, attributes int8, offset int64, value []byte) {
		// as far as lengths can be followed, checksums are right
		for at := 0; len(value)-at >= minMessage; {
			size := int64(binary.BigEndian.Uint32(value[at+lengthAt:])) + 12
			if size < minMessage || size > int64(len(value)-at) {
				break
			}
			one := value[at : at+int(size)]
			binary.BigEndian.PutUint32(one[12:], crc32.ChecksumIEEE(one[magicAt:]))
			at += int(size)
		}
		checkDecoded(t, 1<<16, oldMessage(magic&1, max(0, offset), 7, attributes, nil, value), 0)
	})
}

// FuzzAnswers has answers to all requests of this package, in all their versions.
func FuzzAnswers(f *testing.F) {
	f.Add(int16(11), make([]byte, 64))
	writes := []Write{{TopicPartition: TopicPartition{"t", 1}}}
	f.Add(int16(7), []byte("\x00\x00\x00\x01\x00\x01t\x00\x00\x00\x01\x00\x00\x00\x01"+string(make([]byte, 2+8+8+8+4))))
	f.Add(int16(1), make([]byte, 4+2+8+2))
	f.Fuzz(func(t *testing.T, version int16, b []byte) {
		version = min(max(0, version), 13)
		answerOf := func(flexible bool) *answer {
			return &answer{version: version, decoder: decoder{b: b, flexible: flexible}}
		}
		partitions, _ := parseFetch(answerOf(version >= 12))
		topics, _ := parseMetadata(answerOf(version >= 9))
		offsets, _ := parseOffsets(answerOf(false))
		written, _ := parseProduce(answerOf(false))
		if _, err := arrange(written, writes); (err == nil) != slices.ContainsFunc(written,
			func(w WriteResult) bool { return w.TopicPartition == writes[0].TopicPartition }) {
			t.Errorf("%v of %+v", err, written)
		}
		if by, err := parseProducer(answerOf(false)); err != nil && by != NoProducer {
			t.Errorf("producer %v, error %v", by, err)
		}
		versions, _ := parseVersions(answerOf(false))
		commits, _ := parseCommitted(answerOf(false))
		configs, _ := parseConfigs(answerOf(false))
		_, _ = parseMembership(answerOf(false))
		_ = parseCommit(answerOf(false), writes[0].TopicPartition)
		_ = parseCreated(answerOf(false))
		if n := len(partitions) + len(topics) + len(offsets) + len(written) + len(versions) + len(commits) +
			len(configs); n > len(b)+7 {
			t.Errorf("%d elements of %d bytes", n, len(b))
		}
		_, _ = ParseAssignment(b)
		if s, ok := ParseSubscription(b); ok && len(s.Topics) > len(b) {
			t.Errorf("%d topics of %d bytes", len(s.Topics), len(b))
		}
	})
}
