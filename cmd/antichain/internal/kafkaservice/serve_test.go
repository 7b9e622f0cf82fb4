package kafkaservice

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
)

// fixedStats are numbers that do not change.
type fixedStats kafka.Stats

func (f fixedStats) Stats() kafka.Stats { return kafka.Stats(f) }

func TestReady(t *testing.T) {
	loaded, loading := kafka.PartitionStats{Partition: 3, Loaded: true}, kafka.PartitionStats{Partition: 5}
	running, over := context.Background(), ended()
	for want, c := range map[string]struct {
		ctx   context.Context
		group string
		stats *kafka.Stats
		yes   bool
	}{
		"shutting down":                    {over, "g", &kafka.Stats{Joined: true}, false},
		"not connected to the brokers yet": {running, "g", nil, false},
		"no broker answers: a:1: gone": {running, "",
			&kafka.Stats{Silent: "a:1: gone", Partitions: []kafka.PartitionStats{loaded}}, false},
		"reads 1 partitions": {running, "",
			&kafka.Stats{Partitions: []kafka.PartitionStats{loaded}}, true},
		"not a member of the group yet":      {running, "g", &kafka.Stats{}, false},
		"without partitions: there are more": {running, "g", &kafka.Stats{Joined: true}, true},
		"loading the snapshots of partitions 5": {running, "g",
			&kafka.Stats{Joined: true, Partitions: []kafka.PartitionStats{loaded, loading}}, false},
		"with partitions 3": {running, "g",
			&kafka.Stats{Joined: true, Partitions: []kafka.PartitionStats{loaded}}, true},
	} {
		it := &service{config: Config{Group: c.group}}
		if c.stats != nil {
			it.source.Store(fixedStats(*c.stats))
		}
		if why, yes := it.ready(c.ctx); yes != c.yes || !strings.Contains(why, want) {
			t.Errorf("%v, %q, not %v, %q", yes, why, c.yes, want)
		}
	}
}

func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// Work that takes too long is not healthy; properties that are checked at the end of a run have
// their time.
func TestHealthy(t *testing.T) {
	now := time.Unix(10_000, 0)
	busy := kafka.PartitionStats{Partition: 3, Busy: now.Add(-2 * stuckAfter)}
	for _, c := range []struct {
		partition kafka.PartitionStats
		postpone  bool
		yes       bool
	}{
		{kafka.PartitionStats{}, false, true},
		{kafka.PartitionStats{Busy: now.Add(-stuckAfter)}, false, true},
		{busy, false, false},
		{busy, true, true},
	} {
		m := &monitor.Monitor{Postpone: c.postpone, Checker: check.Checker{Settings: check.Settings{Options: tlcheck.Options{Time: time.Hour}}}}
		it := &service{monitor: m}
		it.source.Store(fixedStats{Partitions: []kafka.PartitionStats{c.partition}})
		if why, yes := it.healthy(now); yes != c.yes ||
			strings.Contains(why, "partition 3 has worked on the same records for 2m") == yes {
			t.Errorf("%+v: %v, %q", c, yes, why)
		}
	}
}

// An address that cannot be listened on, or is none, ends the verb before anything is read.
func TestServeWhere(t *testing.T) {
	it := &service{log: zerolog.Nop(), out: &reporter{metrics: newVerdictMetrics(nil, nil)}}
	for _, address := range []string{"", "9464", "127.0.0.1", "127.0.0.1:-1", "[::1"} {
		if _, err := it.serve(t.Context(), address); err == nil ||
			!strings.HasPrefix(err.Error(), "--metrics "+address+": ") {
			t.Errorf("%q: %v", address, err)
		}
	}
	stop, err := it.serve(t.Context(), ":0") // this machine's
	if err != nil {
		t.Fatal(err)
	}
	stop()
}
