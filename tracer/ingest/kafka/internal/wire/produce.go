package wire

import (
	"cmp"
	"context"
	"fmt"

	"github.com/segmentio/kafka-go/protocol"
)

// TakesZstd reports whether all known brokers accept batches compressed with zstd.
func (c *Cluster) TakesZstd() bool { return c.version(protocol.Produce, zstdSince) == zstdSince }

const zstdSince = 7

// TopicPartition is a partition of a topic.
type TopicPartition struct {
	Topic     string
	Partition int32
}

// Write is a batch, made by AppendBatch, for a partition. It must not be changed from then on,
// unless the write has succeeded: a write that was given up may still be in progress.
type Write struct {
	TopicPartition
	Batch []byte
}

// WriteResult is the outcome of a Write.
type WriteResult struct {
	TopicPartition
	Offset int64 // of the first record
	Err    error
}

// Produce sends a batch to the broker that leads a partition. It returns the offset of the first
// record when all replicas have it.
func (c *Cluster) Produce(ctx context.Context, broker int32, topic string, partition int32, batch []byte) (offset int64,
	err error) {
	written, err := c.ProduceAll(ctx, broker, []Write{{TopicPartition{topic, partition}, batch}})
	if err != nil {
		return 0, err
	}
	return written[0].Offset, written[0].Err
}

// ProduceAll sends batches to the broker that leads their partitions, at most one for each. It
// returns their outcomes in order, when all replicas have those that are written.
func (c *Cluster) ProduceAll(ctx context.Context, broker int32, writes []Write) ([]WriteResult, error) {
	a, err := c.toBroker(ctx, broker,
		&request{key: protocol.Produce, maxVersion: zstdSince, body: func(e *encoder, _ int16) {
			e.grow(sizeOfWrites(writes))
			e.null()    // no transaction
			e.int16(-1) // all replicas
			e.int32(int32(patience.Milliseconds()))
			topics := byTopic(writes)
			e.array(len(topics))
			for _, all := range topics {
				e.string(all[0].Topic)
				e.array(len(all))
				for _, w := range all {
					e.int32(w.Partition)
					e.bytes(w.Batch)
				}
			}
		}}, patience)
	if err != nil {
		return nil, err
	}
	answers, err := parseProduce(a)
	if err != nil {
		return nil, err
	}
	return arrange(answers, writes)
}

// byTopic groups writes for the request. A topic must not be in it twice: brokers drop the second
// occurrence.
func byTopic(writes []Write) (topics [][]Write) {
	at := map[string]int{}
	for _, w := range writes {
		i, ok := at[w.Topic]
		if !ok {
			i = len(topics)
			at[w.Topic] = i
			topics = append(topics, nil)
		}
		topics[i] = append(topics[i], w)
	}
	return topics
}

func sizeOfWrites(writes []Write) int {
	const numbers = 14 // lengths, and the partition
	n := 10
	for _, w := range writes {
		n += numbers + len(w.Topic) + len(w.Batch)
	}
	return n
}

func parseProduce(a *answer) (all []WriteResult, err error) {
	for range a.elements() {
		topic := a.string()
		for range a.elements() {
			w := WriteResult{TopicPartition: TopicPartition{topic, a.int32()}, Err: errorOf(a.int16()),
				Offset: a.int64()}
			a.int64() // time
			if a.version >= 5 {
				a.int64() // first offset of the partition
			}
			all = append(all, w)
		}
	}
	return all, a.checkComplete()
}

// arrange sorts the answers in the order of the writes.
func arrange(answers []WriteResult, writes []Write) ([]WriteResult, error) {
	by := make(map[TopicPartition]WriteResult, len(answers))
	for _, w := range answers {
		by[w.TopicPartition] = w
	}
	all := make([]WriteResult, len(writes))
	for i, w := range writes {
		found, ok := by[w.TopicPartition]
		if !ok {
			return nil, fmt.Errorf("the answer to %v says nothing of partition %d of %s", protocol.Produce, w.Partition,
				w.Topic)
		}
		all[i] = found
	}
	return all, nil
}

// NewProducer asks a broker for a unique Producer.
func (c *Cluster) NewProducer(ctx context.Context, broker int32) (Producer, error) {
	a, err := c.toBroker(ctx, broker,
		&request{key: protocol.InitProducerId, maxVersion: 1, body: func(e *encoder, _ int16) {
			e.null() // no transactions
			e.int32(0)
		}}, 0)
	if err != nil {
		return NoProducer, err
	}
	return parseProducer(a)
}

func parseProducer(a *answer) (Producer, error) {
	a.int32() // throttle
	err := errorOf(a.int16())
	p := Producer{a.int64(), a.int16()}
	if err = cmp.Or(a.checkComplete(), err); err != nil {
		return NoProducer, err
	}
	return p, nil
}
