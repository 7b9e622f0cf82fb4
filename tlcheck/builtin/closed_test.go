package builtin

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/op"
)

// Sends that a close can come before, against all slices of random runs.
func TestClosedAgainstSlices(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		r := randomChannels(t)
		var want [][]op.Place
		for i := range r.ops {
			send := &r.ops[i]
			if send.Kind != op.Send && send.Kind != op.Handoff && send.Kind != op.Select {
				continue
			}
			for j := range r.ops {
				closes := &r.ops[j]
				if closes.Kind == op.Close && sendsOn(send, closes.Object) && r.canFollow(i, j) {
					want = append(want, []op.Place{send.At, closes.At})
				}
			}
		}
		slices.SortFunc(want, slices.Compare)
		if got := placesOf(r.findings(Closed)); !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("found %v, want %v", got, want)
		}
		found += len(want)
	})
	if found == 0 {
		t.Error("no run has a send on a closed channel")
	}
}

func sendsOn(o *op.Op, c op.Object) bool {
	return o.Object == c || slices.Contains(o.Cases, op.Case{Object: c, Send: true})
}

// canFollow reports whether operation i is next in some slice that has j.
func (r *netRun) canFollow(i, j int) bool {
	can := false
	r.slices(func(in bits) { can = can || in.has(j) && r.next(in, i) })
	return can
}

// randomChannels returns a run on two unbuffered channels.
func randomChannels(t *rapid.T) *netRun {
	r := newNetRun()
	closed := map[op.Object]bool{}
	channel := rapid.Custom(func(t *rapid.T) op.Object { return op.Object(rapid.IntRange(1, 2).Draw(t, "channel")) })
	const tasks = 4
	r.random(t, tasks, moves{
		"handoff": func(t *rapid.T, task op.Task) bool {
			c, to := channel.Draw(t, "on"), op.Task(rapid.IntRange(0, tasks-1).Draw(t, "to"))
			if closed[c] || to == task {
				return false
			}
			r.do(op.Op{Kind: op.Handoff, Task: task, Other: to, Object: c}, 0)
			return true
		},
		"send": func(t *rapid.T, task op.Task) bool {
			c := channel.Draw(t, "on")
			if closed[c] {
				return false
			}
			r.do(op.Op{Kind: op.Send, Task: task, Object: c}, 0)
			return true
		},
		"select": func(t *rapid.T, task op.Task) bool {
			r.do(op.Op{Kind: op.Select, Task: task, Arg: 1, Cases: []op.Case{{Object: channel.Draw(t, "on"), Send: true}}}, 0)
			return true
		},
		"close": func(t *rapid.T, task op.Task) bool {
			c := channel.Draw(t, "what")
			if closed[c] {
				return false
			}
			closed[c] = true
			r.held[c] = r.do(op.Op{Kind: op.Close, Task: task, Object: c}, 0)
			return true
		},
		"receive": func(t *rapid.T, task op.Task) bool {
			c := channel.Draw(t, "from")
			if !closed[c] {
				return false
			}
			r.do(op.Op{Kind: op.RecvClosed, Task: task, Object: c}, r.held[c])
			return true
		},
	})
	return r
}
