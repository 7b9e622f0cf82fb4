package gotrace

import (
	"fmt"
	"maps"
	stdslices "slices"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/internal/oplog"
	"github.com/antichain-go/antichain/tracer/op"
	"golang.org/x/exp/trace"
)

// operations extracts the evidence for the built-in property leak: the goroutines that wait when
// the trace ends.
//
// It reports no other operations. A goroutine that has ended, or may be about to, comes before the
// end of the program: the trace does not show whether another one waited for it, since a WaitGroup
// without a waiter leaves nothing in the trace.
type operations struct {
	*oplog.Log
	main       *oplog.Task
	exitObject uint64         // the end of the program
	codes      []*event.Event // descriptions of the code
	files      files
}

const (
	maxFrames = 32 // of a place
	// frames in a trace; a stack of that size may be cut, and its last frame not be that of the
	// goroutine
	maxStack = 128
)

// ends names the task that ends the program. Its actions after the trace are unknown, so a report
// states the assumption.
const ends = "main, if the program ends with the trace,"

func newOperations(name string) operations {
	log := oplog.New(name)
	return operations{Log: log, main: log.NewTask(""), exitObject: log.NewAddress()}
}

// collect takes the recorded operations. Descriptions of the code come before all events, as the
// function of a goroutine may become known later than its beginning.
func (r *run) collect() {
	for e := new(event.Event); r.operations.Next(e); e = new(event.Event) {
		if e.Code != nil {
			r.operations.codes = append(r.operations.codes, e)
		} else {
			r.events = append(r.events, *e)
		}
	}
}

// takeTransition takes a change of the state of a goroutine of the program.
func (r *run) takeTransition(e *trace.Event, s *trace.StateTransition, g, by *goroutine) {
	from, to := s.Goroutine()
	g.state, g.reason = to, s.Reason
	frames := stack(s.Stack)
	r.operations.files.findRuntime(frames)
	switch {
	case from == trace.GoNotExist && to != trace.GoNotExist:
		if len(frames) > 0 {
			g.root = frames[0]
		}
		r.starts(by, g, e)
	case from == trace.GoUndetermined || e.Goroutine() == g.id:
		g.waits = frames
		if g.root.Func == "" && len(frames) > 0 && len(frames) < maxStack {
			g.root = frames[len(frames)-1]
		}
	}
	if to == trace.GoNotExist && g.task != nil {
		r.recordRelease(g)
		r.operations.Put(g.task, event.Record{Kind: ring.KindEnd}, "")
	}
}

func stack(s trace.Stack) []trace.StackFrame { return stdslices.Collect(s.Frames()) }

// starts records that a goroutine begins. by is nil if no goroutine of the program starts it.
func (r *run) starts(by, g *goroutine, e *trace.Event) {
	if g.task != nil {
		return
	}
	if by == nil || by == g {
		r.introduce(g)
		return
	}
	r.introduce(by)
	frames := stack(e.Stack())
	r.operations.files.findRuntime(frames)
	g.task = r.operations.NewTask("")
	r.operations.Start(by.task, g.task, r.operations.Function(g.root.Func), r.operations.placeAddress(frames))
}

// introduce records a goroutine without a parent. Its function may be unknown yet: see identify.
func (r *run) introduce(g *goroutine) {
	if g.task != nil {
		return
	}
	if g.id == 1 {
		g.task = r.operations.main
		return
	}
	g.task = r.operations.NewTask("")
	g.introduced = r.operations.Begin(g.task)
	r.identify(g)
}

// identify completes the introduction of a goroutine.
func (r *run) identify(g *goroutine) {
	if g.introduced != nil {
		g.introduced.Aux = r.operations.Function(g.root.Func)
	}
}

// recordRelease orders the end of the program after a goroutine whose last operation may have
// happened.
func (r *run) recordRelease(g *goroutine) {
	exit := r.operations.exitObject
	r.operations.Put(g.task, event.Record{Kind: ring.KindReleaseMerge, Addr: exit, Aux: exit}, "")
}

// finish records the end of the program at the end of the trace. It reports whether it is known of
// each goroutine of the program whether it has finished. That is unknown for one that is running,
// runnable or in a system call: it may already have woken the others.
func (r *run) finish() bool {
	var left []*goroutine
	for _, id := range stdslices.Sorted(maps.Keys(r.goroutines)) {
		g := r.goroutines[id]
		if g.ended || g.system || ofRuntime(g.root.Func) {
			continue
		}
		if g.id != 1 && (g.root.Func == "" || !r.operations.files.isStd(g.root) && waiting(g) == "") {
			return false
		}
		left = append(left, g)
	}
	for _, g := range left {
		switch {
		case g.id != 1 && !r.operations.files.isStd(g.root):
			r.recordBlocked(g)
		case g.task != nil:
			r.recordRelease(g)
		}
	}
	end, exit := r.operations.NewTask(ends), r.operations.exitObject
	r.operations.Begin(end)
	r.operations.Put(end, event.Record{Kind: ring.KindAcquire, Addr: exit, Aux: exit}, "")
	r.operations.Put(end, event.Record{Kind: ring.KindLeft}, "")
	r.collect()
	r.operations.files.markStd(r.operations.codes)
	return true
}

// recordBlocked records that a goroutine waits when the trace ends. Its name has the place, which a
// report on a leak would otherwise lack.
func (r *run) recordBlocked(g *goroutine) {
	r.introduce(g)
	r.identify(g)
	why := waiting(g)
	// Each waits for something of its own, as the trace does not say which are the same.
	made := event.Record{Kind: ring.KindBlock, Arg: ring.OpRecv, Addr: r.operations.NewAddress()}
	switch why {
	case "chan send":
		made.Arg = ring.OpSend
	case "sync":
		made.Arg = ring.OpLock
	case "sync.(*Cond).Wait":
		made.Arg = ring.OpCondWait
	case "select", "forever":
		// the cases are not known
		made.Arg, made.Addr, made.Payload = ring.OpSelect, 0, make([]byte, 8)
	}
	made.Aux = made.Addr
	made.PC[0] = r.operations.placeAddress(g.waits)
	g.task.Name = fmt.Sprintf("%s (%s)", g.name, why)
	if at := r.operations.files.ownPosition(g.waits); at != "" {
		g.task.Name = fmt.Sprintf("%s (%s at %s)", g.name, why, at)
	}
	r.operations.Put(g.task, made, why)
}

// placeAddress returns the address for a stack.
func (o *operations) placeAddress(frames []trace.StackFrame) uint64 {
	var calls []op.Call
	for _, f := range frames[:min(len(frames), maxFrames)] {
		calls = append(calls, op.Call{Function: f.Func, At: position(f)})
	}
	return o.Stack(calls)
}
