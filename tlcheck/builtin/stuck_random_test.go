package builtin

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/op"
)

// smallProgram is a program of some tasks that do one operation after the other, and where they
// are: two channels without a buffer, two Mutexes and a WaitGroup. Task 0 is main.
type smallProgram struct {
	code   [][]op.Op
	at     []int
	closed map[op.Object]bool
	holder map[op.Object]op.Task
	count  int
}

func (s *smallProgram) clone() *smallProgram {
	c := *s
	c.at = slices.Clone(s.at)
	c.closed, c.holder = map[op.Object]bool{}, map[op.Object]op.Task{}
	for o := range s.closed {
		c.closed[o] = true
	}
	for o, t := range s.holder {
		c.holder[o] = t
	}
	return &c
}

// next returns the next operation of a task; of kind End if there is none.
func (s *smallProgram) next(t op.Task) op.Op {
	if s.at[t] == len(s.code[t]) {
		return op.Op{Kind: op.End, Task: t}
	}
	o := s.code[t][s.at[t]]
	o.Task = t
	return o
}

// partner returns a task that sends on a channel or receives from it, as its next operation.
func (s *smallProgram) partner(kind op.Kind, c op.Object, but op.Task, not []bool) (op.Task, bool) {
	for u := range s.at {
		if o := s.next(op.Task(u)); op.Task(u) != but && !not[u] && o.Kind == kind && o.Object == c {
			return op.Task(u), true
		}
	}
	return 0, false
}

// can reports whether a task can go on. Those who have left cannot.
func (s *smallProgram) can(t op.Task, left []bool) bool {
	o := s.next(t)
	switch o.Kind {
	case op.End:
		return false
	case op.Lock:
		_, locked := s.holder[o.Object]
		return !locked
	case op.Send:
		_, ok := s.partner(op.Recv, o.Object, t, left)
		return ok || s.closed[o.Object]
	case op.Recv:
		_, ok := s.partner(op.Send, o.Object, t, left)
		return ok || s.closed[o.Object]
	case op.Wait:
		return s.count == 0
	}
	return true
}

// step lets a task that can go on do so, and returns what it did; of kind None if that was nothing.
func (s *smallProgram) step(t op.Task, left []bool) op.Op {
	o := s.next(t)
	s.at[t]++
	switch o.Kind {
	case op.Lock:
		s.holder[o.Object] = t
	case op.Unlock:
		if h, locked := s.holder[o.Object]; !locked || h != t {
			return op.Op{}
		}
		delete(s.holder, o.Object)
	case op.Close:
		if s.closed[o.Object] {
			return op.Op{}
		}
		s.closed[o.Object] = true
	case op.Send, op.Recv:
		if s.closed[o.Object] {
			o.Kind = op.RecvClosed // or a panic that was recovered from
			return o
		}
		u, _ := s.partner(op.Send+op.Recv-o.Kind, o.Object, t, left)
		s.at[u]++
		if o.Kind == op.Recv {
			t, u = u, t
		}
		return op.Op{Kind: op.Handoff, Task: t, Other: u, Object: o.Object}
	case op.Add:
		s.count++
		o.Arg = 1
	case op.Done:
		if s.count == 0 {
			return op.Op{}
		}
		s.count--
		o.Arg = -1
	}
	return o
}

// movable returns the tasks that can go on in some continuation.
func (s *smallProgram) movable(left []bool) []bool {
	can := make([]bool, len(s.at))
	seen := map[string]bool{}
	var explore func(*smallProgram)
	explore = func(s *smallProgram) {
		if key := fmt.Sprint(s.at, s.closed, s.holder, s.count); seen[key] {
			return
		} else {
			seen[key] = true
		}
		for t := range s.at {
			if left[t] || !s.can(op.Task(t), left) {
				continue
			}
			after := s.clone()
			after.step(op.Task(t), left)
			for u := range after.at {
				can[u] = can[u] || after.at[u] > s.at[u]
			}
			explore(after)
		}
	}
	explore(s)
	return can
}

// Tasks that are reported to wait for ever never go on; and where none can go on, all are reported.
func TestStuckAgainstContinuations(t *testing.T) {
	stuck, still := 0, 0
	one := func(t *rapid.T) {
		s := randomSmall(t)
		left := make([]bool, len(s.at))
		ops := s.run(t, left)
		movable := s.movable(left)
		reported := make([]bool, len(s.at))
		for _, f := range told(ops) {
			for _, p := range f.Parties {
				if f.How != Observed {
					continue
				}
				reported[p.Task] = true
				if movable[p.Task] {
					t.Fatalf("%s, but it can go on: %s", f.Text, brieflyTold(ops))
				}
				stuck++
			}
		}
		if slices.Contains(movable, true) || left[0] && slices.Contains(slices.Collect(maps.Values(s.holder)), 0) {
			return // main, which has left, may have been about to unlock
		}
		still++
		for u := range s.at {
			waits := s.next(op.Task(u)).Kind != op.End
			if waits && !left[u] && !reported[u] {
				t.Fatalf("task %d waits for ever and is not reported: %s", u, brieflyTold(ops))
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 10 {
			one(t)
		}
	})
	if stuck == 0 || still == 0 {
		t.Errorf("%d tasks are stuck, %d runs come to a standstill", stuck, still)
	}
}

func brieflyTold(ops []op.Op) string {
	text := ""
	for _, o := range ops {
		text += fmt.Sprintf(" %s", o.Kind)
		if o.Kind == op.Block {
			text += fmt.Sprintf("(%s)", o.Want)
		}
		text += fmt.Sprintf(" %d %d %d;", o.Task, o.Other, o.Object)
	}
	return text
}

func randomSmall(t *rapid.T) *smallProgram {
	const tasks = 4
	s := &smallProgram{at: make([]int, tasks), closed: map[op.Object]bool{}, holder: map[op.Object]op.Task{}}
	objects := map[op.Kind]op.Object{
		op.Send: 1, op.Recv: 1, op.Close: 1, op.Lock: 3, op.Unlock: 3, op.Add: 5, op.Done: 5, op.Wait: 5,
	}
	kinds := []op.Kind{op.Send, op.Recv, op.Send, op.Recv, op.Close, op.Lock, op.Unlock, op.Lock, op.Add, op.Done, op.Wait}
	for range tasks {
		var code []op.Op
		for range rapid.IntRange(0, 4).Draw(t, "operations") {
			kind := rapid.SampledFrom(kinds).Draw(t, "kind")
			o := op.Op{Kind: kind, Object: objects[kind]}
			if kind != op.Add && kind != op.Done && kind != op.Wait {
				o.Object += op.Object(rapid.IntRange(0, 1).Draw(t, "which"))
			}
			code = append(code, o)
		}
		s.code = append(s.code, code)
	}
	return s
}

// run runs the program for a while, and returns the operations. Main may leave.
func (s *smallProgram) run(t *rapid.T, left []bool) []op.Op {
	ops := []op.Op{{Kind: op.Main}}
	for u := 1; u < len(s.at); u++ {
		ops = append(ops, op.Op{Kind: op.Go, Other: op.Task(u)})
	}
	waits := make([]int, len(s.at)) // where a task was made to wait, from 1
	tell := func() {
		for u := range s.at {
			o := s.next(op.Task(u))
			switch {
			case waits[u] == s.at[u]+1 || s.can(op.Task(u), left):
			case o.Kind == op.End:
				if u > 0 {
					ops = append(ops, o)
				}
				waits[u] = s.at[u] + 1
			default:
				ops = append(ops, op.Op{Kind: op.Block, Task: op.Task(u), Want: o.Kind, Object: o.Object})
				waits[u] = s.at[u] + 1
			}
		}
	}
	tell()
	for range rapid.IntRange(0, 20).Draw(t, "steps") {
		var able []op.Task
		for u := range s.at {
			if s.can(op.Task(u), left) {
				able = append(able, op.Task(u))
			}
		}
		if len(able) == 0 {
			break
		}
		if o := s.step(rapid.SampledFrom(able).Draw(t, "who"), left); o.Kind != op.None {
			ops = append(ops, o)
		}
		tell()
	}
	if s.next(0).Kind == op.End || rapid.Bool().Draw(t, "exits") {
		left[0] = true
		ops = append(ops, op.Op{Kind: op.Left})
		tell()
	}
	return ops
}
