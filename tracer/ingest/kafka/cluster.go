package kafka

import (
	"cmp"
	"context"
	"fmt"

	client "github.com/segmentio/kafka-go"

	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
)

// cluster returns the connections to a cluster, and the contact that watches them. end ends all
// that is done with them.
func (s *Security) cluster(to Address, n *network, end context.CancelCauseFunc) (*wire.Cluster, *contact, error) {
	config, c, err := s.clusterConfig(to, n, end)
	if err != nil {
		return nil, nil, err
	}
	return wire.Open(config), c, nil
}

func (s *Security) clusterConfig(to Address, n *network, end context.CancelCauseFunc) (wire.Config, *contact, error) {
	tls, login, err := s.secrets()
	if err != nil {
		return wire.Config{}, nil, err
	}
	config := wire.Config{Brokers: to.Brokers, TLS: tls, SASL: login}
	c := &contact{to: to, security: *s, end: end}
	n.watch(&config, c)
	return config, c, nil
}

// find asks for a topic.
func find(ctx context.Context, cluster *wire.Cluster, topic string) (wire.Topic, error) {
	topics, err := cluster.Metadata(ctx, topic)
	switch {
	case err != nil:
	case len(topics) != 1:
		err = client.UnknownTopicOrPartition
	default:
		err = topics[0].Err
	}
	if err != nil {
		return wire.Topic{}, withTopic(topic, err)
	}
	return topics[0], nil
}

// findKnown asks for a topic that some broker has known. A broker that does not know it has not
// learned of it yet.
func findKnown(ctx context.Context, cluster *wire.Cluster, topic string) (wire.Topic, error) {
	found, err := find(ctx, cluster, topic)
	if isUnknown(err) {
		err = withTopic(topic, client.LeaderNotAvailable)
	}
	return found, err
}

// offsetRanges returns the first offsets of the partitions of a topic, and the ends. A leader that
// does not know its partition has not learned of it yet, since another broker knows the topic.
func offsetRanges(ctx context.Context, cluster *wire.Cluster, topic wire.Topic) (all map[int32]position, err error) {
	starts, err := cluster.Offsets(ctx, topic, wire.AtStart)
	if err != nil {
		return nil, err
	}
	ends, err := cluster.Offsets(ctx, topic, wire.AtEnd)
	if err != nil {
		return nil, err
	}
	all = map[int32]position{}
	for p, end := range ends {
		err := cmp.Or(end.Err, starts[p].Err)
		if wire.HasCode(err, client.UnknownTopicOrPartition) {
			err = client.LeaderNotAvailable
		}
		if err != nil {
			return nil, fmt.Errorf("topic %s: %w", topic.Name, err)
		}
		all[p] = position{starts[p].At, end.At}
	}
	return all, nil
}
