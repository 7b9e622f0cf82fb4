package wire

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// stuck makes a broker answer none of these requests until the test ends. The channel has an
// element for each that it has received.
func stuck(t *testing.T, brokers *kfake.Cluster, node int32, requests ...kmsg.Key) <-chan struct{} {
	t.Helper()
	over, got := make(chan struct{}), make(chan struct{}, 1000)
	t.Cleanup(func() { close(over) })
	for _, key := range requests {
		brokers.ControlKey(int16(key), func(kmsg.Request) (kmsg.Response, error, bool) {
			brokers.KeepControl()
			if brokers.CurrentNode() == node {
				got <- struct{}{}
				brokers.SleepControl(func() { <-over })
			}
			return nil, nil, false
		})
	}
	return got
}

// sooner is when a request to a broker that is stuck has not come to its end by itself.
const sooner = patience - lateAfter

// A partition is read from its new leader though the broker that has led it never answers.
func TestReaderLeavesStuckBroker(t *testing.T) {
	t.Parallel()
	brokers, c := fake(t, 2, kfake.NumBrokers(2))
	if err := errors.Join(brokers.MoveTopicPartition(topic, 0, 0),
		brokers.MoveTopicPartition(topic, 1, 0)); err != nil {
		t.Fatal(err)
	}
	client := sender(t, brokers)
	send(t, client, 0, "a")
	send(t, client, 1, "b")
	got := stuck(t, brokers, 0, kmsg.Fetch)
	r := reader(t, c, ReaderConfig{Lost: AtStart}, map[int32]int64{0: 0, 1: 0})
	<-got
	if err := errors.Join(brokers.MoveTopicPartition(topic, 0, 1),
		brokers.MoveTopicPartition(topic, 1, 1)); err != nil {
		t.Fatal(err)
	}
	moved := time.Now()
	values(t, r, 2)
	if waited := time.Since(moved); waited > sooner {
		t.Errorf("it has waited for %v", waited)
	}
}

// A record is delivered to its new leader, once, though the broker that has led the partition never
// answers.
func TestWriterLeavesStuckBroker(t *testing.T) {
	t.Parallel()
	brokers, c := fake(t, 1, kfake.NumBrokers(2))
	if err := brokers.MoveTopicPartition(topic, 0, 0); err != nil {
		t.Fatal(err)
	}
	got := stuck(t, brokers, 0, kmsg.Produce)
	w := c.NewWriter(100_000, topic)
	defer w.Close()
	delivered := make(chan error, 1)
	w.Put(TopicPartition{topic, 0}, Record{Value: []byte("a")}, func(err error) { delivered <- err })
	<-got
	if err := brokers.MoveTopicPartition(topic, 0, 1); err != nil {
		t.Fatal(err)
	}
	moved := time.Now()
	if err := <-delivered; err != nil {
		t.Fatal(err)
	}
	if waited := time.Since(moved); waited > sooner {
		t.Errorf("it has waited for %v", waited)
	}
	r := reader(t, c, ReaderConfig{Lost: AtStart}, map[int32]int64{0: 0})
	values(t, r, 1)
	if offsets, err := c.ListOffsets(t.Context(), 1, topic, []int32{0}, AtEnd); err != nil || offsets[0].At != 1 {
		t.Errorf("the partition ends at %d, %v", offsets[0].At, err)
	}
}

// A broker that answers nothing any more is not waited for when others can say the same.
func TestMetadataOfOthers(t *testing.T) {
	t.Parallel()
	brokers, _ := fake(t, 1, kfake.NumBrokers(2))
	clusters := make([]*Cluster, 8) // each connected to one or the other
	for i := range clusters {
		clusters[i] = Open(Config{Brokers: brokers.ListenAddrs()})
		t.Cleanup(clusters[i].Close)
		ask(t, clusters[i])
	}
	stuck(t, brokers, 0, kmsg.Metadata, kmsg.ApiVersions)
	var all sync.WaitGroup
	defer all.Wait()
	for _, c := range clusters {
		all.Go(func() {
			start := time.Now()
			_, err := c.Metadata(t.Context(), topic)
			if waited := time.Since(start); err != nil || waited > sooner {
				t.Errorf("%v behind %v", err, waited)
			}
		})
	}
}

// A request that is late is given up when a partition has moved, not before, and only then.
func TestReview(t *testing.T) {
	for _, moved := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			var tries attempts
			asked := make(chan struct{}, 1)
			tries.try(t.Context(), func() { asked <- struct{}{} }, func() bool { return moved },
				func(ctx context.Context) {
					if tries.review() || ctx.Err() != nil {
						t.Error("late at once")
					}
					<-asked
					if late := tries.review(); late == moved || (ctx.Err() != nil) != moved {
						t.Errorf("moved %v: late %v, %v", moved, late, ctx.Err())
					}
				})
			if tries.review() {
				t.Error("late when it is over")
			}
		})
	}
}
