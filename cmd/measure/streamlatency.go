//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// percentile returns the smallest value that is not exceeded by that share of all, by its rank.
func percentile(values []float64, share float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	rank := int(math.Ceil(share * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// sender sends runs at an even rate until it is stopped.
type sender struct {
	client *kgo.Client
	topic  string
	pace   float64 // records a second
	stop   chan struct{}
	done   chan error

	mu     sync.Mutex
	begun  map[string]time.Time // when the first record of a run was sent
	broken map[string]time.Time // when that with the violation was
}

// send begins to send.
func (s *streamBench) send(topic string, t *traffic, eventsPerSecond float64) *sender {
	perRecord := float64(t.length) / float64(len(t.holds))
	r := &sender{
		client: s.client, topic: topic, pace: eventsPerSecond / perRecord, stop: make(chan struct{}), done: make(chan error, 1),
		begun: map[string]time.Time{}, broken: map[string]time.Time{},
	}
	go func() { r.done <- r.run(t) }()
	return r
}

func (r *sender) run(t *traffic) error {
	promise := kgo.AbortingFirstErrPromise(r.client)
	start, sent := time.Now(), 0.0
	for m := range t.all() {
		if wait := time.Duration(sent/r.pace*float64(time.Second)) - time.Since(start); wait > time.Millisecond {
			select {
			case <-time.After(wait):
			case <-r.stop:
				return promise.Err()
			}
		}
		sent++
		r.note(m)
		rec := m.toKafka()
		rec.Topic = r.topic
		r.client.Produce(context.Background(), rec, promise.Promise())
	}
	return promise.Err()
}

// note notes when a record is sent.
func (r *sender) note(m *message) {
	if !m.first && !m.breaks {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if m.first {
		r.begun[m.run] = time.Now()
	}
	if m.breaks {
		r.broken[m.run] = time.Now()
	}
}

// when returns when what is in one of its maps was sent, and whether it was.
func (r *sender) when(in map[string]time.Time, run string) (time.Time, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, ok := in[run]
	return at, ok
}

// end stops it, and waits until brokers have what was sent.
func (r *sender) end() error {
	close(r.stop)
	return <-r.done
}

var latencyHead = table{"events a record", "form", "events/s", "verdicts", "p50, ms", "p99, ms", "p99 < 500 ms"}

// latencyTable prints how long it takes from an event that violates the property to the verdict.
func (s *streamBench) latencyTable() error {
	fmt.Printf("\nFrom sending the event that violates the property to reading the verdict, at half of the rate of one monitor.\n\n")
	t := latencyHead.start()
	flush(t)
	for _, f := range forms {
		rate, err := s.halfRate(f)
		if err != nil {
			return err
		}
		took, err := s.latencies(f, rate)
		if err != nil {
			return fmt.Errorf("%d events, %s: %w", f.events, f.name(), err)
		}
		p99 := percentile(took, 0.99)
		t.add(fmt.Sprint(f.events), f.name(), number(rate), fmt.Sprint(len(took)), number(percentile(took, 0.5)), number(p99), met(p99 < 500))
		flush(t)
	}
	return nil
}

// halfRate returns half of what one monitor can do. It is measured if it has not been.
func (s *streamBench) halfRate(f form) (float64, error) {
	if s.rates[f] == 0 {
		l, err := s.load(f, func(of subject) (*party, error) { return s.monitors(of, 1, "-e", streamProperty) })
		if err != nil {
			return 0, err
		}
		s.rates[f] = l.rate
	}
	return s.rates[f] / 2, nil
}

// latencies returns, in milliseconds, how long verdicts have taken, behind some time to warm up.
func (s *streamBench) latencies(f form, rate float64) (took []float64, err error) {
	t, err := newTraffic(f, runCalls)
	if err != nil {
		return nil, err
	}
	t.wrong = 4
	of, err := s.subject()
	if err != nil {
		return nil, err
	}
	defer s.forget(of)
	p, err := s.monitors(of, 1, "-e", streamProperty)
	if p != nil {
		defer p.end()
	}
	if err != nil {
		return nil, err
	}
	sender := s.send(of.topic, t, rate)
	begin := time.Now().Add(s.watched / 10)
	for over := time.After(s.watched); ; {
		v, err := p.next(over)
		switch {
		case errors.Is(err, errSilence):
			return took, sender.end()
		case err != nil:
			return nil, err
		}
		at, broken := sender.when(sender.broken, v.Run)
		if broken != (v.Verdict == "violated") {
			return nil, fmt.Errorf("run %s: %s: the check or the workload is wrong", v.Run, v.Verdict)
		}
		if broken && at.After(begin) {
			took = append(took, v.at.Sub(at).Seconds()*1000)
		}
	}
}
