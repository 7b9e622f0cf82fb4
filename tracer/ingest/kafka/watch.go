package kafka

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
)

// watchEvery is how often it is asked whether the topic that is read is there.
const watchEvery = 3 * time.Second

// watchTopic asks, until the context ends, whether a topic is there with that id, or the first one that it gets, and calls each before. At last it says that the topic is
// gone, or with nil that it is another one of the same name: clients wait in silence for one that comes back.
func watchTopic(ctx context.Context, topic string, id wire.TopicID, look func(context.Context) (wire.TopicID, error), each func(), over func(gone error)) {
	missing := 0 // how often, one after the other; the broker that is asked may not know yet that the topic was made
	for {
		select {
		case <-time.After(watchEvery):
		case <-ctx.Done():
			return
		}
		each()
		found, err := look(ctx)
		gone := isUnknown(err)
		if !gone && (err != nil || !found.Differs(id)) { // of other errors others have noticed
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

func goneError(topic string, err error) error {
	return fmt.Errorf("topic %s is gone, or never was: %w", topic, err)
}
