// Package stamp gives the operations of a run their clocks, for programs that make operations
// themselves.
//
//	stamper := &stamp.Stamper{To: checker}
//	stamper.Op(&op.Op{Kind: op.Go, Task: 0, Other: 1}) // each operation, in the order of the run
//	err := stamper.Err()
//
// An operation states what it does: Kind, Task, Object, At, and Arg, Other, Want, Cases and Address
// where its kind has them. The Stamper adds what follows from all operations before it: its number
// K, the slot of a Send or Recv, and the clocks. They are those that a traced Go program has.
package stamp

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/internal/tracer/causality"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// Stamper completes operations and passes them on. It is an op.Watcher itself.
//
// Tasks have numbers in the order in which they appear: main is 0, and Go starts the next one, or
// it appears with its first operation. A buffered channel is made (MakeChan) before it is used. A
// Wait of a Cond that returns comes after all Signals and Broadcasts so far. What a timer sends on
// its channel is a Send of NoTask, which comes after the Arm. Timers that start functions (Fire,
// and Go ByTimer) are not supported.
//
// A Read or Write of N bytes at Address is not passed on. Where it conflicts with another one, the
// watcher receives that Conflict, and what else package op has for accesses.
type Stamper struct {
	To       op.Watcher
	Accesses bool // there are Reads and Writes

	order   *causality.Order
	tasks   []task
	objects map[op.Object]*object
	current *op.Op // is being read
	records uint64
	err     error
}

type task struct{ ended bool }

// object is the state of an object that records depend on.
type object struct {
	isRWMutex      bool
	isArmed        bool // a timer sends on it
	capacity       int64
	sent, received int64
}

// Err returns what is wrong with the first operation that makes no sense. The Stamper takes no
// notice of it and all later ones.
func (s *Stamper) Err() error { return s.err }

// Op takes the next operation of the run.
func (s *Stamper) Op(o *op.Op) {
	if s.err != nil {
		return
	}
	if s.order == nil {
		s.begin()
	}
	s.current = o
	err := s.read(o)
	if wrong := s.order.Stats(); err == nil && wrong.Corrupt > 0 {
		err = errors.New(wrong.First)
	} else if err == nil && wrong.Unwatched != "" {
		err = errors.New(wrong.Unwatched)
	}
	if err != nil {
		s.err = fmt.Errorf("%s by task %d: %w", o.Kind, o.Task, err)
	}
}

// begin begins with the main task.
func (s *Stamper) begin() {
	s.tasks = make([]task, 1)
	s.objects = map[op.Object]*object{}
	s.order = causality.New(causality.Options{
		Sparse: true, Accesses: s.Accesses, Watch: stamped{s},
		Keep: func(*event.Event) error { return nil },
	})
}

// stamped receives operations with their clocks.
type stamped struct{ *Stamper }

// Op passes an operation on, with the numbers of the one that it comes from.
func (s stamped) Op(o *op.Op) {
	from := s.current
	if from == nil {
		return // the object has been seen at several addresses
	}
	switch o.Kind {
	case op.Conflict, op.ReadFrom, op.Rewrite, op.Overwrite:
		o.At = from.At
		if pcs := s.order.Stack(o.OtherAt); len(pcs) > 0 {
			o.OtherAt = op.Place(pcs[0])
		}
	default:
		o.Object, o.At, o.OtherAt, o.Cases = from.Object, from.At, from.OtherAt, from.Cases
		s.current = nil
	}
	s.To.Op(o)
}

// read checks an operation and makes its records.
func (s *Stamper) read(o *op.Op) error {
	switch o.Kind {
	case op.Free:
		delete(s.objects, o.Object)
		return s.feed(ring.Record{Kind: ring.KindFree, Addr: addressOf(o.Object), Aux: objectSize})
	case op.CutOff:
		if err := s.appear(o.Other, false); err != nil {
			return err
		}
		return s.feed(ring.Record{Kind: ring.KindCutOff, Addr: contextOf(o.Other), Arg: uint64(o.Arg)})
	case op.Checked:
		return s.feed(ring.Record{Kind: ring.KindChecked, Arg: uint64(o.Arg)})
	case op.Time:
		return s.feed(ring.Record{Kind: ring.KindTime, Aux: uint64(o.Elapsed().Milliseconds())})
	}
	if err := s.appear(o.Task, o.Kind == op.Handoff || o.Kind == op.Send); err != nil {
		return err
	}
	switch {
	case o.Kind == op.Handoff:
		if err := s.appear(o.Other, true); err != nil {
			return err
		}
	case o.Kind == op.Go && int(o.Other) != len(s.tasks):
		return outOfOrder(o.Other, len(s.tasks))
	case o.Kind == op.Go:
		s.tasks = append(s.tasks, task{})
	case o.Kind == op.End:
		s.tasks[o.Task].ended = true
	}
	return s.record(o)
}

// appear makes sure that a task has begun and has not ended.
func (s *Stamper) appear(t op.Task, orOutside bool) error {
	switch n := op.Task(len(s.tasks)); {
	case t == op.NoTask && orOutside:
	case t < 0:
		return fmt.Errorf("needs a task")
	case t > n:
		return outOfOrder(t, len(s.tasks))
	case t == n:
		s.tasks = append(s.tasks, task{})
		return s.feed(ring.Record{Kind: ring.KindThreadStart, Ctx: contextOf(t)})
	case s.tasks[t].ended:
		return fmt.Errorf("task %d has ended", t)
	}
	return nil
}

func outOfOrder(t op.Task, next int) error {
	return fmt.Errorf("task %d begins, and the next one is %d: number tasks as they begin", t, next)
}

// feed reads a record, and at once what causality would have wait for another one: operations come
// in the order of the run.
func (s *Stamper) feed(r ring.Record) error {
	s.records++
	r.Index = s.records
	if err := s.order.Feed(&r); err != nil {
		return err
	}
	return s.order.Idle()
}

// contextOf is the number of a task as a goroutine, 0 of none.
func contextOf(t op.Task) uint64 { return uint64(t + 1) }

// runtime is the number of what sends for the runtime.
const runtime = 1 << 40

// Addresses of objects. An object has further ones, for the ways in which it synchronises.
const (
	objects    = 1 << 60 // variables are below
	objectSize = 64

	readersLeft = 8  // of a RWMutex: what readers hand on
	asRWMutex   = 16 // the object that is seen
	signalled   = 24 // of a Cond
	done        = 32 // of a Once: its lock is the object itself
	timer       = 40 // that sends on a channel
)

// addressOf is the address of an object, 0 of none.
func addressOf(o op.Object) uint64 {
	if o == 0 {
		return 0
	}
	return objects + objectSize*uint64(o)
}

// casesPayload is the payload of a record with cases of a select statement, and the number of further
// ones.
func casesPayload(of []op.Case, more int64) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(of))|uint64(more)<<ring.CasesMoreShift)
	for _, c := range of {
		word := addressOf(c.Object)
		if c.Send {
			word |= ring.CaseSend
		}
		b = binary.LittleEndian.AppendUint64(b, word)
	}
	return b
}
