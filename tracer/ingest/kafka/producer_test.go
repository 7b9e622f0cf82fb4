package kafka

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// numbered is a record of a run without events.
func numbered(run string, n int) *record.Record {
	return &record.Record{Run: run, Source: "a", Seq: uint64(n), Events: 10, Value: make([]byte, 700)}
}

// Send waits while the buffer is full, and never puts more into it.
func TestSendWaits(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1)
	const buffer = 10_000 // room for ten records
	p := c.producer(t, Options{Buffer: buffer})
	release := c.hold()
	defer release()
	const records = 100
	most := make(chan int, records)
	go func() {
		defer close(most)
		for n := range records {
			if err := p.Send(numbered("r", n+1)); err != nil {
				t.Error(err)
				return
			}
			p.mu.Lock()
			most <- p.bytes
			p.mu.Unlock()
		}
	}()
	sent := 0
	for bytes := range most {
		if sent++; bytes > buffer {
			t.Errorf("%d bytes wait", bytes)
		}
		if bytes == buffer {
			release()
		}
	}
	if err := p.Close(); err != nil || sent != records {
		t.Errorf("%d records sent, error %v", sent, err)
	}
	if got := len(c.receive(t, records)); got != records {
		t.Errorf("%d records received", got)
	}
}

// Brokers that are unreachable for too long end everything. The undelivered records are counted.
func TestAway(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1)
	p := c.producer(t, Options{Patience: time.Second})
	if err := errors.Join(p.Send(numbered("r", 1)), p.Flush()); err != nil {
		t.Fatal(err)
	}
	c.Close()
	for n := 2; n <= 4; n++ {
		if err := p.Send(numbered("r", n)); err != nil && !strings.Contains(err.Error(), "no broker has answered") {
			t.Fatal(err)
		}
	}
	err := p.Close()
	var lost *LostError
	if !errors.As(err, &lost) || lost.Seq != 2 || lost.Records < 1 || lost.Events != 10*lost.Records {
		t.Errorf("error %v", err)
	}
	if !strings.Contains(err.Error(), "no broker has answered for 1s (") {
		t.Errorf("error %v", err)
	}
	if err := p.Send(numbered("other", 1)); err == nil || !strings.Contains(err.Error(), "no broker has answered") {
		t.Errorf("send: %v", err)
	}
}

// Brokers that do not answer at all are an error at the beginning.
func TestNobodyThere(t *testing.T) {
	c := newCluster(t, 1)
	to := c.address()
	c.Close()
	_, err := NewProducer(t.Context(), to, Security{}, Options{Patience: 500 * time.Millisecond})
	if want := to.String() + ": no broker has answered for 500ms ("; err == nil ||
		!strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}

// The reason why brokers cannot be reached is one of the operating system, not that we have stopped
// trying.
func TestWhy(t *testing.T) {
	addr := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9092}
	refused := &net.OpError{Op: "dial", Net: "tcp", Addr: addr,
		Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	timeout := &net.OpError{Op: "dial", Net: "tcp", Addr: addr, Err: os.ErrDeadlineExceeded}
	unknown := &net.OpError{Op: "dial", Net: "tcp",
		Err: &net.DNSError{Err: "no such host", Name: "nowhere", IsNotFound: true}}
	for _, tt := range []struct {
		heard []error
		want  string
	}{
		{nil, "no answer"},
		{[]error{refused}, "127.0.0.1:9092: connection refused"},
		{[]error{timeout}, "127.0.0.1:9092: i/o timeout"},
		{[]error{refused, timeout}, "127.0.0.1:9092: connection refused"},
		{[]error{timeout, refused}, "127.0.0.1:9092: connection refused"},
		{[]error{refused, nil}, "no answer"},
		{[]error{unknown}, "the host nowhere is not known"},
		{[]error{fmt.Errorf("unable to dial: %w", refused)}, "127.0.0.1:9092: connection refused"},
		{[]error{io.EOF}, "the connection was closed"},
	} {
		c := contact{met: true}
		for _, err := range tt.heard {
			c.noteError(err)
		}
		if got := c.why(); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.heard, got, tt.want)
		}
	}
}

func TestNoTopic(t *testing.T) {
	c := newCluster(t, 1)
	to := c.address()
	to.Topic = "other"
	_, err := NewProducer(t.Context(), to, Security{}, Options{})
	if err == nil || !strings.Contains(err.Error(),
		"there is no such topic: create it, for example with kafka-topics.sh --create --topic other") {
		t.Errorf("error %v", err)
	}
}

// Brokers that do not say how large a batch may be take no more time than the producer has, and get
// batches of the default.
func TestPatienceAtStart(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1)
	opened := make(chan struct{})
	asked := false
	c.ControlKey(int16(kmsg.DescribeConfigs), func(kmsg.Request) (kmsg.Response, error, bool) {
		asked = true
		c.SleepControl(func() { <-opened })
		return nil, nil, false
	})
	start := time.Now()
	p, err := NewProducer(t.Context(), c.address(), Security{}, Options{Patience: 3 * time.Second})
	close(opened)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took >= firstContact || !asked {
		t.Errorf("after %s, and asked %v", took, asked)
	}
	if err := errors.Join(p.Send(numbered("r", 1)), p.Close()); err != nil {
		t.Error(err)
	}
}

// The owner of a producer can end it while it waits for brokers.
func TestInterrupted(t *testing.T) {
	c := newCluster(t, 1)
	defer c.hold()()
	ctx, cancel := context.WithCancelCause(t.Context())
	p, err := NewProducer(ctx, c.address(), Security{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Send(numbered("r", 1)); err != nil {
		t.Fatal(err)
	}
	cause := errors.New("enough")
	cancel(cause)
	if err := p.Close(); !errors.Is(err, cause) ||
		!strings.Contains(err.Error(), "10 events in 1 record not delivered") {
		t.Errorf("error %v", err)
	}
}

// A person hears of it when brokers take nothing, and when they do again.
func TestWarn(t *testing.T) {
	c := newCluster(t, 1)
	warnings := make(chan string, 10)
	p := c.producer(t, Options{Warn: func(text string) { warnings <- text }, quietAfter: time.Millisecond})
	release := c.hold()
	defer release()
	if err := p.Send(numbered("r", 1)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{": no broker has taken anything for 1ms (", ": goes on after 0s"} {
		if got := <-warnings; !strings.Contains(got, want) {
			t.Errorf("warning %q, want %q", got, want)
		}
		release()
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// A run is in the partition in which other producers put it: these are hashes that Kafka's own
// client computes (its test of murmur2).
func TestPartitions(t *testing.T) {
	t.Parallel()
	hashes := map[string]int32{
		"21":                         -973932308,
		"foobar":                     -790332482,
		"a-little-bit-long-string":   -985981536,
		"a-little-bit-longer-string": -1486304829,
		"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8": -58897971,
		"abc": 479470107,
	}
	const partitions = 12
	c := newCluster(t, partitions)
	p := c.producer(t, Options{})
	for run := range hashes {
		if err := p.Send(numbered(run, 1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(c.ListenAddrs()...), kgo.ConsumeTopics(topic),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for got := 0; got < len(hashes); {
		for r := range client.PollFetches(t.Context()).RecordsAll() {
			got++
			if want := hashes[string(r.Key)] & 0x7fffffff % partitions; r.Partition != want {
				t.Errorf("%s is in partition %d, not %d", r.Key, r.Partition, want)
			}
		}
	}
}

// Records are acknowledged by all replicas, in compressed batches of a numbered producer.
func TestSafely(t *testing.T) {
	c := newCluster(t, 1)
	p := c.producer(t, Options{})
	type seen struct {
		acks     int16
		codec    int16
		producer bool
	}
	requests := make(chan seen, 10)
	c.ControlKey(int16(kmsg.Produce), func(req kmsg.Request) (kmsg.Response, error, bool) {
		r := req.(*kmsg.ProduceRequest)
		var batch kmsg.RecordBatch
		if err := batch.ReadFrom(r.Topics[0].Partitions[0].Records); err != nil {
			return nil, fmt.Errorf("batch: %w", err), true
		}
		requests <- seen{r.Acks, batch.Attributes & 7, batch.ProducerID >= 0}
		return nil, nil, false
	})
	for n := range 10 {
		if err := p.Send(numbered("r", n+1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	const zstd = 4
	if got, want := <-requests, (seen{-1, zstd, true}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestLargeRecords sends a record that is larger than the brokers' default limit, to topics that
// take it or do not.
func TestLargeRecords(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{0, 8 << 20} {
		c := newCluster(t, 1)
		if limit > 0 {
			client, err := kgo.NewClient(kgo.SeedBrokers(c.ListenAddrs()...))
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			value := fmt.Sprint(limit)
			if _, err := kadm.NewClient(client).AlterTopicConfigs(t.Context(),
				[]kadm.AlterConfig{{Name: "max.message.bytes", Value: &value}}, topic); err != nil {
				t.Fatal(err)
			}
		}
		p := c.producer(t, Options{})
		value := make([]byte, 3<<20)
		for i := range value {
			value[i] = byte(i * i >> 7)
		}
		if err := p.Send(&record.Record{Run: "r", Source: "s", Seq: 1, Value: value}); err != nil {
			t.Fatal(err)
		}
		switch err := p.Close(); {
		case limit > 0 && err != nil:
			t.Errorf("a topic that takes %d bytes: %v", limit, err)
		case limit == 0 && (err == nil || !strings.Contains(err.Error(), "is too large: raise max.message.bytes")):
			t.Error(err)
		}
	}
}
