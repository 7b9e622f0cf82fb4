package deadlock

import (
	"fmt"
	"slices"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// cyclesOf returns the predicted cycles of a run, with a history or without.
func cyclesOf(ops []op.Op, with bool) []Cycle {
	d, h := New(), reorder.New()
	if with {
		d.Reorders(h)
	}
	for i := range ops {
		h.Op(&ops[i])
		d.Op(&ops[i])
	}
	return slices.DeleteFunc(d.Cycles(), func(c Cycle) bool { return c.Observed })
}

// Whether what a section has written has been read in another one decides how a deadlock is known.
func TestExactDeadlock(t *testing.T) {
	started := new(clock.Clock).With(0, 2)
	run := func(data *clock.Clock, more ...op.Op) []op.Op {
		ops := []op.Op{
			{Kind: op.Go, Task: 0, K: 1, Other: 1},
			{Kind: op.Go, Task: 0, K: 2, Other: 2},
			{Kind: op.Lock, Task: 1, K: 1, Object: 1, At: 1},
			{Kind: op.Lock, Task: 1, K: 2, Object: 2, At: 2},
			{Kind: op.Unlock, Task: 1, K: 3, Object: 2, At: 3},
			{Kind: op.Unlock, Task: 1, K: 4, Object: 1, At: 4},
			{Kind: op.Lock, Task: 2, K: 1, Object: 2, At: 5},
			{Kind: op.Lock, Task: 2, K: 2, Object: 1, At: 6},
			{Kind: op.Left, Task: 0, K: 3},
		}
		for i := range ops {
			o := &ops[i]
			o.Full, o.Free, o.Begin, o.Data = started, started, started, started
			if o.Task == 2 {
				o.Full, o.Begin, o.Data = started.With(1, 4), started.With(1, 4), data
			}
		}
		return append(more, ops...)
	}
	logged := slices.DeleteFunc(run(started, op.Op{Kind: op.Go, Task: 0, K: 1, Other: 3}, op.Op{Kind: op.Main, Arg: 1}),
		func(o op.Op) bool { return o.Kind == op.Left })
	open := op.Op{Kind: op.Conflict, Task: 1, Want: op.Read, Other: 0}
	open.Access = op.Access{Moment: 1, OtherWant: op.Write, OtherMoment: 1}
	for name, c := range map[string]struct {
		ops  []op.Op
		with bool
		want bool
	}{
		"without a history":       {run(started), false, false},
		"nothing read":            {run(started), true, true},
		"read before the section": {run(started.With(1, 1)), true, true},
		"read in the section":     {run(started.With(1, 2)), true, false},
		"open":                    {run(started, open), true, false},
		"others could unlock":     {run(started, op.Op{Kind: op.Go, Task: 0, K: 1, Other: 3}, op.Op{Kind: op.Main}), true, false},
		"not in other languages":  {logged, true, true},
		"nobody else":             {run(started, op.Op{Kind: op.Main}), true, true},
	} {
		if got := cyclesOf(c.ops, c.with); len(got) != 1 || got[0].Exact != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// lines names each ten places alike.
type lines struct{}

func (lines) Task(op.Task) op.Origin       { return op.Origin{} }
func (lines) Object(op.Object) string      { return "" }
func (lines) Place(p op.Place) op.Location { return op.Location{At: fmt.Sprint("x.go:", p/10)} }

// A read that saw what the other task has written behind its own wait makes a deadlock only
// possible, unless it was to count.
func TestSeenAhead(t *testing.T) {
	read := op.Op{Kind: op.ReadFrom, Task: 2, Other: 1, At: 50, Address: 8}
	read.Moment, read.OtherMoment = 1, 2
	also, rewrite, elsewhere, early := read, read, read, read
	also.Address = 16
	rewrite.Kind, rewrite.At = op.Rewrite, 51
	elsewhere.Kind, elsewhere.At = op.Rewrite, 60
	early.OtherMoment = 1
	late := read
	late.Moment = 2
	for name, c := range map[string]struct {
		reads []op.Op
		want  rule.Certainty
	}{
		"decides":             {[]op.Op{read}, rule.Possible},
		"counts":              {[]op.Op{read, rewrite}, rule.Reordered},
		"counts and decides":  {[]op.Op{read, rewrite, also}, rule.Possible},
		"tests and sets":      {[]op.Op{read, elsewhere}, rule.Possible},
		"written before":      {[]op.Op{early}, rule.Reordered},
		"read behind the end": {[]op.Op{late}, rule.Reordered},
	} {
		known, before := new(clock.Clock).With(1, 2), new(clock.Clock).With(1, 4)
		ops := []op.Op{
			{Kind: op.Lock, Task: 1, K: 1, Object: 1, At: 10}, {Kind: op.Lock, Task: 1, K: 2, Object: 2, At: 20},
			{Kind: op.Unlock, Task: 1, K: 3, Object: 2, At: 30}, {Kind: op.Unlock, Task: 1, K: 4, Object: 1, At: 40},
			{Kind: op.Lock, Task: 2, K: 1, Object: 2, At: 50, Full: before, Begin: before},
		}
		ops = append(ops, c.reads...)
		last := op.Op{Kind: op.Lock, Task: 2, K: 2, Object: 1, At: 60, Full: before, Begin: before, Data: known}
		ops = append(ops, last)
		h, r := reorder.New(), Rule.New().(*reporter)
		r.Reorders(h)
		for i := range ops {
			h.Op(&ops[i])
			r.Op(&ops[i])
		}
		if got := r.Findings(lines{}); len(got) != 1 || got[0].How != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
