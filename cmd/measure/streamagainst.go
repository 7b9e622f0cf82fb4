//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/antichain-go/antichain/tracer/event"
)

// againstTables compares with another antichain, if there is one: what monitors read, and what is
// sent.
func (s *streamBench) againstTables() error {
	if s.against == "" {
		return nil
	}
	if err := s.readingAgainst(); err != nil {
		return err
	}
	return s.sendingAgainst()
}

// pair is what was measured of the other antichain and of this one.
type pair struct{ other, this loads }

// inTurn measures both, in turn, so that what changes on the machine meanwhile is the same for
// both.
func (s *streamBench) inTurn(measure func(antichain string) (load, error)) (p pair, err error) {
	for range s.count {
		for _, side := range []struct {
			antichain string
			to        *loads
		}{{s.against, &p.other}, {s.path("antichain"), &p.this}} {
			l, err := measure(side.antichain)
			if err != nil {
				return p, fmt.Errorf("%s: %w", side.antichain, err)
			}
			*side.to = append(*side.to, l)
		}
	}
	return p, nil
}

// cells compares them. The rate is to be at least that share of the other one.
func (p pair) cells(share float64) []string {
	return []string{
		number(p.other.rate()), number(p.this.rate()), ratio(p.this.rate(), p.other.rate()),
		number(p.other.cpu()), number(p.this.cpu()), ratio(p.this.cpu(), p.other.cpu()),
		met(p.this.rate() >= share*p.other.rate()), met(p.this.cpu() <= 1.05*p.other.cpu()),
	}
}

var readingHead = table{"events a record", "form", "other: events/s", "this: events/s", "ratio", "other: CPU s / M events", "this: CPU s / M events", "ratio", "rate ≥ 0.95", "CPU ≤ 1.05"}

// readingAgainst prints how many events a second go from the topic to verdicts with either.
func (s *streamBench) readingAgainst() error {
	fmt.Printf("\nEvents from the topic to verdicts, one monitor, beside one of another antichain.\n\n")
	t := readingHead.start()
	flush(t)
	for _, f := range forms {
		p, err := s.inTurn(func(antichain string) (load, error) {
			return s.load(f, func(of subject) (*party, error) { return s.monitorsBy(antichain, of, 1, "-e", streamProperty) })
		})
		if err != nil {
			return fmt.Errorf("%d events, %s: %w", f.events, f.name(), err)
		}
		t.add(append([]string{fmt.Sprint(f.events), f.name()}, p.cells(0.95)...)...)
		flush(t)
	}
	return nil
}

var sendingHead = table{"events a record", "form", "other: events/s", "this: events/s", "ratio", "other: CPU s / M events", "this: CPU s / M events", "ratio", "rate ≥ 0.90", "CPU ≤ 1.05"}

// sendingAgainst prints how many events a second of a trace in a file antichain send brings to the
// topic.
func (s *streamBench) sendingAgainst() error {
	fmt.Printf("\nEvents of a trace to the topic, by send, beside that of another antichain.\n\n")
	t := sendingHead.start()
	flush(t)
	for _, f := range forms {
		events := s.sample(f) / 4
		if err := writeRelay(s.trace, events); err != nil {
			return err
		}
		p, err := s.inTurn(func(antichain string) (load, error) { return s.sending(antichain, f, events) })
		if err != nil {
			return fmt.Errorf("%d events, %s: %w", f.events, f.name(), err)
		}
		t.add(append([]string{fmt.Sprint(f.events), f.name()}, p.cells(0.9)...)...)
		flush(t)
	}
	return nil
}

// writeRelay writes a run of about so many events to a file.
func writeRelay(file string, events int) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	w := event.NewBinaryWriter(f, &event.Header{Tasks: relayTasks})
	for _, e := range (relay{calls: events / callEvents}).events() {
		if err := w.Write(e); err != nil {
			return err
		}
	}
	return w.Close()
}

// sending has antichain send the trace.
func (s *streamBench) sending(antichain string, f form, events int) (load, error) {
	of, err := s.subject()
	if err != nil {
		return load{}, err
	}
	defer s.forget(of)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	words := []string{"send", "--events", fmt.Sprint(f.events), "--run-id", "run", s.trace, s.address(of)}
	if f.text {
		words = append(words, "--text")
	}
	cmd := exec.CommandContext(ctx, antichain, words...)
	begin := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return load{}, fmt.Errorf("send: %w\n%s", err, out)
	}
	seconds := time.Since(begin).Seconds()
	used := cmd.ProcessState
	return work{seconds, (used.UserTime() + used.SystemTime()).Seconds()}.per(events), nil
}
