package gotrace

import (
	"fmt"
	"maps"
	stdslices "slices"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/ring"
	"golang.org/x/exp/trace"
)

// operations makes of a trace what the built-in property leak is judged on: which goroutines wait when the trace ends.
//
// Nothing else can be told. A goroutine that has ended, or may be about to, comes before the end of the program: the trace does not show
// whether somebody waited for it, as a WaitGroup that nobody has begun to wait for leaves nothing there.
type operations struct {
	contexts uint64 // numbers given to goroutines
	codes    []*event.Code
	pcs      map[string]uint64 // of places and functions
	lines    []operation
	files    files
}

// operation is a record of a goroutine.
type operation struct {
	record *event.Record
	task   string
	object string
	before int // how many events come before it
}

const (
	mainContext = 1
	endAddress  = 1 << 40 // released by who may have ended, and acquired by the end of the program
	waitAddress = 1 << 41 // and above: what goroutines wait for; each has one of its own, as the trace does not say which are the same
	apart       = 64

	maxFrames = 32  // of a place
	maxStack  = 128 // frames in a trace; a stack of as many may be cut, so that its last one is not that of the goroutine
)

// ends is who ends the program. What it does after the trace is not to be seen, so a report says what it rests on.
const ends = "main, if the program ends with the trace,"

func newOperations() operations { return operations{contexts: mainContext, pcs: map[string]uint64{}} }

// see takes a change of the state of a goroutine that is not the runtime's.
func (r *run) see(e *trace.Event, s *trace.StateTransition, g, by *goroutine) {
	from, to := s.Goroutine()
	g.state, g.reason = to, s.Reason
	frames := stack(s.Stack)
	r.operations.files.see(frames)
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
	if to == trace.GoNotExist && g.context != 0 {
		r.released(g)
		r.record(ring.Record{Kind: ring.KindEnd, Ctx: g.context})
	}
}

func stack(s trace.Stack) []trace.StackFrame {
	var frames []trace.StackFrame
	for f := range s.Frames() {
		frames = append(frames, f)
	}
	return frames
}

func (r *run) record(made ring.Record) *operation {
	o := &r.operations
	o.lines = append(o.lines, operation{record: &event.Record{Record: made}, before: len(r.events)})
	return &o.lines[len(o.lines)-1]
}

// starts records that a goroutine begins, by is nil if none in the program starts it.
func (r *run) starts(by, g *goroutine, e *trace.Event) {
	if g.context != 0 {
		return
	}
	if by == nil || by == g {
		r.introduce(g)
		return
	}
	r.introduce(by)
	frames := stack(e.Stack())
	r.operations.files.see(frames)
	r.number(g)
	made := ring.Record{Kind: ring.KindGo, Ctx: by.context, Addr: g.context, Aux: r.operations.function(g.root.Func)}
	made.PC[0] = r.operations.place(frames)
	r.record(made)
}

// introduce records a goroutine that nobody starts. What it runs may not be known yet: see identify.
func (r *run) introduce(g *goroutine) {
	if g.context != 0 {
		return
	}
	r.number(g)
	if g.context != mainContext {
		g.introduced = r.record(ring.Record{Kind: ring.KindThreadStart, Ctx: g.context}).record
		r.identify(g)
	}
}

func (r *run) number(g *goroutine) {
	if g.id == 1 {
		g.context = mainContext
		return
	}
	r.operations.contexts++
	g.context = r.operations.contexts
}

// identify completes the introduction of a goroutine.
func (r *run) identify(g *goroutine) {
	if g.introduced != nil {
		g.introduced.Aux = r.operations.function(g.root.Func)
	}
}

// released records that a goroutine may have done its last operation, for which the end of the program waits.
func (r *run) released(g *goroutine) {
	r.record(ring.Record{Kind: ring.KindReleaseMerge, Ctx: g.context, Addr: endAddress, Aux: endAddress})
}

// finish records the end of the program where that of the trace is. It reports whether it is known of each goroutine of the program
// whether it has finished. It is not of one that runs, is about to or is in a system call: it may have done all that others wait for.
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
			r.blocked(g)
		case g.context != 0:
			r.released(g)
		}
	}
	r.operations.contexts++
	end := r.operations.contexts
	r.record(ring.Record{Kind: ring.KindThreadStart, Ctx: end})
	r.record(ring.Record{Kind: ring.KindAcquire, Ctx: end, Addr: endAddress, Aux: endAddress}).task = ends
	r.record(ring.Record{Kind: ring.KindLeft, Ctx: end}).task = ends
	r.operations.files.mark(r.operations.codes)
	return true
}

// blocked records that a goroutine waits when the trace ends. Its name says where, which no report on a leak would else.
func (r *run) blocked(g *goroutine) {
	r.introduce(g)
	r.identify(g)
	why := waiting(g)
	made := ring.Record{Kind: ring.KindBlock, Ctx: g.context, Arg: ring.OpRecv, Addr: waitAddress + apart*g.context}
	switch why {
	case "chan send":
		made.Arg = ring.OpSend
	case "sync":
		made.Arg = ring.OpLock
	case "sync.(*Cond).Wait":
		made.Arg = ring.OpCondWait
	case "select", "forever":
		made.Arg, made.Addr, made.Payload = ring.OpSelect, 0, make([]byte, 8) // the cases are not known
	}
	made.Aux = made.Addr
	made.PC[0] = r.operations.place(g.waits)
	line := r.record(made)
	line.object = why
	if at := r.operations.files.own(g.waits); at != "" {
		line.task = fmt.Sprintf("%s (%s at %s)", g.name, why, at)
	} else {
		line.task = fmt.Sprintf("%s (%s)", g.name, why)
	}
}

// place returns the address for a stack.
func (o *operations) place(frames []trace.StackFrame) uint64 {
	if len(frames) == 0 {
		return 0
	}
	code := new(event.Code)
	var key strings.Builder
	for _, f := range frames[:min(len(frames), maxFrames)] {
		call := op.Call{Function: f.Func, At: position(f)}
		fmt.Fprintf(&key, "%s\n%s\n", call.Function, call.At)
		code.Calls = append(code.Calls, call)
	}
	return o.describe(key.String(), code)
}

// function returns the address of a function.
func (o *operations) function(name string) uint64 {
	if name == "" {
		return 0
	}
	return o.describe(name, &event.Code{Function: name})
}

func (o *operations) describe(key string, code *event.Code) uint64 {
	pc := o.pcs[key]
	if pc == 0 {
		pc = uint64(len(o.codes)) + 1
		o.pcs[key], code.PC = pc, pc
		o.codes = append(o.codes, code)
	}
	return pc
}
