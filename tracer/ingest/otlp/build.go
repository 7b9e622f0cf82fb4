package otlp

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/antichain-go/antichain/tracer/event"
)

// Options add order beside that of parents and links.
type Options struct {
	// Sync says that parents wait for their children, unless these are at the other end of a
	// message queue.
	Sync bool

	// Skew is the maximum difference between the clocks of any two services: 0 if all have one
	// clock, nil if it is unknown.
	Skew *time.Duration

	// Reads reports whether a variable of that name is used; nil means that all are. Others are
	// left out of the events.
	Reads func(name string) bool
}

// Build makes a run of all spans of one trace, in any order. Contradictory spans are an
// [*event.Error] whose position is the trace's id.
func Build(spans []Span, o Options) (*Run, error) { return build(spans, o, maxPairs) }

// build is Build with another value for maxPairs.
func build(spans []Span, o Options, pairs int) (*Run, error) {
	if len(spans) == 0 {
		return nil, &event.Error{Reason: "a trace without spans"}
	}
	if o.Reads == nil {
		o.Reads = func(string) bool { return true }
	}
	b := &builder{options: o, pairs: pairs, trace: spans[0].Trace}
	if err := b.addSorted(spans); err != nil {
		return nil, err
	}
	b.resolve()
	b.layOut()
	b.order()
	b.environment()
	return b.run()
}

// builder makes the run of a trace. It works on numbers: spans and tasks have the number of the
// span in spans, and a node is an event.
type builder struct {
	options Options
	pairs   int // see maxPairs
	trace   TraceID
	spans   []*Span // by start and id, no two with one id
	byID    map[SpanID]int32
	parents []int32 // by span; none for a root
	tasks   []task  // of the spans; then helpers of intervals.go; then env
	nodes   []node  // those of a task follow each other
	// by node, up to the last one with any: the further predecessors, beside the node before it and
	// its creator
	after [][]int32
	notes Notes
}

// none stands for no number.
const none = -1

// task is a task of the run.
type task struct {
	name        string
	first, last int32 // nodes
	steps       int32 // the first node after those that create children
	next        int32 // the node that will create the next child
	creator     int32 // node
}

// node is an event of the run.
type node struct {
	task int32
	does action
	arg  int32  // child, moment
	time uint64 // by the span's clock; breaks ties
}

// action is the action of an event.
type action uint8

const (
	enters action = iota
	spawns        // arg is the child's task
	steps         // arg is the index of the moment
	exits
	ends
	waits // of a helper
)

// addSorted sorts the spans and removes repeated ones.
func (b *builder) addSorted(spans []Span) error {
	b.spans = make([]*Span, len(spans))
	for i := range spans {
		b.spans[i] = &spans[i]
	}
	slices.SortFunc(b.spans, func(s, t *Span) int {
		return cmp.Or(cmp.Compare(s.Start, t.Start), bytes.Compare(s.ID[:], t.ID[:]))
	})
	b.byID = make(map[SpanID]int32, len(spans))
	kept := b.spans[:0]
	for _, s := range b.spans {
		i, again := b.byID[s.ID]
		switch {
		case s.Trace != b.trace:
			return b.errorf("", "span %s is of trace %s", s.ID, s.Trace)
		case !again:
			b.byID[s.ID] = int32(len(kept))
			kept = append(kept, s)
		case s.Equal(kept[i]):
			b.notes.Duplicates++
		default:
			return b.errorf("something gives out span ids twice, or sends spans that are not complete",
				"two different spans have the id %s, %.60q and %.60q", s.ID, min(s.Name, kept[i].Name),
				max(s.Name, kept[i].Name))
		}
	}
	b.spans = kept
	return nil
}

func (b *builder) errorf(remedy, format string, args ...any) error {
	return &event.Error{Pos: b.trace.String(), Reason: fmt.Sprintf(format, args...), Remedy: remedy}
}

// resolve finds the parents.
func (b *builder) resolve() {
	b.parents = make([]int32, len(b.spans))
	for i, s := range b.spans {
		p, ok := b.byID[s.Parent]
		switch {
		case s.Parent == SpanID{}:
			p = none
			b.notes.Roots++
		case !ok:
			p = none
			b.notes.Orphans++
		}
		b.parents[i] = p
		if s.End == 0 {
			b.notes.Open++
		}
	}
	b.notes.Spans = len(b.spans)
}

// layOut makes the nodes of the spans' tasks, and room for those of the other tasks.
func (b *builder) layOut() {
	children := make([]int32, len(b.spans))
	total := 0
	for i, s := range b.spans {
		if p := b.parents[i]; p != none {
			children[p]++
		}
		total += 3 + len(s.Moments)
	}
	total += len(b.spans) // of env
	b.nodes = make([]node, 0, total)
	b.tasks = make([]task, len(b.spans), len(b.spans)+1)
	for i, s := range b.spans {
		first := int32(len(b.nodes))
		b.tasks[i] = task{name: s.task(), first: first, next: first + 1, creator: none}
		b.add(node{int32(i), enters, 0, s.Start})
		for range children[i] {
			b.add(node{int32(i), spawns, none, s.Start})
		}
		b.tasks[i].steps = int32(len(b.nodes))
		for _, m := range inOrder(s.Moments) {
			b.add(node{int32(i), steps, m, s.Moments[m].Time})
		}
		if s.End != 0 {
			b.add(node{int32(i), exits, 0, s.End})
			b.add(node{int32(i), ends, 0, s.End})
		}
		b.tasks[i].last = int32(len(b.nodes) - 1)
	}
	for i, p := range b.parents {
		if p != none {
			b.create(p, int32(i))
		}
	}
}

func (b *builder) add(n node) int32 {
	b.nodes = append(b.nodes, n)
	return int32(len(b.nodes) - 1)
}

// create makes the parent's next node that creates no child yet create this one.
func (b *builder) create(parent, child int32) {
	p := &b.tasks[parent]
	b.nodes[p.next].arg = child
	b.tasks[child].creator = p.next
	p.next++
}

// inOrder returns the indices of the moments in the order of their times.
func inOrder(ms []Moment) []int32 {
	order := make([]int32, len(ms))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(i, j int32) int { return cmp.Compare(ms[i].Time, ms[j].Time) })
	return order
}

// start returns the first node of a span.
func (b *builder) start(i int32) int32 { return b.tasks[i].first }

// end returns the last node of a span that has ended.
func (b *builder) end(i int32) int32 { return b.tasks[i].last }

// precede makes a node come after another one.
func (b *builder) precede(before, after int32) {
	if more := int(after) + 1 - len(b.after); more > 0 {
		b.after = append(b.after, make([][]int32, more)...)
	}
	b.after[after] = append(b.after[after], before)
}

// furtherCauses returns the further predecessors of a node.
func (b *builder) furtherCauses(n int32) []int32 {
	if int(n) >= len(b.after) {
		return nil
	}
	return b.after[n]
}

// environment makes the task that creates the tasks without a parent span.
func (b *builder) environment() {
	env := int32(len(b.tasks))
	first := int32(len(b.nodes))
	for t := range b.tasks {
		if b.tasks[t].creator == none {
			b.tasks[t].creator = b.add(node{env, spawns, int32(t), 0})
		}
	}
	b.tasks = append(b.tasks, task{name: event.EnvTask, first: first, last: int32(len(b.nodes) - 1), creator: none})
}

// run puts the nodes in order.
func (b *builder) run() (*Run, error) {
	order, stuck := b.sort()
	if stuck != nil {
		return nil, b.errorf("parents and links must not lead in a circle, and where time stamps do, clocks differ "+
			"by more than was said or parents do not wait",
			"events that each come after the next: %s", b.circle(stuck))
	}
	return &Run{builder: b, order: order}, nil
}
