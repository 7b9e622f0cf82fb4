package kafka

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// TestOutboxWithoutBrokers puts more than an outbox holds when the brokers are gone, in number or in bytes: that waits for them, but no
// longer than the grace.
func TestOutboxWithoutBrokers(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{"many": 1, "large": 700 << 10} {
		t.Run(name, func(t *testing.T) {
			c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "runs", "out"))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			ctx, cancel := context.WithCancel(t.Context())
			o, err := OpenOutbox(ctx, Address{c.ListenAddrs(), "runs"}, Security{}, 100*time.Millisecond, zerolog.Nop(), "out")
			if err != nil {
				t.Fatal(err)
			}
			defer o.Close()
			c.Close()
			value := make([]byte, size)
			waits, done := time.AfterFunc(time.Second, cancel), make(chan bool)
			go func() {
				defer close(done)
				for range 60000 {
					o.Put("out", "", value, nil)
				}
				if waits.Stop() {
					t.Error("it has room for all, or has lost some")
				}
				if err := o.Flush(context.Background()); !errors.Is(err, errGivenUp) {
					t.Error(err)
				}
			}()
			select {
			case <-done:
			case <-time.After(time.Minute):
				t.Fatal("it waits for brokers that never come")
			}
		})
	}
}

// Who may not see one of several topics is told which one it is, and what to do.
func TestOutboxNotAllowed(t *testing.T) {
	c := newCluster(t, 1)
	c.ControlKey(int16(kmsg.Metadata), func(request kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		for _, asked := range request.(*kmsg.MetadataRequest).Topics {
			if asked.Topic == nil || *asked.Topic != "dead" {
				continue
			}
			resp := request.ResponseKind().(*kmsg.MetadataResponse)
			denied := kmsg.NewMetadataResponseTopic()
			denied.Topic, denied.ErrorCode = asked.Topic, kerr.TopicAuthorizationFailed.Code
			resp.Topics = append(resp.Topics, denied)
			return resp, nil, true
		}
		return nil, nil, false
	})
	_, err := OpenOutbox(t.Context(), c.address(), Security{}, 0, zerolog.Nop(), "verdicts", "dead")
	checkWords(t, err, "topic dead: the topic is not allowed to this user: have the brokers allow it")
}
