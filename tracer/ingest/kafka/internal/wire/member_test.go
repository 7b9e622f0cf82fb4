package wire

import (
	"sync/atomic"
	"testing"
	"time"

	kafka "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// staleBroker answers the next questions about the topic as a broker that knows only its first
// partitions, or none.
type staleBroker struct {
	partitions int32
	answers    atomic.Int32 // still to come
}

func newStaleBroker(brokers *kfake.Cluster) *staleBroker {
	b := &staleBroker{}
	brokers.ControlKey(int16(kmsg.Metadata), func(request kmsg.Request) (kmsg.Response, error, bool) {
		brokers.KeepControl()
		if request.GetVersion() < 9 || b.answers.Load() == 0 { // kafka-go asks with an older one
			return nil, nil, false
		}
		b.answers.Add(-1)
		response, found := request.ResponseKind().(*kmsg.MetadataResponse), kmsg.NewMetadataResponseTopic()
		found.Topic = kmsg.StringPtr(topic)
		if b.partitions == 0 {
			found.ErrorCode = kerr.UnknownTopicOrPartition.Code
		}
		for p := range b.partitions {
			partition := kmsg.NewMetadataResponseTopicPartition()
			partition.Partition = p
			found.Partitions = append(found.Partitions, partition)
		}
		response.Topics = append(response.Topics, found)
		return response, nil, true
	})
	return b
}

func (b *staleBroker) says(partitions, answers int32) {
	b.partitions = partitions
	b.answers.Store(answers)
}

// A broker that does not know all partitions costs a group none, and begins no other generation.
func TestStaleCounts(t *testing.T) {
	t.Parallel()
	brokers, c := fake(t, 2, kfake.GroupMinSessionTimeout(100*time.Millisecond))
	ask(t, c)
	stale := newStaleBroker(brokers)
	m := c.NewMember(MemberConfig{
		Group: "g", Topic: topic, Session: 6 * time.Second, Rebalance: 5 * time.Second,
		Interrupted: func(err error) { t.Error(err) },
	})
	var g *Generation
	for known := range int32(2) { // the second time the member knows how many there are
		stale.says(known, 2)
		var err error
		if g, err = m.Join(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(g.Partitions) != 2 || stale.answers.Load() > 0 {
			t.Errorf("partitions %v, when a broker knows of %d", g.Partitions, known)
		}
	}
	for known := range int32(2) {
		stale.says(known, 1)
		if m.HasNewPartitions(t.Context(), g) || stale.answers.Load() > 0 {
			t.Errorf("another generation begins when a broker knows of %d partitions", known)
		}
	}
	if m.HasNewPartitions(t.Context(), g) {
		t.Error("another generation begins")
	}
	if added, err := kadm.NewClient(sender(t, brokers)).CreatePartitions(t.Context(), 1, topic); err != nil ||
		added.Error() != nil {
		t.Fatal(err, added.Error())
	}
	if !m.HasNewPartitions(t.Context(), g) {
		t.Error("a partition that was added begins no other generation")
	}
}

// A topic that is not there is not assigned as one without partitions.
func TestTopicOfMemberIsMissing(t *testing.T) {
	t.Parallel()
	brokers, c := fake(t, 1, kfake.GroupMinSessionTimeout(100*time.Millisecond))
	ask(t, c)
	stale := newStaleBroker(brokers)
	stale.says(0, 1000)
	m := c.NewMember(MemberConfig{
		Group: "g", Topic: topic, Session: 400 * time.Millisecond, Rebalance: 5 * time.Second,
		Interrupted: func(err error) {
			if !HasCode(err, kafka.UnknownTopicOrPartition) {
				t.Error(err)
			}
			stale.says(0, 0)
		},
	})
	if g, err := m.Join(t.Context()); err != nil || len(g.Partitions) != 1 || stale.answers.Load() > 0 {
		t.Errorf("%+v, error %v", g, err)
	}
}
