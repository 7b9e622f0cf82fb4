package stamp

import (
	"errors"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// record makes the records of an operation, as a Go program does.
func (s *Stamper) record(o *op.Op) error {
	r := ring.Record{Ctx: contextOf(o.Task), Addr: addressOf(o.Object), Aux: addressOf(o.Object)}
	r.PC[0] = uint64(o.At)
	switch o.Kind {
	case op.Go:
		if o.Arg != 0 {
			return errFunctions
		}
		r.Kind, r.Addr, r.Aux = ring.KindGo, contextOf(o.Other), 0
	case op.End:
		r.Kind = ring.KindEnd
	case op.Main:
		r.Kind, r.Arg = ring.KindStarted, uint64(o.Arg)
	case op.Left:
		r.Kind, r.Arg = ring.KindLeft, uint64(o.Arg)
	case op.MakeChan, op.Send, op.Recv, op.Handoff, op.Close, op.RecvClosed:
		return s.channel(o, r)
	case op.Select:
		r.Kind, r.Arg, r.Payload = ring.KindSelect, uint64(o.Arg), casesPayload(o.Cases, 0)
	case op.Lock, op.Unlock, op.RLock, op.RUnlock:
		return s.lock(o, r)
	case op.Add, op.Done, op.Wait, op.CondWait, op.Signal, op.Broadcast, op.Once:
		wake(o, &r)
	case op.Outside:
		r.Kind, r.Arg = ring.KindOutside, uint64(o.Arg)
	case op.Block:
		r.Kind, r.Arg = ring.KindBlock, wants[o.Want]
		if r.Arg == ring.OpNone {
			return errors.New("no Want, or one that tasks do not wait for")
		}
		if o.Want == op.Select {
			r.Payload = casesPayload(o.Cases, o.Arg)
		}
	case op.Misuse:
		r.Kind, r.Arg = ring.KindMisuse, uint64(o.Arg)
	case op.AtomicLoad, op.AtomicStore, op.Read, op.Write:
		return s.access(o, r)
	case op.Copy:
		r.Kind, r.Aux, r.Arg = ring.KindCopy, objectSize, uint64(o.Arg)
	case op.Arm:
		s.object(o.Object).isArmed = true
		r.Kind, r.Arg = ring.KindRelease, ring.OpTimer|uint64(o.Arg)<<ring.OpShift
		r.Addr += timer
	case op.Stop:
		r.Kind, r.Arg = ring.KindMark, ring.OpStop
		r.Addr += timer
	case op.Fire:
		return errFunctions
	default:
		return errors.New("no operation of a task")
	}
	err := s.feed(r)
	if o.Kind == op.Misuse && o.Mistake() == op.SendClosed && err == nil { // the rest follows the close
		r.Kind, r.Arg = ring.KindRecvClosed, ring.OpSend
		err = s.feed(r)
	}
	return err
}

var errFunctions = errors.New("timers that start functions are not supported")

// wants are the operations that tasks wait for.
var wants = [op.KindCount]uint64{
	op.Send: ring.OpSend, op.Recv: ring.OpRecv, op.Select: ring.OpSelect,
	op.Lock: ring.OpLock, op.RLock: ring.OpRLock, op.Once: ring.OpOnceLock,
	op.Wait: ring.OpWait, op.CondWait: ring.OpCondWait,
}

func (s *Stamper) object(o op.Object) *object {
	if s.objects[o] == nil {
		s.objects[o] = new(object)
	}
	return s.objects[o]
}

// channel makes the record of an operation on a channel.
func (s *Stamper) channel(o *op.Op, r ring.Record) error {
	c := s.object(o.Object)
	if o.InCase {
		r.Arg = ring.OpSelect
	}
	switch o.Kind {
	case op.MakeChan:
		r.Kind, r.Aux = ring.KindMakeChan, uint64(o.Arg)
		*c = object{capacity: o.Arg}
	case op.Send:
		if c.capacity <= 0 || c.sent-c.received >= c.capacity {
			return errors.New("no room in a buffer: make the channel first; without a buffer use Handoff")
		}
		if o.Task == op.NoTask {
			if err := s.beginRuntime(c, &r); err != nil {
				return err
			}
		}
		r.Kind, r.Aux = ring.KindSend, uint64(c.sent%c.capacity)
		c.sent++
	case op.Recv:
		if c.received >= c.sent {
			return errors.New("nothing in a buffer: without a buffer use Handoff")
		}
		r.Kind, r.Aux = ring.KindRecv, uint64(c.received%c.capacity)
		c.received++
	case op.Handoff:
		r.Kind, r.Aux, r.PC[1] = ring.KindHandoff, contextOf(o.Other), uint64(o.OtherAt)
	case op.Close:
		r.Kind = ring.KindClose
	case op.RecvClosed:
		r.Kind = ring.KindRecvClosed
	}
	return s.feed(r)
}

// beginRuntime makes a record one of the runtime. If the channel has a timer, that has fired.
func (s *Stamper) beginRuntime(c *object, r *ring.Record) error {
	r.Ctx = runtime
	if err := s.feed(ring.Record{Kind: ring.KindCtxStart, Addr: runtime}); err != nil || !c.isArmed {
		return err
	}
	return s.feed(ring.Record{
		Kind: ring.KindAcquire, Ctx: runtime, Addr: r.Addr + timer, Aux: r.Addr, Arg: ring.OpTimer,
	})
}

// lock makes the records of an operation on a lock. One that is locked for reading is a RWMutex
// from then on: its readers hand on what they know at an address of its own, to writers alone.
func (s *Stamper) lock(o *op.Op, r ring.Record) error {
	l := s.object(o.Object)
	l.isRWMutex = l.isRWMutex || o.Kind == op.RLock
	if l.isRWMutex {
		r.Aux += asRWMutex
	}
	switch o.Kind {
	case op.Lock:
		if l.isRWMutex {
			left := r
			left.Kind, left.Addr = ring.KindAcquire, r.Addr+readersLeft
			left.Aux = left.Addr
			if err := s.feed(left); err != nil {
				return err
			}
		}
		r.Kind, r.Arg = ring.KindAcquire, ring.OpLock|uint64(o.Arg)<<ring.OpShift
	case op.Unlock:
		r.Kind, r.Arg = ring.KindRelease, ring.OpUnlock
	case op.RLock:
		r.Kind, r.Arg = ring.KindAcquire, ring.OpRLock|uint64(o.Arg)<<ring.OpShift
	case op.RUnlock:
		r.Kind, r.Arg = ring.KindReleaseMerge, ring.OpRUnlock
		r.Addr += readersLeft
	}
	return s.feed(r)
}

// wake makes the record of an operation on what tasks wait at for others.
func wake(o *op.Op, r *ring.Record) {
	n := uint64(o.Arg) << ring.OpShift
	switch o.Kind {
	case op.Add:
		r.Kind, r.Arg = ring.KindMark, ring.OpAdd|n
	case op.Done:
		r.Kind, r.Arg = ring.KindReleaseMerge, ring.OpDone|n
	case op.Wait:
		r.Kind, r.Arg = ring.KindAcquire, ring.OpWait
	case op.CondWait:
		r.Kind, r.Arg = ring.KindAcquire, ring.OpWait
		r.Addr += signalled
	case op.Signal, op.Broadcast:
		does := uint64(ring.OpSignal)
		if o.Kind == op.Broadcast {
			does = ring.OpBroadcast
		}
		r.Kind, r.Arg = ring.KindReleaseMerge, does
		r.Addr += signalled
		if o.Arg != 0 {
			r.Kind, r.Arg = ring.KindMark, does|ring.OpVain
		}
	case op.Once:
		r.Kind, r.Arg = ring.KindAcquire, ring.OpOnce
		if o.Arg != 0 {
			r.Kind = ring.KindRelease
		}
		r.Addr += done
	}
}

// access makes the record of an access to a variable.
func (s *Stamper) access(o *op.Op, r ring.Record) error {
	r.Addr, r.Aux = o.Address, uint64(max(1, o.Arg))
	switch {
	case r.Addr == 0 || r.Addr >= objects:
		return errors.New("no Address, or one above 1<<60")
	case o.Kind == op.AtomicLoad:
		r.Kind = ring.KindAtomicLoad
	case o.Kind == op.AtomicStore && o.Exchanges():
		r.Kind = ring.KindAtomicRMW
	case o.Kind == op.AtomicStore:
		r.Kind = ring.KindAtomicStore
	case !s.Accesses:
		return errors.New("set Accesses of the Stamper to have accesses to memory")
	case o.Kind == op.Read:
		r.Kind = ring.KindRead
	default:
		r.Kind = ring.KindWrite
	}
	return s.feed(r)
}
