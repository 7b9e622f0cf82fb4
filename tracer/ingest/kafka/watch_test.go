package kafka

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	client "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
)

// A topic is another one when brokers have said so twice. One that gets an id, or has none for
// brokers of an old version, is the same.
func TestWatchTopic(t *testing.T) {
	t.Parallel()
	none, one, other := wire.TopicID{}, wire.TopicID{1}, wire.TopicID{2}
	for name, tt := range map[string]struct {
		id    wire.TopicID
		found []wire.TopicID // behind the last, the topic is gone
		anew  bool
	}{
		"the same":              {one, []wire.TopicID{one, one, one}, false},
		"gets an id":            {none, []wire.TopicID{none, one, one, one}, false},
		"a broker has none":     {one, []wire.TopicID{none, none, none}, false},
		"another one":           {one, []wire.TopicID{one, other, other}, true},
		"another one, once":     {one, []wire.TopicID{other, one, other, one}, false},
		"gets an id, and other": {none, []wire.TopicID{one, none, other, other}, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				looked := 0
				look := func(context.Context) (id wire.TopicID, err error) {
					if looked >= len(tt.found) {
						return id, withTopic(topic, client.UnknownTopicOrPartition)
					}
					looked++
					return tt.found[looked-1], nil
				}
				over := 0
				watchTopic(t.Context(), topic, tt.id, look, func() {}, func(gone error) {
					if over++; (gone == nil) != tt.anew || looked < len(tt.found) {
						t.Errorf("after %d of %d answers it ends with %v", looked, len(tt.found), gone)
					}
				})
				if over != 1 {
					t.Errorf("told %d times", over)
				}
			})
		})
	}
}

// TestTopicGetsID makes brokers give a topic its id while a group reads it. One member knows the
// id, and the next one does not.
func TestTopicGetsID(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1, kfake.GroupMinSessionTimeout(100*time.Millisecond))
	// the brokers are of a version that knows no ids; they were asked then
	var old, asked atomic.Bool
	c.ControlKey(int16(kmsg.Metadata), func(request kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		topics := request.(*kmsg.MetadataRequest).Topics
		if !old.Load() || request.GetVersion() < 10 || len(topics) != 1 || c.TopicInfo(*topics[0].Topic) == nil {
			return nil, nil, false
		}
		asked.Store(true)
		response, found := request.ResponseKind().(*kmsg.MetadataResponse), kmsg.NewMetadataResponseTopic()
		found.Topic = topics[0].Topic
		found.Partitions = []kmsg.MetadataResponseTopicPartition{kmsg.NewMetadataResponseTopicPartition()}
		response.Topics = append(response.Topics, found)
		return response, nil, true
	})
	b := &book{said: map[string]map[int]bool{}}
	fill(t, c.address(), "run", 0, 2)
	if err := collect(t, c.address(), b, func() bool { return b.has("run", 2) }); err != nil {
		t.Fatal(err)
	}
	old.Store(true)
	m := join(t, c.address(), b)
	old.Store(false)
	fill(t, c.address(), "run", 2, 4)
	for !b.has("run", 4) {
		select {
		case err := <-m.done:
			t.Fatal(err)
		case <-time.After(5 * time.Millisecond):
		}
	}
	m.cancel()
	if err := <-m.done; err != nil || !asked.Load() {
		t.Errorf("asked %v, error %v", asked.Load(), err)
	}
}
