package kafka

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

func fromEnd(c *GroupConfig) { c.FromEnd, c.Every = true, time.Hour }

// hasAll waits until a member has all partitions of the topic.
func (m *member) hasAll(t *testing.T, partitions int) {
	t.Helper()
	for t.Context().Err() == nil {
		all := m.group.Stats().Partitions
		if len(all) == partitions && !slices.ContainsFunc(all, func(s PartitionStats) bool { return !s.Loaded }) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// knows reports whether there was something of a run whose name begins so.
func (b *book) knows(prefix string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for run := range b.said {
		if strings.HasPrefix(run, prefix) {
			return true
		}
	}
	return false
}

// A group that began at the end of a topic goes on from there when its first member has crashed,
// however soon that was.
func TestCrashAfterBeginAtEnd(t *testing.T) {
	t.Parallel()
	a := fakeBroker(t, 1)
	fill(t, a, "old", 0, 5)
	b := &book{said: map[string]map[int]bool{}}
	first := join(t, a, b, fromEnd)
	first.hasAll(t, 1)
	// the first ones may arrive before it has asked for the end
	for n := 0; !b.knows("probe"); n++ {
		fill(t, a, fmt.Sprint("probe-", n), 0, 1)
	}
	fill(t, a, "run", 0, 3)
	b.heard(t, "run", 3)
	first.cable.set(true)
	first.cancel()
	<-first.done
	b.mu.Lock()
	clear(b.said)
	b.mu.Unlock()
	next := join(t, a, b, fromEnd)
	fill(t, a, "run", 3, 4)
	b.heard(t, "run", 1)
	next.cancel()
	if err := <-next.done; err != nil {
		t.Error(err)
	}
	// else tally has complained if one is missing
	if len(b.said["run"]) == 1 || len(b.said["old"]) > 0 {
		t.Errorf("the next member has read %v", b.said)
	}
}

// Records that arrive between two members of a group that began at the end of a topic are read,
// even if the first one has met no record.
func TestLeaveAfterBeginAtEnd(t *testing.T) {
	t.Parallel()
	for _, old := range []int{0, 1} {
		t.Run(fmt.Sprint(old, " records before"), func(t *testing.T) {
			t.Parallel()
			a := fakeBroker(t, 1)
			fill(t, a, "old", 0, old)
			b := &book{said: map[string]map[int]bool{}}
			first := join(t, a, b, fromEnd)
			first.hasAll(t, 1)
			begun := func(s PartitionStats) bool { return s.Next == int64(old) }
			for limit := time.Now().Add(10 * time.Second); !slices.ContainsFunc(first.group.Stats().Partitions,
				begun); time.Sleep(5 * time.Millisecond) {
				if time.Now().After(limit) {
					t.Fatalf("it does not know where it begins: %+v", first.group.Stats())
				}
			}
			first.cancel()
			if err := <-first.done; err != nil {
				t.Fatal(err)
			}
			fill(t, a, "run", 0, 1)
			next := join(t, a, b, fromEnd)
			next.hasAll(t, 1)
			for n := 0; !b.knows("probe"); n++ { // when it reads
				fill(t, a, fmt.Sprint("probe-", n), 0, 1)
			}
			next.cancel()
			if err := <-next.done; err != nil {
				t.Error(err)
			}
			if !b.knows("run") || b.knows("old") {
				t.Errorf("read %v", b.said)
			}
		})
	}
}

// Records in a partition that is added are read from its start on, also by a group that began at
// the end.
func TestPartitionAddedBehindEnd(t *testing.T) {
	t.Parallel()
	a := fakeBroker(t, 1)
	b := &book{said: map[string]map[int]bool{}}
	m := join(t, a, b, fromEnd)
	m.hasAll(t, 1)
	client, err := kgo.NewClient(kgo.SeedBrokers(a.Brokers...), kgo.DefaultProduceTopic(a.Topic),
		kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if added, err := kadm.NewClient(client).CreatePartitions(t.Context(), 1, a.Topic); err != nil ||
		added.Error() != nil {
		t.Fatal(err, added.Error())
	}
	r := &kgo.Record{Key: []byte("run"), Value: []byte("0"), Partition: 1}
	if err := client.ProduceSync(t.Context(), r).FirstErr(); err != nil {
		t.Fatal(err)
	}
	m.hasAll(t, 2)
	r = &kgo.Record{Key: []byte("run"), Value: []byte("1"), Partition: 1}
	if err := client.ProduceSync(t.Context(), r).FirstErr(); err != nil {
		t.Fatal(err)
	}
	b.heard(t, "run", 1)
	m.cancel()
	if err := <-m.done; err != nil {
		t.Error(err)
	}
	if !b.said["run"][0] {
		t.Error("the first record was not read")
	}
}
