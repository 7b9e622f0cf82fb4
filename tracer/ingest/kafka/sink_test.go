package kafka

import (
	"errors"
	"fmt"
	"math"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// Written events arrive, however they are split.
func TestSink(t *testing.T) {
	for _, opt := range []record.Options{
		{Text: true}, {}, {Text: true, Events: 1}, {Events: 1}, {Text: true, Events: 7}, {Events: 7},
		{Text: true, Bytes: 50}, {Bytes: 50},
	} {
		t.Run(fmt.Sprintf("%+v", opt), func(t *testing.T) {
			c := newCluster(t, 3)
			s, err := NewSink(t.Context(), c.address(), Security{}, "run 1", "a", header, Options{Records: opt})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.SetSources(1); err != nil {
				t.Fatal(err)
			}
			var want []string
			for n := range 20 {
				if err := s.Write(step(n)); err != nil {
					t.Fatal(err)
				}
				want = append(want, string(event.AppendText(nil, step(n))))
			}
			if err := s.End(record.EndRun); err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Errorf("closed twice: %v", err)
			}
			if err := s.Write(step(20)); err == nil {
				t.Error("an event behind the end")
			}
			records := c.receive(t, 0)
			for i, r := range records {
				end := record.End(0)
				if i == len(records)-1 {
					end = record.EndSource | record.EndRun
				}
				sources := 0
				if i == 0 {
					sources = 1
				}
				if r.Run != "run 1" || r.Source != "a" || r.End != end || r.Sources != sources {
					t.Errorf("record %d: run %q with %d sources, source %q, end %v", i+1, r.Run, r.Sources, r.Source,
						r.End)
				}
			}
			if diff := cmp.Diff(want, read(t, records)); diff != "" {
				t.Errorf("(-written +received):\n%s", diff)
			}
		})
	}
}

// Events are sent though nothing comes after them, and so is the header alone.
func TestSinkLingers(t *testing.T) {
	c := newCluster(t, 1)
	p := c.producer(t, Options{})
	s, err := p.Sink("r", "a", header)
	if err != nil {
		t.Fatal(err)
	}
	if events := read(t, c.receive(t, 1)); len(events) != 0 {
		t.Errorf("events %q", events)
	}
	if err := s.Write(step(1)); err != nil {
		t.Fatal(err)
	}
	if events := read(t, c.receive(t, 2)); len(events) != 1 {
		t.Errorf("events %q", events)
	}
}

// Events that no reader takes are errors, and the source is cut off in front of them.
func TestSinkBadEvent(t *testing.T) {
	c := newCluster(t, 1)
	s, err := NewSink(t.Context(), c.address(), Security{}, "r", "a", header, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(step(1)); err != nil {
		t.Fatal(err)
	}
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := s.Write(&event.Event{}); err == nil {
		t.Error("an event without a task is written")
	}
	if err := s.Close(); err == nil {
		t.Error("no error at the end")
	}
	records := c.receive(t, 0)
	if last := records[len(records)-1]; last.End != record.EndSource|record.EndCut {
		t.Errorf("end %v", last.End)
	}
	if events := read(t, records); len(events) != 1 {
		t.Errorf("events %q", events)
	}
}

// Where events are missing a number is left out.
func TestSinkLose(t *testing.T) {
	c := newCluster(t, 1)
	s, err := NewSink(t.Context(), c.address(), Security{}, "r", "a", header, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Write(step(1)), s.Lose(), s.End(record.EndRun|record.EndCut)); err != nil {
		t.Fatal(err)
	}
	var seqs []uint64
	for _, r := range c.receive(t, 0) {
		seqs = append(seqs, r.Seq)
	}
	if !slices.Equal(seqs, []uint64{1, 2, 4}) {
		t.Errorf("numbers %v", seqs)
	}
}

// hold keeps the brokers from taking records until the function returned is called.
func (c *cluster) hold() (release func()) {
	held := make(chan struct{})
	c.ControlKey(int16(kmsg.Produce), func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		c.SleepControl(func() { <-held })
		return nil, nil, false
	})
	return sync.OnceFunc(func() { close(held) })
}

// A trace for which there is no room is given up from there on, which its end says.
func TestSinkStops(t *testing.T) {
	c := newCluster(t, 1)
	release := c.hold()
	defer release()
	s, err := NewSink(t.Context(), c.address(), Security{}, "r", "a", header,
		Options{Stop: true, Buffer: 10_000, Records: record.Options{Events: 1}})
	if err != nil {
		t.Fatal(err)
	}
	written := 0
	for ; ; written++ {
		if err = s.Write(step(written)); err != nil {
			break
		}
	}
	if !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), "run r: the rest of the trace is given up") {
		t.Errorf("error %v", err)
	}
	if again := s.Write(step(0)); !errors.Is(again, ErrFull) {
		t.Errorf("later: %v", again)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.End(record.EndRun) }()
	release()
	if err := <-ended; !errors.Is(err, ErrFull) {
		t.Errorf("at the end: %v", err)
	}
	records := c.receive(t, 0)
	if last := records[len(records)-1]; last.End != record.EndSource|record.EndRun|record.EndCut {
		t.Errorf("end %v", last.End)
	}
	if events := read(t, records); len(events) != written || written == 0 {
		t.Errorf("%d events came of %d", len(events), written)
	}
}

// cutConn is a connection that ends in the middle of a request, or of an answer.
type cutConn struct {
	net.Conn
	requests, answers int // bytes that pass
}

func (c *cutConn) Read(b []byte) (int, error) {
	if c.requests == 0 {
		c.Close()
	}
	n, err := c.Conn.Read(b[:min(len(b), max(c.requests, 1))])
	c.requests -= min(n, c.requests)
	return n, err
}

func (c *cutConn) Write(b []byte) (int, error) {
	if c.answers < len(b) {
		c.Close()
	}
	c.answers -= len(b)
	return c.Conn.Write(b)
}

// Records come once each and in order though connections break in the middle of requests, and in
// front of answers: then the record is there, and sent again.
func TestBrokenConnections(t *testing.T) {
	c := new(cluster)
	var whole atomic.Bool
	c.wrap = func(conn net.Conn) net.Conn {
		n := int(c.accepted.Load())
		switch {
		case n == 1 || n > 12 || whole.Load():
			return conn // the first contact, and the rest
		case n%2 == 0:
			return &cutConn{conn, 1500 + 311*n, math.MaxInt}
		}
		return &cutConn{conn, math.MaxInt, 1300 + 31*n}
	}
	c.start(t, 2)
	s, err := NewSink(t.Context(), c.address(), Security{}, "r", "a", header,
		Options{Records: record.Options{Events: 1}})
	if err != nil {
		t.Fatal(err)
	}
	const written = 300
	for n := range written {
		if err := s.Write(step(n)); err != nil {
			t.Fatal(err)
		}
		if n%10 == 0 {
			if err := s.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.End(record.EndRun); err != nil {
		t.Fatal(err)
	}
	if n := c.accepted.Load(); n < 4 {
		t.Errorf("%d connections: none broke", n)
	}
	whole.Store(true)
	if events := read(t, c.receive(t, 0)); len(events) != written {
		t.Errorf("%d events came of %d", len(events), written)
	}
}

// A record that is too large costs its own run the rest, and no other.
func TestTooLarge(t *testing.T) {
	c := newCluster(t, 1)
	p := c.producer(t, Options{Records: record.Options{Events: 1, Text: true}})
	large, err := p.Sink("large", "a", header)
	if err != nil {
		t.Fatal(err)
	}
	small, err := p.Sink("small", "a", header)
	if err != nil {
		t.Fatal(err)
	}
	huge := &event.Event{Task: "main",
		Set: []event.Binding{{Name: "s", Value: event.StringValue(strings.Repeat("x", 2<<20))}}}
	if err := errors.Join(large.Write(step(1)), large.Write(huge)); err != nil {
		t.Fatal(err)
	}
	const want = "run large: 1 event in 1 record not delivered, from record 2 of source a on: "
	for _, err := range []error{large.Flush(), large.Write(step(2)), p.Flush()} {
		var lost *LostError
		if !errors.As(err, &lost) || !strings.HasPrefix(err.Error(), want) ||
			!strings.Contains(err.Error(), "max.message.bytes") {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if err := small.Write(step(1)); err != nil {
		t.Errorf("the other run: %v", err)
	}
	if err := small.End(record.EndRun); err != nil {
		t.Errorf("the other run: %v", err)
	}
	if err := large.Close(); err == nil {
		t.Error("no error at the end")
	}
	if err := p.Close(); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("at the end: %v", err)
	}
}

// A permanent refusal ends everything, and the error has the number of undelivered records.
func TestRefusedLater(t *testing.T) {
	c := newCluster(t, 1)
	s, err := NewSink(t.Context(), c.address(), Security{}, "r", "a", header,
		Options{Records: record.Options{Events: 1, Text: true}})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Write(step(1)), s.Write(step(2)), s.Flush()); err != nil {
		t.Fatal(err)
	}
	c.ControlKey(int16(kmsg.Produce), func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		return refuse(req.(*kmsg.ProduceRequest), kerr.TopicAuthorizationFailed), nil, true
	})
	if err := errors.Join(s.Write(step(3)), s.Write(step(4))); err != nil &&
		!strings.Contains(err.Error(), "not allowed") {
		t.Fatal(err)
	}
	err = s.End(record.EndRun)
	if err == nil || !strings.Contains(err.Error(), "from record 3 of source a on: "+c.address().String()+
		": the topic is not allowed to this user") {
		t.Errorf("error %v", err)
	}
}

// refuse answers a request with an error.
func refuse(req *kmsg.ProduceRequest, err *kerr.Error) *kmsg.ProduceResponse {
	resp := req.ResponseKind().(*kmsg.ProduceResponse)
	for _, t := range req.Topics {
		topic := kmsg.NewProduceResponseTopic()
		topic.Topic, topic.TopicID = t.Topic, t.TopicID
		for _, p := range t.Partitions {
			partition := kmsg.NewProduceResponseTopicPartition()
			partition.Partition, partition.ErrorCode = p.Partition, err.Code
			topic.Partitions = append(topic.Partitions, partition)
		}
		resp.Topics = append(resp.Topics, topic)
	}
	return resp
}
