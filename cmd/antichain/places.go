package main

import (
	"sync"

	"github.com/rs/zerolog"
)

// places are the partitions of the runs that go on here. What is said of a run that is in two of them is about a part of
// it each. Monitors elsewhere may have the other one, so that this one cannot know.
type places struct {
	log   zerolog.Logger
	lines throttle

	mu    sync.Mutex
	byRun map[string]int32 // the first one
}

// note notes that a run goes on in a partition, or does not any more.
func (p *places) note(run string, partition int32, live bool) {
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
		p.lines.line(p.log.Warn()).Str("run", logged(run)).Ints32("partitions", []int32{first, partition}).
			Msg("a run in two partitions is checked as two runs: either partitions were added to the topic while it goes on, or its producers choose different ones for its key")
	}
}
