//go:build unix

package launch

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// listener keeps copies of the operations that it receives.
type listener struct {
	ops    []op.Op
	panics int // at that operation, if it is not 0
}

func (l *listener) Op(o *op.Op) {
	c := *o
	c.Cases = slices.Clone(o.Cases)
	l.ops = append(l.ops, c)
	*o = op.Op{} // which it may do
	if len(l.ops) == l.panics {
		panic("heard enough")
	}
}

// The watcher receives the same on its own goroutine as at once, whatever becomes of the memory of
// the operations.
func TestAside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want, got listener
		a := &asyncWatcher{to: &got}
		var o op.Op
		var cases []op.Case
		var known *clock.Clock
		tell := func(n int) {
			for range n {
				k := int32(len(want.ops) + 1)
				known = known.With(k%5, k)
				cases = cases[:0]
				for i := range k % 4 {
					cases = append(cases, op.Case{Object: op.Object(k + i)})
				}
				o = op.Op{Kind: op.Select, K: k, Cases: slices.Clone(cases), Full: known}
				want.Op(&o)
				o = op.Op{Kind: op.Select, K: k, Cases: cases, Full: known}
				a.Op(&o)
			}
		}
		for range rapid.IntRange(1, 3).Draw(t, "times") {
			tell(rapid.IntRange(0, 3).Draw(t, "at once"))
			a.runConcurrently(func() { tell(rapid.IntRange(0, 3*batchSize).Draw(t, "apart")) })
		}
		for i := range want.ops {
			w, g := &want.ops[i], &got.ops[i]
			if w.K != g.K || w.Full != g.Full || !slices.Equal(w.Cases, g.Cases) {
				t.Fatalf("operation %d: told %+v, want %+v", i, g, w)
			}
		}
		if len(got.ops) != len(want.ops) {
			t.Fatalf("told %d operations of %d", len(got.ops), len(want.ops))
		}
	})
}

// emptyNames has no names.
type emptyNames struct{}

func (emptyNames) Task(op.Task) op.Origin        { return op.Origin{By: op.NoTask} }
func (emptyNames) Object(op.Object) string       { return "" }
func (emptyNames) Place(at op.Place) op.Location { return op.Location{At: string(rune('a' + at))} }

// The findings do not depend on the goroutine.
func TestFindingsAside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ops := tangle(t)
		find := func(apart bool) []builtin.Finding {
			c, err := builtin.New(builtin.Deadlock, builtin.Stuck, builtin.Closed)
			if err != nil {
				t.Fatal(err)
			}
			a := &asyncWatcher{to: c}
			tell := func() {
				for i := range ops {
					o := ops[i]
					a.Op(&o)
				}
			}
			if apart {
				a.runConcurrently(tell)
			} else {
				tell()
			}
			return c.Findings(emptyNames{})
		}
		want := find(false)
		if len(want) == 0 {
			t.Fatal("nothing was found")
		}
		if d := cmp.Diff(want, find(true), cmp.AllowUnexported(builtin.Finding{}, builtin.Party{})); d != "" {
			t.Fatal(d)
		}
	})
}

// tangle is a run of two tasks that know nothing of each other: each locks two of three locks and
// sends on a channel that the first one may close.
func tangle(t *rapid.T) []op.Op {
	ops := []op.Op{{Kind: op.Main, K: 1}, {Kind: op.Go, K: 2, Other: 1}, {Kind: op.Go, K: 3, Other: 2}}
	for task := op.Task(1); task <= 2; task++ {
		locks := rapid.Permutation([]op.Object{1, 2, 3}).Draw(t, "locks")
		k := int32(0)
		add := func(o op.Op) {
			k++
			o.Task, o.K, o.At, o.Other = task, k, op.Place(10*int32(task)+k), op.NoTask
			ops = append(ops, o)
		}
		for range rapid.IntRange(1, batchSize/2).Draw(t, "times") {
			k = 0
			add(op.Op{Kind: op.Lock, Object: locks[0]})
			add(op.Op{Kind: op.Lock, Object: locks[1]})
			add(op.Op{Kind: op.Unlock, Object: locks[1]})
			add(op.Op{Kind: op.Unlock, Object: locks[0]})
		}
		add(op.Op{Kind: op.Select, Arg: 1, Cases: []op.Case{{Object: 4, Send: true}}})
		if task == 1 {
			add(op.Op{Kind: op.Close, Object: 4})
		}
	}
	return ops
}

// A panic of the watcher reaches the caller, during f or after, and so does one of f; the goroutine
// ends.
func TestPanicAside(t *testing.T) {
	for _, at := range []int{1, batchSize, batchSize + 1, 20 * batchSize} {
		told := 0
		a := &asyncWatcher{to: &listener{panics: at}}
		bug := capture(func() {
			a.runConcurrently(func() {
				for told < 20*batchSize {
					told++
					a.Op(&op.Op{})
				}
			})
		})
		if bug == nil || bug.Value != "heard enough" {
			t.Errorf("panic at %d: got %v", at, bug)
		}
		<-a.done
		if most := at + (batches+1)*batchSize; told > most {
			t.Errorf("panic at %d: %d operations were told, more than %d", at, told, most)
		}
	}
	a := &asyncWatcher{to: new(listener)}
	if bug := capture(func() { a.runConcurrently(func() { panic("mine") }) }); bug == nil || bug.Value != "mine" {
		t.Errorf("got %v", bug)
	}
	<-a.done
}
