package stamp_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/recordtest"
	"github.com/antichain-go/antichain/internal/tracer/causality"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
	"github.com/antichain-go/antichain/tracer/op/stamp"
)

// kept has a copy of each operation.
type kept struct{ ops []op.Op }

func (k *kept) Op(o *op.Op) {
	c := *o
	c.Cases = slices.Clone(o.Cases)
	k.ops = append(k.ops, c)
}

// both is two watchers.
type both [2]op.Watcher

func (b both) Op(o *op.Op) {
	for _, w := range b {
		c := *o
		w.Op(&c)
	}
}

// What a traced program gets of the same run: the same order, and the same findings.
func TestAsTraced(t *testing.T) {
	compared := 0
	rapid.Check(t, func(t *rapid.T) {
		accesses := rapid.Bool().Draw(t, "accesses")
		var traced, stamped kept
		checkers := [2]*builtin.Checker{}
		for i := range checkers {
			checkers[i], _ = builtin.New(builtin.Properties...)
		}
		order := causality.New(causality.Options{
			Sparse: true, Accesses: accesses, Watch: both{&traced, checkers[0]}, Keep: func(*event.Event) error { return nil },
		})
		stamper := &stamp.Stamper{To: both{&stamped, checkers[1]}, Accesses: accesses}
		for _, r := range recordtest.Draw(t) {
			isAccess := r.Kind == ring.KindRead || r.Kind == ring.KindWrite
			if r.Payload != nil && isAccess {
				r.Payload = nil // a single access
			}
			if isAccess && !accesses {
				continue
			}
			before := len(traced.ops)
			if err := order.Feed(&r); err != nil {
				t.Fatal(err)
			}
			for i := range traced.ops[before:] {
				o := &traced.ops[before+i]
				o.At, o.OtherAt = placeOf(order, o.At), placeOf(order, o.OtherAt)
				if p := plain(o); !isAccess {
					stamper.Op(&p)
				}
			}
			if isAccess {
				o := op.Op{Kind: op.Read, Task: order.TaskOf(r.Ctx), Address: r.Addr, Arg: int64(r.Aux), At: op.Place(r.PC[0])}
				if r.Kind == ring.KindWrite {
					o.Kind = op.Write
				}
				stamper.Op(&o)
			}
		}
		if err := stamper.Err(); err != nil {
			t.Fatal(err)
		}
		compared += len(stamped.ops)
		compare(t, traced.ops, stamped.ops)
		if d := cmp.Diff(texts(checkers[0], order), texts(checkers[1], order)); d != "" {
			t.Error("findings: -traced +stamped:", d)
		}
	})
	if compared == 0 {
		t.Error("no operations")
	}
}

// placeOf is the address of a place, as its number.
func placeOf(order *causality.Order, at op.Place) op.Place {
	if pcs := order.Stack(at); len(pcs) > 0 {
		return op.Place(pcs[0])
	}
	return 0
}

// plain is an operation as it is before it has clocks.
func plain(o *op.Op) op.Op {
	p := op.Op{
		Kind: o.Kind, Task: o.Task, Object: o.Object, At: o.At, Arg: o.Arg, Want: o.Want, InCase: o.InCase,
		Other: o.Other, OtherAt: o.OtherAt, Cases: o.Cases, Address: o.Address,
	}
	if o.Kind == op.Send || o.Kind == op.Recv {
		p.Arg = 0
	}
	return p
}

// compare compares what operations say of what comes before them. Their numbers may differ.
func compare(t *rapid.T, traced, stamped []op.Op) {
	if len(traced) != len(stamped) {
		t.Fatalf("%d operations, traced %d", len(stamped), len(traced))
	}
	for i := range traced {
		a, b := &traced[i], &stamped[i]
		if d := cmp.Diff(numberless(a), numberless(b)); d != "" {
			t.Fatalf("operation %d: -traced +stamped: %s", i, d)
		}
		theirs, ours := clocks(a), clocks(b)
		if a.Kind == op.Lock { // it may have what has been unlocked before, or not
			delete(theirs, "Begin")
		}
		for j := range i {
			x, y := &traced[j], &stamped[j]
			for name := range theirs {
				if precedes(x, theirs[name]) != precedes(y, ours[name]) {
					t.Fatalf("operation %d, %+v: %s: operation %d, %+v, comes before it: traced %v, stamped %v",
						i, numberless(a), name, j, numberless(x), precedes(x, theirs[name]), precedes(y, ours[name]))
				}
			}
		}
	}
}

func precedes(o *op.Op, c *clock.Clock) bool {
	return o.Task != op.NoTask && o.K > 0 && c.At(int32(o.Task)) >= o.K
}

// numberless is an operation without numbers and clocks.
func numberless(o *op.Op) op.Op {
	n := plain(o)
	n.Locking = o.Locking
	n.Access = op.Access{Sectioned: o.Sectioned, OtherWant: o.OtherWant, OtherAlone: o.OtherAlone}
	return n
}

func clocks(o *op.Op) map[string]*clock.Clock {
	return map[string]*clock.Clock{
		"Full": o.Full, "Free": o.Free, "Data": o.Data, "OtherData": o.OtherData, "Begin": o.Begin, "OtherBegin": o.OtherBegin,
		"Before": o.Before, "OtherBefore": o.OtherBefore, "BeforeData": o.BeforeData, "OtherBeforeData": o.OtherBeforeData,
	}
}

func texts(c *builtin.Checker, names op.Names) []string {
	var all []string
	for _, f := range c.Findings(names) {
		all = append(all, string(f.Property)+" "+f.How.String()+" "+f.Text)
	}
	return all
}

// A mistake in the sequence of operations is an error, and nothing more is passed on.
func TestMistakes(t *testing.T) {
	for want, ops := range map[string][]op.Op{
		"go by task 0: task 2 begins, and the next one is 1":            {{Kind: op.Go, Other: 2}},
		"lock by task 3: task 3 begins, and the next one is 1":          {{Kind: op.Lock, Task: 3, Object: 1}},
		"lock by task 1: task 1 has ended":                              {{Kind: op.Go, Other: 1}, {Kind: op.End, Task: 1}, {Kind: op.Lock, Task: 1}},
		"lock by task -1: needs a task":                                 {{Kind: op.Lock, Task: op.NoTask, Object: 1}},
		"send by task 0: no room in a buffer":                           {{Kind: op.MakeChan, Object: 1}, {Kind: op.Send, Object: 1}},
		"recv by task 0: nothing in a buffer":                           {{Kind: op.MakeChan, Object: 1, Arg: 1}, {Kind: op.Recv, Object: 1}},
		"send by task 0: record 1 (handoff by context 1): to itself":    {{Kind: op.Handoff, Object: 1}},
		"block by task 0: no Want":                                      {{Kind: op.Block, Object: 1}},
		"misuse by task 0: record 1 (misuse by context 1): of an unkno": {{Kind: op.Misuse, Arg: 99}},
		"read by task 0: set Accesses":                                  {{Kind: op.Read, Address: 8}},
		"store by task 0: no Address":                                   {{Kind: op.AtomicStore}},
		"fire by task 0: timers that start functions are not":           {{Kind: op.Fire, Object: 1}},
		"conflict by task 0: no operation of a task":                    {{Kind: op.Conflict}},
	} {
		var passed kept
		s := &stamp.Stamper{To: &passed}
		for i := range ops {
			s.Op(&ops[i])
		}
		if s.Err() == nil || !strings.HasPrefix(s.Err().Error(), want) {
			t.Errorf("%v, want %q", s.Err(), want)
		}
		before := len(passed.ops)
		if s.Op(&op.Op{Kind: op.Close, Object: 7}); len(passed.ops) != before {
			t.Errorf("%q: an operation behind the mistake is passed on", want)
		}
	}
}
