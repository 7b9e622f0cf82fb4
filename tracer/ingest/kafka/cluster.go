package kafka

import (
	"context"
	"errors"
	"fmt"
	"strings"

	client "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/sasl"
	"github.com/segmentio/kafka-go/sasl/plain"
	"github.com/segmentio/kafka-go/sasl/scram"

	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
)

// saslMechanisms are those of SASL, by the names that users give them, in small letters.
var saslMechanisms = map[string]func(user, password string) (sasl.Mechanism, error){
	"plain": func(user, password string) (sasl.Mechanism, error) {
		return plain.Mechanism{Username: user, Password: password}, nil
	},
	"scram-sha-256": scramLogin(scram.SHA256),
	"scram-sha-512": scramLogin(scram.SHA512),
}

func scramLogin(algorithm scram.Algorithm) func(user, password string) (sasl.Mechanism, error) {
	return func(user, password string) (sasl.Mechanism, error) {
		m, err := scram.Mechanism(algorithm, user, password)
		if err != nil { // which it quotes
			return nil, errors.New("--kafka-sasl scram: the user or the password has characters that SCRAM does not allow (RFC 4013): change it")
		}
		return m, nil
	}
}

// cluster returns the connections to a cluster, and what watches them. End ends all that is done with them. They know of topics
// beside that of the address.
func (s *Security) cluster(to Address, n *network, end context.CancelCauseFunc, topics ...string) (*wire.Cluster, *contact, error) {
	config, c, err := s.clusterConfig(to, n, end)
	if err != nil {
		return nil, nil, err
	}
	config.Topics = append(config.Topics, topics...)
	return wire.Open(config), c, nil
}

func (s *Security) clusterConfig(to Address, n *network, end context.CancelCauseFunc) (wire.Config, *contact, error) {
	config := wire.Config{Brokers: to.Brokers, Topics: []string{to.Topic}}
	if s.tls() {
		var err error
		if config.TLS, err = s.tlsConfig(); err != nil {
			return config, nil, err
		}
	}
	if err := s.complete(); err != nil {
		return config, nil, err
	}
	if s.SASL != "" {
		password, err := s.password()
		if err != nil {
			return config, nil, err
		}
		if config.SASL, err = saslMechanisms[strings.ToLower(s.SASL)](s.User, password); err != nil {
			return config, nil, err
		}
	}
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
		return wire.Topic{}, about(topic, err)
	}
	return topics[0], nil
}

// ends returns where the partitions of a topic begin, and where they end.
func ends(ctx context.Context, cluster *wire.Cluster, topic wire.Topic) (all map[int32]position, err error) {
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
		if err := errors.Join(end.Err, starts[p].Err); err != nil {
			return nil, fmt.Errorf("topic %s: %w", topic.Name, err)
		}
		all[p] = position{starts[p].At, end.At}
	}
	return all, nil
}
