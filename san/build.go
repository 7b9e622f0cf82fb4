package san

import (
	"errors"
	"fmt"
	stdslices "slices"

	"github.com/antichain-go/antichain/tracer/event"
)

// DefaultLimit bounds the events that wait for others unless SetLimit is called.
const DefaultLimit = 1 << 20

// Builder reads the events of a trace and builds its net. Events of one task come in program order.
// An event waits if its task is not created yet, or if its "after" or "with" names an event that
// was not read yet; the later events of its task wait behind it.
//
// An event goes through two steps. Reading (read.go) checks and stores it. Faults within one task
// show here, even if the event must wait. Scheduling (schedule.go) makes the event part of the net
// once everything that it waits for is. In a trace that arrives in order, scheduling follows
// reading at once.
type Builder struct {
	n      *Net
	limit  int
	mutual bool

	siteIDs map[site]uint32 // once there are many
	recent  [16]uint32      // a cache of sites, indexed by a cheap hash of the event
	readers []reader        // by handle
	waiting int             // events read but not part of the net
	seq     uint64          // number of events read

	blocked      map[ref][]handle // tasks whose head waits for an event; k 0 is the task's creation
	ready        []handle         // tasks to step next
	groups       map[ref]*group   // joint actions that wait, by all their sides
	freeGroups   []*group         // groups for reuse
	preallocated []task           // preallocated tasks

	// late has the events whose "with" names one that was scheduled before without them.
	late        map[ref]waiter
	credit      int  // nodes that cycle checks may still visit (wait.go)
	gaveUpCycle bool // a cycle check was abandoned because the credit ran out

	pos    string     // of the event being read, if there is no source
	source Positioner // knows the position of the event being read

	err    error  // of Add or Finish; the builder reads no event after it
	broken *Error // found while scheduling
	sealed bool

	// State of a net that has forgotten events (forget.go). forgotten has, by the hash of a task's
	// name, the number of its events (unknownEvents if a snapshot was read since). standIns has the
	// events that represent those of a forgotten task that not every task knows. renumberedEvent is
	// the event being read, with the numbers of the net.
	forgotten       map[uint64]int64
	standIns        map[uint64]event.Ref
	renumberedEvent event.Event
}

// reader is the state of a task that only building needs.
type reader struct {
	stack []call
	knows clock // of the last scheduled event
	avail int32 // events that may be scheduled: all that were read, except during a replay

	// halted says that the head, event done+1, waits for an event that will wake it.
	halted bool
	// lastReferenced is the highest k that an event has waited for, or would have waited for.
	lastReferenced int32
	// named are the sides of joint actions that were named before they were read. The first sorted
	// of them are in order.
	named  []int32
	sorted int
	queue  []waiter // the waiting events, from done+1 on
}

// waiter describes a waiting event for error messages.
type waiter struct {
	pos string
	seq uint64
}

// call is a frame, reduced to what checking the order of enter and exit needs.
type call struct {
	function uint32
	phase    Phase
}

// NewBuilder returns a builder for a trace with that header, which it keeps.
func NewBuilder(h *event.Header) (*Builder, error) {
	if len(h.Tasks) == 0 {
		return nil, &Error{BadHeader, "header", `no initial task; name at least one in "tasks"`}
	}
	b := &Builder{
		n: &Net{
			header: h,
			names:  newInterner(), strs: newInterner(""), vars: newInterner(),
			clocks:  newClocks(),
			growing: true,
		},
		limit: DefaultLimit, credit: initialCredit,
	}
	b.Reserve(len(h.Tasks))
	for _, name := range h.Tasks {
		if name == "" {
			return nil, &Error{BadHeader, "header", "the name of an initial task is empty"}
		}
		if b.n.names.find(name) >= 0 {
			return nil, &Error{BadHeader, "header", fmt.Sprintf("initial task %q stands twice in \"tasks\"", name)}
		}
		t := b.task(name)
		b.n.handles[t].initial = true
		b.create(t, 0)
	}
	if len(h.Shared) > 0 {
		b.n.sharedOf = make(map[uint32]int32, len(h.Shared))
	}
	for _, v := range h.Shared {
		b.n.sharedOf[b.n.vars.id(v.Name)] = int32(len(b.n.shared))
		b.n.shared = append(b.n.shared, sharedVariable{name: v.Name, initial: v.Value, byTask: make(map[handle]int)})
	}
	return b, nil
}

// Reserve preallocates memory for further tasks, for callers that know how many will follow.
func (b *Builder) Reserve(tasks int) {
	b.n.handles = stdslices.Grow(b.n.handles, tasks)
	b.readers = stdslices.Grow(b.readers, tasks)
	b.preallocated = make([]task, tasks)
}

// SetLimit bounds the number of waiting events (n ≥ 1). Overrunning it is an error that
// names the missing event.
func (b *Builder) SetLimit(n int) { b.limit = n }

// RequireMutual makes a joint action an error unless all its sides have "with". A reader that
// cannot wait for the end of the trace needs this: monitor and live.
func (b *Builder) RequireMutual() { b.mutual = true }

// Add reads one event; pos is its position, for errors. Add keeps no reference to e, and ignores an
// event that is no action of a task. After an error, which is a *Error, the builder refuses further
// events.
func (b *Builder) Add(e *event.Event, pos string) error {
	b.pos, b.source = pos, nil
	return b.add(e)
}

// Positioner returns the position of the event that it returned last.
type Positioner interface{ Pos() string }

// AddFrom is Add for readers. It computes the position only for an error.
func (b *Builder) AddFrom(e *event.Event, r Positioner) error {
	b.source = r
	return b.add(e)
}

// End declares that no further event of a task will be added, because the source that would send it
// is gone. It adds no event: the task stays in its last local state, which is now known to be the
// last.
func (b *Builder) End(task string) {
	if h := b.n.names.find(task); h >= 0 && !b.sealed {
		b.n.handles[h].ended = true
	}
}

// Creates reports whether a task is initial or some event that was read creates it.
func (b *Builder) Creates(task string) bool {
	if b.isForgotten(task) {
		return true
	}
	h := b.n.names.find(task)
	return h >= 0 && (b.n.handles[h].initial || b.n.handles[h].spawner.k > 0)
}

// Waiting returns the number of events that wait for others.
func (b *Builder) Waiting() int { return b.waiting }

// OldestWaiting returns the waiting event that was read first, numbered as in the trace. At least
// one event must wait.
func (b *Builder) OldestWaiting() event.Ref {
	x := b.oldest(b.heads())
	return event.Ref{Task: b.n.handles[x.h].name, K: int(b.number(x.h, x.k))}
}

// PendingError returns an error that says why the waiting events are not part of the net, nil if
// none waits. After an error of Add it returns that error.
func (b *Builder) PendingError() error {
	switch {
	case b.sealed || b.waiting == 0:
		return nil
	case b.err != nil:
		return b.err
	}
	return b.stuckError()
}

func (b *Builder) add(e *event.Event) error {
	if b.err != nil || !e.IsAction() {
		return b.err
	}
	if b.n.hasForgotten {
		var err *Error
		if e, err = b.renumbered(e); err != nil {
			b.err = err
			return err
		}
	}
	if err := b.read(e); err != nil {
		b.err = err
	}
	return b.err
}

// Finish returns the net after all events were read. It is an error if events still wait: because
// of a dangling reference, a cycle, or a task that no event creates.
func (b *Builder) Finish() (*Net, error) {
	if b.err != nil {
		return nil, b.err
	}
	if b.waiting > 0 || len(b.late) > 0 && !b.replay() {
		b.err = b.stuckError()
		return nil, b.err
	}
	b.n.complete = true
	b.seal()
	return b.n, nil
}

// Net returns the net as far as it is built. The net grows with Add and must not be used while Add
// runs. Its answers about existing events stay valid; the number of events, and the last local
// state of a task, change.
func (b *Builder) Net() *Net { return b.n }

// Partial returns the net of the events read so far, without those that wait. The builder accepts
// no event afterwards.
func (b *Builder) Partial() *Net {
	if len(b.late) > 0 && !b.sealed {
		b.replay()
	}
	b.seal()
	return b.n
}

// seal drops what is not part of the net. The net is immutable from here on.
func (b *Builder) seal() {
	if b.sealed {
		return
	}
	b.sealed, b.n.growing = true, false
	if b.err == nil {
		b.err = errors.New("san: the net is finished; a builder accepts no event after Finish or Partial")
	}
	for _, t := range b.n.handles {
		if int(t.done) < len(t.records) {
			t.ended = false
			t.records = t.records[:t.done]
		}
	}
	for i := range b.n.shared {
		b.n.seal(&b.n.shared[i])
	}
	b.readers, b.siteIDs, b.blocked, b.groups, b.ready, b.late, b.preallocated = nil, nil, nil, nil, nil, nil, nil
	b.n.order = stdslices.Clip(b.n.order)
}

// maxRoom is how many tasks are preallocated at a time.
const maxRoom = 64

// task returns the handle of the task with that name, a new one at its first mention.
func (b *Builder) task(name string) handle {
	h := handle(b.n.names.id(name))
	if int(h) == len(b.n.handles) {
		if len(b.preallocated) == 0 {
			b.preallocated = make([]task, min(len(b.n.handles)+1, maxRoom))
		}
		t := &b.preallocated[0]
		b.preallocated = b.preallocated[1:]
		t.name, t.rank = b.n.names.strs[h], -1
		b.n.handles = append(b.n.handles, t)
		b.readers = append(b.readers, reader{})
	}
	return h
}
