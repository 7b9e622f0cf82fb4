package execution

import (
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/reversal"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tracer/op"
)

// Reversal is an order of two operations that is not the one of the run that it was made of.
type Reversal struct {
	Schedule *schedule.Schedule
	kept     *ring.Schedule
}

// Words describes the order.
func (r *Reversal) Words() string { return reversal.Words(r.Schedule) }

// Steps describes the two operations, in this order.
func (r *Reversal) Steps() []string { return reversal.Steps(r.Schedule) }

// A goroutine waits as long for the other one as the run took that has shown the pair, and a little
// longer, since the other one may sleep before it comes. There are limits to that.
const (
	reversalSlack    = 300 * time.Millisecond
	reversalPatience = 10 * time.Second
)

// reversals returns the pairs of operations of a run that can come the other way round, as many as
// are wanted.
func (r *runner) reversals(run *run, names op.Names, took time.Duration) ([]*Reversal, error) {
	if run.pairs == nil {
		return nil, nil
	}
	ranked := run.pairs.Ranked(names)
	if len(ranked) == 0 {
		return nil, nil
	}
	program, err := r.program()
	if err != nil {
		return nil, err
	}
	patience := min(took+reversalSlack, reversalPatience).Round(time.Millisecond)
	var found []*Reversal
	known := make(map[string]bool)
	for _, p := range ranked {
		if len(found) == r.Reversals {
			break
		}
		s, err := p.Schedule(run.visits, names, run.checker.Style.Source.File, patience)
		if err != nil {
			continue // a schedule cannot have it as a step
		}
		kept, err := s.Compile(program, s.Keep)
		if key := p.Lines(names); err == nil && !known[key] {
			known[key] = true
			found = append(found, &Reversal{s, kept})
		}
	}
	return found, nil
}
