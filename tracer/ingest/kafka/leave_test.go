package kafka

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kgo"
)

// fill sends values to a run.
func fill(t *testing.T, a Address, run string, from, to int) {
	t.Helper()
	producer, err := kgo.NewClient(kgo.SeedBrokers(a.Brokers...), kgo.DefaultProduceTopic(a.Topic))
	if err != nil {
		t.Fatal(err)
	}
	defer producer.Close()
	for v := from; v < to; v++ {
		r := &kgo.Record{Key: []byte(run), Value: fmt.Append(nil, v)}
		if err := producer.ProduceSync(t.Context(), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
}

// heard waits until a run has as many values.
func (b *book) heard(t *testing.T, run string, values int) {
	t.Helper()
	for t.Context().Err() == nil {
		b.mu.Lock()
		n := len(b.said[run])
		b.mu.Unlock()
		if n >= values {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// A member that leaves saves first, so the next one goes on where it has stopped.
func TestLeave(t *testing.T) {
	t.Parallel()
	a := fakeBroker(t, 1)
	b := &book{said: map[string]map[int]bool{}}
	for i := range 3 {
		m := join(t, a, b, rarely)
		fill(t, a, "r", 10*i, 10*i+10)
		b.heard(t, "r", 10*i+10)
		m.cancel()
		if err := <-m.done; err != nil {
			t.Fatal(err)
		}
	}
}

// A member whose brokers are unavailable leaves nevertheless, and says what it could not save.
func TestLeaveWithoutBrokers(t *testing.T) {
	t.Parallel()
	a := fakeBroker(t, 1)
	b := &book{said: map[string]map[int]bool{}}
	m := join(t, a, b, rarely, func(c *GroupConfig) { c.Grace = 100 * time.Millisecond })
	fill(t, a, "r", 0, 10)
	b.heard(t, "r", 10)
	m.cable.set(true)
	m.cancel()
	var unsaved *UnsavedError
	if err := <-m.done; !errors.As(err, &unsaved) || unsaved.Records != 10 ||
		!slices.Equal(unsaved.Partitions, []int32{0}) {
		t.Fatalf("%v", err)
	}
	b.mu.Lock()
	b.said = map[string]map[int]bool{}
	b.mu.Unlock()
	next := join(t, a, b, rarely)
	b.heard(t, "r", 10) // all again
	next.cancel()
	if err := <-next.done; err != nil {
		t.Fatal(err)
	}
}

// rarely saves at the end only.
func rarely(c *GroupConfig) { c.Every = time.Hour }

// Numbers about a member are those of what it has taken.
func TestStats(t *testing.T) {
	t.Parallel()
	a := fakeBroker(t, 3)
	b := &book{said: map[string]map[int]bool{}}
	m := join(t, a, b, rarely)
	fill(t, a, "r", 0, 10)
	b.heard(t, "r", 10)
	s := m.group.Stats()
	if !s.Joined || s.Rebalances != 1 || s.Generation < 1 || s.Silent != "" || len(s.Partitions) != 3 {
		t.Errorf("%+v", s)
	}
	var next, unsaved, lag int64
	for _, p := range s.Partitions {
		next, unsaved, lag = next+max(0, p.Next), unsaved+p.Unsaved, lag+p.Lag
		if (p.Unsaved == 0) != p.UnsavedSince.IsZero() || !p.Loaded {
			t.Errorf("%+v", p)
		}
	}
	if next < 9 || unsaved < 9 || lag > 1 { // the last one may be on its way into the books
		t.Errorf("%d next, %d unsaved, %d wait", next, unsaved, lag)
	}
	m.cancel()
	if err := <-m.done; err != nil {
		t.Fatal(err)
	}
	if s := m.group.Stats(); len(s.Partitions) != 0 {
		t.Errorf("after the end: %+v", s)
	}
}

// However often brokers are tried in vain, each thing is said once: that it begins, and that it is
// over.
func TestOutageIsSaidOnce(t *testing.T) {
	t.Parallel()
	a := fakeBroker(t, 3)
	b := &book{said: map[string]map[int]bool{}}
	log := newTestLog(t)
	m := join(t, a, b, rarely, func(c *GroupConfig) { c.Log = zerolog.New(log) })
	wait := func(what func() bool) {
		for !what() && t.Context().Err() == nil {
			time.Sleep(5 * time.Millisecond)
		}
	}
	joined := func() bool { return m.group.Stats().Joined }
	wait(joined)
	m.cable.set(true)
	wait(func() bool { return m.cable.failures() >= 50 && !joined() })
	m.cable.set(false)
	wait(joined)
	m.cancel()
	if err := <-m.done; err != nil {
		t.Fatal(err)
	}
	// A connection that was being made when the cable was cut fails for another reason, which is
	// said, too.
	const unreachable = `"why":"network is unreachable","message":"broker is away`
	if n := strings.Count(log.String(), unreachable); n != 1 {
		t.Errorf("%s %d times, not once", unreachable, n)
	}
	for message, times := range map[string]int{
		"broker is back": 1, "the session with the group is interrupted": 1, "lost": 1, "joined the group": 2,
		"revoked": 0, "assigned": 0, "shut down": 1,
	} {
		if n := strings.Count(log.String(), `"message":"`+message); n != times {
			t.Errorf("%q %d times, not %d", message, n, times)
		}
	}
}

func (c *cable) failures() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.vain
}
