package wire

import (
	"context"
	"fmt"

	"github.com/segmentio/kafka-go/protocol"
)

// TakesZstd reports whether all brokers that are known take batches that zstd has compressed.
func (c *Cluster) TakesZstd() bool { return c.version(protocol.Produce, zstdSince) == zstdSince }

const zstdSince = 7

// Produce sends a batch, made by AppendBatch, to the broker that leads a partition. It returns the offset of the first record
// when all replicas have it.
func (c *Cluster) Produce(ctx context.Context, broker int32, topic string, partition int32, batch []byte) (offset int64, err error) {
	a, err := c.toBroker(ctx, broker, &request{key: protocol.Produce, highest: zstdSince, body: func(e *encoder, _ int16) {
		e.null()    // no transaction
		e.int16(-1) // all replicas
		e.int32(int32(patience.Milliseconds()))
		e.array(1)
		e.string(topic)
		e.array(1)
		e.int32(partition)
		e.bytes(batch)
	}}, patience)
	if err != nil {
		return 0, err
	}
	found := false
	for range a.elements() {
		a.string()
		for range a.elements() {
			a.int32()
			err, offset, found = errorOf(a.int16()), a.int64(), true
			a.int64() // time
			if a.version >= 5 {
				a.int64() // first offset of the partition
			}
		}
	}
	if bad := a.whole(); bad != nil {
		return 0, bad
	}
	if !found {
		return 0, fmt.Errorf("the answer to %v says nothing of partition %d of %s", protocol.Produce, partition, topic)
	}
	return offset, err
}

// NewProducer asks for a Producer that nobody else is.
func (c *Cluster) NewProducer(ctx context.Context) (Producer, error) {
	a, err := c.toAny(ctx, &request{key: protocol.InitProducerId, highest: 1, body: func(e *encoder, _ int16) {
		e.null() // no transactions
		e.int32(0)
	}})
	if err != nil {
		return Nobody, err
	}
	a.int32() // throttle
	err = errorOf(a.int16())
	p := Producer{a.int64(), a.int16()}
	if bad := a.whole(); bad != nil {
		return Nobody, bad
	}
	return p, err
}
