//go:build unix

package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

var takeoverHead = table{"ms until the verdict on a run that began behind the kill", "median", "worst", "worst < 5 s"}

// takeoverTable prints how long it takes until a monitor goes on with what another one had, at the
// settings that are the default.
func (s *streamBench) takeoverTable() error {
	first, all, err := s.takeovers()
	if err != nil {
		return err
	}
	fmt.Printf("\nkill -9 of one of two monitors, %d times.\n\n", len(first))
	t := takeoverHead.start()
	for _, row := range []struct {
		title string
		took  []float64
	}{{"in a partition of the dead one", first}, {"in each of its partitions", all}} {
		worst := slices.Max(row.took)
		t.add(row.title, number(median(row.took)), number(worst), met(worst < 5000))
	}
	flush(t)
	return nil
}

// takeovers kills monitors while runs come, and starts others.
func (s *streamBench) takeovers() (first, all []float64, err error) {
	t, err := newTraffic(form{events: 10}, 10)
	if err != nil {
		return nil, nil, err
	}
	of, err := s.subject()
	if err != nil {
		return nil, nil, err
	}
	defer s.forget(of)
	p, err := s.monitors(of, 2, "-e", streamProperty)
	if p != nil {
		defer p.end()
	}
	if err != nil {
		return nil, nil, err
	}
	sender := s.send(of.topic, t, 10_000)
	for i := range s.count {
		if err := p.idle(time.Duration(5+i%3) * time.Second); err != nil { // snapshots are of different ages
			return nil, nil, err
		}
		a, b, err := p.takeover(sender)
		if err != nil {
			return nil, nil, err
		}
		first, all = append(first, a), append(all, b)
		if err := s.replace(p, of); err != nil {
			return nil, nil, err
		}
	}
	return first, all, sender.end()
}

// idle lets monitors work for some time.
func (p *party) idle(d time.Duration) error {
	for over := time.After(d); ; {
		switch _, err := p.next(over); {
		case errors.Is(err, errSilence):
			return nil
		case err != nil:
			return err
		}
	}
}

// takeover kills the first monitor, and returns when, in milliseconds, something was said about
// runs of the first and of the last of its partitions.
func (p *party) takeover(sender *sender) (first, all float64, err error) {
	killed := p.members[0]
	lost, err := killed.partitions()
	if err != nil {
		return 0, 0, err
	}
	begin := time.Now()
	killed.kill()
	p.members = p.members[1:]
	for deadline := time.After(patience); ; {
		v, err := p.next(deadline)
		if err != nil {
			return 0, 0, fmt.Errorf("partitions %v: %w", slices.Sorted(maps.Keys(lost)), err)
		}
		n, err := partitionOf(v.Run)
		if err != nil {
			return 0, 0, err
		}
		if at, _ := sender.when(sender.begun, v.Run); !lost[n] || at.Before(begin) {
			continue // what the dead one may have said
		}
		delete(lost, n)
		all = v.at.Sub(begin).Seconds() * 1000
		if first == 0 {
			first = all
		}
		if len(lost) == 0 {
			return first, all, nil
		}
	}
}

// replace starts a monitor in the place of one that is dead.
func (s *streamBench) replace(p *party, of subject) error {
	m, err := s.monitor(of, "-e", streamProperty)
	if err != nil {
		return err
	}
	p.members = append(p.members, m)
	return s.balanced(of.group, len(p.members))
}
