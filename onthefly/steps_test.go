package onthefly

import (
	"context"
	"fmt"
	stdslices "slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// The tests of this file count what a checker does where it is to do little. Its results are the
// same if it does more.

func parsed(t *testing.T, formulas ...string) (props []*spec.Property) {
	t.Helper()
	for _, f := range formulas {
		p, err := spec.ParseFormula(f)
		if err != nil {
			t.Fatal(err)
		}
		props = append(props, p)
	}
	return props
}

// run is a checker of a run that a test makes up.
type run struct {
	*Checker
	t *testing.T
	k map[string]int // events by task
}

func newRun(t *testing.T, tasks []string, formulas ...string) *run {
	t.Helper()
	c, err := New(&event.Header{Version: 1, Tasks: tasks}, parsed(t, formulas...), lsl.L3)
	if err != nil {
		t.Fatal(err)
	}
	c.Inline()
	c.SetPatience(1 << 20)
	return &run{c, t, map[string]int{}}
}

// set adds an event in which a task sets a variable, after the last events of others.
func (r *run) set(task, variable string, value int64, after ...string) {
	r.t.Helper()
	e := &event.Event{Task: task, Set: []event.Binding{{Name: variable, Value: event.IntValue(value)}}}
	for _, other := range after {
		e.After = append(e.After, event.Ref{Task: other, K: r.k[other]})
	}
	r.k[task]++
	if err := r.Add(e, "here"); err != nil {
		r.t.Fatal(err)
	}
	if _, err := r.Step(context.Background()); err != nil {
		r.t.Fatal(err)
	}
}

// countedNode counts the calls of a node.
type countedNode struct {
	node
	calls int
}

func (n *countedNode) update(v *version, in [][]*openInterval) ([]*openInterval, error) {
	n.calls++
	return n.node.update(v, in)
}

// counted replaces the nodes of all stages by nodes that count their calls.
func (r *run) counted() (all []*countedNode) {
	for _, s := range r.stages {
		n := &countedNode{node: s.node}
		s.node = n
		all = append(all, n)
	}
	return all
}

// A node with rules of its own for a formula is 10 to 30 times as fast as a window, which does
// everything.
func TestNodesOfFormulas(t *testing.T) {
	for _, tt := range []struct{ formula, nodes string }{
		{"not (t1:(a) and t2:(b))", "leaf leaf conjunctionJoin"},
		{"not next (t1:(a) until t2:(b))", "leaf leaf untilNode nextNode"},
		{"not (t1:(a) until t2:(b))", "leaf nextNode"},
		{"initially: not (t1:(a) until t2:(b))", "initialNode leaf leaf guardedUntil"},
		{"not (t3:(c) and (t1:(a) until t2:(b)))", "leaf leaf leaf guardedUntil"},
		{"t1:(a) -> (t2:(b) before t3:(c))", "leaf leaf leaf guardedUntil"},
		{"not (t3:(c) and ((t1:(a) or t2:(b)) until t2:(c)))", "leaf leaf leaf conjunction leaf wideUntil"},
		{"t1:(a) -> next t2:(b)", "leaf leaf guardedNext"},
		{"not (t1:(a) and sometime t2:(b))", "leaf leaf sometimeNode conjunction"},
		{"not (t1:(a) and next (t2:(b) and t3:(c)))", "leaf leaf leaf conjunction nextNode conjunction"},
	} {
		b := newBuilder(formula.CompileSet(parsed(t, tt.formula), lsl.L3))
		for _, f := range b.set.Formulas {
			b.root(f)
		}
		var nodes []string
		for _, s := range b.stages {
			_, name, _ := strings.Cut(fmt.Sprintf("%T", s.node), "onthefly.")
			nodes = append(nodes, name)
		}
		if got := strings.Join(nodes, " "); got != tt.nodes {
			t.Errorf("%s: %s, want %s", tt.formula, got, tt.nodes)
		}
	}
}

// No node has work when events leave the truth of all local formulas.
func TestQuietVersions(t *testing.T) {
	const events = 100
	r := newRun(t, []string{"a", "b"}, "not (t1:(x == 1) and t2:(y == 1))")
	r.set("a", "x", 1)
	nodes := r.counted()
	for i := range events {
		r.set("a", "z", int64(i))
	}
	for _, n := range nodes {
		if n.calls > events/10 { // a sweep
			t.Errorf("%T is asked %d times in %d events", n.node, n.calls, events)
		}
	}
}

// A node that only joins what others find has no work when these find nothing.
func TestCalmNodes(t *testing.T) {
	const events = 100
	r := newRun(t, []string{"a", "b"}, "not (t1:(x == 1) and t2:(y == 1))", "not (t1:(v == 1) and t2:(w == 1))")
	r.set("a", "x", 1)
	nodes := r.counted()
	for i := range events {
		r.set("a", "v", int64(i%2))
	}
	joins := 0
	for _, n := range nodes {
		if _, ok := n.node.(*conjunctionJoin); ok {
			joins += n.calls
		}
	}
	if joins > events*3/4 { // half of the events make v 1
		t.Errorf("two joins are asked %d times in %d events", joins, events)
	}
}

// unviolated is a formula with an until below the top that stays true.
const unviolated = "not (t3:(z == 1) and next (t1:(x == 0) until t2:(y == 1)))"

// untilOf returns the node of an until, and its last version.
func (r *run) untilOf() (*untilNode, *version) {
	r.t.Helper()
	for _, s := range r.stages {
		if n, ok := s.node.(*untilNode); ok {
			return n, &r.version
		}
	}
	r.t.Fatal("no node of an until")
	return nil, nil
}

// A goal is compared with the gaps that do not end before it, of a task that had hundreds.
func TestGapsBeforeGoal(t *testing.T) {
	r := newRun(t, []string{"a", "b"}, unviolated)
	for i := range 200 {
		r.set("a", "x", int64(i%2))
	}
	r.set("b", "y", 1, "a")
	n, v := r.untilOf()
	if len(n.gaps[0]) < 100 {
		t.Fatalf("%d gaps", len(n.gaps[0]))
	}
	goal := n.goals[1][0]
	n.seen, n.saw = v.count(goal.low, n.seen), v.count(nil, n.saw)
	pairs := 0
	count := func(san.Task, *gap, *openInterval) { pairs++ }
	n.pass(v, 0, goal, count, count)
	if pairs > 3 {
		t.Errorf("%d comparisons with %d gaps", pairs, len(n.gaps[0]))
	}
}

// A gap is compared with the goals that do not come before it, of a task that had hundreds.
func TestGoalsBeforeGap(t *testing.T) {
	r := newRun(t, []string{"a", "b"}, unviolated)
	r.set("a", "x", 1)
	for i := range 200 {
		r.set("b", "y", int64(i%2))
	}
	r.set("a", "x", 0, "b")
	n, v := r.untilOf()
	if len(n.goals[1]) < 100 {
		t.Fatalf("%d goals", len(n.goals[1]))
	}
	gaps := n.gaps[0]
	if goals := n.ahead(v, gaps[len(gaps)-1], n.goals[1]); len(goals) > 3 {
		t.Errorf("%d comparisons with %d goals", len(goals), len(n.goals[1]))
	}
}

// An open interval is joined with those that are not over, of hundreds.
func TestJoinsWithOpen(t *testing.T) {
	r := newRun(t, []string{"a", "b"}, "not t:(x == 1000)")
	var kept []*openInterval
	for i := range 200 {
		r.set("a", "x", int64(i))
		x := happenedExit(san.Action{Task: 0, K: int32(i + 1)})
		kept = append(kept, &openInterval{out: []*exit{&x}})
	}
	r.set("b", "x", 0, "a")
	joins := 0
	new(conjunction).each(&r.version, kept, &openInterval{low: cut{{Task: 1, K: 1}}}, func(*openInterval) { joins++ })
	if joins > 0 {
		t.Errorf("%d of %d are joined, and all are over", joins, len(kept))
	}
}

// Of what holds before something else, one row is kept for each task.
func TestKeepsLastRows(t *testing.T) {
	r := newRun(t, []string{"a", "b"}, "not (t1:(x == 1) and sometime t2:(y == 1))")
	for i := range 200 {
		r.set("a", "x", int64(i%2))
	}
	if kept := r.OpenIntervals(); kept > 10 {
		t.Errorf("%d open intervals are kept", kept)
	}
}

// Common knowledge is computed once for all nodes of a version.
func TestCommonKnowledgeOnce(t *testing.T) {
	r := newRun(t, []string{"a", "b"}, "not t:(x == 1000)")
	r.set("a", "x", 1)
	v := &r.version
	const mark = 77 // which is not computed
	first := v.commonKnowledge(0)
	first[0] = mark
	v.commonKnowledge(1)
	if again := v.commonKnowledge(0); again[0] != mark {
		t.Error("computed twice")
	}
	r.set("a", "x", 2)
	if next := v.commonKnowledge(0); stdslices.Contains(next, mark) {
		t.Error("not computed anew for the next version")
	}
}
