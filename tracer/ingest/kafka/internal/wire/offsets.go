package wire

import (
	"cmp"
	"context"
	"errors"
	"maps"

	kafka "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol"
)

// The times that stand for the first offset of a partition, and for its end.
const (
	AtStart = -2
	AtEnd   = -1
)

// Offset is the first offset or the end of a partition, or an error.
type Offset struct {
	At  int64
	Err error
}

// ListOffsets asks a broker for the first offsets (AtStart) or ends (AtEnd) of partitions. Each has
// an offset or an error.
func (c *Cluster) ListOffsets(ctx context.Context, broker int32, topic string, partitions []int32,
	at int64) (map[int32]Offset, error) {
	a, err := c.toBroker(ctx, broker,
		&request{key: protocol.ListOffsets, maxVersion: 5, body: func(e *encoder, version int16) {
			e.int32(-1) // no replica
			if version >= 2 {
				e.int8(0) // include records of open transactions
			}
			e.array(1)
			e.string(topic)
			e.array(len(partitions))
			for _, p := range partitions {
				e.int32(p)
				if version >= 4 {
					e.int32(-1) // any epoch of the leader
				}
				e.int64(at)
			}
		}}, 0)
	if err != nil {
		return nil, err
	}
	found, err := parseOffsets(a)
	if err != nil {
		return nil, err
	}
	offsets := map[int32]Offset{}
	for _, p := range partitions {
		offset, ok := found[p]
		if !ok || offset.At < 0 && offset.Err == nil {
			offset.Err = errNoOffset
		}
		offsets[p] = offset
	}
	return offsets, nil
}

// errNoOffset says that a broker has left out a partition of the request.
var errNoOffset = errors.New("the broker does not say where the partition begins or ends")

// Offsets asks the leaders for the offsets of all partitions of a topic.
func (c *Cluster) Offsets(ctx context.Context, topic Topic, at int64) (map[int32]Offset, error) {
	led := map[int32][]int32{} // by broker
	all := map[int32]Offset{}
	for p, leader := range topic.Leaders {
		if leader.Broker < 0 {
			all[p] = Offset{Err: kafka.LeaderNotAvailable}
		} else {
			led[leader.Broker] = append(led[leader.Broker], p)
		}
	}
	for broker, partitions := range led {
		offsets, err := c.ListOffsets(ctx, broker, topic.Name, partitions, at)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, offsets)
	}
	return all, nil
}

func parseOffsets(a *answer) (map[int32]Offset, error) {
	if a.version >= 2 {
		a.int32() // throttle
	}
	offsets := map[int32]Offset{}
	for range a.elements() {
		a.string()
		for range a.elements() {
			p, err := a.int32(), errorOf(a.int16())
			a.int64() // time
			offsets[p] = Offset{a.int64(), err}
			if a.version >= 4 {
				a.int32() // epoch
			}
		}
	}
	return offsets, a.checkComplete()
}

// DeleteRecords makes a broker delete the records of partitions before an offset. It returns the
// first error of a partition.
func (c *Cluster) DeleteRecords(ctx context.Context, broker int32, topic string, before map[int32]int64) error {
	a, err := c.toBroker(ctx, broker,
		&request{key: protocol.DeleteRecords, maxVersion: 1, body: func(e *encoder, _ int16) {
			e.array(1)
			e.string(topic)
			e.array(len(before))
			for p, offset := range before {
				e.int32(p)
				e.int64(offset)
			}
			e.int32(int32(patience.Milliseconds()))
		}}, patience)
	if err != nil {
		return err
	}
	a.int32() // throttle
	for range a.elements() {
		a.string()
		for range a.elements() {
			a.int32()
			a.int64() // the first record
			if code := a.int16(); err == nil {
				err = errorOf(code)
			}
		}
	}
	return cmp.Or(a.checkComplete(), err)
}
