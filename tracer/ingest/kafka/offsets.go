package kafka

import (
	"context"
	"errors"

	client "github.com/segmentio/kafka-go"

	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
)

// start begins with the partitions of a generation, where their last owner stopped. It reports
// whether there was time for that.
func (g *Group) start(ctx context.Context, generation *wire.Generation) bool {
	committed, ok := g.committedOffsets(ctx, generation.Partitions)
	if !ok {
		return false
	}
	from := map[int32]int64{}
	for p, c := range committed {
		g.begin(p, c.Offset, c.Metadata)
		switch {
		case c.Offset >= 0:
			from[p] = c.Offset
		case g.config.FromEnd && p < g.snapshots.known:
			from[p] = wire.AtEnd
		default: // it was added since the member joined, even if the group began at the end
			from[p] = wire.AtStart
		}
	}
	g.dropKept()
	g.reader.Set(from)
	return true
}

// committedOffsets asks for the committed offsets of partitions until a broker knows. It reports
// whether that was before the context ended.
func (g *Group) committedOffsets(ctx context.Context, partitions []int32) (all map[int32]wire.Commit, ok bool) {
	for ctx.Err() == nil {
		all, err := g.fetchOffsets(ctx, partitions)
		if err == nil {
			return all, true
		}
		if lasts := permanent(err); lasts != nil {
			g.fail(lasts)
		} else if ctx.Err() == nil {
			g.noteWaiting(err)
		}
		wire.Sleep(ctx, retryInterval)
	}
	return nil, false
}

func (g *Group) fetchOffsets(ctx context.Context, partitions []int32) (map[int32]wire.Commit, error) {
	if len(partitions) == 0 {
		return nil, nil
	}
	found, err := g.cluster.Committed(ctx, g.config.Group, g.config.Address.Topic, partitions)
	if err != nil {
		return nil, err
	}
	all := map[int32]wire.Commit{}
	for _, p := range partitions {
		c, ok := found[p]
		if !ok {
			return nil, errors.New("the broker does not say of all partitions where they were left")
		}
		if c.Err != nil {
			return nil, c.Err
		}
		all[p] = c
	}
	return all, nil
}

// commit commits the next offset of a partition, under the generation in which it was assigned.
func (g *Group) commit(ctx context.Context, p *partition, offset int64, metadata string) error {
	as := &wire.Membership{Member: p.member, Generation: p.generation}
	of := wire.TopicPartition{Topic: g.config.Address.Topic, Partition: p.number}
	return persist(ctx, func() error { return g.cluster.Commit(ctx, g.config.Group, as, of, offset, metadata) })
}

// staleMemberEpoch is the answer of brokers whose groups follow a newer protocol.
const staleMemberEpoch client.Error = 113

// isFenced reports whether an error says that a partition has, or may have, another owner by now.
func isFenced(err error) bool {
	return wire.HasCode(err, client.IllegalGeneration, client.UnknownMemberId, client.FencedInstanceID,
		staleMemberEpoch)
}
