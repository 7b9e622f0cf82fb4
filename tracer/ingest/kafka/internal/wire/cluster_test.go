package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	kafka "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol"
	"github.com/segmentio/kafka-go/sasl"
	"github.com/segmentio/kafka-go/sasl/plain"
	"github.com/segmentio/kafka-go/sasl/scram"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"
)

const topic = "t"

// fake starts brokers, and returns them and the connections to them.
func fake(t testing.TB, partitions int32, options ...kfake.Opt) (*kfake.Cluster, *Cluster) {
	t.Helper()
	brokers, err := kfake.NewCluster(append([]kfake.Opt{kfake.NumBrokers(1), kfake.SeedTopics(partitions, topic)},
		options...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(brokers.Close)
	c := Open(Config{Brokers: brokers.ListenAddrs()})
	t.Cleanup(c.Close)
	return brokers, c
}

// ask returns what brokers say of the topic, by which they are known from then on.
func ask(t testing.TB, c *Cluster) Topic {
	t.Helper()
	topics, err := c.Metadata(t.Context(), topic)
	if err != nil || len(topics) != 1 || topics[0].Err != nil {
		t.Fatal(topics, err)
	}
	return topics[0]
}

// Old brokers and new ones answer to all requests, in versions that they take.
func TestVersions(t *testing.T) {
	t.Parallel()
	for name, versions := range map[string]*kversion.Versions{"2.1": kversion.V2_1_0(), "2.8": kversion.V2_8_0(),
		"4.1": kversion.V4_1_0()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, c := fake(t, 3, kfake.MaxVersions(versions), kfake.NumBrokers(3))
			found := ask(t, c)
			if len(found.Leaders) != 3 || (found.ID != TopicID{}) != (name != "2.1") || !c.TakesZstd() {
				t.Fatalf("%+v", found)
			}
			producer, err := c.NewProducer(t.Context(), found.Leaders[0].Broker)
			if err != nil {
				t.Fatal(err)
			}
			made := NewTopic{Name: "made", Partitions: 2, Configs: map[string]string{"retention.ms": "-1"}}
			if err := c.CreateTopic(t.Context(), &made); err != nil {
				t.Fatal(err)
			}
			if err := c.CreateTopic(t.Context(), &made); !errors.Is(err, kafka.TopicAlreadyExists) {
				t.Error(err)
			}
			if value, err := c.TopicConfig(t.Context(), made.Name, "retention.ms"); err != nil || value != "-1" {
				t.Errorf("%s, error %v", value, err)
			}
			for p, leader := range found.Leaders {
				records := []Record{{Key: []byte("k"), Value: fmt.Append(nil, p)}, {Value: []byte("second")}}
				batch := AppendBatch(nil, records, producer, 0, true)
				for range 2 { // for the second time it is there already
					if at, err := c.Produce(t.Context(), leader.Broker, topic, p, batch); err != nil || at != 0 {
						t.Fatalf("at %d: %v", at, err)
					}
				}
				starts, err := c.ListOffsets(t.Context(), leader.Broker, topic, []int32{p}, AtStart)
				ends, err2 := c.ListOffsets(t.Context(), leader.Broker, topic, []int32{p}, AtEnd)
				if err != nil || err2 != nil || starts[p] != (Offset{0, nil}) || ends[p] != (Offset{2, nil}) {
					t.Fatalf("%v %v, errors %v %v", starts, ends, err, err2)
				}
				fetched, err := c.Fetch(t.Context(), &FetchRequest{
					Broker: leader.Broker, Topic: topic, ID: found.ID, From: []Position{{p, leader.Epoch, 0}},
					Wait: time.Second, Bytes: 1 << 20, PerPart: 1 << 20,
				})
				if err != nil || len(fetched) != 1 || fetched[0].Partition != p || fetched[0].High != 2 ||
					fetched[0].Err != nil {
					t.Fatalf("%+v, error %v", fetched, err)
				}
				d := NewDecoder(1 << 20)
				got, next, err := d.Decode(nil, &fetched[0], 0)
				d.Close()
				if err != nil || next != 2 || len(got) != 2 || string(got[0].Value) != fmt.Sprint(p) {
					t.Errorf("%v, goes on at %d: %v", got, next, err)
				}
				commitAndFetch(t, c, p)
				if err := c.DeleteRecords(t.Context(), leader.Broker, topic, map[int32]int64{p: 1}); err != nil {
					t.Fatal(err)
				}
				if starts, err = c.ListOffsets(t.Context(), leader.Broker, topic, []int32{p}, AtStart); err != nil ||
					starts[p].At != 1 {
					t.Errorf("%v, error %v", starts, err)
				}
			}
		})
	}
}

// commitAndFetch commits an offset of a partition for a group of its own, and asks for it.
func commitAndFetch(t *testing.T, c *Cluster, p int32) {
	group, other := fmt.Sprint("commits", p), (p+1)%3
	if err := c.Commit(t.Context(), group, &Membership{Generation: -1}, TopicPartition{topic, p}, 7, "note"); err != nil {
		t.Error(err)
	}
	found, err := c.Committed(t.Context(), group, topic, []int32{p, other})
	if err != nil || found[p] != (Commit{Offset: 7, Metadata: "note"}) || found[other] != (Commit{Offset: -1}) {
		t.Errorf("%v, error %v", found, err)
	}
}

// A request to a broker that is not the leader, or for a missing topic, returns an error.
func TestErrorsOfBrokers(t *testing.T) {
	t.Parallel()
	_, c := fake(t, 1, kfake.NumBrokers(2))
	leader := ask(t, c).Leaders[0].Broker
	other := int32(1 - leader)
	fetch := &FetchRequest{Broker: other, Topic: topic, From: []Position{{0, -1, 0}}, Wait: time.Second, Bytes: 1 << 20,
		PerPart: 1 << 20}
	if fetched, err := c.Fetch(t.Context(), fetch); err != nil ||
		!errors.Is(fetched[0].Err, kafka.NotLeaderForPartition) {
		t.Errorf("%+v, error %v", fetched, err)
	}
	if offsets, err := c.ListOffsets(t.Context(), other, topic, []int32{0}, AtEnd); err != nil ||
		!errors.Is(offsets[0].Err, kafka.NotLeaderForPartition) {
		t.Errorf("%v, error %v", offsets, err)
	}
	if err := c.DeleteRecords(t.Context(), other, topic, map[int32]int64{0: 0}); !errors.Is(err,
		kafka.NotLeaderForPartition) {
		t.Error(err)
	}
	batch := AppendBatch(nil, []Record{{}}, NoProducer, 0, false)
	if _, err := c.Produce(t.Context(), other, topic, 0, batch); !errors.Is(err, kafka.NotLeaderForPartition) {
		t.Error(err)
	}
	if topics, err := c.Metadata(t.Context(), "other"); err != nil ||
		!errors.Is(topics[0].Err, kafka.UnknownTopicOrPartition) {
		t.Errorf("%v, error %v", topics, err)
	}
}

// Members of this package and of franz-go are in one group, whoever leads it, and share the
// partitions.
func TestGroupWithOthers(t *testing.T) {
	t.Parallel()
	for _, first := range []bool{false, true} {
		t.Run(fmt.Sprintf("ours first %v", first), func(t *testing.T) {
			t.Parallel()
			brokers, c := fake(t, 6, kfake.NumBrokers(3), kfake.GroupMinSessionTimeout(100*time.Millisecond))
			ask(t, c)
			theirs := make(chan []int32, 100)
			other := func() {
				client, err := kgo.NewClient(kgo.SeedBrokers(brokers.ListenAddrs()...), kgo.ConsumerGroup("g"),
					kgo.ConsumeTopics(topic),
					kgo.Balancers(kgo.StickyBalancer()), kgo.SessionTimeout(3*time.Second),
					kgo.HeartbeatInterval(50*time.Millisecond),
					kgo.OnPartitionsAssigned(func(_ context.Context, _ *kgo.Client,
						ps map[string][]int32) {
						theirs <- ps[topic]
					}))
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(client.Close)
				go client.PollFetches(t.Context())
			}
			if !first {
				other()
				<-theirs
			}
			m := c.NewMember(MemberConfig{
				Group: "g", Topic: topic, Session: 3 * time.Second, Rebalance: 5 * time.Second,
				Interrupted: func(err error) { t.Error(err) },
			})
			next := func() (*Generation, chan struct{}) {
				g, err := m.Join(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				over := make(chan struct{})
				ctx, cancel := context.WithCancel(t.Context())
				go func() {
					if err := m.Beat(ctx, g, func() { close(over); cancel() }); err != nil {
						t.Error(err)
					}
				}()
				return g, over
			}
			ours, over := next()
			if first {
				other()
			}
			var others []int32
			for len(ours.Partitions) != 3 || len(others) != 3 {
				select {
				case others = <-theirs:
				case <-over:
					ours, over = next()
				}
			}
			all := append(others, ours.Partitions...)
			slices.Sort(all)
			if !slices.Equal(all, []int32{0, 1, 2, 3, 4, 5}) || ours.Leader != first {
				t.Errorf("%v, leads %v", all, ours.Leader)
			}
			before := *ours.Membership
			before.Generation--
			if err := c.Heartbeat(t.Context(), "g", &before); !errors.Is(err, kafka.IllegalGeneration) {
				t.Error(err)
			}
			if err := m.Leave(t.Context()); err != nil {
				t.Error(err)
			}
			if got := <-theirs; len(got) != 6 {
				t.Errorf("%v when we have left", got)
			}
		})
	}
}

// Logins of all mechanisms work, and the error of one is reported at each attempt.
func TestLogin(t *testing.T) {
	t.Parallel()
	scrams := func(a scram.Algorithm) func(string) sasl.Mechanism {
		return func(password string) sasl.Mechanism {
			m, err := scram.Mechanism(a, "alice", password)
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
	}
	for name, mechanism := range map[string]func(password string) sasl.Mechanism{
		"PLAIN": func(password string) sasl.Mechanism {
			return plain.Mechanism{Username: "alice",
				Password: password}
		},
		"SCRAM-SHA-256": scrams(scram.SHA256),
		"SCRAM-SHA-512": scrams(scram.SHA512),
	} {
		brokers, _ := fake(t, 1, kfake.EnableSASL(), kfake.Superuser(name, "alice", "right"))
		for _, password := range []string{"right", "wrong"} {
			connected := make(chan error, 100)
			c := Open(Config{Brokers: brokers.ListenAddrs(), SASL: mechanism(password),
				Connected: func(_ string, err error) bool {
					connected <- err
					return true
				}})
			t.Cleanup(c.Close)
			_, err := c.Metadata(t.Context(), topic)
			if told := <-connected; (err == nil) != (password == "right") || (told == nil) != (err == nil) {
				t.Errorf("%s, %s: %v, told %v", name, password, err, told)
			}
		}
	}
}

// A refused client makes no more attempts, whatever the request.
func TestRefused(t *testing.T) {
	t.Parallel()
	brokers, _ := fake(t, 1, kfake.EnableSASL(), kfake.Superuser("PLAIN", "alice", "right"))
	var tried atomic.Int32
	c := Open(Config{
		Brokers: brokers.ListenAddrs(), SASL: plain.Mechanism{Username: "alice", Password: "wrong"},
		Connected: func(string, error) bool { return tried.Add(1) < 2 },
	})
	t.Cleanup(c.Close)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if _, err := c.Metadata(t.Context(), topic); err == nil {
				t.Error("the broker answers")
			}
		})
	}
	all.Wait()
	if n := tried.Load(); n != 2 {
		t.Errorf("%d attempts", n)
	}
}

// Brokers that accept connections and say nothing, or stop in the middle, hang nothing: not a
// handshake of TLS, nor a login.
func TestSilence(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var open sync.WaitGroup
	t.Cleanup(open.Wait)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for conn, err := l.Accept(); err == nil; conn, err = l.Accept() {
			open.Go(func() { // until the client has had enough
				_, _ = io.Copy(io.Discard, conn)
				_ = conn.Close()
			})
		}
	}()
	connected := make(chan error, 100)
	c := Open(Config{Brokers: []string{l.Addr().String()}, Connected: func(_ string, err error) bool {
		connected <- err
		return true
	}})
	defer c.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := c.Metadata(ctx, topic); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	start := time.Now()
	if _, err := c.Metadata(t.Context(), topic); err == nil || time.Since(start) > patience+connecting {
		t.Errorf("%v, behind %v", err, time.Since(start))
	}
	// and none before, which we had given up
	if err := <-connected; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
}

// A closed cluster makes no more connections.
func TestClosed(t *testing.T) {
	t.Parallel()
	brokers, _ := fake(t, 1)
	var connected atomic.Int32
	c := Open(Config{Brokers: brokers.ListenAddrs(), Connected: func(string, error) bool {
		connected.Add(1)
		return true
	}})
	ask(t, c)
	c.Close()
	before := connected.Load()
	for range 3 {
		if _, err := c.Metadata(t.Context(), topic); err == nil {
			t.Error("a broker answers")
		}
	}
	if n := connected.Load(); n != before {
		t.Errorf("%d connections behind the end", n-before)
	}
}

// Every request is reported, with its outcome.
func TestAnswered(t *testing.T) {
	t.Parallel()
	brokers, _ := fake(t, 1)
	type told struct {
		key protocol.ApiKey
		ok  bool
	}
	answers := make(chan told, 100)
	c := Open(Config{Brokers: brokers.ListenAddrs(),
		Answered: func(key protocol.ApiKey, err error) { answers <- told{key, err == nil} }})
	defer c.Close()
	ask(t, c)
	if got := <-answers; got != (told{protocol.Metadata, true}) {
		t.Error(got)
	}
	if size, err := c.TopicConfig(t.Context(), topic, "max.message.bytes"); err != nil || size != "1048588" {
		t.Error(size, err)
	}
	if got := <-answers; got != (told{protocol.DescribeConfigs, true}) {
		t.Error(got)
	}
	brokers.ControlKey(int16(protocol.Metadata), func(kmsg.Request) (kmsg.Response, error, bool) {
		brokers.KeepControl()
		return nil, errors.New("hang up"), true
	})
	if _, err := c.Metadata(t.Context(), topic); err == nil {
		t.Error("a broker that hangs up answers")
	}
	if got := <-answers; got != (told{protocol.Metadata, false}) {
		t.Error(got)
	}
	address := brokers.ListenAddrs()[0]
	brokers.Close()
	// A listener that is closed takes connections until the goroutine that accepts them has
	// noticed.
	var none *ConnectError
	_, err := c.Metadata(t.Context(), topic)
	for err != nil && !errors.As(err, &none) {
		if got := <-answers; got != (told{protocol.Metadata, false}) {
			t.Error(got)
		}
		_, err = c.Metadata(t.Context(), topic)
	}
	if none == nil || none.Broker != address || len(answers) > 0 {
		t.Errorf("%v, and %d answers", err, len(answers))
	}
	c.Close()
	if _, err := c.Metadata(t.Context(), topic); err == nil {
		t.Error("a request behind Close works")
	}
}
