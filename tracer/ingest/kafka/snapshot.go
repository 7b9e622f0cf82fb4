package kafka

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
	client "github.com/segmentio/kafka-go"

	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
)

// Snapshots are records of a topic, which has as many partitions as the one that is read: the
// snapshots of a partition are in that of the same number. A snapshot is one record or, if it is
// large, several consecutive ones. A commit points to it. Snapshots without a commit are ignored,
// and those before the last one are deleted.

// snapshotPiece bounds a record of a snapshot, in bytes: brokers accept a MiB by default.
const snapshotPiece = 700 << 10

// pointer locates a snapshot.
type pointer struct {
	partition int32
	offset    int64  // of its first record
	records   int    // number of records, at least one
	bytes     int    // in all, at most snapshotPiece a record
	sum       uint32 // CRC-32C of them
	topic     string // id of the topic that is read, as digits; none if it has no id
}

// String returns the metadata of a commit.
func (p pointer) String() string {
	return fmt.Sprintf("antichain 1 %d %d %d %d %08x %s", p.partition, p.offset, p.records, p.bytes, p.sum,
		cmp.Or(p.topic, none))
}

// none stands for a topic without an id.
const none = "-"

func parsePointer(metadata string) (p pointer, err error) {
	var version int
	if n, _ := fmt.Sscanf(metadata, "antichain %d", &version); n == 1 && version != 1 {
		return p, fmt.Errorf("the group's last commit is of version %d, and this program reads version 1: use the "+
			"program that wrote it, or another group", version)
	}
	_, err = fmt.Sscanf(metadata, "antichain 1 %d %d %d %d %x %s", &p.partition, &p.offset, &p.records, &p.bytes,
		&p.sum, &p.topic)
	if p.topic == none {
		p.topic = ""
	}
	if err != nil || p.partition < 0 || p.offset < 0 || p.records < 1 || p.bytes < 1 ||
		(p.bytes-1)/snapshotPiece >= p.records {
		return p, fmt.Errorf("the group's last commit says %q and does not point to a snapshot: the group belongs to "+
			"another program; use another one", clip(metadata, 60))
	}
	return p, nil
}

func clip(s string, n int) string { return s[:min(len(s), n)] }

// checksum is CRC-32C. It makes its tables on first use: that takes a millisecond, which other
// commands need not spend.
func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// snapshotStore writes snapshots to a topic and reads them.
type snapshotStore struct {
	config  GroupConfig
	topic   string
	cluster *wire.Cluster
	zstd    *zstd.Encoder
	count   int32        // partitions of the topic
	input   wire.TopicID // of the topic that is read
	known   int32        // its number of partitions when the member began

	mu      sync.Mutex
	leaders map[int32]wire.Leader // of the partitions, as far as they are known
}

// openSnapshots creates the topic if it is missing.
func openSnapshots(ctx context.Context, cluster *wire.Cluster, c GroupConfig) (*snapshotStore, error) {
	s := &snapshotStore{config: c, topic: c.Snapshots, cluster: cluster}
	if err := insist(ctx, func() error { return settle(ctx, func() error { return s.find(ctx) }) }); err != nil {
		return nil, err
	}
	if err := insist(ctx, func() error { return settle(ctx, func() error { return s.checkOwner(ctx) }) }); err != nil {
		return nil, err
	}
	var err error
	s.zstd, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	return s, err
}

// find requests the topics, and creates the missing one.
func (s *snapshotStore) find(ctx context.Context) error {
	input, err := findKnown(ctx, s.cluster, s.config.Address.Topic)
	if err != nil {
		return err
	}
	snapshots, err := find(ctx, s.cluster, s.topic)
	s.input, s.known, s.count = input.ID, int32(len(input.Leaders)), int32(len(snapshots.Leaders))
	if !wire.HasCode(err, client.UnknownTopicOrPartition) {
		return err
	}
	s.count = s.known
	s.config.Log.Info().Str("topic", s.topic).Int32("partitions", s.count).Msg("making the topic of snapshots")
	err = s.cluster.CreateTopic(ctx, &wire.NewTopic{
		Name: s.topic, Partitions: s.count,
		Configs: map[string]string{"retention.ms": "-1", "retention.bytes": "-1", "cleanup.policy": "delete"},
	})
	if err != nil && !wire.HasCode(err, client.TopicAlreadyExists) {
		return fmt.Errorf("making %w", withTopic(s.topic, err))
	}
	return nil
}

// leader returns the broker that leads a partition of the topic.
func (s *snapshotStore) leader(ctx context.Context, partition int32) (int32, error) {
	s.mu.Lock()
	leader, ok := s.leaders[partition]
	s.mu.Unlock()
	if !ok {
		topic, err := find(ctx, s.cluster, s.topic)
		if err != nil {
			return 0, err
		}
		s.mu.Lock()
		s.leaders = topic.Leaders
		s.mu.Unlock()
		leader, ok = topic.Leaders[partition]
	}
	if !ok || leader.Broker < 0 {
		s.forget()
		return 0, client.LeaderNotAvailable
	}
	return leader.Broker, nil
}

// forget makes the next use request the leaders again.
func (s *snapshotStore) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leaders = nil
}

// through calls do with the leader of a partition, until it succeeds, or fails for a permanent
// reason.
func (s *snapshotStore) through(ctx context.Context, partition int32, do func(broker int32) error) error {
	return persist(ctx, func() error {
		broker, err := s.leader(ctx, partition)
		if err == nil {
			err = do(broker)
		}
		if err != nil {
			s.forget()
		}
		return err
	})
}

// keyOf returns the beginning of the keys of the group's snapshots.
func (s *snapshotStore) keyOf() string { return s.config.Group + " " + s.config.Address.Topic + " " }

// checkOwner returns an error if the snapshots in the topic are of another group. Two groups can
// share the name of the topic, a group eu-prod for orders and a group prod for orders-eu. They
// would delete each other's snapshots.
func (s *snapshotStore) checkOwner(ctx context.Context) (err error) {
	const most = 10
	for range most {
		if err = s.checkLastOwner(ctx); !wire.HasCode(err, client.OffsetOutOfRange) {
			break
		}
		// A member has meanwhile written another snapshot, and deleted this one.
	}
	return err
}

// checkLastOwner checks the last record of each partition, for checkOwner.
func (s *snapshotStore) checkLastOwner(ctx context.Context) error {
	topic, err := findKnown(ctx, s.cluster, s.topic)
	if err != nil {
		return err
	}
	all, err := offsetRanges(ctx, s.cluster, topic)
	if err != nil {
		return err
	}
	d := wire.NewDecoder(maxSnapshot)
	defer d.Close()
	for p, at := range all {
		if at.next == at.high {
			continue
		}
		records, _, err := s.fetch(ctx, d, topic.Leaders[p].Broker, p, at.high-1)
		if err != nil {
			return err
		}
		for _, r := range records {
			if !bytes.HasPrefix(r.Key, []byte(s.keyOf())) {
				return fmt.Errorf("topic %s has the snapshots of another group (%q): give the group another name",
					s.topic,
					clip(string(r.Key), 100))
			}
		}
	}
	return nil
}

// maxSnapshot bounds the bytes of snapshot records in one answer: they are small, and not
// compressed.
const maxSnapshot = 64 << 20

// fetch asks a broker for records of the topic, and waits a moment for them.
func (s *snapshotStore) fetch(ctx context.Context, d *wire.Decoder, broker, partition int32,
	from int64) (records []wire.Record, next int64, err error) {
	fetched, err := s.cluster.Fetch(ctx, &wire.FetchRequest{
		Broker: broker, Topic: s.topic, From: []wire.Position{{Partition: partition, Epoch: -1, Offset: from}},
		Wait: 100 * time.Millisecond, Bytes: 8 << 20, PerPart: 8 << 20,
	})
	if err != nil || len(fetched) == 0 {
		return nil, from, err
	}
	if err := fetched[0].Err; err != nil {
		return nil, from, err
	}
	d.Reset()
	return d.Decode(nil, &fetched[0], from)
}

// topicID returns the id of the topic that is read, "" if it has none.
func (s *snapshotStore) topicID() string {
	if s.input == (wire.TopicID{}) {
		return ""
	}
	return hex.EncodeToString(s.input[:])
}

// write writes a snapshot of a partition of the topic that is read.
func (s *snapshotStore) write(ctx context.Context, partition int32, next int64, state []byte) (pointer, error) {
	packed := s.zstd.EncodeAll(state, nil)
	p := pointer{partition: partition % s.count, bytes: len(packed), sum: checksum(packed), topic: s.topicID()}
	var pieces [][]byte
	for len(packed) > 0 {
		n := min(len(packed), snapshotPiece)
		pieces = append(pieces, wire.AppendBatch(nil, []wire.Record{{
			Key: fmt.Appendf(nil, "%s%d behind %d", s.keyOf(), partition, next), Value: packed[:n],
			Time: time.Now().UnixMilli(),
		}}, wire.NoProducer, 0, false))
		packed = packed[n:]
	}
	p.records = len(pieces)
	err := s.through(ctx, p.partition, func(broker int32) error {
		for i, piece := range pieces {
			at, err := s.cluster.Produce(ctx, broker, s.topic, p.partition, piece)
			if err != nil {
				return err
			}
			if i == 0 {
				p.offset = at
			}
			// Others may have written in between: an old owner that does not know of its
			// replacement yet, or one of another partition.
			if at != p.offset+int64(i) {
				return errTorn
			}
		}
		return nil
	})
	return p, err
}

var errTorn = errors.New("another program has written between the records of the snapshot")

func (s *snapshotStore) read(ctx context.Context, p pointer) ([]byte, error) {
	d := wire.NewDecoder(maxSnapshot)
	defer d.Close()
	packed := make([]byte, 0, p.bytes)
	for next := p.offset; next < p.offset+int64(p.records); {
		records, err := s.records(ctx, d, p, next)
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			if r.Offset != next {
				return nil, s.goneAt(p)
			}
			if packed = append(packed, r.Value...); len(packed) > p.bytes {
				break
			}
			if next++; next == p.offset+int64(p.records) {
				break
			}
		}
	}
	if sum := checksum(packed); len(packed) != p.bytes || sum != p.sum {
		return nil, fmt.Errorf("the snapshot at %s/%d@%d is damaged: %d bytes with checksum %08x, not %d with %08x",
			s.topic, p.partition, p.offset, len(packed), sum, p.bytes, p.sum)
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return z.DecodeAll(packed, nil)
}

// records returns records of a snapshot from an offset on, at least one. A fetch at the end of a
// partition waits for more records and never learns that there are none. That happens with a topic
// that was deleted and created anew.
func (s *snapshotStore) records(ctx context.Context, d *wire.Decoder, p pointer, from int64) (records []wire.Record,
	err error) {
	for len(records) == 0 && err == nil {
		err = s.through(ctx, p.partition, func(broker int32) error {
			var err error
			records, _, err = s.fetch(ctx, d, broker, p.partition, from)
			return err
		})
		if len(records) == 0 && err == nil {
			err = s.checkExists(ctx, p)
		}
	}
	var gone *goneSnapshotError
	switch {
	case err == nil || errors.As(err, &gone):
		return records, err
	case wire.HasCode(err, client.OffsetOutOfRange, client.UnknownTopicOrPartition):
		return nil, s.goneAt(p)
	}
	return nil, fmt.Errorf("reading the snapshot at %s/%d@%d: %w", s.topic, p.partition, p.offset,
		cmp.Or(permanent(err), err))
}

// checkExists returns an error if the topic ends before a snapshot does. It returns none if brokers
// do not answer, or do not know yet.
func (s *snapshotStore) checkExists(ctx context.Context, p pointer) error {
	broker, err := s.leader(ctx, p.partition)
	if err != nil {
		return nil
	}
	ends, err := s.cluster.ListOffsets(ctx, broker, s.topic, []int32{p.partition}, wire.AtEnd)
	if end, ok := ends[p.partition]; err == nil && ok && end.Err == nil && end.At < p.offset+int64(p.records) {
		return s.goneAt(p)
	}
	return nil
}

// goneSnapshotError says that a snapshot is not where it was.
type goneSnapshotError struct{ text string }

func (e *goneSnapshotError) Error() string { return e.text }

func (s *snapshotStore) goneAt(p pointer) error {
	return &goneSnapshotError{fmt.Sprintf("the snapshot at %s/%d@%d is gone: the retention of the topic must be "+
		"unlimited (retention.ms=-1), and no other program may write to it, or delete it or records of it; take "+
		"another group", s.topic, p.partition, p.offset)}
}

// trim deletes the records before a snapshot. It deletes nothing if several partitions of the input
// share a partition of snapshots, or if brokers refuse: then the topic grows.
func (s *snapshotStore) trim(ctx context.Context, p pointer) {
	if input, err := find(ctx, s.cluster, s.config.Address.Topic); err != nil || len(input.Leaders) > int(s.count) {
		return
	}
	broker, err := s.leader(ctx, p.partition)
	if err == nil {
		err = s.cluster.DeleteRecords(ctx, broker, s.topic, map[int32]int64{p.partition: p.offset})
	}
	if err != nil && ctx.Err() == nil {
		s.config.Log.Debug().Err(err).Msg("deleting old snapshots")
	}
}

// PanicError is a bug of the program, found while a partition was processed.
type PanicError struct {
	Value any
	Stack string
}

func (e *PanicError) Error() string { return fmt.Sprint(e.Value) }

func stack() string { return strings.TrimSpace(string(debug.Stack())) }
