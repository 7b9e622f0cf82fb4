package kafka

import (
	"container/list"

	"github.com/twmb/franz-go/pkg/kgo"
)

// maxHomes is how many runs a producer knows the partitions of: those that it has sent records of last.
const maxHomes = 1 << 16

// stickyPartitioner keeps each run in the partition of its first record. All records of a run have to be in one
// partition, but its key belongs to another one as soon as partitions are added to the topic.
//
// The client calls it from one goroutine at a time.
type stickyPartitioner struct {
	hash   kgo.TopicPartitioner
	most   int // runs
	byRun  map[string]*list.Element
	recent *list.List // of home, the one that was asked for last in front
}

type home struct {
	run       string
	partition int
}

// stayAtHome is the partitioner of a Producer. A run that begins is where producers in Java put it (murmur2).
func stayAtHome() kgo.Partitioner {
	return kgo.BasicConsistentPartitioner(func(topic string) func(*kgo.Record, int) int {
		return newHomes(topic, maxHomes).of
	})
}

func newHomes(topic string, most int) *stickyPartitioner {
	return &stickyPartitioner{hash: kgo.StickyKeyPartitioner(nil).ForTopic(topic), most: most, byRun: map[string]*list.Element{}, recent: list.New()}
}

// of returns the partition of a record in a topic with so many of them.
func (h *stickyPartitioner) of(r *kgo.Record, partitions int) int {
	if e := h.byRun[string(r.Key)]; e != nil {
		h.recent.MoveToFront(e)
		if at := e.Value.(*home); at.partition >= partitions { // the topic has been made anew
			at.partition = h.hash.Partition(r, partitions)
		}
		return e.Value.(*home).partition
	}
	at := &home{string(r.Key), h.hash.Partition(r, partitions)}
	h.byRun[at.run] = h.recent.PushFront(at)
	if len(h.byRun) > h.most {
		delete(h.byRun, h.recent.Remove(h.recent.Back()).(*home).run)
	}
	return at.partition
}
