//go:build unix

package main

import (
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// load is what was measured while a group worked through a topic.
type load struct {
	rate float64 // events/s, from the first that could be read to the last verdict
	cpu  float64 // seconds of processor time for a million events, of all members
}

// loads are those of several samples.
type loads []load

func (l loads) rate() float64 { return l.median(func(x load) float64 { return x.rate }) }
func (l loads) cpu() float64  { return l.median(func(x load) float64 { return x.cpu }) }

func (l loads) median(get func(load) float64) float64 {
	var all []float64
	for _, x := range l {
		all = append(all, get(x))
	}
	return median(all)
}

// streamMembers are the sizes of groups that are measured.
var streamMembers = []int{1, 2, 4}

var rateHead = table{"events a record", "form", "members", "reader: events/s", "monitors: events/s", "monitors / reader", "reader: CPU s / M events",
	"monitors: CPU s / M events", "as with 1", "rate ≥ 0.60", "CPU ≤ 1.20"}

// rateTable prints how many events a second go from the topic to verdicts.
func (s *streamBench) rateTable() error {
	fmt.Printf("\nEvents from the topic to verdicts, beside processes that only decode them.\n\n")
	t := rateHead.start()
	flush(t)
	for _, f := range forms {
		cells, err := s.rateRows(f)
		if err != nil {
			return fmt.Errorf("%d events, %s: %w", f.events, f.name(), err)
		}
		for _, c := range cells {
			t.add(c...)
		}
		flush(t)
	}
	return nil
}

// rateRows measures the groups of all sizes, in turn.
func (s *streamBench) rateRows(f form) (rows [][]string, err error) {
	readers, monitors := make([]loads, len(streamMembers)), make([]loads, len(streamMembers))
	for range s.count {
		for i, members := range streamMembers {
			read, err := s.load(f, func(of subject) (*party, error) { return s.readers(of, members) })
			if err != nil {
				return nil, err
			}
			checked, err := s.load(f, func(of subject) (*party, error) { return s.monitors(of, members, "-e", streamProperty) })
			if err != nil {
				return nil, err
			}
			readers[i], monitors[i] = append(readers[i], read), append(monitors[i], checked)
		}
	}
	s.rates[f] = monitors[0].rate()
	for i, members := range streamMembers {
		rows = append(rows, rateCells(f, members, readers[i], monitors[i], monitors[0]))
	}
	return rows, nil
}

func rateCells(f form, members int, reader, monitors, alone loads) []string {
	return []string{
		fmt.Sprint(f.events), f.name(), fmt.Sprint(members), number(reader.rate()), number(monitors.rate()), ratio(monitors.rate(), reader.rate()),
		number(reader.cpu()), number(monitors.cpu()), ratio(monitors.cpu(), alone.cpu()),
		met(monitors.rate() >= 0.6*reader.rate()), met(monitors.cpu() <= 1.2*alone.cpu()),
	}
}

// load measures how a group works through a topic.
func (s *streamBench) load(f form, start func(subject) (*party, error)) (load, error) {
	t, err := newTraffic(f, runCalls)
	if err != nil {
		return load{}, err
	}
	t.each = max(1, s.sample(f)/(t.slots*t.length))
	took, err := s.work(start, t.runs(), func(put func(*kgo.Record)) error {
		for m := range t.all() {
			put(m.toKafka())
		}
		return nil
	})
	return took.per(t.events()), err
}

// sample is how many events are enough: where a record has many a reader is through a million of
// them before it has begun to run evenly.
func (s *streamBench) sample(f form) int {
	if f.events > 1 {
		return 5 * s.events
	}
	return s.events
}

// work is what a group has needed.
type work struct{ seconds, cpu float64 }

func (w work) per(events int) load {
	return load{float64(events) / w.seconds, w.cpu * 1e6 / float64(events)}
}

// work fills a topic, and measures how a group works through it.
func (s *streamBench) work(start func(subject) (*party, error), runs int, fill func(put func(*kgo.Record)) error) (work, error) {
	of, err := s.subject()
	if err != nil {
		return work{}, err
	}
	defer s.forget(of)
	g, err := s.fill(of.topic, fill)
	if err != nil {
		return work{}, err
	}
	defer g.close()
	p, err := start(of)
	if p != nil {
		defer p.end()
	}
	if err != nil {
		return work{}, err
	}
	before, begin := p.cpu(), time.Now()
	if err := g.open(); err != nil {
		return work{}, err
	}
	end, err := p.all(runs)
	if err != nil {
		return work{}, err
	}
	return work{end.Sub(begin).Seconds(), p.cpu() - before}, nil
}
