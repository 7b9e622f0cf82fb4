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
)

// A run stays in its partition when others are added, unless so many others come that it is not known any more. Runs
// that begin then make use of all partitions.
func TestHomes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(1, 8).Draw(t, "most")
		h := newHomes(topic, most)
		hash := kgo.StickyKeyPartitioner(nil).ForTopic(topic)
		partitions := 3
		var known []home // those that were asked for last come last
		for range 100 {
			if rapid.IntRange(0, 19).Draw(t, "change") == 0 {
				partitions = rapid.IntRange(1, 12).Draw(t, "partitions")
			}
			r := &kgo.Record{Key: fmt.Append(nil, "run", rapid.IntRange(0, 9).Draw(t, "run"))}
			at := home{string(r.Key), hash.Partition(r, partitions)}
			for i, was := range known {
				if was.run == at.run {
					known = append(known[:i:i], known[i+1:]...)
					if was.partition < partitions {
						at.partition = was.partition
					}
					break
				}
			}
			known = append(known, at)
			known = known[max(0, len(known)-most):]
			if got := h.of(r, partitions); got != at.partition {
				t.Fatalf("%s is in partition %d of %d, not %d", at.run, got, partitions, at.partition)
			}
			if len(h.byRun) != len(known) || h.recent.Len() != len(known) {
				t.Fatalf("%d and %d runs are known, not %d", len(h.byRun), h.recent.Len(), len(known))
			}
		}
	})
}

// TestPartitionsAdded adds partitions to a topic while runs go on. All records of those are where the first ones are.
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
	if _, err := kadm.NewClient(p.client).UpdatePartitions(ctx, many, to.Topic); err != nil {
		t.Fatal(err)
	}
	for leader := int32(-1); leader < 0 && ctx.Err() == nil; time.Sleep(10 * time.Millisecond) { // until the producer knows
		p.client.ForceMetadataRefresh()
		leader, _, _ = p.client.PartitionLeader(to.Topic, many-1)
	}
	send("old", 2)
	send("new", 1)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	was, used := map[string]int32{}, map[int32]bool{}
	client, err := kgo.NewClient(kgo.SeedBrokers(to.Brokers...), kgo.ConsumeTopics(to.Topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
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
