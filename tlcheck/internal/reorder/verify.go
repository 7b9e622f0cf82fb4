package reorder

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Verify executes the prefix operation by operation, in its order, and returns what the program
// could not do. It shares nothing with the closure.
func (p *Prefix) Verify() error {
	log := slices.AppendSeq(make([]*entry, 0, p.history.log.count), p.history.log.all())
	p.history.work.Steps += stepsToVerify * int64(len(log))
	order := make([]*entry, 0, len(log))
	var tail []*entry
	for _, e := range log {
		switch {
		case !p.contains(e):
		case p.inTail(e.task.id, e.k):
			tail = append(tail, e)
		default:
			order = append(order, e)
		}
	}
	return verify(log, append(order, tail...), p.points)
}

// stepsToVerify is the number of steps of a closure that take as long as verifying an entry of the
// log.
const stepsToVerify = 4

// contains reports whether the prefix has an entry.
func (p *Prefix) contains(e *entry) bool {
	if e.kind == entryRead {
		return p.has(e.task.id, e.k+1) || p.pointAt(e.read.at) != nil && p.mayHave(e.read)
	}
	return p.has(e.task.id, e.k)
}

// execution is the state after a prefix of a schedule.
type execution struct {
	actors  map[op.Task]*actor
	list    []*actor // the same ones
	holders map[*lock][]*section
	points  []Point
}

// actor is a task.
type actor struct {
	id    op.Task
	ahead []*entry     // what it does, the next one first
	next  int32        // number of its next operation, of those in the log
	knows *clock.Clock // all of it has happened
}

// hasAhead reports whether the task has not done its operation k, or a read before it.
func (a *actor) hasAhead(k int32) bool {
	return k >= a.next || len(a.ahead) > 0 && a.ahead[0].kind == entryRead && k > a.ahead[0].k
}

// verify returns an error unless entries of a log can be done in an order, after which tasks stand
// at points.
func verify(log, order []*entry, points []Point) error {
	x := newExecution(log, points)
	for _, e := range order {
		if err := x.execute(e); err != nil {
			return fmt.Errorf("operation %d of task %d: %w", e.k, e.task.id, err)
		}
	}
	for i := range points {
		if err := x.checkArrived(&points[i]); err != nil {
			return fmt.Errorf("task %d is not at its point: %w", points[i].Task, err)
		}
	}
	return nil
}

func newExecution(log []*entry, points []Point) *execution {
	x := &execution{actors: map[op.Task]*actor{}, holders: map[*lock][]*section{}, points: points}
	for _, e := range log {
		a := x.actors[e.task.id]
		if a == nil {
			a = &actor{id: e.task.id}
			x.actors[e.task.id], x.list = a, append(x.list, a)
		}
		a.ahead = append(a.ahead, e)
		if e.section == nil {
			continue
		}
		if l := e.section.lock; x.holders[l] == nil { // open from before the log
			x.holders[l] = append([]*section{}, l.carried...)
		}
	}
	for _, a := range x.list {
		a.findNext()
	}
	return x
}

// findNext finds the number of the next operation.
func (a *actor) findNext() {
	a.next = math.MaxInt32
	for _, e := range a.ahead {
		if e.kind != entryRead {
			a.next = e.k
			return
		}
	}
}

var (
	errOrder     = errors.New("another operation of the task comes first")
	errBefore    = errors.New("something comes before it that has not happened")
	errExcluded  = errors.New("another section of the lock is open")
	errNotOpen   = errors.New("the section is not open")
	errUnwritten = errors.New("it has read what was not written")
)

// execute executes an entry.
func (x *execution) execute(e *entry) error {
	a := x.actors[e.task.id]
	isRead := e.kind == entryRead
	for isRead && len(a.ahead) > 0 && a.ahead[0] != e && a.ahead[0].kind == entryRead && a.ahead[0].k == e.k {
		a.ahead = a.ahead[1:] // reads at one moment may come behind the point
	}
	if len(a.ahead) == 0 || a.ahead[0] != e {
		return errOrder
	}
	if a.ahead = a.ahead[1:]; e.kind != entryRead {
		a.findNext()
	}
	if known := e.before(); a.knows != known {
		if !x.allHappened(known, a.id) {
			return errBefore
		}
		a.knows = known
	}
	switch s := e.section; e.kind {
	case entryAcquire:
		return x.acquire(s)
	case entryRelease:
		return x.release(s)
	case entryRead:
		return x.read(e.read)
	}
	return nil
}

// allHappened reports whether all that a task knows of others has happened.
func (x *execution) allHappened(known *clock.Clock, task op.Task) bool {
	for _, a := range x.list {
		if a.id != task && a.hasAhead(known.At(int32(a.id))) {
			return false
		}
	}
	for i := range x.points {
		if p := &x.points[i]; p.Task != task && known.At(int32(p.Task)) > p.Done {
			return false
		}
	}
	return true
}

func (x *execution) acquire(s *section) error {
	for _, o := range x.holders[s.lock] {
		if o.excludes(s) {
			return errExcluded
		}
	}
	x.holders[s.lock] = append(x.holders[s.lock], s)
	return nil
}

func (x *execution) release(s *section) error {
	left := remove(x.holders[s.lock], s)
	if len(left) == len(x.holders[s.lock]) {
		return errNotOpen
	}
	x.holders[s.lock] = left
	return nil
}

// read reads what another task has written, which may come behind that one's point.
func (x *execution) read(r *read) error {
	for _, p := range x.points {
		if p.Task == r.of.task && p.Done <= r.of.moment {
			return errUnwritten
		}
	}
	return nil
}

// checkArrived returns an error unless a task is at its point, and all that it knows has happened.
func (x *execution) checkArrived(p *Point) error {
	if a := x.actors[p.Task]; a != nil && a.next <= p.Done {
		return errOrder
	}
	if !x.allHappened(p.Data, p.Task) {
		return errBefore
	}
	return nil
}
