package execution

import (
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tracer/op"
)

// watchers receive the operations of a run, each operation in the order of the fields. One that is
// nil takes no part.
type watchers struct {
	bound    *replayBound     // counts operations: first, since it has to notice each of them in time
	builtins *findings.Watch  // checks built-in properties
	visits   *schedule.Visits // remembers where goroutines were, for schedules of what was found
	timers   timers           // remembers which goroutines have set timers

	// The program reports its operations though none of the above is there: where goroutines wait
	// is a step of a schedule, and where critical sections are shows which orders they can have.
	reported bool
}

// all returns the watchers as one, nil if no operations are wanted.
func (w *watchers) all() op.Watcher {
	var all watcherList
	if w.bound != nil {
		all = append(all, w.bound)
	}
	if w.builtins != nil {
		all = append(all, w.builtins)
	}
	if w.visits != nil {
		all = append(all, w.visits)
	}
	if w.timers != nil {
		all = append(all, w.timers)
	}
	switch {
	case len(all) == 1:
		return all[0]
	case len(all) > 1:
		return all
	case w.reported:
		return op.Discard
	}
	return nil
}

// watcherList passes each operation on to all of its watchers, in their order.
type watcherList []op.Watcher

// Op implements op.Watcher.
func (l watcherList) Op(o *op.Op) {
	for _, w := range l {
		w.Op(o)
	}
}
