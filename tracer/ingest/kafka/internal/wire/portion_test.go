package wire

import (
	"context"
	"io"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

func TestPortion(t *testing.T) {
	p := newPortion(1 << 20)
	for i, test := range []struct {
		err  error
		want int
	}{
		{nil, 1 << 20},
		{context.DeadlineExceeded, 512 << 10},
		{io.ErrUnexpectedEOF, 512 << 10},
		{&ConnectError{"a:1", context.DeadlineExceeded}, 256 << 10},
		{nil, 512 << 10},
		{context.DeadlineExceeded, 256 << 10},
		{context.DeadlineExceeded, 128 << 10},
		{context.DeadlineExceeded, leastPortion},
		{context.DeadlineExceeded, leastPortion},
		{context.Canceled, leastPortion},
		{nil, 2 * leastPortion},
	} {
		if p.adapt(test.err); p.now != test.want {
			t.Fatalf("%d: %d bytes behind %v, not %d", i, p.now, test.err, test.want)
		}
	}
}

// A reader asks for less when an answer has not come in time.
func TestReaderAsksForLess(t *testing.T) {
	t.Parallel()
	brokers, c := fake(t, 1, kfake.NumBrokers(1))
	send(t, sender(t, brokers), 0, "a")
	asked, over := make(chan *kmsg.FetchRequest, 1000), make(chan struct{})
	defer close(over)
	first := true
	brokers.ControlKey(int16(kmsg.Fetch), func(r kmsg.Request) (kmsg.Response, error, bool) {
		brokers.KeepControl()
		asked <- r.(*kmsg.FetchRequest)
		if first {
			first = false
			brokers.SleepControl(func() { <-over })
		}
		return nil, nil, false
	})
	r := reader(t, c, ReaderConfig{Lost: AtStart}, map[int32]int64{0: 0})
	for n := 0; n == 0; {
		batches, err := r.Poll(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range batches {
			if b.Err != nil && !timedOut(b.Err) {
				t.Fatal(b.Err)
			}
			n += len(b.Records)
		}
	}
	if most := (<-asked).MaxBytes; most != fetchBytes {
		t.Errorf("the first request is for %d bytes", most)
	}
	if most := (<-asked).MaxBytes; most != fetchBytes/2 {
		t.Errorf("the second request is for %d bytes", most)
	}
}

// A writer that sends to many partitions sends less at once when it was not answered in time: a
// line that takes 300 kB/s makes progress.
func TestWriterSendsLess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const partitions, size, rate = 30, 500_000, 300_000
		m := newModelCluster(1, 1, partitions)
		m.calm = true
		line := make(chan struct{}, 1) // of all requests
		m.produceAll = func(ctx context.Context, _ int32, writes []Write) error {
			limited, stop := context.WithTimeout(ctx, 2*patience)
			defer stop()
			select {
			case line <- struct{}{}:
				defer func() { <-line }()
			case <-limited.Done():
				return limited.Err()
			}
			Sleep(limited, time.Duration(sizeOfWrites(writes))*time.Second/rate)
			return limited.Err()
		}
		w := newWriter(m, 1<<20, topic)
		delivered := make(chan error, partitions)
		for p := range int32(partitions) {
			value := make([]byte, size) // that nothing compresses
			_, _ = rand.NewChaCha8([32]byte{byte(p)}).Read(value)
			w.Put(TopicPartition{topic, p}, Record{Value: value}, func(err error) { delivered <- err })
		}
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Minute)
		defer stop()
		if err := w.Flush(ctx); err != nil {
			t.Errorf("of %d batches, %d are delivered: %v", partitions, len(delivered), err)
		}
		for range len(delivered) {
			if err := <-delivered; err != nil {
				t.Error(err)
			}
		}
		w.Close()
		m.late.Wait()
	})
}
