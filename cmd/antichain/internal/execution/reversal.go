package execution

import (
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/reversal"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tracer/op"
)

// Reversal is an order of two operations that is not the one of the run that it was made of.
type Reversal struct {
	Schedule *schedule.Schedule
	Key      string // see reversal.Pair
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

// reversals returns the pairs of operations of a run that can come the other way round and are not
// known yet, as many as are wanted.
func (r *runner) reversals(run *run, names op.Names, took time.Duration) (found []*Reversal) {
	if run.pairs == nil {
		return nil
	}
	patience := min(took+reversalSlack, reversalPatience).Round(time.Millisecond)
	if r.Reversed != nil { // its goroutines have waited already
		patience = r.Reversed.Schedule.Keep.Patience
	}
	known := make(map[string]bool)
	for _, p := range run.pairs.Ranked(names) {
		if r.KnownPairs[p.Key] || known[p.Key] {
			continue
		}
		s, err := p.Schedule(run.visits, names, run.checker.Style.Source.File, patience)
		if err != nil { // a schedule cannot have it as a step
			continue
		}
		known[p.Key] = true
		if found = append(found, &Reversal{s, p.Key}); len(found) == r.Reversals {
			break
		}
	}
	return found
}

// reverse makes a run keep the order that the plan names. If a line has no code the run is as it
// is.
func (r *runner) reverse(run *run) error {
	program, err := r.program()
	if err != nil {
		return err
	}
	s := r.Reversed.Schedule
	run.Schedule, _ = s.Compile(program, s.Keep)
	return nil
}
