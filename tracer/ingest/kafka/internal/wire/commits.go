package wire

import (
	"cmp"
	"context"
	"errors"

	"github.com/segmentio/kafka-go/protocol"
)

// Commit is the progress of a group in a partition.
type Commit struct {
	Offset   int64  // of the next record; -1 if the group has not been there
	Metadata string // note of the member that has committed it
	Err      error
}

// Committed asks for the progress of a group in partitions of a topic.
func (c *Cluster) Committed(ctx context.Context, group, topic string, partitions []int32) (map[int32]Commit, error) {
	a, err := c.toCoordinator(ctx, group,
		&request{key: protocol.OffsetFetch, maxVersion: 5, body: func(e *encoder, _ int16) {
			e.string(group)
			e.array(1)
			e.string(topic)
			e.array(len(partitions))
			for _, p := range partitions {
				e.int32(p)
			}
		}}, 0)
	if err != nil {
		return nil, err
	}
	return parseCommitted(a)
}

func parseCommitted(a *answer) (map[int32]Commit, error) {
	a.int32() // throttle
	all := map[int32]Commit{}
	for range a.elements() {
		a.string()
		for range a.elements() {
			p, offset := a.int32(), a.int64()
			a.int32() // epoch of the leader
			all[p] = Commit{Offset: offset, Metadata: a.string(), Err: errorOf(a.int16())}
		}
	}
	err := errorOf(a.int16())
	return all, cmp.Or(a.checkComplete(), err)
}

// Commit records the progress of a group's member in a partition.
func (c *Cluster) Commit(ctx context.Context, group string, as *Membership, of TopicPartition, offset int64,
	metadata string) error {
	a, err := c.toCoordinator(ctx, group,
		&request{key: protocol.OffsetCommit, maxVersion: 6, body: func(e *encoder, _ int16) {
			e.string(group)
			e.int32(as.Generation)
			e.string(as.Member)
			e.array(1)
			e.string(of.Topic)
			e.array(1)
			e.int32(of.Partition)
			e.int64(offset)
			e.int32(-1) // epoch of the leader
			e.string(metadata)
		}}, 0)
	if err != nil {
		return err
	}
	return parseCommit(a, of)
}

func parseCommit(a *answer, of TopicPartition) error {
	a.int32() // throttle
	err := errors.New("the broker says nothing about a commit")
	for range a.elements() {
		topic := a.string()
		for range a.elements() {
			if p, code := a.int32(), a.int16(); topic == of.Topic && p == of.Partition {
				err = errorOf(code)
			}
		}
	}
	return cmp.Or(a.checkComplete(), err)
}
