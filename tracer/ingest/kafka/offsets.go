package kafka

import (
	"cmp"
	"context"
	"errors"
	"time"

	client "github.com/segmentio/kafka-go"

	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
)

// start begins with the partitions of a generation, where their last owner has stopped. It reports whether there was time for that.
func (g *Group) start(ctx context.Context, generation *wire.Generation) bool {
	committed, ok := g.committed(ctx, generation.Partitions)
	if !ok {
		return false
	}
	from := map[int32]int64{}
	for p, c := range committed {
		g.begin(p, c.CommittedOffset, c.Metadata)
		switch {
		case c.CommittedOffset >= 0:
			from[p] = c.CommittedOffset
		case g.config.FromEnd && p < g.snapshots.known:
			from[p] = wire.AtEnd
		default: // it was added since the member has joined, even if the group began at the end
			from[p] = wire.AtStart
		}
	}
	g.dropKept()
	g.reader.Set(from)
	return true
}

// committed asks where partitions were left, until somebody knows. It reports whether that was before the context has ended.
func (g *Group) committed(ctx context.Context, partitions []int32) (all map[int32]client.OffsetFetchPartition, ok bool) {
	for ctx.Err() == nil {
		all, err := g.fetchOffsets(ctx, partitions)
		if err == nil {
			return all, true
		}
		if lasts := lasting(err); lasts != nil {
			g.fail(lasts)
		} else if ctx.Err() == nil {
			g.waiting(err)
		}
		select {
		case <-time.After(again):
		case <-ctx.Done():
		}
	}
	return nil, false
}

func (g *Group) fetchOffsets(ctx context.Context, partitions []int32) (map[int32]client.OffsetFetchPartition, error) {
	all := map[int32]client.OffsetFetchPartition{}
	if len(partitions) == 0 {
		return all, nil
	}
	topic := g.config.Address.Topic
	request := &client.OffsetFetchRequest{GroupID: g.config.Group, Topics: map[string][]int{}}
	for _, p := range partitions {
		request.Topics[topic] = append(request.Topics[topic], int(p))
	}
	resp, err := g.cluster.Client.OffsetFetch(ctx, request)
	if err = cmp.Or(err, errorOf(resp)); err != nil {
		return nil, err
	}
	for _, p := range resp.Topics[topic] {
		if p.Error != nil {
			return nil, p.Error
		}
		all[int32(p.Partition)] = p
	}
	if len(all) < len(partitions) {
		return nil, errors.New("the broker does not say of all partitions where they were left")
	}
	return all, nil
}

// errorOf returns the error in an answer, if there is one.
func errorOf(resp *client.OffsetFetchResponse) error {
	if resp == nil {
		return nil
	}
	return resp.Error
}

// commit commits that a partition goes on with a record, under the generation in which it was assigned.
func (g *Group) commit(ctx context.Context, p *partition, offset int64, metadata string) error {
	topic := g.config.Address.Topic
	request := &client.OffsetCommitRequest{
		GroupID: g.config.Group, MemberID: p.member, GenerationID: int(p.generation),
		Topics: map[string][]client.OffsetCommit{topic: {{Partition: int(p.number), Offset: offset, Metadata: metadata}}},
	}
	for {
		err := g.tryCommit(ctx, request)
		if err == nil || !passes(err) && !unsettled(err) || ctx.Err() != nil {
			return err
		}
		select {
		case <-time.After(again):
		case <-ctx.Done():
			return err
		}
	}
}

func (g *Group) tryCommit(ctx context.Context, request *client.OffsetCommitRequest) error {
	resp, err := g.cluster.Client.OffsetCommit(ctx, request)
	if err != nil {
		return err
	}
	for _, partition := range resp.Topics[g.config.Address.Topic] {
		return partition.Error
	}
	return errors.New("the broker says nothing about a commit")
}

// staleMemberEpoch is what brokers say whose groups follow a newer protocol.
const staleMemberEpoch client.Error = 113

// fenced reports whether an error says that a partition has, or may have, another owner by now.
func fenced(err error) bool {
	return is(err, client.IllegalGeneration, client.UnknownMemberId, client.FencedInstanceID, staleMemberEpoch)
}
