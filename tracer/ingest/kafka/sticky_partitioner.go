package kafka

import (
	"container/list"
	"math/rand/v2"

	client "github.com/segmentio/kafka-go"

	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
)

// maxPlacements is the number of runs whose partitions a producer remembers: those that it has last
// sent records of.
const maxPlacements = 1 << 16

// stickyPartitioner keeps each run in the partition of its first record. All records of a run have
// to be in one partition, but its key maps to another one as soon as partitions are added to the
// topic. A new run goes where producers in Java would put it.
type stickyPartitioner struct {
	most   int // runs
	byRun  map[string]*list.Element
	recent *list.List // of home, the latest in front
}

type placement struct {
	run       string
	partition int32
}

func newStickyPartitioner(most int) *stickyPartitioner {
	return &stickyPartitioner{most: most, byRun: map[string]*list.Element{}, recent: list.New()}
}

// partition returns the partition of a run in a topic with so many of them.
func (h *stickyPartitioner) partition(run string, partitions int) int32 {
	if e := h.byRun[run]; e != nil {
		h.recent.MoveToFront(e)
		// the topic has been created anew
		if at := e.Value.(*placement); at.partition >= int32(partitions) {
			at.partition = partitionOf(run, partitions)
		}
		return e.Value.(*placement).partition
	}
	at := &placement{run, partitionOf(run, partitions)}
	h.byRun[at.run] = h.recent.PushFront(at)
	if len(h.byRun) > h.most {
		delete(h.byRun, h.recent.Remove(h.recent.Back()).(*placement).run)
	}
	return at.partition
}

// partitionOf returns the partition of a key as producers in Java do (murmur2).
func partitionOf(key string, partitions int) int32 {
	all := make([]int, partitions)
	for i := range all {
		all[i] = i
	}
	return int32(client.Murmur2Balancer{Consistent: true}.Balance(client.Message{Key: []byte(key)}, all...))
}

// randomPartitioner puts records without a key into any partition, many into one before it chooses
// another, which makes fewer batches.
type randomPartitioner struct {
	partition int32
	room      int // bytes
}

// randomBytes is the number of bytes of records that go into one partition.
const randomBytes = 64 << 10

// of returns the partition of so many bytes: one that has a leader, if any has.
func (r *randomPartitioner) of(bytes int, partitions map[int32]wire.Leader) int32 {
	if leader, ok := partitions[r.partition]; !ok || leader.Broker < 0 || r.room <= 0 {
		r.room = randomBytes
		r.partition = rand.Int32N(int32(len(partitions)))
		for range partitions {
			if partitions[r.partition].Broker >= 0 {
				break
			}
			r.partition = (r.partition + 1) % int32(len(partitions))
		}
	}
	r.room -= bytes
	return r.partition
}
