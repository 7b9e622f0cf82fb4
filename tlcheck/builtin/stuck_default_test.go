package builtin

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/tracer/op"
)

// A task that signals only if another one waits already can be too early.
func TestDefaultAsOtherCase(t *testing.T) {
	const room, more = 1, 2
	begin := script{
		{Op: op.Op{Kind: op.Main}},
		{Op: op.Op{Kind: op.Go, Other: 1}},
		{Op: op.Op{Kind: op.Go, Other: 2}},
		{Op: op.Op{Kind: op.Block, Task: 1, Want: op.Recv, Object: room}}, // 4
	}
	try := func(choice int64, task op.Task, cases ...op.Case) op.Op {
		return op.Op{Kind: op.Select, Task: task, Cases: cases, Arg: choice}
	}
	sends, receives := op.Case{Object: room, Send: true}, op.Case{Object: room}
	meet := op.Op{Kind: op.Handoff, Task: 2, Other: 1, Object: room}
	tries := script{{Op: try(op.LeftDefault, 2, sends)}, {Op: meet}} // 5 and 6
	again := script{{Op: try(op.TookDefault, 2, sends)}}
	waits := script{{Op: op.Op{Kind: op.Block, Task: 1, Want: op.Recv, Object: room}}}
	uses := func(kind op.Kind) script { return script{{Op: op.Op{Kind: kind, Task: 2, Object: room}}} }
	const found = "possible: recv@6"
	for _, test := range []struct {
		name, want string
		ops        script
	}{
		{"once", found, tries},
		{"among other cases", found, script{
			{Op: try(op.LeftDefault, 2, op.Case{Object: more}, sends)}, {Op: meet},
		}},
		{"and again", "", slices.Concat(tries, again)},
		{"again, having come too early", "possible: recv@7", slices.Concat(again, tries)},
		{"and then sends", "", slices.Concat(tries, uses(op.Send))},
		{"and closes the channel", "", slices.Concat(tries, uses(op.Close))},
		{"and then the other one waits again", "observed: recv@7", slices.Concat(tries, waits)},
		{"as a third one does", "", slices.Concat(tries, script{{Op: try(op.TookDefault, 0, sends)}})},
		{"as a third one waits to do", "observed: send@7", slices.Concat(tries, script{
			{Op: op.Op{Kind: op.Block, Task: 3, Want: op.Send, Object: room}}, {Op: op.Op{Kind: op.End, Task: 1}},
		})},
		{"without a default", "", script{{Op: try(op.NoDefault, 2, op.Case{Object: more}, sends)}, {Op: meet}}},
		{"which the other one receives among others", "", slices.Concat(script{
			{Op: op.Op{Kind: op.Block, Task: 1, Want: op.Select, Cases: []op.Case{receives, {Object: more}}}},
		}, tries)},
		{"into a buffer", "", script{
			tries[0], {Op: op.Op{Kind: op.Send, Task: 2, Object: room}},
			{Op: op.Op{Kind: op.Recv, Task: 1, Object: room}, knows: []int{6}},
		}},
		{"to receive", "possible: send@6", script{
			{Op: try(op.LeftDefault, 1, receives)}, {Op: meet},
		}},
	} {
		end := script{{Op: op.Op{Kind: op.End, Task: 2}}, {Op: op.Op{Kind: op.Left}}}
		if got := brief(slices.Concat(begin, test.ops, end).findings(Stuck)); got != test.want {
			t.Errorf("a task tries to send %s: %q, want %q", test.name, got, test.want)
		}
	}
}

// In a loop it comes again.
func TestDefaultInLoop(t *testing.T) {
	const room = 1
	s := script{
		{Op: op.Op{Kind: op.Main}},
		{Op: op.Op{Kind: op.Go, Other: 1}},
		{Op: op.Op{Kind: op.Select, Arg: op.TookDefault, Cases: []op.Case{{Object: room, Send: true}}}},
		{Op: op.Op{Kind: op.Block, Task: 1, Want: op.Recv, Object: room}},
		{Op: op.Op{Kind: op.Select, Arg: op.LeftDefault, Cases: []op.Case{{Object: room, Send: true}}}},
		{Op: op.Op{Kind: op.Handoff, Other: 1, Object: room}},
		{Op: op.Op{Kind: op.End, Task: 1}},
		{Op: op.Op{Kind: op.Left}},
	}
	if got, want := brief(s.findings(Stuck)), "possible: recv@6"; got != want {
		t.Errorf("at two places: %q, want %q", got, want)
	}
	if got := brief(s.at(map[int]op.Place{5: 3}).findings(Stuck)); got != "" {
		t.Errorf("at one place: %q", got)
	}
}

// Where the source shows that a task does not come back, there is an interleaving in which the
// other one waits for ever.
func TestDefaultAgainstInterleavings(t *testing.T) {
	found, quiet := 0, 0
	rapidtest.CheckUntil(t, func() bool { return found >= 10 && quiet >= 10 }, func(t *rapid.T) {
		p := randomTries(t)
		r, lines := p.run(t)
		c := checkerOf(Stuck)
		c.ReadSource(func(g *Guess) Behind {
			if g.Took == g.Other {
				return Unread
			}
			l := lines[g.Select]
			o := p.code[l.task][l.line]
			if slices.ContainsFunc(p.code[l.task][l.line+1:], func(x op.Op) bool { return x.Object == o.Object }) {
				return ComesBack
			}
			return Leaves
		})
		for i := range r.ops {
			o := r.ops[i]
			c.Op(&o)
		}
		any := false
		for _, f := range c.Findings(testNames{}) {
			if f.How != Predicted {
				continue
			}
			any = true
			l := lines[f.Parties[0].At]
			if f.Parties[0].Task != l.task {
				l = lines[-f.Parties[0].At]
			}
			if !p.canStay(l) {
				t.Fatalf("%v: %v always goes on", p.code, l)
			}
		}
		if any {
			found++
		} else {
			quiet++
		}
	})
}

// tries is a program of tasks that each do one operation after the other on unbuffered channels. A
// Select tries to send, and goes on if no task waits; with Arg 1 it tries to receive.
type tries struct{ code [][]op.Op }

// line is a line of a task.
type line struct {
	task op.Task
	line int
}

func randomTries(t *rapid.T) *tries {
	p := new(tries)
	for range 3 {
		var code []op.Op
		for range rapid.IntRange(1, 3).Draw(t, "lines") {
			code = append(code, op.Op{
				Kind:   rapid.SampledFrom([]op.Kind{op.Send, op.Recv, op.Recv, op.Select, op.Select}).Draw(t, "kind"),
				Object: op.Object(rapid.IntRange(1, 2).Draw(t, "channel")),
				Arg:    int64(rapid.IntRange(0, 1).Draw(t, "receives")),
			})
		}
		p.code = append(p.code, code)
	}
	return p
}

// sends reports whether an operation sends, and not receives.
func sends(o op.Op) bool { return o.Kind == op.Send || o.Kind == op.Select && o.Arg == 0 }

// step is what can happen next: a task, and the one that it meets or itself.
type step struct{ task, meets op.Task }

// steps returns what can happen next. A task that is at an operation need not wait there yet, so a
// default is always possible.
func (p *tries) steps(at []int) []step {
	var all []step
	for i := range at {
		if at[i] == len(p.code[i]) {
			continue
		}
		o := p.code[i][at[i]]
		for j := range at {
			if i == j || at[j] == len(p.code[j]) {
				continue
			}
			with := p.code[j][at[j]]
			waits := with.Kind != op.Select && (o.Kind == op.Select || i < j)
			if waits && with.Object == o.Object && sends(o) != sends(with) {
				all = append(all, step{op.Task(i), op.Task(j)})
			}
		}
		if o.Kind == op.Select {
			all = append(all, step{op.Task(i), op.Task(i)})
		}
	}
	return all
}

// after returns where the tasks are after a step.
func (s step) after(at []int) []int {
	next := slices.Clone(at)
	next[s.task]++
	if s.meets != s.task {
		next[s.meets]++
	}
	return next
}

// run runs the program, and returns which line each place is of; of a transfer, that of the sender,
// and of the negative place that of the receiver.
func (p *tries) run(t *rapid.T) (*netRun, map[op.Place]line) {
	r, lines := newNetRun(), map[op.Place]line{}
	at := make([]int, len(p.code))
	mark := func(task op.Task) op.Place {
		place := op.Place(len(r.ops))
		lines[place] = line{task, at[task]}
		return place
	}
	for {
		can := p.steps(at)
		if len(can) == 0 {
			break
		}
		s := rapid.SampledFrom(can).Draw(t, "step")
		o := p.code[s.task][at[s.task]]
		if o.Kind == op.Select {
			choice := op.TookDefault
			if s.meets != s.task {
				w := p.code[s.meets][at[s.meets]]
				r.do(op.Op{Kind: op.Block, Task: s.meets, Want: w.Kind, Object: w.Object}, 0)
				choice = op.LeftDefault
			}
			cases := []op.Case{{Object: o.Object, Send: sends(o)}}
			r.do(op.Op{Kind: op.Select, Task: s.task, Arg: choice, Cases: cases}, 0)
			mark(s.task)
		}
		if s.meets != s.task {
			from, to := s.task, s.meets
			if !sends(o) {
				from, to = to, from
			}
			r.do(op.Op{Kind: op.Handoff, Task: from, Other: to, Object: o.Object}, 0)
			place := mark(from)
			lines[-place] = line{to, at[to]}
		}
		at = s.after(at)
	}
	for i := range at {
		task := op.Task(i)
		if at[i] == len(p.code[i]) {
			r.do(op.Op{Kind: op.End, Task: task}, 0)
			continue
		}
		o := p.code[i][at[i]]
		r.do(op.Op{Kind: op.Block, Task: task, Want: o.Kind, Object: o.Object}, 0)
	}
	return r, lines
}

// canStay reports whether the program can come to where the task of a line waits there for ever.
func (p *tries) canStay(l line) bool {
	seen := map[string]bool{}
	var visit func(at []int) bool
	visit = func(at []int) bool {
		if key := fmt.Sprint(at); seen[key] {
			return false
		} else {
			seen[key] = true
		}
		can := p.steps(at)
		if len(can) == 0 && at[l.task] == l.line {
			return true
		}
		return slices.ContainsFunc(can, func(s step) bool { return visit(s.after(at)) })
	}
	return visit(make([]int, len(p.code)))
}
