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
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Snapshots are records of a topic, which has as many partitions as the one that is read: the snapshots of a
// partition are in that of the same number. A snapshot is one record or, if it is large, several, one behind the other.
// A commit points to it; those that no commit points to do not count, and those before the last one are
// deleted.

// snapshotPiece is how large a record of a snapshot is at most, in bytes: brokers accept a MiB without being
// told otherwise.
const snapshotPiece = 700 << 10

// pointer says where a snapshot is.
type pointer struct {
	partition int32
	offset    int64  // of its first record
	records   int    // it has, at least one
	bytes     int    // in all, at most snapshotPiece a record
	sum       uint32 // CRC-32C of them
	topic     string // id of the topic that is read, as digits; none if the brokers gave it none
}

// String is what the metadata of a commit says.
func (p pointer) String() string {
	return fmt.Sprintf("antichain 1 %d %d %d %d %08x %s", p.partition, p.offset, p.records, p.bytes, p.sum, cmp.Or(p.topic, none))
}

// none stands for a topic without an id.
const none = "-"

func parsePointer(metadata string) (p pointer, err error) {
	var version int
	if n, _ := fmt.Sscanf(metadata, "antichain %d", &version); n == 1 && version != 1 {
		return p, fmt.Errorf("the group's last commit is of version %d, and this program reads version 1: use the program that wrote it, or another group", version)
	}
	_, err = fmt.Sscanf(metadata, "antichain 1 %d %d %d %d %x %s", &p.partition, &p.offset, &p.records, &p.bytes, &p.sum, &p.topic)
	if p.topic == none {
		p.topic = ""
	}
	if err != nil || p.partition < 0 || p.offset < 0 || p.records < 1 || p.bytes < 1 || (p.bytes-1)/snapshotPiece >= p.records {
		return p, fmt.Errorf("the group's last commit says %q and does not point to a snapshot: the group belongs to another program; use another one", clip(metadata, 60))
	}
	return p, nil
}

func clip(s string, n int) string { return s[:min(len(s), n)] }

// checksum is CRC-32C. Its tables are made when they are needed: that takes a millisecond, which no other command has to wait for.
func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// snapshotStore writes snapshots to a topic and reads them.
type snapshotStore struct {
	config GroupConfig
	topic  string
	client *kgo.Client // to write
	admin  *kadm.Client
	zstd   *zstd.Encoder
	count  int32        // partitions of the topic
	input  kadm.TopicID // of the topic that is read
	known  int32        // partitions of that when the member began
}

// openSnapshots makes the topic if it is missing.
func openSnapshots(ctx context.Context, contact *contact, c GroupConfig) (*snapshotStore, error) {
	client, err := kgo.NewClient(append([]kgo.Opt{
		kgo.SeedBrokers(c.Address.Brokers...),
		kgo.DefaultProduceTopic(c.Snapshots),
		kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerLinger(0),
	}, c.options...)...)
	if err != nil {
		return nil, err
	}
	s := &snapshotStore{config: c, topic: c.Snapshots, client: client, admin: kadm.NewClient(client)}
	if err = contact.meet(ctx, client, firstContact); err == nil {
		err = insist(ctx, func() error { return s.find(ctx) })
	}
	if err == nil {
		err = insist(ctx, func() error { return s.own(ctx) })
	}
	if err == nil {
		s.zstd, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	}
	if err != nil {
		client.Close()
		return nil, err
	}
	return s, nil
}

// find looks at the topics, and makes the one that is missing.
func (s *snapshotStore) find(ctx context.Context) error {
	input, err := lookUp(ctx, s.admin, s.config.Address.Topic)
	if err != nil {
		return err
	}
	snapshots, err := lookUp(ctx, s.admin, s.topic)
	s.input, s.known, s.count = input.ID, int32(len(input.Partitions)), int32(len(snapshots.Partitions))
	if !errors.Is(err, kerr.UnknownTopicOrPartition) {
		return err
	}
	s.count = int32(len(input.Partitions))
	s.config.Log.Info().Str("topic", s.topic).Int32("partitions", s.count).Msg("making the topic of snapshots")
	forever, remove := "-1", "delete"
	_, err = s.admin.CreateTopic(ctx, s.count, -1, map[string]*string{
		"retention.ms": &forever, "retention.bytes": &forever, "cleanup.policy": &remove,
	}, s.topic)
	if err != nil && !errors.Is(err, kerr.TopicAlreadyExists) {
		return fmt.Errorf("making %w", about(s.topic, err))
	}
	return nil
}

// keyOf begins the keys of the group's snapshots.
func (s *snapshotStore) keyOf() string { return s.config.Group + " " + s.config.Address.Topic + " " }

// own reports, as an error, that the snapshots in the topic are of another group: its name may be that of a group eu-prod for
// orders, and of a group prod for orders-eu, and they would delete each other's.
func (s *snapshotStore) own(ctx context.Context) error {
	ends, err := s.admin.ListEndOffsets(ctx, s.topic)
	if err != nil {
		return err
	}
	starts, err := s.admin.ListStartOffsets(ctx, s.topic)
	if err != nil {
		return err
	}
	last := map[int32]kgo.Offset{}
	for p, end := range ends[s.topic] {
		if end.Err == nil && starts[s.topic][p].Offset < end.Offset {
			last[p] = kgo.NewOffset().At(end.Offset - 1)
		}
	}
	if len(last) == 0 {
		return nil
	}
	client, err := kgo.NewClient(append([]kgo.Opt{
		kgo.SeedBrokers(s.config.Address.Brokers...),
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{s.topic: last}),
	}, s.config.options...)...)
	if err != nil {
		return err
	}
	defer client.Close()
	limited, stop := context.WithTimeout(ctx, firstContact)
	defer stop()
	for r := range client.PollRecords(limited, 1).RecordsAll() {
		if !bytes.HasPrefix(r.Key, []byte(s.keyOf())) {
			return fmt.Errorf("topic %s has the snapshots of somebody else (%q): call the group otherwise", s.topic, clip(string(r.Key), 100))
		}
	}
	return nil
}

// topicID returns the id of the topic that is read, "" if it has none.
func (s *snapshotStore) topicID() string {
	if s.input == (kadm.TopicID{}) {
		return ""
	}
	return hex.EncodeToString(s.input[:])
}

func (s *snapshotStore) close() { s.client.Close() }

// write writes a snapshot of a partition of the topic that is read.
func (s *snapshotStore) write(ctx context.Context, partition int32, next int64, state []byte) (pointer, error) {
	packed := s.zstd.EncodeAll(state, nil)
	p := pointer{partition: partition % s.count, bytes: len(packed), sum: checksum(packed), topic: s.topicID()}
	var pieces []*kgo.Record
	for len(packed) > 0 {
		n := min(len(packed), snapshotPiece)
		pieces = append(pieces, &kgo.Record{
			Partition: p.partition, Value: packed[:n],
			Key: fmt.Appendf(nil, "%s%d behind %d", s.keyOf(), partition, next),
		})
		packed = packed[n:]
	}
	p.records = len(pieces)
	results := s.client.ProduceSync(ctx, pieces...)
	if err := results.FirstErr(); err != nil {
		return p, err
	}
	p.offset = results[0].Record.Offset
	for i, r := range results {
		// Others may have written in between: an old owner that does not know yet, or one of another partition.
		if r.Record.Offset != p.offset+int64(i) {
			return p, errTorn
		}
	}
	return p, nil
}

var errTorn = errors.New("somebody else has written between the records of the snapshot")

// read reads a snapshot.
func (s *snapshotStore) read(ctx context.Context, p pointer) ([]byte, error) {
	client, err := kgo.NewClient(append([]kgo.Opt{
		kgo.SeedBrokers(s.config.Address.Brokers...),
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{s.topic: {p.partition: kgo.NewOffset().At(p.offset)}}),
		kgo.ConsumeResetOffset(kgo.NoResetOffset()),
		kgo.FetchMaxWait(100 * time.Millisecond),
	}, s.config.options...)...)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	packed := make([]byte, 0, p.bytes)
	for next := p.offset; next < p.offset+int64(p.records); {
		fetches, err := s.poll(ctx, client, p)
		if err != nil {
			return nil, err
		}
		for r := range fetches.RecordsAll() {
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
		return nil, fmt.Errorf("the snapshot at %s/%d@%d is damaged: %d bytes with checksum %08x, not %d with %08x", s.topic, p.partition, p.offset, len(packed), sum, p.bytes, p.sum)
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return z.DecodeAll(packed, nil)
}

// waitForSnapshot is how long the records of a snapshot may take before it is asked whether they are there.
const waitForSnapshot = time.Second

// poll returns records of a snapshot, or none if they take long. Whoever fetches at the end of a partition waits for more to be
// written and is not told that there is nothing: so it is with a topic that was deleted and made anew.
func (s *snapshotStore) poll(ctx context.Context, client *kgo.Client, p pointer) (kgo.Fetches, error) {
	limited, stop := context.WithTimeout(ctx, waitForSnapshot)
	defer stop()
	fetches := client.PollFetches(limited)
	switch err := fetches.Err(); {
	case err == nil:
		return fetches, nil
	case errors.Is(err, kerr.OffsetOutOfRange):
		return nil, s.goneAt(p)
	case ctx.Err() == nil && limited.Err() != nil:
		return nil, s.there(ctx, p)
	default:
		return nil, fmt.Errorf("reading the snapshot at %s/%d@%d: %w", s.topic, p.partition, p.offset, cmp.Or(lasting(err), err))
	}
}

// there reports, as an error, that the topic ends before a snapshot does. That brokers do not answer, or do not know yet, is none.
func (s *snapshotStore) there(ctx context.Context, p pointer) error {
	ends, err := s.admin.ListEndOffsets(ctx, s.topic)
	if err != nil || ends.Error() != nil || len(ends[s.topic]) == 0 {
		return nil
	}
	if end, ok := ends.Lookup(s.topic, p.partition); !ok || end.Offset < p.offset+int64(p.records) {
		return s.goneAt(p)
	}
	return nil
}

func (s *snapshotStore) goneAt(p pointer) error {
	return fmt.Errorf("the snapshot at %s/%d@%d is gone: the retention of the topic must be unlimited (retention.ms=-1), and nobody else may write to it, or delete it or records of it; take another group", s.topic, p.partition, p.offset)
}

// trim deletes what stands before a snapshot. Where several partitions share one nothing is deleted; where that is
// not allowed, nothing is, too, and the topic grows.
func (s *snapshotStore) trim(ctx context.Context, p pointer) {
	if topics, err := s.admin.ListTopics(ctx, s.config.Address.Topic); err != nil || len(topics[s.config.Address.Topic].Partitions) > int(s.count) {
		return
	}
	offsets := kadm.Offsets{}
	offsets.Add(kadm.Offset{Topic: s.topic, Partition: p.partition, At: p.offset})
	if _, err := s.admin.DeleteRecords(ctx, offsets); err != nil && ctx.Err() == nil {
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
