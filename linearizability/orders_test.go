package linearizability

import (
	"context"
	"slices"
	"testing"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"pgregory.net/rapid"
)

// net is a strict partial order of calls and returns.
type net struct {
	ops    []*Operation
	before [][]bool // by number of event
}

// number returns the number of an event.
func number(e Event) int {
	if e.Return {
		return 2*e.Operation + 1
	}
	return 2 * e.Operation
}

func (n *net) precedes(a, b Event) bool { return n.before[number(a)][number(b)] }

// drawNet draws operations of some processes that happened one after the other or overlapping, and
// some causes between their calls and returns.
func drawNet(t *rapid.T, m Model, name string) *net {
	n := &net{ops: drawHistory(t, m, name, rapid.IntRange(0, 4).Draw(t, "operations"))}
	moment := func(i int) int64 {
		switch o := n.ops[i/2]; {
		case i%2 == 0:
			return 2 * o.Call
		case o.Unfinished:
			return 1000
		default:
			return 2*o.Return + 1
		}
	}
	count := 2 * len(n.ops)
	n.before = make([][]bool, count)
	for a := range n.before {
		n.before[a] = make([]bool, count)
	}
	few := rapid.IntRange(0, 4).Draw(t, "few")
	for a := range count {
		for b := range count {
			same := n.ops[a/2].Process == n.ops[b/2].Process || a/2 == b/2
			if moment(a) < moment(b) && (same || rapid.IntRange(0, few).Draw(t, "cause") == 0 && few < 4) {
				n.before[a][b] = true
			}
		}
	}
	for via := range count {
		for a := range count {
			for b := range count {
				n.before[a][b] = n.before[a][b] || n.before[a][via] && n.before[via][b]
			}
		}
	}
	return n
}

// orders calls f with each order of the events until it returns false.
func (n *net) orders(f func(events []Event) bool) bool {
	var events []Event
	done := make([]bool, len(n.before))
	var extend func() bool
	extend = func() bool {
		last := true
		for i := range n.before {
			if done[i] || i%2 == 1 && n.ops[i/2].Unfinished {
				continue
			}
			last = false
			ready := true
			for j := range n.before {
				ready = ready && (done[j] || !n.before[j][i])
			}
			if !ready {
				continue
			}
			done[i] = true
			events = append(events, Event{i / 2, i%2 == 1})
			more := extend()
			events = events[:len(events)-1]
			done[i] = false
			if !more {
				return false
			}
		}
		return !last || f(events)
	}
	return extend()
}

// explains reports whether an order of the events can be explained.
func (n *net) explains(m Model, events []Event) bool {
	precedes := func(a, b int) bool {
		end := slices.Index(events, Event{a, true})
		return end >= 0 && end < slices.Index(events, Event{b, false})
	}
	return explained(m, n.ops, precedes, unfinished(n.ops))
}

// allows reports whether an order has all events, as the net orders them.
func (n *net) allows(events []Event) bool {
	for i, a := range events {
		for _, b := range events[:i] {
			if n.precedes(a, b) {
				return false
			}
		}
	}
	return true
}

// The verdict on all orders is that of trying all of them, and the order that is shown is one that
// cannot be explained.
func TestCheckOrdersAgreesWithEnumeration(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			m, _ := Named(name)
			seen := map[Verdict]int{}
			hidden := 0 // nets of a history that is linearizable, and not in all orders
			enough := func() bool { return seen[Linearizable] >= 20 && hidden >= 20 }
			rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
				n := drawNet(t, wholly(m), name)
				want := Violated
				if n.orders(func(events []Event) bool { return n.explains(wholly(m), events) }) {
					want = Linearizable
				}
				n.check(t, m, want)
				n.check(t, bare{wholly(m)}, want)
				seen[want]++
				if want == Violated && explained(wholly(m), n.ops, precedesInTime(n.ops), unfinished(n.ops)) {
					hidden++
				}
			})
			if !enough() {
				t.Errorf("too few of some kind: %v, %d are violated in other orders alone", seen, hidden)
			}
		})
	}
}

func (n *net) check(t *rapid.T, m Model, want Verdict) {
	got, err := CheckOrders(context.Background(), m, n.ops, n.precedes)
	if err != nil {
		t.Fatal(err)
	}
	if got.Verdict != want {
		t.Fatalf("%v, not %v: %v %v", got.Verdict, want, n.ops, n.before)
	}
	if want == Linearizable {
		return
	}
	events := got.Evidence.Events
	if !n.allows(events) {
		t.Fatalf("the order is not allowed: %v", events)
	}
	some := &net{ops: slices.Clone(n.ops)}
	for i, o := range some.ops {
		if !slices.Contains(events, Event{i, false}) { // it belongs to another part
			left := *o
			left.Unfinished = true
			some.ops[i] = &left
		}
	}
	if some.explains(wholly(m), events) {
		t.Fatalf("the order can be explained: %v", events)
	}
}

// The order that has fewer explanations is followed, whichever of two is found first. Two writes of
// different values overlap, and two others of the same value. If the others come last, the read
// cannot see what it does.
func TestFewerExplanations(t *testing.T) {
	t.Parallel()
	for _, values := range [][]int64{{1, 2, 1, 1, 2}, {1, 1, 1, 2, 2}} {
		var ops []*Operation
		for _, v := range values[:4] {
			ops = append(ops, write(v, 0, 0))
		}
		ops = append(ops, read(values[4], 0, 0))
		pairs := func(a, b Event) bool {
			if a.Operation/2 == b.Operation/2 {
				return !a.Return && b.Return
			}
			return b.Operation == 4
		}
		r, err := CheckOrders(context.Background(), Register(nil), ops, pairs)
		if err != nil || r.Verdict != Violated {
			t.Errorf("%v: %v, %v", values, r.Verdict, err)
		}
	}
}

// Each set of unfinished operations can explain a result.
func TestUnfinishedExplain(t *testing.T) {
	t.Parallel()
	for v := range int64(9) {
		ops := []*Operation{read(v, 0, 0)}
		for _, by := range []int64{1, 2, 4} {
			ops = append(ops, &Operation{Method: "add", Arguments: []Value{by}, Unfinished: true})
		}
		called := func(a, b Event) bool { return !a.Return && b == Event{0, true} }
		want := Linearizable
		if v == 8 {
			want = Violated
		}
		r, err := CheckOrders(context.Background(), Counter(0), ops, called)
		if err != nil || r.Verdict != want {
			t.Errorf("read %d: %v, not %v, %v", v, r.Verdict, want, err)
		}
	}
}
