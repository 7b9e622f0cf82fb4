package kafka

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/kafkatest"
	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
)

// A run stays in its partition when others are added, unless so many others come that it is not
// known any more. Runs that begin then make use of all partitions.
func TestHomes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(1, 8).Draw(t, "most")
		h := newStickyPartitioner(most)
		hash := kgo.StickyKeyPartitioner(nil).ForTopic(topic)
		partitions := 3
		var known []placement // those that were asked for last come last
		for range 100 {
			if rapid.IntRange(0, 19).Draw(t, "change") == 0 {
				partitions = rapid.IntRange(1, 12).Draw(t, "partitions")
			}
			run := fmt.Sprint("run", rapid.IntRange(0, 9).Draw(t, "run"))
			at := placement{run, int32(hash.Partition(&kgo.Record{Key: []byte(run)}, partitions))}
			for i, was := range known {
				if was.run == at.run {
					known = append(known[:i:i], known[i+1:]...)
					if was.partition < int32(partitions) {
						at.partition = was.partition
					}
					break
				}
			}
			known = append(known, at)
			known = known[max(0, len(known)-most):]
			if got := h.partition(run, partitions); got != at.partition {
				t.Fatalf("%s is in partition %d of %d, not %d", at.run, got, partitions, at.partition)
			}
			if len(h.byRun) != len(known) || h.recent.Len() != len(known) {
				t.Fatalf("%d and %d runs are known, not %d", len(h.byRun), h.recent.Len(), len(known))
			}
		}
	})
}

// TestPartitionOf compares where keys go with where those of another library do.
func TestPartitionOf(t *testing.T) {
	theirs := kgo.StickyKeyPartitioner(nil).ForTopic(topic)
	rapid.Check(t, func(t *rapid.T) {
		key, partitions := rapid.SliceOf(rapid.Byte()).Draw(t, "key"), rapid.IntRange(1, 100).Draw(t, "partitions")
		if got, want := partitionOf(string(key), partitions),
			theirs.Partition(&kgo.Record{Key: append([]byte{}, key...)}, partitions); int(got) != want {
			t.Errorf("%q is in partition %d of %d, not %d", key, got, partitions, want)
		}
	})
}

// Records without a key go on to another partition when many are in one, and to none that has no
// leader while others have one.
func TestRandomPartitioner(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r randomPartitioner
		partitions := map[int32]wire.Leader{}
		led := false
		for p := range rapid.Int32Range(1, 9).Draw(t, "partitions") {
			partitions[p] = wire.Leader{Broker: rapid.Int32Range(-1, 2).Draw(t, "leader")}
			led = led || partitions[p].Broker >= 0
		}
		last, bytes := int32(-1), 0
		for range 50 {
			size := rapid.IntRange(1, 20<<10).Draw(t, "size")
			p := r.of(size, partitions)
			if leader, ok := partitions[p]; !ok || led && leader.Broker < 0 {
				t.Fatalf("partition %d of %v", p, partitions)
			}
			if p != last {
				if last >= 0 && led && bytes < randomBytes {
					t.Fatalf("from partition %d to %d behind %d bytes", last, p, bytes)
				}
				last, bytes = p, 0
			}
			bytes += size
		}
	})
}

// TestPartitionsAdded adds partitions to a topic while runs go on. All records of those are where
// the first ones are.
func TestPartitionsAdded(t *testing.T) {
	kafkatest.Parallel(t)
	const runs, few, many = 40, 2, 12
	c := kafkatest.New(t)
	to := Address{c.Plaintext, c.Topic(t, few)}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	p, err := NewProducer(ctx, to, Security{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	send := func(name string, n int) {
		for i := range runs {
			if err := p.Send(numbered(fmt.Sprint(name, i), n)); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	send("old", 1)
	admin, err := kadm.NewOptClient(kgo.SeedBrokers(to.Brokers...))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close()
	if _, err := admin.UpdatePartitions(ctx, many, to.Topic); err != nil {
		t.Fatal(err)
	}
	for len(p.writer.Partitions(to.Topic)) < many && ctx.Err() == nil {
		_ = p.writer.Refresh(ctx) // brokers may not know of all yet
	}
	send("old", 2)
	send("new", 1)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	was, used := map[string]int32{}, map[int32]bool{}
	client, err := kgo.NewClient(kgo.SeedBrokers(to.Brokers...), kgo.ConsumeTopics(to.Topic),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	got := 0
	for got < 3*runs && ctx.Err() == nil {
		for r := range client.PollFetches(ctx).RecordsAll() {
			run := string(r.Key)
			got++
			if at, there := was[run]; there && at != r.Partition {
				t.Errorf("%s is in partitions %d and %d", run, at, r.Partition)
			}
			was[run], used[r.Partition] = r.Partition, true
		}
	}
	if got != 3*runs {
		t.Errorf("%d records, not %d", got, 3*runs)
	}
	if len(used) <= few {
		t.Errorf("new runs use partitions %v of %d", used, many)
	}
}
