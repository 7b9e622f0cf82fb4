package wire

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	kafka "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol"
)

// NewTopic describes a topic to create, with the brokers' default number of replicas.
type NewTopic struct {
	Name       string
	Partitions int32             // -1 is the brokers' default
	Configs    map[string]string // that differ from the brokers' defaults
}

// CreateTopic creates a topic, and waits until a broker reports it.
func (c *Cluster) CreateTopic(ctx context.Context, t *NewTopic) error {
	r := &request{key: protocol.CreateTopics, maxVersion: 4, body: t.encode}
	a, err := c.send(ctx, r, controllerRequest{r}, patience)
	if err != nil {
		return err
	}
	if err := parseCreated(a); err != nil {
		return err
	}
	return c.awaitTopic(ctx, t.Name)
}

func (t *NewTopic) encode(e *encoder, _ int16) {
	e.array(1)
	e.string(t.Name)
	e.int32(t.Partitions)
	e.int16(-1) // replicas
	e.array(0)  // brokers that have them
	e.array(len(t.Configs))
	for name, value := range t.Configs {
		e.string(name)
		e.string(value)
	}
	e.int32(int32(patience.Milliseconds()))
	e.bool(false) // only check whether it could be created
}

func parseCreated(a *answer) (err error) {
	a.int32() // throttle
	for range a.elements() {
		a.string()
		err = errorOf(a.int16())
		if why := a.string(); err != nil && why != "" {
			err = fmt.Errorf("%w: %s", err, why)
		}
	}
	return cmp.Or(a.checkComplete(), err)
}

// awaitTopic waits until a broker reports a topic. If none does that is no error: the topic has
// been created.
func (c *Cluster) awaitTopic(ctx context.Context, topic string) error {
	limited, stop := context.WithTimeout(ctx, patience)
	defer stop()
	for limited.Err() == nil {
		topics, err := c.Metadata(limited, topic)
		if err == nil && len(topics) == 1 && topics[0].Err == nil {
			return nil
		}
		Sleep(limited, again)
	}
	return ctx.Err()
}

// TopicConfig asks for a setting of a topic.
func (c *Cluster) TopicConfig(ctx context.Context, topic, name string) (string, error) {
	a, err := c.toAny(ctx, &request{key: protocol.DescribeConfigs, maxVersion: 2, body: func(e *encoder, _ int16) {
		e.array(1)
		e.int8(int8(kafka.ResourceTypeTopic))
		e.string(topic)
		e.array(1)
		e.string(name)
		e.bool(false) // other sources of the setting
	}})
	if err != nil {
		return "", err
	}
	configs, err := parseConfigs(a)
	if err != nil {
		return "", err
	}
	value, ok := configs[name]
	if !ok {
		return "", errors.New("the broker does not say how " + name + " is set")
	}
	return value, nil
}

func parseConfigs(a *answer) (configs map[string]string, err error) {
	a.int32() // throttle
	configs = map[string]string{}
	for range a.elements() {
		err = errorOf(a.int16())
		a.string() // why
		a.int8()   // that it is a topic
		a.string() // its name
		for range a.elements() {
			name := a.string()
			configs[name] = a.string()
			a.take(3) // read only, source, secret
			for range a.elements() {
				a.string()
				a.string()
				a.int8()
			}
		}
	}
	return configs, cmp.Or(a.checkComplete(), err)
}
