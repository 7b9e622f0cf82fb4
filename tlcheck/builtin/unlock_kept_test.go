package builtin

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// calls are names of places: what has called what, innermost first. Each is FUNCTION:LINE, or the
// function is the first letter.
type calls map[op.Place][]string

func (calls) Task(t op.Task) op.Origin  { return testNames{}.Task(t) }
func (calls) Object(o op.Object) string { return testNames{}.Object(o) }

func (c calls) Place(p op.Place) op.Location {
	l := op.Location{Called: true}
	for _, f := range c[p] {
		function, _, isLong := strings.Cut(f, ":")
		if !isLong {
			function = f[:1]
		}
		l.Stack = append(l.Stack, op.Frame{Function: function, At: f})
	}
	if len(l.Stack) > 0 {
		l.At = l.Stack[0].At
	}
	return l
}

// heard is what a task knows that has heard of an operation.
func heard(of op.Task, k int32) *clock.Clock { return (*clock.Clock)(nil).With(int32(of), k) }

// A task that ends with a lock has forgotten it if another way from the same line leads to an
// Unlock in the same function.
func TestKeptLock(t *testing.T) {
	const mu, other = 1, 2
	// Function f locks in line f1 and unlocks in f2; l locks for its callers, and u unlocks for
	// them.
	names := calls{
		1: {"f1"}, 2: {"f2"}, 3: {"f3"}, 4: {"g1"},
		5: {"f.deferwrap1:3"}, 6: {"f.func1:7"}, 7: {"func:8"},
		10: {"l1", "f5"}, 11: {"u1", "f6"}, 12: {"l1", "f7"}, 13: {"l2", "f5"}, 14: {"l1", "g5"},
	}
	do := func(task op.Task, k int32, kind op.Kind, at op.Place) op.Op {
		return op.Op{Kind: kind, Task: task, K: k, Object: mu, At: at}
	}
	try := do(1, 1, op.Lock, 1)
	try.Arg = 1
	end := func(task op.Task) op.Op { return op.Op{Kind: op.End, Task: task, K: 9} }
	left := op.Op{Kind: op.Left, K: 99, Arg: 1}
	exited := op.Op{Kind: op.Left, K: 99}
	section := func(begin, end op.Place) []op.Op {
		return []op.Op{do(2, 1, op.Lock, begin), do(2, 2, op.Unlock, end)}
	}
	kept := func(at op.Place) []op.Op { return []op.Op{do(1, 1, op.Lock, at), end(1)} }
	gone := []op.Op{end(2), left}
	unlockFor := op.Op{Kind: op.Unlock, Task: 2, K: 3, Object: mu, At: 4, Begin: heard(1, 1)}
	handoff := op.Op{Kind: op.Handoff, Task: 1, K: 2, Other: 2, OtherK: 3, Object: other,
		Full: heard(1, 2), Free: heard(1, 2)}
	sendsBehind := []op.Op{do(1, 1, op.Lock, 1),
		{Kind: op.Send, Task: 1, K: 2, Object: other}, end(1)}
	serves := []op.Op{{Kind: op.Send, Task: 3, K: 1, Object: other},
		{Kind: op.Recv, Task: 3, K: 2, Object: other}}
	for name, test := range map[string]struct {
		ops  [][]op.Op
		want string // how it is known, and where
	}{
		"another way unlocks": {[][]op.Op{section(1, 2), kept(1), gone}, "observed 1 2"},
		"another line":        {[][]op.Op{section(1, 3), kept(1), gone}, "observed 1 3"},
		"deferred":            {[][]op.Op{section(1, 5), kept(1), gone}, "observed 1 5"},
		"in a literal":        {[][]op.Op{section(1, 6), kept(1), gone}, "observed 1 6"},
		"another function":    {[][]op.Op{section(1, 7), kept(1), gone}, ""},
		"for reading": {[][]op.Op{
			{do(2, 1, op.RLock, 1), do(2, 2, op.RUnlock, 2), do(2, 3, op.Lock, 4), do(2, 4, op.Unlock, 4)},
			{do(1, 1, op.RLock, 1), end(1)}, gone,
		}, "observed 1 2"},
		"readers let each other in": {[][]op.Op{
			{do(2, 1, op.RLock, 1), do(2, 2, op.RUnlock, 2)}, {do(1, 1, op.RLock, 1), end(1)}, gone,
		}, "possible 1 2"},
		"no other way":        {[][]op.Op{section(4, 4), kept(1), gone}, ""},
		"it has not ended":    {[][]op.Op{section(1, 2), {do(1, 1, op.Lock, 1)}, gone}, ""},
		"it ends the program": {[][]op.Op{section(1, 2), {do(0, 1, op.Lock, 1)}, gone}, ""},
		"freed": {[][]op.Op{section(1, 2), kept(1), {{Kind: op.Free, Task: op.NoTask,
			Object: mu}}, gone}, ""},
		"it has only tried":   {[][]op.Op{section(1, 2), {try, end(1)}, gone}, ""},
		"another one unlocks": {[][]op.Op{section(1, 2), kept(1), {unlockFor}, gone}, ""},
		"others have before": {[][]op.Op{section(1, 2), {do(1, 1, op.Lock, 1), unlockFor}, {do(1, 2, op.Lock,
			1), end(1)}, gone}, ""},
		"others may": {[][]op.Op{section(1, 2), {do(1, 1, op.Lock, 1), handoff, end(1)}, {left}},
			"possible 1 2"},
		"others may know of it": {[][]op.Op{section(1, 2), {do(1, 1, op.Lock, 1), {Kind: op.Go, Task: 1, K: 2,
			Other: 3}, end(1)}, gone}, "possible 1 2"},
		"others may receive it": {[][]op.Op{section(1, 2), serves, sendsBehind, {end(2), left}},
			"possible 1 2"},
		"all others have ended": {[][]op.Op{section(1, 2), serves, sendsBehind,
			{end(2), end(3), left}}, "observed 1 2"},
		"others do not know so far": {[][]op.Op{section(1, 2), {do(1, 1, op.Lock, 1), end(1)}, {left}}, "possible 1 2"},
		"main has exited":           {[][]op.Op{section(1, 2), kept(1), {end(2), exited}}, "possible 1 2"},
		"others wait for it": {[][]op.Op{section(1, 2), {do(1, 1, op.Lock, 1), handoff, end(1)},
			{{Kind: op.Block, Task: 2, K: 4, Object: mu, Want: op.Lock, At: 4}, left}}, "observed 1 2"},
		"no other task uses it": {[][]op.Op{{do(1, 1, op.Lock, 1), do(1, 2, op.Unlock, 2)}, {do(1, 3, op.Lock, 1),
			end(1)}, gone}, "possible 1 2"},
		"all have used it before": {[][]op.Op{section(1, 2), {{Kind: op.Lock, Task: 1, K: 1, Object: mu, At: 1,
			Free: heard(2, 2), Full: heard(2, 2)}, end(1)}, gone}, "possible 1 2"},
		"a Cond unlocks": {[][]op.Op{section(1, 3), {{Kind: op.Block, Task: 2, K: 3, Object: other,
			Want: op.CondWait, At: 3}},
			{do(2, 4, op.Lock, 3), do(2, 5, op.Unlock, 4)}, kept(1), gone}, ""},
		"the caller unlocks":        {[][]op.Op{section(10, 11), kept(10), gone}, "observed 10 11"},
		"another caller":            {[][]op.Op{section(10, 11), kept(14), gone}, ""},
		"another call":              {[][]op.Op{section(10, 11), kept(12), gone}, ""},
		"another line of the lock":  {[][]op.Op{section(10, 11), kept(13), gone}, ""},
		"it returns with the lock":  {[][]op.Op{section(10, 11), section(10, 13), kept(14), gone}, ""},
		"it unlocks, or its caller": {[][]op.Op{section(14, 13), kept(14), gone}, "observed 14 13"},
	} {
		c := checkerOf(Unlock)
		for _, o := range slices.Concat(append([][]op.Op{{{Kind: op.Main}}}, test.ops...)...) {
			c.Op(&o)
		}
		got := ""
		for _, f := range c.Findings(names) {
			got += fmt.Sprint(f.How, " ", f.Parties[0].At, " ", f.Parties[1].At)
			if f.Cause != f.Parties[0].At || !f.AtEnd {
				t.Errorf("%s: cause %d, at the end: %t", name, f.Cause, f.AtEnd)
			}
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// A task that ends with a place in a semaphore has forgotten it, as a lock.
func TestKeptPermit(t *testing.T) {
	const permits = 1
	names := calls{1: {"f1"}, 2: {"f2"}, 4: {"g1"}}
	do := func(task op.Task, k int32, kind op.Kind, at op.Place) op.Op {
		return op.Op{Kind: kind, Task: task, K: k, Object: permits, At: at}
	}
	end := func(task op.Task) op.Op { return op.Op{Kind: op.End, Task: task, K: 9} }
	section := func(task op.Task, end op.Place) []op.Op {
		return []op.Op{do(task, 1, op.Send, 1), do(task, 2, op.Recv, end)}
	}
	kept := []op.Op{do(1, 5, op.Send, 1), end(1)}
	gone := []op.Op{end(2), end(3), {Kind: op.Left, K: 99, Arg: 1}}
	for name, test := range map[string]struct {
		ops  [][]op.Op
		want string
	}{
		"others give it back": {[][]op.Op{section(2, 2), section(3, 2), kept, gone}, "possible 1 2"},
		"and so has it":       {[][]op.Op{section(1, 2), section(3, 2), kept, gone}, "possible 1 2"},
		"only one other does": {[][]op.Op{section(2, 2), section(2, 2), kept, gone}, ""},
		"in another function": {[][]op.Op{section(2, 4), section(3, 4), kept, gone}, ""},
		"another one receives it": {[][]op.Op{
			section(2, 2), section(3, 2), kept, {do(3, 5, op.Recv, 2)}, gone,
		}, ""},
		"another one has received": {[][]op.Op{
			section(2, 2), section(3, 2), {do(2, 3, op.Send, 1), do(3, 3, op.Recv, 2)}, kept, gone,
		}, ""},
		"one takes what is there": {[][]op.Op{section(2, 2), section(3, 2), {{Kind: op.Select, Task: 2, K: 3,
			Cases: []op.Case{{Object: permits}}, Arg: op.TookDefault}}, kept, gone}, ""},
		"one takes a free place": {[][]op.Op{section(2, 2), section(3, 2), {{Kind: op.Select, Task: 2, K: 3,
			Cases: []op.Case{{Object: permits, Send: true}}, Arg: op.TookDefault}}, kept, gone}, "possible 1 2"},
		"others go on": {[][]op.Op{section(2, 2), section(3, 2), kept, {end(2), {Kind: op.Left, K: 99, Arg: 1}}},
			"possible 1 2"},
		"it has not ended": {[][]op.Op{section(2, 2), section(3, 2), kept[:1], gone}, ""},
		"freed": {[][]op.Op{section(2, 2), section(3, 2), kept,
			{{Kind: op.Free, Task: op.NoTask, Object: permits}}, gone}, ""},
	} {
		c := checkerOf(Unlock)
		for _, o := range slices.Concat(append([][]op.Op{{{Kind: op.Main}}}, test.ops...)...) {
			c.Op(&o)
		}
		got := ""
		for _, f := range c.Findings(names) {
			got += fmt.Sprint(f.How, " ", f.Parties[0].At, " ", f.Parties[1].At)
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
