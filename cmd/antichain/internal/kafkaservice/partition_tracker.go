package kafkaservice

import (
	"sync"

	"github.com/antichain-go/antichain/cmd/antichain/internal/logging"
	"github.com/rs/zerolog"
)

// partitionTracker knows the partitions of the running runs, and warns of a run in two of them:
// each verdict then concerns a part of the run. It does not see partitions of other monitors.
type partitionTracker struct {
	log   zerolog.Logger
	lines logging.Throttle

	mu    sync.Mutex
	byRun map[string]int32 // the first one
}

// track records that a run has started or stopped in a partition.
func (p *partitionTracker) track(run string, partition int32, live bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	first, there := p.byRun[run]
	switch {
	case !live:
		if first == partition {
			delete(p.byRun, run)
		}
	case !there:
		p.byRun[run] = partition
	case first != partition:
		p.lines.Line(p.log.Warn()).Str("run", logging.Shorten(run)).Ints32("partitions", []int32{first, partition}).
			Msg("a run in two partitions is checked as two runs: either partitions were added to the topic while it goes on, or its producers choose different ones for its key")
	}
}
