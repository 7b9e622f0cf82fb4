package kafka

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

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

// TestTimePassesBehindRecords reads records that are there, and that take longer than a second, by several fetches: what somebody
// waits for may be among them, so that no time passes before they are taken.
func TestTimePassesBehindRecords(t *testing.T) {
	t.Parallel()
	const records = 8
	a := fakeBroker(t, 1)
	producer, err := kgo.NewClient(kgo.SeedBrokers(a.Brokers...), kgo.DefaultProduceTopic(a.Topic), kgo.ProducerBatchCompression(kgo.NoCompression()))
	if err != nil {
		t.Fatal(err)
	}
	defer producer.Close()
	for range records {
		r := &kgo.Record{Key: []byte("r"), Value: make([]byte, 600<<10)} // of which one is fetched at a time, or two
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

// A reader whose topic is deleted ends, and so does one whose topic is another one of the same name then.
func TestTopicDeleted(t *testing.T) {
	t.Parallel()
	for want, anew := range map[string]bool{"topic runs is gone": false, "topic runs was deleted and made anew": true} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			a := fakeBroker(t, 1)
			r, err := OpenReader(t.Context(), ReadConfig{
				Address: a, New: func(int32, []byte) (Processor, error) { return &slowProcessor{end: func() {}}, nil }, Log: zerolog.Nop(),
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
