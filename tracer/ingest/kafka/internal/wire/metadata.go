package wire

import (
	"context"
	"time"

	"github.com/segmentio/kafka-go/protocol"
)

// TopicID is the id of a topic, which distinguishes it from another one of the same name. Old
// brokers give it none: zero.
type TopicID [16]byte

// Differs reports whether two ids are those of different topics. A topic gets one when its last
// broker is upgraded, and older brokers do not report it.
func (id TopicID) Differs(from TopicID) bool {
	return id != from && id != TopicID{} && from != TopicID{}
}

// Topic is a broker's description of a topic.
type Topic struct {
	Name    string
	ID      TopicID
	Err     error
	Leaders map[int32]Leader // by partition
}

// Leader is the broker that leads a partition.
type Leader struct {
	Broker int32 // -1 if there is none
	Epoch  int32 // -1 if it is not known
}

const (
	oldestMetadata   = 5 // the oldest that is decoded; all supported brokers have a newer one
	flexibleMetadata = 9
)

// Metadata asks for topics, and never creates them. Any broker can answer, so it does not wait long
// for one: the next connection is to another broker.
func (c *Cluster) Metadata(ctx context.Context, topics ...string) (all []Topic, err error) {
	for limit := lateAfter; limit < patience; limit *= 2 {
		if all, err = c.metadata(ctx, limit, topics); !timedOut(err) || ctx.Err() != nil {
			break
		}
	}
	return all, err
}

func (c *Cluster) metadata(ctx context.Context, limit time.Duration, topics []string) ([]Topic, error) {
	r := &request{key: protocol.Metadata, maxVersion: 12, flexibleSince: flexibleMetadata, limit: metadataAnswer,
		body: func(e *encoder, version int16) {
			e.array(len(topics))
			for _, topic := range topics {
				if version >= 10 {
					e.b = append(e.b, make([]byte, len(TopicID{}))...)
				}
				e.string(topic)
				e.noTags()
			}
			e.bool(false) // create missing ones
			if version >= 8 && version <= 10 {
				e.bool(false) // permissions of the client in the cluster
			}
			if version >= 8 {
				e.bool(false) // and on the topics
			}
			e.noTags()
		}}
	a, err := c.send(ctx, r, r, limit)
	if err != nil {
		return nil, err
	}
	return parseMetadata(a)
}

func parseMetadata(a *answer) (topics []Topic, err error) {
	a.int32() // throttle
	for range a.elements() {
		a.int32()
		a.string()
		a.int32()
		a.string()
		a.tags()
	}
	a.string() // cluster
	a.int32()  // controller
	for range a.elements() {
		t := Topic{Err: errorOf(a.int16()), Name: a.string(), Leaders: map[int32]Leader{}}
		if a.version >= 10 {
			copy(t.ID[:], a.take(len(t.ID)))
		}
		a.int8() // internal
		for range a.elements() {
			partition, leader := a.partition()
			t.Leaders[partition] = leader
		}
		if a.version >= 8 {
			a.int32() // permissions
		}
		a.tags()
		topics = append(topics, t)
	}
	return topics, a.checkComplete()
}

// partition takes a partition of a topic. Its error code adds nothing to the leader.
func (a *answer) partition() (int32, Leader) {
	a.int16()
	partition, leader := a.int32(), Leader{a.int32(), -1}
	if a.version >= 7 {
		leader.Epoch = a.int32()
	}
	a.int32s() // replicas
	a.int32s() // those in sync
	a.int32s() // offline ones
	a.tags()
	return partition, leader
}

// int32s skips an array of numbers.
func (a *answer) int32s() {
	for range a.elements() {
		a.int32()
	}
}
