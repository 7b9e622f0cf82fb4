//go:build unix

package main

import (
	"fmt"
	"time"
)

// stream prints what it takes to check the runs of a topic of Kafka: rates, latencies, takeovers,
// snapshots, spans, and hostile batches.
func stream(args []string) error {
	flags := selecting("stream", "parts whose names match this `pattern`: rate, latency, takeover, snapshots, spans, hostile, against")
	brokers := flags.String("brokers", "", "`HOST:PORT,…` of a Kafka; without it there is a fake one, in a process of its own")
	against := flags.String("against", "", "another antichain `FILE`: the part against measures it and this one in turn")
	short := flags.Bool("short", false, "few events: to see that everything works")
	if err := flags.parse(args); err != nil {
		return err
	}
	b, err := newCommandBench()
	if err != nil {
		return err
	}
	defer b.remove()
	s := &streamBench{bench: b, count: *flags.count, events: 1_000_000, watched: 30 * time.Second, short: *short, against: *against, rates: map[form]float64{}}
	if *short {
		s.events, s.watched = 50_000, 2*time.Second
	}
	if err := s.connect(*brokers); err != nil {
		return err
	}
	defer s.disconnect()
	fmt.Printf("%s, %d partitions. Medians of %d, interleaved.\n", s.about, streamPartitions, s.count)
	for _, part := range []struct {
		name    string
		measure func() error
	}{{"rate", s.rateTable}, {"latency", s.latencyTable}, {"takeover", s.takeoverTable}, {"snapshots", s.snapshotTable}, {"spans", s.spanTable}, {"hostile", s.hostileTable}, {"against", s.againstTables}} {
		if !flags.pattern.MatchString(part.name) {
			continue
		}
		if err := part.measure(); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return nil
}

// streamBench has the settings that all parts of stream share.
type streamBench struct {
	*bench
	*cluster
	count   int
	events  int           // of a sample
	watched time.Duration // how long latencies are measured
	short   bool
	against string // another antichain; "" is none
	rates   map[form]float64
}

// met says whether a number is as it should be.
func met(ok bool) string {
	if ok {
		return "yes"
	}
	return "no"
}
