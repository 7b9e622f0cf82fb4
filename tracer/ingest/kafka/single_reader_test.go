package kafka

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/rs/zerolog"
	client "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// slowProcessor takes its time for each record, and ends the reading at the first tick.
type slowProcessor struct {
	taken  int
	ticked int // records that were taken before
	end    context.CancelFunc
}

func (p *slowProcessor) Take(*record.Record, time.Time) {
	p.taken++
	time.Sleep(300 * time.Millisecond)
}

func (p *slowProcessor) Tick(time.Time) bool {
	p.ticked = p.taken
	p.end()
	return false
}

func (p *slowProcessor) Flush(context.Context) error { return nil }
func (p *slowProcessor) State() ([]byte, error)      { return nil, nil }
func (p *slowProcessor) Drop()                       {}

// TestTimePassesBehindRecords reads records that are there, and that take longer than a second, by
// several fetches: records that others wait for may be among them, so no time passes before they
// are taken.
func TestTimePassesBehindRecords(t *testing.T) {
	t.Parallel()
	const records = 8
	a := fakeBroker(t, 1)
	producer, err := kgo.NewClient(kgo.SeedBrokers(a.Brokers...), kgo.DefaultProduceTopic(a.Topic),
		kgo.ProducerBatchCompression(kgo.NoCompression()))
	if err != nil {
		t.Fatal(err)
	}
	defer producer.Close()
	for range records {
		// one is fetched at a time, or two
		r := &kgo.Record{Key: []byte("r"), Value: make([]byte, 600<<10)}
		if err := producer.ProduceSync(t.Context(), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	p := &slowProcessor{end: cancel}
	r, err := OpenReader(ctx, ReadConfig{
		Address: a, New: func(int32, []byte) (Processor, error) { return p, nil }, Log: zerolog.New(newTestLog(t)),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Run(); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if p.ticked != records {
		t.Errorf("time has passed when %d records of %d were taken", p.ticked, records)
	}
}

// A reader whose topic is deleted ends, and so does one whose topic is another one of the same name
// then.
func TestTopicDeleted(t *testing.T) {
	t.Parallel()
	for want, anew := range map[string]bool{"topic runs is gone": false, "topic runs was deleted and made anew": true} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			a := fakeBroker(t, 1)
			r, err := OpenReader(t.Context(), ReadConfig{
				Address: a, New: func(int32, []byte) (Processor, error) { return &slowProcessor{end: func() {}}, nil },
				Log: zerolog.Nop(),
			})
			if err != nil {
				t.Fatal(err)
			}
			admin, err := kadm.NewOptClient(kgo.SeedBrokers(a.Brokers...))
			if err != nil {
				t.Fatal(err)
			}
			defer admin.Close()
			if _, err := admin.DeleteTopic(t.Context(), a.Topic); err != nil {
				t.Fatal(err)
			}
			if anew {
				if _, err := admin.CreateTopic(t.Context(), 1, 1, nil, a.Topic); err != nil {
					t.Fatal(err)
				}
			}
			_, err = r.Run()
			checkWords(t, err, want)
		})
	}
}

// TestLeaderIsNotToldYet reads a topic that has just been made, and whose partition's leader does
// not know it yet.
func TestLeaderIsNotToldYet(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1)
	a := Address{c.ListenAddrs(), topic}
	asked := false
	c.ControlKey(int16(kmsg.ListOffsets), func(request kmsg.Request) (kmsg.Response, error, bool) {
		asked = true
		response := request.ResponseKind().(*kmsg.ListOffsetsResponse)
		topic := kmsg.NewListOffsetsResponseTopic()
		topic.Topic = a.Topic
		partition := kmsg.NewListOffsetsResponseTopicPartition()
		partition.ErrorCode = kerr.UnknownTopicOrPartition.Code
		topic.Partitions = append(topic.Partitions, partition)
		response.Topics = append(response.Topics, topic)
		return response, nil, true
	})
	r, err := OpenReader(t.Context(), ReadConfig{Address: a, Log: zerolog.New(newTestLog(t))})
	if err != nil {
		t.Fatal(err)
	}
	r.cluster.Close()
	if !asked {
		t.Error("nobody was asked where the topic ends")
	}
}

// lister has what it takes in a list.
type lister struct {
	slowProcessor
	all []string
}

func (l *lister) Take(r *record.Record, _ time.Time) { l.all = append(l.all, string(r.Value)) }

// TestReadToTheEnd reads a topic to where it ended when that began: nothing that came later, also
// of partitions that were empty, or not there.
func TestReadToTheEnd(t *testing.T) {
	t.Parallel()
	a := fakeBroker(t, 3)
	send := func(partition int32, value string) {
		t.Helper()
		producer, err := kgo.NewClient(kgo.SeedBrokers(a.Brokers...), kgo.DefaultProduceTopic(a.Topic),
			kgo.RecordPartitioner(kgo.ManualPartitioner()))
		if err != nil {
			t.Fatal(err)
		}
		defer producer.Close()
		r := &kgo.Record{Partition: partition, Key: []byte("r"), Value: []byte(value)}
		if err := producer.ProduceSync(t.Context(), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	send(0, "a")
	send(1, "b")
	send(1, "c")
	var l lister
	r, err := OpenReader(t.Context(), ReadConfig{
		Address: a, ToEnd: true, New: func(int32, []byte) (Processor, error) { return &l, nil },
		Log: zerolog.New(newTestLog(t)),
	})
	if err != nil {
		t.Fatal(err)
	}
	admin, err := kadm.NewOptClient(kgo.SeedBrokers(a.Brokers...))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close()
	if added, err := admin.CreatePartitions(t.Context(), 1, a.Topic); err != nil || added.Error() != nil {
		t.Fatal(err, added.Error())
	}
	for p := range int32(4) {
		send(p, "later")
	}
	if _, err := r.Run(); err != nil {
		t.Fatal(err)
	}
	if slices.Sort(l.all); !slices.Equal(l.all, []string{"a", "b", "c"}) {
		t.Errorf("read %q", l.all)
	}
	for _, p := range r.Stats().Partitions {
		if p.Lag > 0 {
			t.Errorf("%+v", p)
		}
	}
}

// TestErrorIsNoEnd reads from a partition whose broker answers with an error: that does not say
// that nothing is left to read.
func TestErrorIsNoEnd(t *testing.T) {
	for name, tt := range map[string]struct {
		batch wire.Batch
		want  position
	}{
		"nothing wrong": {wire.Batch{Next: 7, High: 200}, position{7, 200}},
		"of a broker":   {wire.Batch{Next: 5, High: -1, Err: client.NotLeaderForPartition}, position{5, 100}},
		"at no offset":  {wire.Batch{Next: wire.AtEnd, High: -1, Err: client.NotLeaderForPartition}, position{5, 100}},
		"too large": {wire.Batch{Next: 9, High: 200, Err: &wire.BatchError{First: 5, Last: 8, TooLarge: true}},
			position{9, 200}},
	} {
		t.Run(name, func(t *testing.T) {
			r := &Reader{config: ReadConfig{Log: zerolog.Nop()}, at: map[int32]position{0: {5, 100}}}
			if err := r.takeBatch(&tt.batch); err != nil {
				t.Fatal(err)
			}
			if r.at[0] != tt.want || r.caughtUp(0) {
				t.Errorf("%+v, caught up %v", r.at[0], r.caughtUp(0))
			}
		})
	}
}

// deleter has all records of a topic deleted when it has the first one.
type deleter struct {
	slowProcessor
	delete func()
}

func (p *deleter) Take(*record.Record, time.Time) {
	if p.taken++; p.taken == 1 {
		p.delete()
	}
}

// TestDeletedToTheEnd reads to the end of a topic whose last records are deleted before they were
// fetched.
func TestDeletedToTheEnd(t *testing.T) {
	t.Parallel()
	const records = 12
	c := newCluster(t, 1)
	client, err := kgo.NewClient(kgo.SeedBrokers(c.ListenAddrs()...), kgo.DefaultProduceTopic(topic),
		kgo.ProducerBatchCompression(kgo.NoCompression()))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for range records {
		if err := client.ProduceSync(t.Context(),
			&kgo.Record{Key: []byte("r"), Value: make([]byte, 900<<10)}).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	fetches, deleted := 0, make(chan struct{})
	c.ControlKey(int16(kmsg.Fetch), func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		if fetches++; fetches == 2 {
			c.SleepControl(func() { <-deleted })
		}
		return nil, nil, false
	})
	p := &deleter{delete: func() {
		defer close(deleted)
		var to kadm.Offsets
		to.Add(kadm.Offset{Topic: topic, At: records})
		if _, err := kadm.NewClient(client).DeleteRecords(t.Context(), to); err != nil {
			t.Error(err)
		}
	}}
	r, err := OpenReader(t.Context(), ReadConfig{
		Address: c.address(), ToEnd: true, New: func(int32, []byte) (Processor, error) { return p, nil },
		Log: zerolog.New(newTestLog(t)),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Run(); err != nil {
		t.Error(err)
	}
	if p.taken == records {
		t.Error("all records were fetched at once")
	}
}
