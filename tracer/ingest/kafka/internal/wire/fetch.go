package wire

import (
	"context"
	"time"

	"github.com/segmentio/kafka-go/protocol"
)

// FetchRequest asks the broker that leads partitions of a topic for records.
type FetchRequest struct {
	Broker    int32
	Topic     string
	ID        TopicID // of the topic; if it is known, another one of the same name is an error
	From      []Position
	Wait      time.Duration // for records to come
	Bytes     int           // in all; a larger batch comes alone
	PerPart   int           // of a partition
	Committed bool          // leave out open transactions, and list the aborted ones
}

// Position is a position in a partition.
type Position struct {
	Partition int32
	Epoch     int32 // of the leader, from Metadata; -1 is any
	Offset    int64
}

// Partition is the answer for a fetched partition.
type Partition struct {
	Partition int32
	Err       error
	High      int64 // offset after the last record
	Start     int64 // of the first one
	Aborted   []Aborted
	Batches   []byte // see Decoder
}

// Aborted is an aborted transaction of a producer, from an offset on.
type Aborted struct{ Producer, First int64 }

// batchAnswer bounds a compressed batch from a broker. It comes alone, whatever the limits of the
// request.
const batchAnswer = 256 << 20

// Fetch asks for records. Brokers leave out partitions without news.
func (c *Cluster) Fetch(ctx context.Context, f *FetchRequest) ([]Partition, error) {
	r := &request{key: protocol.Fetch, maxVersion: 13, flexibleSince: 12, body: f.encode, limit: f.Bytes + batchAnswer}
	if f.ID == (TopicID{}) {
		r.maxVersion = 12
	}
	a, err := c.toBroker(ctx, f.Broker, r, f.Wait)
	if err != nil {
		return nil, err
	}
	return parseFetch(a)
}

func (f *FetchRequest) encode(e *encoder, version int16) {
	e.int32(-1) // no replica
	e.int32(int32(f.Wait.Milliseconds()))
	e.int32(1) // bytes at least
	e.int32(int32(f.Bytes))
	e.bool(f.Committed)
	if version >= 7 {
		e.int32(0)  // no session
		e.int32(-1) // and none is requested
	}
	e.array(1)
	if version >= 13 {
		e.b = append(e.b, f.ID[:]...)
	} else {
		e.string(f.Topic)
	}
	e.array(len(f.From))
	for _, p := range f.From {
		e.int32(p.Partition)
		if version >= 9 {
			e.int32(p.Epoch)
		}
		e.int64(p.Offset)
		if version >= 12 {
			e.int32(-1) // epoch of the last record: logs are not compared
		}
		if version >= 5 {
			e.int64(-1) // for replicas
		}
		e.int32(int32(f.PerPart))
		e.noTags()
	}
	e.noTags()
	if version >= 7 {
		e.array(0) // no partition leaves the session
	}
	if version >= 11 {
		e.string("") // rack
	}
	e.noTags()
}

func parseFetch(a *answer) (all []Partition, err error) {
	a.int32() // throttle
	if a.version >= 7 {
		if err := errorOf(a.int16()); err != nil {
			return nil, err
		}
		a.int32() // session
	}
	for range a.elements() {
		if a.version >= 13 {
			a.take(len(TopicID{}))
		} else {
			a.string()
		}
		for range a.elements() {
			all = append(all, a.fetched())
		}
		a.tags()
	}
	return all, a.checkComplete()
}

func (a *answer) fetched() Partition {
	p := Partition{Partition: a.int32(), Err: errorOf(a.int16()), High: a.int64()}
	a.int64() // the first transaction that goes on
	if a.version >= 5 {
		p.Start = a.int64()
	}
	for range a.elements() {
		p.Aborted = append(p.Aborted, Aborted{a.int64(), a.int64()})
		a.tags()
	}
	if a.version >= 11 {
		a.int32() // a nearer replica
	}
	p.Batches = a.bytes()
	a.tags()
	return p
}
