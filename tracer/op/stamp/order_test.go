package stamp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/stamp"
)

// What hands on knowledge from task 0 to task 1, in the order of the run and without locks.
func TestOrder(t *testing.T) {
	start := []op.Op{{Kind: op.Go, Other: 1}}
	outside := op.NoTask
	for name, ops := range map[string][]op.Op{
		"nothing: false false":         {{Kind: op.Unlock, Object: 1}, {Kind: op.Lock, Task: 1, Object: 2}},
		"mutex: true false":            {{Kind: op.Lock, Object: 1}, {Kind: op.Unlock, Object: 1}, {Kind: op.Lock, Task: 1, Object: 1}},
		"reading: false false":         {{Kind: op.RLock, Object: 1}, {Kind: op.RUnlock, Object: 1}, {Kind: op.RLock, Task: 1, Object: 1}},
		"reading, writing: true false": {{Kind: op.RLock, Object: 1}, {Kind: op.RUnlock, Object: 1}, {Kind: op.Lock, Task: 1, Object: 1}},
		"writing, reading: true false": {{Kind: op.Lock, Object: 1}, {Kind: op.Unlock, Object: 1}, {Kind: op.RLock, Task: 1, Object: 1}},
		"once: true true": {
			{Kind: op.Lock, Object: 1}, {Kind: op.Once, Object: 1, Arg: 1}, {Kind: op.Once, Task: 1, Object: 1},
		},
		"signal: true true": {
			{Kind: op.Block, Task: 1, Object: 1, Want: op.CondWait}, {Kind: op.Signal, Object: 1}, {Kind: op.CondWait, Task: 1, Object: 1},
		},
		"broadcast: true true": {
			{Kind: op.Block, Task: 1, Object: 1, Want: op.CondWait}, {Kind: op.Broadcast, Object: 1}, {Kind: op.CondWait, Task: 1, Object: 1},
		},
		"signal in vain: false false": {{Kind: op.Signal, Object: 1, Arg: 1}, {Kind: op.Lock, Task: 1, Object: 2}},
		"waitgroup: true true": {
			{Kind: op.Add, Object: 1, Arg: 1}, {Kind: op.Done, Object: 1, Arg: -1}, {Kind: op.Wait, Task: 1, Object: 1},
		},
		"atomic: true true": {{Kind: op.AtomicStore, Address: 8}, {Kind: op.AtomicLoad, Task: 1, Address: 8}},
		"close: true true":  {{Kind: op.MakeChan, Object: 1}, {Kind: op.Close, Object: 1}, {Kind: op.RecvClosed, Task: 1, Object: 1}},
		"new lock: false false": {
			{Kind: op.Lock, Object: 1}, {Kind: op.Unlock, Object: 1}, {Kind: op.Free, Task: outside, Object: 1}, {Kind: op.Lock, Task: 1, Object: 1},
		},
		"outside: false false": {
			{Kind: op.MakeChan, Object: 1}, {Kind: op.Outside, Object: 1}, {Kind: op.Handoff, Task: outside, Other: 1, Object: 1},
		},
		"timer: true true": {
			{Kind: op.MakeChan, Object: 1, Arg: 1},
			{Kind: op.Arm, Object: 1},
			{Kind: op.Send, Task: outside, Object: 1},
			{Kind: op.Recv, Task: 1, Object: 1},
		},
		"ticker: true true": {
			{Kind: op.MakeChan, Object: 1, Arg: 1},
			{Kind: op.Arm, Object: 1, Arg: 1},
			{Kind: op.Send, Task: outside, Object: 1},
			{Kind: op.Recv, Task: 1, Object: 1},
			{Kind: op.Send, Task: outside, Object: 1},
			{Kind: op.Recv, Task: 1, Object: 1},
		},
		"stopped timer: false false": {
			{Kind: op.MakeChan, Object: 1, Arg: 1},
			{Kind: op.Arm, Object: 1},
			{Kind: op.Stop, Object: 1},
			{Kind: op.Lock, Task: 1, Object: 2},
		},
		"signals of the system: false false": {
			{Kind: op.MakeChan, Object: 1, Arg: 1},
			{Kind: op.Outside, Object: 1},
			{Kind: op.Send, Task: outside, Object: 1},
			{Kind: op.Recv, Task: 1, Object: 1},
		},
		"copy: false false": {
			{Kind: op.Lock, Object: 1}, {Kind: op.RLock, Task: 1, Object: 1}, {Kind: op.Copy, Object: 1}, {Kind: op.Copy, Task: 1, Object: 1},
		},
	} {
		var passed kept
		s := &stamp.Stamper{To: &passed}
		for _, o := range append(start, ops...) {
			s.Op(&o)
		}
		if err := s.Err(); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(passed.ops) != 1+len(ops) {
			t.Errorf("%s: %d operations of %d", name, len(passed.ops), 1+len(ops))
			continue
		}
		var releases *op.Op // the last one of task 0
		for i := range passed.ops {
			if o := &passed.ops[i]; o.Task == 0 {
				releases = o
			}
		}
		last := &passed.ops[len(passed.ops)-1]
		label, _, _ := strings.Cut(name, ":")
		if got := fmt.Sprintf("%s: %t %t", label, precedes(releases, last.Full), precedes(releases, last.Free)); got != name {
			t.Errorf("%s, want %s", got, name)
		}
	}
}

// A task that waits for a timer is not stuck.
func TestWaitForTimer(t *testing.T) {
	for _, armed := range []bool{false, true} {
		checker, err := builtin.New(builtin.Stuck)
		if err != nil {
			t.Fatal(err)
		}
		s := &stamp.Stamper{To: checker}
		for _, o := range []op.Op{
			{Kind: op.Main},
			{Kind: op.MakeChan, Object: 1, Arg: 1},
			{Kind: op.Go, Other: 1},
			{Kind: op.Arm, Object: 1},
			{Kind: op.Block, Task: 1, Object: 1, Want: op.Recv, At: 9},
			{Kind: op.Left, Arg: 1},
		} {
			if o.Kind != op.Arm || armed {
				s.Op(&o)
			}
		}
		if err := s.Err(); err != nil {
			t.Fatal(err)
		}
		if findings := checker.Findings(program{}); len(findings) == 0 != armed {
			t.Errorf("armed: %t: %+v", armed, findings)
		}
	}
}

// A task that is cut off is stuck, although another one could go on; one that is not may be woken.
func TestCutOff(t *testing.T) {
	for _, cutOff := range []bool{false, true} {
		checker, err := builtin.New(builtin.Stuck)
		if err != nil {
			t.Fatal(err)
		}
		s := &stamp.Stamper{To: checker}
		for _, o := range []op.Op{
			{Kind: op.Main},
			{Kind: op.MakeChan, Object: 1},
			{Kind: op.Go, Other: 1},
			{Kind: op.Block, Object: 1, Want: op.Recv, At: 9},
			{Kind: op.CutOff, Task: op.NoTask},
		} {
			if o.Kind != op.CutOff || cutOff {
				s.Op(&o)
			}
		}
		if err := s.Err(); err != nil {
			t.Fatal(err)
		}
		if findings := checker.Findings(program{}); len(findings) == 1 != cutOff {
			t.Errorf("cut off: %t: %+v", cutOff, findings)
		}
	}
}
