package deadlock

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/locktest"
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

// places tells a cycle from others by where its parties wait.
func places(c *Cycle) string {
	var at []int
	for _, p := range c.Parties {
		at = append(at, int(p.At))
	}
	slices.Sort(at)
	return fmt.Sprint(at)
}

// made makes the channels of programs of package locktest, so that it is known who can end the wait
// for them.
var made = []op.Op{
	{Kind: op.MakeChan, Task: op.NoTask, Other: op.NoTask, Object: 101},
	{Kind: op.MakeChan, Task: op.NoTask, Other: op.NoTask, Object: 102},
}

// A deadlock that a history makes exact can happen with each read seeing what it saw. No deadlock
// is lost by it.
func TestPreservedDeadlocks(t *testing.T) {
	exact, waiting, others := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		for range 200 { // few runs have any
			r := locktest.Execute(t, locktest.Draw(t))
			ops := slices.Clone(made)
			for i := range r.Events {
				ops = append(ops, r.Ops(i)...)
			}
			ops = append(ops, r.Ends()...)
			with, before := map[string]Cycle{}, map[string]Cycle{}
			for _, c := range cyclesOf(ops, true) {
				with[places(&c)] = c
			}
			for _, c := range cyclesOf(ops, false) {
				before[places(&c)] = c
				if with[places(&c)].Parties == nil {
					t.Fatalf("%v\n%v: not found with a history", r.Program, c)
				}
			}
			for at, c := range with {
				if !c.Exact {
					others++
				} else if !before[at].Exact {
					exact++
					if slices.ContainsFunc(c.Parties, waitsToReceive) {
						waiting++
					}
					checkPreserved(t, r, &c)
				}
			}
		}
	})
	if (exact == waiting || waiting == 0 || others == 0) && !testing.Short() {
		t.Errorf("%d exact ones, %d of them with somebody who waits to receive, and %d others", exact, waiting, others)
	}
}

func waitsToReceive(p Party) bool { return p.Kind == op.Recv }

// checkPreserved checks by enumeration that the parties can all come to where they wait, and that
// nobody has closed by then what they wait to receive from.
func checkPreserved(t *rapid.T, r *locktest.Run, c *Cycle) {
	var waits []int
	for _, p := range c.Parties {
		if p.Kind == op.End {
			return
		}
		waits = append(waits, int(p.At)-1)
	}
	reached, real := r.Reached(), false
	r.Cuts(func(c locktest.Cut) {
		in := r.Bits(c)
		ended := func(i int) bool {
			return r.Events[i].Kind == op.RecvClosed && r.IsClosed(r.Events[i].Obj, in)
		}
		real = real || r.AtPoints(c, waits...) && reached[in] && !slices.ContainsFunc(waits, ended)
	})
	if !real {
		t.Fatalf("%v\n%v: no order leads there", r.Program, c)
	}
	last := int32(0)
	for _, s := range c.Schedule[:len(c.Schedule)-len(c.Parties)] {
		if int32(s.At) <= last {
			t.Fatalf("%v\n%v: not in the order of the run", r.Program, c.Schedule)
		}
		last = int32(s.At)
	}
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
	open := op.Op{Kind: op.Conflict, Task: 1, Want: op.Read, Moment: 1, Other: 0, OtherWant: op.Write, OtherMoment: 1}
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
