package kafka

import (
	"bytes"
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// tickReporter reports how many records it has taken when time passes.
type tickReporter struct {
	taken  atomic.Int64
	ticked chan int64
}

func (p *tickReporter) Take(*record.Record, time.Time) { p.taken.Add(1) }

func (p *tickReporter) Tick(time.Time) bool {
	select {
	case p.ticked <- p.taken.Load():
	default:
	}
	return false
}

func (p *tickReporter) Flush(context.Context) error { return nil }
func (p *tickReporter) State() ([]byte, error)      { return []byte("state"), nil }
func (p *tickReporter) Drop()                       {}

// small makes batches too large that tests can afford.
const small = 1 << 20

// produceBatches sends a batch of one record for each letter: s is a small one, and x unfolds to
// too much.
func produceBatches(t *testing.T, a Address, batches string) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(a.Brokers...), kgo.DefaultProduceTopic(a.Topic),
		kgo.ProducerBatchCompression(kgo.ZstdCompression()), kgo.ProducerBatchMaxBytes(4<<20))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for _, b := range batches {
		r := &kgo.Record{Key: []byte("run"), Value: []byte("s")}
		if b == 'x' {
			r.Value = make([]byte, 2<<20)
		}
		if err := client.ProduceSync(t.Context(), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBatchesThatAreTooLarge has them where a group begins, goes on, and stops. They are skipped,
// and time passes behind the last one.
func TestBatchesThatAreTooLarge(t *testing.T) {
	t.Parallel()
	a := fakeBroker(t, 1)
	for _, batches := range []string{"xsxxssx", "xs", "x", "ssx"} {
		produceBatches(t, a, batches)
		p := &tickReporter{ticked: make(chan int64)}
		m := join(t, a, nil, func(c *GroupConfig) {
			c.New = func(int32, []byte) (Processor, error) { return p, nil }
			c.limit = small
			c.Session = time.Minute // a member that is taken for gone takes records again
		})
		for want := int64(bytes.Count([]byte(batches), []byte("s"))); <-p.ticked < want; {
		}
		m.cancel()
		if err := <-m.done; err != nil {
			t.Fatal(err)
		}
		if n := p.taken.Load(); n != int64(bytes.Count([]byte(batches), []byte("s"))) {
			t.Errorf("%d records of %s were taken", n, batches)
		}
	}
}

func TestBatchesThatAreTooLargeAlone(t *testing.T) {
	t.Parallel()
	for _, toEnd := range []bool{false, true} {
		a := fakeBroker(t, 1)
		produceBatches(t, a, "xsxxssx")
		p := &tickReporter{ticked: make(chan int64)}
		ctx, cancel := context.WithCancel(t.Context())
		r, err := OpenReader(ctx, ReadConfig{
			Address: a, ToEnd: toEnd, New: func(int32, []byte) (Processor, error) { return p, nil },
			Log: zerolog.New(newTestLog(t)), limit: small,
		})
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			for n := range p.ticked {
				if n == 3 {
					cancel()
				}
			}
		}()
		if _, err := r.Run(); toEnd && err != nil || !toEnd && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		cancel()
		if n := p.taken.Load(); n != 3 {
			t.Errorf("%d records of 3 were taken", n)
		}
	}
}
