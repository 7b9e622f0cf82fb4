package kafka

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// tally is a processor that counts the records of a partition, and complains if one is missing or
// comes twice.
type tally struct {
	t      *testing.T
	book   *book
	number int32
	Count  map[string]int // by run
	Next   map[string]int // value expected
}

// book has what the owners of the partitions have said last.
type book struct {
	mu    sync.Mutex
	said  map[string]map[int]bool // by run, the values
	flush error
}

func (b *book) processor(t *testing.T) func(int32, []byte) (Processor, error) {
	return func(number int32, state []byte) (Processor, error) {
		p := &tally{t: t, book: b, number: number, Count: map[string]int{}, Next: map[string]int{}}
		if state != nil {
			if err := json.Unmarshal(state, p); err != nil {
				return nil, err
			}
		}
		return p, nil
	}
}

func (p *tally) Take(r *record.Record, _ time.Time) {
	var value int
	if _, err := fmt.Sscan(string(r.Value), &value); err != nil || value != p.Next[r.Run] {
		p.t.Errorf("partition %d, run %s: %q, not %d", p.number, r.Run, r.Value, p.Next[r.Run])
	}
	p.Next[r.Run]++
	p.Count[r.Run]++
	p.book.mu.Lock()
	defer p.book.mu.Unlock()
	if p.book.said[r.Run] == nil {
		p.book.said[r.Run] = map[int]bool{}
	}
	p.book.said[r.Run][value] = true
}

func (p *tally) Tick(time.Time) bool         { return false }
func (p *tally) Flush(context.Context) error { return p.book.flush }
func (p *tally) State() ([]byte, error)      { return json.Marshal(p) }
func (p *tally) Drop()                       {}

// cable is the network of a member, which can be cut.
type cable struct {
	mu    sync.Mutex
	cut   bool
	vain  int // attempts while it is cut
	conns []net.Conn
}

func (c *cable) dial(ctx context.Context, network, host string) (net.Conn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cut {
		c.vain++
		// The client takes this for trouble of the network, and tries again.
		return nil, &net.OpError{Op: "dial", Net: network, Err: os.NewSyscallError("connect", syscall.ENETUNREACH)}
	}
	conn, err := new(net.Dialer).DialContext(ctx, network, host)
	if err == nil {
		c.conns = append(c.conns, conn)
	}
	return conn, err
}

func (c *cable) set(cut bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cut = cut; cut {
		for _, conn := range c.conns {
			conn.Close()
		}
		c.conns = nil
	}
}

// fakeBroker starts a broker with a topic.
func fakeBroker(t *testing.T, partitions int32) Address {
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(partitions, "runs"),
		kfake.GroupMinSessionTimeout(100*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return Address{c.ListenAddrs(), "runs"}
}

// testLog gives what is logged to a test, and keeps it. A client that is closed may have something
// to say when the test is over.
type testLog struct {
	mu   sync.Mutex
	log  func(...any) // nil when the test is over
	text strings.Builder
}

func newTestLog(t *testing.T) *testLog {
	l := &testLog{log: t.Log}
	t.Cleanup(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.log = nil
	})
	return l
}

func (l *testLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.log != nil {
		l.log(strings.TrimSuffix(string(line), "\n"))
	}
	return l.text.Write(line)
}

func (l *testLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

type member struct {
	group  *Group
	cable  cable
	cancel context.CancelFunc
	done   chan error
}

func join(t *testing.T, a Address, b *book, how ...func(*GroupConfig)) *member {
	m := &member{done: make(chan error, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	m.cancel = cancel
	config := GroupConfig{
		Address: a, Group: "g", New: b.processor(t), Snapshots: "runs-snapshots",
		Every: 50 * time.Millisecond, Session: 3 * time.Second, Grace: 2 * time.Second,
		dial: m.cable.dial,
		Log:  zerolog.New(newTestLog(t)),
	}
	for _, h := range how {
		h(&config)
	}
	g, err := Join(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	m.group = g
	go func() { m.done <- g.Run() }()
	return m
}

// fleeting lets a member be taken for dead while it is cut off for a moment.
func fleeting(c *GroupConfig) { c.Session = 600 * time.Millisecond }

// TestMembersComeAndGo lets members join, leave, and be cut off the network, for good or for a
// while, while records are produced: each record is in the state of its partition once.
func TestMembersComeAndGo(t *testing.T) {
	t.Parallel()
	const runs, values = 20, 200
	a := fakeBroker(t, 6)
	b := &book{said: map[string]map[int]bool{}}
	random := rand.New(rand.NewSource(1))
	producer, err := kgo.NewClient(kgo.SeedBrokers(a.Brokers...), kgo.DefaultProduceTopic(a.Topic))
	if err != nil {
		t.Fatal(err)
	}
	defer producer.Close()
	var members []*member
	for v := range values {
		var rs []*kgo.Record
		for r := range runs {
			rs = append(rs, &kgo.Record{Key: fmt.Append(nil, "run", r), Value: fmt.Append(nil, v)})
		}
		if err := producer.ProduceSync(t.Context(), rs...).FirstErr(); err != nil {
			t.Fatal(err)
		}
		switch random.Intn(12) {
		case 0:
			members = append(members, join(t, a, b, fleeting))
		case 1:
			if len(members) > 0 {
				members[random.Intn(len(members))].cable.set(true)
			}
		case 2:
			for _, m := range members {
				m.cable.set(false)
			}
		case 3:
			if len(members) > 1 {
				m := members[0]
				members = members[1:]
				m.cable.set(false)
				m.cancel()
				if err := <-m.done; err != nil {
					t.Fatal(err)
				}
			}
		}
		time.Sleep(time.Duration(random.Intn(30)) * time.Millisecond)
	}
	for _, m := range members {
		m.cable.set(false)
	}
	if len(members) == 0 {
		members = append(members, join(t, a, b, fleeting))
	}
	complete := func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		for r := range runs {
			if len(b.said[fmt.Sprint("run", r)]) < values {
				return false
			}
		}
		return true
	}
	for !complete() && t.Context().Err() == nil {
		time.Sleep(20 * time.Millisecond)
	}
	for _, m := range members {
		m.cancel()
		if err := <-m.done; err != nil {
			t.Fatal(err)
		}
	}
}

func TestPointer(t *testing.T) {
	for _, p := range []pointer{{records: 1, bytes: 1}, {3, 1 << 40, 2, 700, 0xffffffff, "00ff"},
		{records: 2, bytes: 2 * snapshotPiece}} {
		if again, err := parsePointer(p.String()); err != nil || again != p {
			t.Errorf("%+v, %v", again, err)
		}
	}
	for metadata, want := range map[string]string{
		"antichain 2 what ever": "the group's last commit is of version 2, and this program " +
			"reads version 1",
		"antichain 1 2":                              "does not point to a snapshot",
		"antichain 1 0 0 1 -5 00000000 -":            "does not point to a snapshot",
		"antichain 1 -1 0 1 5 00000000 -":            "does not point to a snapshot",
		"antichain 1 0 -1 1 5 00000000 -":            "does not point to a snapshot",
		"antichain 1 0 0 0 0 00000000 -":             "does not point to a snapshot",
		"antichain 1 0 0 1 1000000000000 00000000 -": "does not point to a snapshot",
		"{\"offset\":7}":                             "the group belongs to another program",
	} {
		if _, err := parsePointer(metadata); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %s", metadata, err, want)
		}
	}
}

// statelessProcessor is a processor whose state is empty.
type statelessProcessor struct{ *tally }

func (statelessProcessor) State() ([]byte, error) { return nil, nil }

// A state that is empty is saved as every other one, and taken over.
func TestEmptyState(t *testing.T) {
	t.Parallel()
	a := fakeBroker(t, 1)
	b := &book{said: map[string]map[int]bool{}}
	client, err := kgo.NewClient(kgo.SeedBrokers(a.Brokers...), kgo.DefaultProduceTopic(a.Topic))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	next := 0
	empty := func(c *GroupConfig) {
		c.New = func(number int32, state []byte) (Processor, error) {
			if len(state) > 0 {
				t.Errorf("the state is %q", state)
			}
			p, err := b.processor(t)(number, nil)
			if err == nil {
				p.(*tally).Next["run"] = next
			}
			return statelessProcessor{p.(*tally)}, err
		}
	}
	for range 3 {
		if err := client.ProduceSync(t.Context(),
			&kgo.Record{Key: []byte("run"), Value: fmt.Append(nil, next)}).FirstErr(); err != nil {
			t.Fatal(err)
		}
		if err := collect(t, a, b, func() bool { return b.has("run", next+1) }, empty); err != nil {
			t.Fatal(err)
		}
		next++
	}
}

// collect starts a member and waits until it has taken everything that was said.
func collect(t *testing.T, a Address, b *book, done func() bool, how ...func(*GroupConfig)) error {
	m := join(t, a, b, how...)
	for !done() {
		select {
		case err := <-m.done:
			return err
		case <-time.After(10 * time.Millisecond):
		}
	}
	m.cancel()
	return <-m.done
}

func (b *book) has(run string, values int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.said[run]) >= values
}

// A topic that was deleted and made anew has other runs than those that a group knows.
func TestTopicMadeAnew(t *testing.T) {
	t.Parallel()
	a := fakeBroker(t, 1)
	b := &book{said: map[string]map[int]bool{}}
	produce := func(value int) {
		// knows no other topic
		client, err := kgo.NewClient(kgo.SeedBrokers(a.Brokers...), kgo.DefaultProduceTopic(a.Topic))
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		r := &kgo.Record{Key: []byte("run"), Value: fmt.Append(nil, value)}
		if err := client.ProduceSync(t.Context(), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	produce(0)
	produce(1)
	if err := collect(t, a, b, func() bool { return b.has("run", 2) }); err != nil {
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
	if _, err := admin.CreateTopic(t.Context(), 1, 1, nil, a.Topic); err != nil {
		t.Fatal(err)
	}
	produce(0)
	b = &book{said: map[string]map[int]bool{}}
	if err := collect(t, a, b, func() bool { return b.has("run", 1) }); err != nil {
		t.Error(err)
	}
}

// A topic of snapshots that was deleted has those no more that the group goes on with. It is made
// anew, and at its end, where they would be, brokers say nothing.
func TestSnapshotsDeleted(t *testing.T) {
	t.Parallel()
	a := fakeBroker(t, 1)
	b := &book{said: map[string]map[int]bool{}}
	fill(t, a, "run", 0, 2)
	if err := collect(t, a, b, func() bool { return b.has("run", 2) }); err != nil {
		t.Fatal(err)
	}
	admin, err := kadm.NewOptClient(kgo.SeedBrokers(a.Brokers...))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close()
	if _, err := admin.DeleteTopic(t.Context(), "runs-snapshots"); err != nil {
		t.Fatal(err)
	}
	fill(t, a, "run", 2, 3)
	err = collect(t, a, b, func() bool { return b.has("run", 3) }, func(c *GroupConfig) { c.Grace = time.Hour })
	checkWords(t, err, "partition 0: the snapshot at runs-snapshots/0@0 is gone")
}

// A member that reads a snapshot when it ends, or loses the partition, has nothing to save: its end
// is not delayed.
func TestLeaveWhileLoading(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1, kfake.GroupMinSessionTimeout(100*time.Millisecond))
	b := &book{said: map[string]map[int]bool{}}
	fill(t, c.address(), "run", 0, 2)
	if err := collect(t, c.address(), b, func() bool { return b.has("run", 2) }); err != nil {
		t.Fatal(err)
	}
	var reading atomic.Int32
	c.ControlKey(int16(kmsg.JoinGroup), func(kmsg.Request) (kmsg.Response, error, bool) {
		c.ControlKey(int16(kmsg.Fetch), func(kmsg.Request) (kmsg.Response, error, bool) {
			c.KeepControl()
			reading.Add(1)
			return nil, errors.New("the broker hangs up"), true
		})
		return nil, nil, false
	})
	m := join(t, c.address(), b, func(c *GroupConfig) {
		c.Grace = time.Hour
		c.Log = zerolog.Nop() // connections may be closed behind the end
	})
	for len(m.group.Stats().Partitions) == 0 || reading.Load() < 3 {
		time.Sleep(time.Millisecond)
	}
	m.cancel()
	if err := <-m.done; err != nil {
		t.Error(err)
	}
}

// A member that looks whose snapshots there are may find that the last one is deleted, since
// another member has written one behind it.
func TestSnapshotDeletedWhileJoining(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1, kfake.GroupMinSessionTimeout(100*time.Millisecond))
	b := &book{said: map[string]map[int]bool{}}
	fill(t, c.address(), "run", 0, 2)
	if err := collect(t, c.address(), b, func() bool { return b.has("run", 2) }); err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int32
	c.ControlKey(int16(kmsg.Fetch), func(req kmsg.Request) (kmsg.Response, error, bool) {
		request, answer := req.(*kmsg.FetchRequest), req.ResponseKind().(*kmsg.FetchResponse)
		c.KeepControl()
		if len(request.Topics) == 0 || request.Topics[0].Topic != "runs-snapshots" || asked.Add(1) > 1 {
			return nil, nil, false
		}
		for _, topic := range request.Topics {
			deleted := kmsg.NewFetchResponseTopic()
			deleted.Topic, deleted.TopicID = topic.Topic, topic.TopicID
			for _, p := range topic.Partitions {
				partition := kmsg.NewFetchResponseTopicPartition()
				partition.Partition, partition.ErrorCode = p.Partition, kerr.OffsetOutOfRange.Code
				deleted.Partitions = append(deleted.Partitions, partition)
			}
			answer.Topics = append(answer.Topics, deleted)
		}
		return answer, nil, true
	})
	fill(t, c.address(), "run", 2, 3)
	if err := collect(t, c.address(), b, func() bool { return b.has("run", 3) }); err != nil {
		t.Fatal(err)
	}
	if asked.Load() == 0 {
		t.Error("nobody has looked")
	}
}

// Two groups whose topics of snapshots have one name would delete each other's.
func TestSnapshotsOfAnotherGroup(t *testing.T) {
	t.Parallel()
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(2, "orders", "orders-eu"),
		kfake.GroupMinSessionTimeout(100*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	group := func(name string) func(*GroupConfig) {
		return func(c *GroupConfig) { c.Group, c.Snapshots = name, "orders-eu-prod-snapshots" }
	}
	first, other := Address{c.ListenAddrs(), "orders"}, Address{c.ListenAddrs(), "orders-eu"}
	fill(t, first, "run", 0, 3)
	fill(t, other, "run", 0, 3)
	b := &book{said: map[string]map[int]bool{}}
	for range 2 { // its own are no obstacle
		if err := collect(t, first, b, func() bool { return b.has("run", 3) }, group("eu-prod")); err != nil {
			t.Fatal(err)
		}
	}
	_, err = Join(t.Context(), GroupConfig{Address: other, Group: "prod", Snapshots: "orders-eu-prod-snapshots"})
	if err == nil || !strings.Contains(err.Error(),
		`topic orders-eu-prod-snapshots has the snapshots of another group ("eu-prod orders`) {
		t.Error(err)
	}
}

func TestNamesOfGroups(t *testing.T) {
	for _, name := range []string{"team a", "a/b", strings.Repeat("g", 300)} {
		_, err := Join(t.Context(), GroupConfig{Address: Address{[]string{"127.0.0.1:1"}, "runs"}, Group: name,
			Snapshots: "runs-" + name + "-snapshots"})
		if err == nil || !strings.Contains(err.Error(), "the topic of snapshots cannot be called") {
			t.Error(err)
		}
	}
}
