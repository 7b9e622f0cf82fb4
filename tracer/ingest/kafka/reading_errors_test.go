package kafka

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"
	client "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// A group that cannot find out where a partition ends says so, once, and begins at the end when it
// can.
func TestEndIsNotKnown(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1, kfake.GroupMinSessionTimeout(100*time.Millisecond))
	p := c.producer(t, Options{})
	if err := errors.Join(p.Send(numbered("r", 1)), p.Close()); err != nil {
		t.Fatal(err)
	}
	var well atomic.Bool
	c.ControlKey(int16(kmsg.ListOffsets), func(r kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		asked := r.(*kmsg.ListOffsetsRequest).Topics[0]
		if well.Load() || asked.Topic != topic {
			return nil, nil, false
		}
		p := kmsg.NewListOffsetsResponseTopicPartition()
		p.ErrorCode = int16(client.Unknown)
		resp := r.ResponseKind().(*kmsg.ListOffsetsResponse)
		resp.Topics = []kmsg.ListOffsetsResponseTopic{{Topic: topic,
			Partitions: []kmsg.ListOffsetsResponseTopicPartition{p}}}
		return resp, nil, true
	})
	b := &book{said: map[string]map[int]bool{}}
	log := newTestLog(t)
	m := join(t, c.address(), b, fromEnd, func(c *GroupConfig) { c.Log = zerolog.New(log) })
	wait := func(what func() bool) {
		for !what() && t.Context().Err() == nil {
			time.Sleep(5 * time.Millisecond)
		}
	}
	said := func() int { return strings.Count(log.String(), "reading fails") }
	wait(func() bool { return said() > 0 })
	if s := m.group.Stats().Partitions; len(s) != 1 || s[0].Next >= 0 {
		t.Errorf("%+v before it is known where the partition ends", s)
	}
	well.Store(true)
	wait(func() bool { s := m.group.Stats().Partitions; return len(s) == 1 && s[0].Next == 1 })
	m.cancel()
	if err := <-m.done; err != nil || said() != 1 {
		t.Errorf("error %v, said %d times", err, said())
	}
}
