package kafka

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
)

// watchEvery is how often it is asked whether the topic that is read is there.
const watchEvery = 3 * time.Second

// watchTopic asks, until the context ends, whether a topic is there with that id, and calls each before. At last it says that the topic is
// gone, or with nil that it is another one of the same name: clients wait in silence for one that comes back.
func watchTopic(ctx context.Context, admin *kadm.Client, topic string, id kadm.TopicID, each func(), over func(gone error)) {
	missing := 0 // how often, one after the other; the broker that is asked may not know yet that the topic was made
	for {
		select {
		case <-time.After(watchEvery):
		case <-ctx.Done():
			return
		}
		each()
		found, err := lookUp(ctx, admin, topic)
		gone := errors.Is(err, kerr.UnknownTopicOrPartition) || errors.Is(err, kerr.UnknownTopicID)
		if !gone && (err != nil || found.ID == id) { // of other errors others have noticed
			missing = 0
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
