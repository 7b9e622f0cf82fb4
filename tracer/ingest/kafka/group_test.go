package kafka

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// tally is a processor that counts the records of a partition, and complains if one is missing or comes twice.
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

func (p *tally) Tick(time.Time)              {}
func (p *tally) Flush(context.Context) error { return p.book.flush }
func (p *tally) State() ([]byte, error)      { return json.Marshal(p) }
func (p *tally) Drop()                       {}

// cable is the network of a member, which can be cut.
type cable struct {
	mu    sync.Mutex
	cut   bool
	conns []net.Conn
}

func (c *cable) dial(ctx context.Context, network, host string) (net.Conn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cut {
		return nil, errors.New("the cable is cut")
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
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(partitions, "runs"), kfake.GroupMinSessionTimeout(100*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return Address{c.ListenAddrs(), "runs"}
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
		Every: 50 * time.Millisecond, Session: 600 * time.Millisecond, Grace: 2 * time.Second,
		options: []kgo.Opt{kgo.Dialer(m.cable.dial), kgo.RetryBackoffFn(func(int) time.Duration { return 20 * time.Millisecond })},
		Log:     zerolog.New(zerolog.NewTestWriter(t)),
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

// TestMembersComeAndGo lets members join, leave, and be cut off the network, for good or for a while, while records are
// produced: each record is in the state of its partition once.
func TestMembersComeAndGo(t *testing.T) {
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
			members = append(members, join(t, a, b))
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
		members = append(members, join(t, a, b))
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
