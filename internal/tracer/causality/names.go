package causality

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/internal/sparse"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// An Order names the tasks, objects and places of its operations.
var _ op.Names = (*Order)(nil)

// taskOrigin is the origin of a task of operations, which gives it its name. An origin does not
// outlive its goroutine, and some goroutines have none.
type taskOrigin struct {
	by    op.Task // NoTask for the main goroutine and for those that the program has not started
	n     int32   // it is the n-th that by started
	at    op.Place
	entry uint64 // pc of its function
	test  int32  // that it belongs to: its number in watch.tests
	// if a library has started it, the place that best shows which function of the program it runs;
	// else 0
	entered op.Place
}

// origins has the origins of all tasks that are not forgotten.
type origins struct {
	table sparse.Table[taskOrigin]
	count int32 // of the tasks so far
}

func (os *origins) add(from taskOrigin) op.Task {
	*os.table.Ensure(int(os.count)) = from
	os.count++
	return op.Task(os.count - 1)
}

// at returns the origin of a task, nil if there is no such task or it is forgotten.
func (os *origins) at(t op.Task) *taskOrigin {
	if int32(t) >= os.count {
		return nil
	}
	return os.table.At(int(t))
}

// Task returns the origin of a task of Options.Watch.
func (p *Order) Task(t op.Task) op.Origin {
	if p.named == nil || p.named.tasks.at(t) == nil {
		return op.Origin{By: op.NoTask}
	}
	from := p.named.tasks.at(t)
	return op.Origin{Name: string(p.named.appendName(nil, t)), Display: p.displayName(t),
		Function: p.function(from.entry).short, By: from.by, At: from.at, Test: p.named.tests[from.test]}
}

// noteTest notes that g is in a test from now on.
func (p *Order) noteTest(g *goroutine, rec *ring.Record) {
	w := p.watch
	if g.self == op.NoTask {
		return
	}
	name := strings.ToValidUTF8(string(bytes.TrimRight(rec.Payload, "\x00")), "")
	if rec.Arg == ring.TestContinued {
		name = w.tests[w.testOf(g.self)] + name
		name = name[:min(len(name), ring.MaxTestName)]
	}
	if w.tests[len(w.tests)-1] != name {
		w.tests = append(w.tests, name)
	}
	w.tasks.at(g.self).test = int32(len(w.tests) - 1)
}

// testOf returns the number of the test that a task belongs to, 0 for none.
func (w *watch) testOf(t op.Task) int32 {
	if from := w.tasks.at(t); from != nil {
		return from.test
	}
	return 0
}

// appendName appends the task's name, which is the same in the trace.
func (w *watch) appendName(b []byte, t op.Task) []byte {
	from := w.tasks.at(t)
	switch {
	case t == 0:
		return append(b, MainTask...)
	case from.by == op.NoTask:
		b = append(b, envName...)
	default:
		b = w.appendName(b, from.by)
	}
	return strconv.AppendInt(append(b, '.'), int64(from.n), 10)
}

// Object returns the name of an object, "" if it is none.
func (p *Order) Object(o op.Object) string { return name(o).String() }

// Stack returns the return addresses of a place, innermost first.
func (p *Order) Stack(at op.Place) []uint64 { return p.named.stacks.addresses(at) }

// Place returns the location of an operation.
func (p *Order) Place(at op.Place) op.Location {
	if p.named == nil || p.opt.Symbols == nil {
		return op.Location{}
	}
	return p.opt.Symbols.Location(p.named.stacks.addresses(at))
}
