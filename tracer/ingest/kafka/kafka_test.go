package kafka

import (
	"net"
	"sync/atomic"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

const topic = "traces"

// cluster is a fake broker that counts the connections to it.
type cluster struct {
	*kfake.Cluster
	accepted atomic.Int64
	wrap     func(net.Conn) net.Conn // if it is not nil
}

// newCluster starts one broker.
func newCluster(t testing.TB, partitions int32, opts ...kfake.Opt) *cluster {
	t.Helper()
	c := new(cluster)
	c.start(t, partitions, opts...)
	return c
}

func (c *cluster) start(t testing.TB, partitions int32, opts ...kfake.Opt) {
	t.Helper()
	listen := func(network, address string) (net.Listener, error) {
		l, err := net.Listen(network, address)
		return &listener{l, c}, err
	}
	var err error
	c.Cluster, err = kfake.NewCluster(append(opts, kfake.NumBrokers(1), kfake.SeedTopics(partitions, topic),
		kfake.ListenFn(listen))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
}

type listener struct {
	net.Listener
	cluster *cluster
}

func (l *listener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err == nil {
		l.cluster.accepted.Add(1)
		if l.cluster.wrap != nil {
			conn = l.cluster.wrap(conn)
		}
	}
	return conn, err
}

func (c *cluster) address() Address { return Address{c.ListenAddrs(), topic} }

// producer returns a producer for the cluster, which the test need not close.
func (c *cluster) producer(t testing.TB, opt Options) *Producer {
	t.Helper()
	p, err := NewProducer(t.Context(), c.address(), Security{}, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() }) // for the second time
	return p
}

// receive reads records until n have come, or until a source of them ends if n is 0.
func (c *cluster) receive(t testing.TB, n int, opts ...kgo.Opt) []*record.Record {
	t.Helper()
	client, err := kgo.NewClient(append(opts, kgo.SeedBrokers(c.ListenAddrs()...), kgo.ConsumeTopics(topic),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))...)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	var records []*record.Record
	for ended := false; len(records) < n || n == 0 && !ended; {
		fetches := client.PollFetches(t.Context())
		if err := fetches.Err(); err != nil {
			t.Fatal(err)
		}
		for message := range fetches.RecordsAll() {
			r := recordOf(message)
			if r.Bad != nil {
				t.Fatal(r.Bad)
			}
			records = append(records, r)
			ended = ended || r.End != 0
		}
	}
	return records
}

// recordOf returns what a record of another library is.
func recordOf(r *kgo.Record) *record.Record {
	own := wire.Record{Offset: r.Offset, Time: r.Timestamp.UnixMilli(), Key: r.Key, Value: r.Value}
	for _, h := range r.Headers {
		own.Headers = append(own.Headers, wire.Header{Key: h.Key, Value: h.Value})
	}
	return recordIn(r.Topic, r.Partition, "", &own)
}

// read returns the events of the records of one source, in the text form, and fails unless the
// records are whole and in order.
func read(t testing.TB, records []*record.Record) (events []string) {
	t.Helper()
	reader := event.NewPartReader(event.Limits{})
	for i, r := range records {
		if r.Seq != uint64(i)+1 {
			t.Fatalf("record %d has number %d", i+1, r.Seq)
		}
		h, err := reader.Open(r.Value, "")
		if err != nil || (h != nil) != (i == 0) {
			t.Fatalf("record %d: header %v, error %v", i+1, h, err)
		}
		var e event.Event
		for reader.Next(&e) == nil {
			events = append(events, string(event.AppendText(nil, &e)))
		}
	}
	return events
}

var header = &event.Header{Tasks: []string{"main"}}

// step is a step of main that sets n.
func step(n int) *event.Event {
	return &event.Event{Task: "main", Set: []event.Binding{{Name: "n", Value: event.IntValue(int64(n))}}}
}
