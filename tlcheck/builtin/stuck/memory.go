package stuck

import (
	"github.com/antichain-go/antichain/internal/freelist"
	"github.com/antichain-go/antichain/internal/sparse"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// memory is what the detector remembers of a run, beside its state.
type memory struct {
	run      *state.Run
	tasks    sparse.Table[*task] // nil where ended
	channels candidate.Objects[traffic]
	conds    candidate.Objects[condWaits]
	gone     candidate.Objects[[]op.Task] // that owed a WaitGroup, and have ended

	spareTasks freelist.List[task]
}

// task is what a task that has not ended has done.
type task struct {
	unlocked  int32       // its last unlock
	freed     op.Object   // the lock that it unlocked there
	signalled []op.Object // Conds
	choice    choice      // the select statement that it is at
	examples  []example   // of choices before
	polling   polling

	born   *clock.Clock // what was known when it was started
	joined []joined

	sent   candidate.Mark // its last send on a buffered channel, sentOn
	sentOn op.Object
	ended  []op.Object // see receipt: what it has released since
	test   op.Step     // by which it may have found out whether to send
	serves []op.Object // channels from which it has received requests

	added additions
	owes  op.Object // a WaitGroup
}

// traffic is what has come to a channel.
type traffic struct {
	came     [2]arrivals
	meetings []meeting
	citing   []op.Object // channels with meetings that have a case with this one
	open     []openCase  // such meetings on channels that have been freed
}

// Directions of what came to a channel.
const (
	sending = iota
	receiving
)

// noTraffic is that of an unused channel. It does not change.
var noTraffic traffic

// trafficOf returns the traffic of a channel so far, which must not be changed.
func (m *memory) trafficOf(channel op.Object) *traffic {
	if t := m.channels.At(channel); t != nil {
		return t
	}
	return &noTraffic
}

func (m *memory) task(t op.Task) *task {
	at := m.tasks.Ensure(int(t))
	if *at == nil {
		*at = m.spareTasks.Get()
	}
	return *at
}

func (m *memory) forget(number op.Task) {
	at := m.tasks.Ensure(int(number))
	t := *at
	*at = nil
	*t = task{}
	m.spareTasks.Put(t)
}

// Forget drops what is known of tasks that are gone.
func (m *memory) Forget(s *clock.Sweep) {
	m.tasks.Drop(func(first int) bool { return s.IsGone(int32(first)) })
}
