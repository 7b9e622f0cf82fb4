package san

import (
	"errors"
	"fmt"
	stdslices "slices"

	"github.com/antichain-go/antichain/tracer/event"
)

// DefaultLimit is how many events may wait for others until SetLimit says otherwise.
const DefaultLimit = 1 << 20

// Builder reads the events of a trace and builds its net. Events of one task come in
// program order; across tasks, an event whose task is not created yet, or whose
// "after" or "with" names an event not read yet, waits, and so do the later ones of its
// task.
//
// An event goes through two steps. Reading (read.go) checks and stores it; what is
// wrong with one task alone shows here, even if the event must wait. Scheduling
// (schedule.go) makes it part of the net as soon as all it waits for is. In a trace that
// arrives in order the second step follows the first at once.
type Builder struct {
	n      *Net
	limit  int
	mutual bool

	siteIDs map[site]uint32 // once there are many
	recent  [16]uint32      // sites of events, by what is cheap to see of them
	readers []reader        // by handle
	waiting int             // events read but not part of the net
	seq     uint64          // number of events read

	blocked map[ref][]handle // tasks whose head waits for an event; k 0 is the task's creation
	ready   []handle         // tasks to step next
	groups  map[ref]*group   // joint actions that wait, by all their sides
	spare   []*group         // groups that are done with
	room    []task           // for further tasks

	// late has the events whose "with" names one that was scheduled before without them.
	late    map[ref]waiter
	credit  int  // nodes that cycle checks may still visit (wait.go)
	unsound bool // a cycle check was given up for want of credit

	pos    string     // of the event being read, if there is no source
	source Positioner // knows the position of the event being read

	err    error  // of Add or Finish; no event is read after it
	broken *Error // found while scheduling
	sealed bool

	// Of a net that has forgotten some of its events (forget.go): by the hashes of the names of the
	// forgotten tasks, how many events they had (manyEvents if a snapshot was read since), and what
	// stands for their events if not every task knows these; and the event that is read as the net
	// counts.
	gone     map[uint64]int64
	standIns map[uint64]event.Ref
	counted  event.Event
}

// reader is the part of a task that only building needs.
type reader struct {
	stack []call
	knows clock // of the last scheduled event
	avail int32 // events that may be scheduled: all that were read, except while replaying

	// halted says that the head, event done+1, waits for something that will wake it.
	halted bool
	// wanted is the highest k that an event had to wait for, or would have had to.
	wanted int32
	// named are the sides of joint actions that were named before they were read; sorted up to
	// sorted.
	named  []int32
	sorted int
	queue  []waiter // the waiting events, from done+1 on
}

// waiter is what errors need to know about an event.
type waiter struct {
	pos string
	seq uint64
}

// call is a frame as far as the order of enter and exit goes.
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

// Reserve makes room for so many further tasks, for who knows how many will come.
func (b *Builder) Reserve(tasks int) {
	b.n.handles = stdslices.Grow(b.n.handles, tasks)
	b.readers = stdslices.Grow(b.readers, tasks)
	b.room = make([]task, tasks)
}

// SetLimit bounds the number of waiting events (n ≥ 1). Overrunning it is an error that
// names the missing event.
func (b *Builder) SetLimit(n int) { b.limit = n }

// RequireMutual makes a joint action whose sides do not all have "with" an error. A reader that
// cannot wait for the end of the trace needs this: monitor and live.
func (b *Builder) RequireMutual() { b.mutual = true }

// Add reads one event; pos is where it stands, for errors. It keeps nothing of e, and takes no
// notice of one that is no action of a task. After an error, which is a *Error, the builder refuses
// further events.
func (b *Builder) Add(e *event.Event, pos string) error {
	b.pos, b.source = pos, nil
	return b.add(e)
}

// Positioner knows where the event stands that it returned last.
type Positioner interface{ Pos() string }

// AddFrom is Add for readers: it asks for the position only if it needs it.
func (b *Builder) AddFrom(e *event.Event, r Positioner) error {
	b.source = r
	return b.add(e)
}

// End says that no event of a task will come any more: who would send it is gone. It adds no event,
// so the task stays in its last local state, but that is known to be the last one.
func (b *Builder) End(task string) {
	if h := b.n.names.find(task); h >= 0 && !b.sealed {
		b.n.handles[h].ended = true
	}
}

// Creates reports whether a task is initial, or an event that was read creates it.
func (b *Builder) Creates(task string) bool {
	if b.isGone(task) {
		return true
	}
	h := b.n.names.find(task)
	return h >= 0 && (b.n.handles[h].initial || b.n.handles[h].spawner.k > 0)
}

// Waiting returns how many events wait for others.
func (b *Builder) Waiting() int { return b.waiting }

// Oldest returns, as the trace counts, which of the events that wait was read first. There has to
// be one.
func (b *Builder) Oldest() event.Ref {
	x := b.oldest(b.heads())
	return event.Ref{Task: b.n.handles[x.h].name, K: int(b.number(x.h, x.k))}
}

// PendingError returns an error that says what the events wait for that are not part of the net,
// nil if there are none. After an error of Add it is that one.
func (b *Builder) PendingError() error {
	switch {
	case b.sealed || b.waiting == 0:
		return nil
	case b.err != nil:
		return b.err
	}
	return b.stuck()
}

func (b *Builder) add(e *event.Event) error {
	if b.err != nil || !e.IsAction() {
		return b.err
	}
	if b.n.forgetful {
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

// Finish returns the net once all events are read. Events that still wait are an
// error: a dangling reference, a cycle, or a task nobody created.
func (b *Builder) Finish() (*Net, error) {
	if b.err != nil {
		return nil, b.err
	}
	if b.waiting > 0 {
		b.err = b.stuck()
		return nil, b.err
	}
	if len(b.late) > 0 && !b.replay() {
		b.err = b.stuck()
		return nil, b.err
	}
	b.n.complete = true
	b.seal()
	return b.n, nil
}

// Net returns the net as far as it is built. It grows with Add, and is not to be used while
// Add runs: what it says of its events stays, but there are more of them, and what is
// the last local state of a task will not be.
func (b *Builder) Net() *Net { return b.n }

// Partial returns the net of what was read so far, without the events that wait. It ends
// the building.
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
	b.readers, b.siteIDs, b.blocked, b.groups, b.ready, b.late, b.room = nil, nil, nil, nil, nil, nil, nil
	b.n.order = stdslices.Clip(b.n.order)
}

// maxRoom is for how many tasks there is room at a time.
const maxRoom = 64

// task returns the handle of the task of that name, a new one at its first mention.
func (b *Builder) task(name string) handle {
	h := handle(b.n.names.id(name))
	if int(h) == len(b.n.handles) {
		if len(b.room) == 0 {
			b.room = make([]task, min(len(b.n.handles)+1, maxRoom))
		}
		t := &b.room[0]
		b.room = b.room[1:]
		t.name, t.rank = b.n.names.strs[h], -1
		b.n.handles = append(b.n.handles, t)
		b.readers = append(b.readers, reader{})
	}
	return h
}
