package kafka

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
)

// watchEvery is how often the existence of the topic is checked.
const watchEvery = 3 * time.Second

// watchTopic checks, until the context ends, that a topic exists with that id, or the first one
// that it gets, and calls each before every check. It calls over with an error when the topic has
// been deleted, or with nil when another one of the same name has replaced it: clients would wait
// in silence for the old one.
func watchTopic(ctx context.Context, topic string, id wire.TopicID, look func(context.Context) (wire.TopicID, error),
	each func(), over func(gone error)) {
	missing := 0 // consecutive failures; the broker may not know yet that the topic was created
	for {
		select {
		case <-time.After(watchEvery):
		case <-ctx.Done():
			return
		}
		each()
		found, err := look(ctx)
		gone := isUnknown(err)
		if !gone && (err != nil || !found.Differs(id)) { // other errors are noticed elsewhere
			missing = 0
			if err == nil && id == (wire.TopicID{}) {
				id = found
			}
			continue
		}
		if missing++; missing == 1 {
			continue
		}
		if gone {
			over(goneError(topic, errors.Unwrap(err)))
		} else {
			over(nil)
		}
		return
	}
}

// topicID returns a function that asks for the id of a topic.
func topicID(cluster *wire.Cluster, topic string) func(context.Context) (wire.TopicID, error) {
	return func(ctx context.Context) (wire.TopicID, error) {
		found, err := find(ctx, cluster, topic)
		return found.ID, err
	}
}

func goneError(topic string, err error) error {
	return fmt.Errorf("topic %s is gone, or never was: %w", topic, err)
}
