package linearizability

import (
	"context"
	"slices"
	"testing"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"pgregory.net/rapid"
)

// wholly returns a model of objects with parts as one of the whole object, and others as they are.
func wholly(m Model) Model {
	if _, ok := m.(Partitioned); ok {
		return whole{m, map[string][]entry{}}
	}
	return m
}

// The verdict on a history is that of trying all orders, and what is shown for it is right.
func TestCheckAgreesWithEnumeration(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			m, _ := Named(name)
			seen := map[Verdict]int{}
			enough := func() bool { return seen[Linearizable] >= 20 && seen[Violated] >= 20 }
			rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
				ops := drawHistory(t, wholly(m), name, rapid.IntRange(0, 7).Draw(t, "operations"))
				want := Violated
				if explained(wholly(m), ops, precedesInTime(ops), unfinished(ops)) {
					want = Linearizable
				}
				checkVerdict(t, m, ops, want)
				checkVerdict(t, bare{wholly(m)}, ops, want)
				seen[want]++
			})
			if !enough() {
				t.Errorf("too few of some verdict: %v", seen)
			}
		})
	}
}

func checkVerdict(t *rapid.T, m Model, ops []*Operation, want Verdict) {
	got, err := Check(context.Background(), m, ops)
	if err != nil {
		t.Fatal(err)
	}
	if got.Verdict != want {
		t.Fatalf("%v, not %v: %v", got.Verdict, want, ops)
	}
	if want == Violated {
		checkEvidence(t, m, ops, got.Evidence)
		return
	}
	placed := 0
	for _, order := range got.Order {
		checkOrder(t, m, ops, order)
		for _, i := range order {
			if !ops[i].Unfinished {
				placed++
			}
		}
	}
	for _, o := range ops {
		if !o.Unfinished {
			placed--
		}
	}
	if placed != 0 {
		t.Fatalf("the orders are not of all operations: %v", got.Order)
	}
}

// checkOrder fails if operations, in an order, do not explain their results.
func checkOrder(t *rapid.T, m Model, ops []*Operation, order []int) {
	precedes := precedesInTime(ops)
	state := m.Init()
	for n, i := range order {
		for _, later := range order[n:] {
			if precedes(later, i) {
				t.Fatalf("%v comes before %v in the order", ops[i], ops[later])
			}
		}
		after, ok := m.Step(state, asKnown(ops[i]))
		if !ok {
			t.Fatalf("%v is not possible after %v", ops[i], order[:n])
		}
		state = after
	}
}

// checkEvidence fails unless the operations that had returned can be explained, and cannot with the
// one that is named.
func checkEvidence(t *rapid.T, m Model, ops []*Operation, e *Evidence) {
	var some []*Operation
	var returned []bool
	for i, o := range ops {
		before := slices.Contains(e.Before, i)
		if before || i == e.Operation || slices.Contains(e.Overlapping, i) {
			some = append(some, o)
			returned = append(returned, before)
		}
	}
	if !explained(m, some, precedesInTime(some), func(i int) bool { return !returned[i] }) {
		t.Fatalf("the evidence is not the shortest: %+v", e)
	}
	overlaps := func(i int) bool { return !returned[i] && some[i] != ops[e.Operation] }
	if explained(m, some, precedesInTime(some), overlaps) {
		t.Fatalf("the evidence can be explained: %+v", e)
	}
	if len(e.States) == 0 {
		t.Fatalf("the evidence has no states: %+v", e)
	}
}

// A context that has ended leaves a history undecided.
func TestCheckStops(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	ops := []*Operation{{Method: "write", Arguments: []Value{int64(1)}, Return: 1}}
	r, err := Check(ctx, Register(nil), ops)
	if err != nil || r.Verdict != Undecided {
		t.Errorf("%v, %v", r, err)
	}
	r, err = CheckOrders(ctx, Register(nil), ops, func(a, b Event) bool { return false })
	if err != nil || r.Verdict != Undecided {
		t.Errorf("%v, %v", r, err)
	}
}

// An operation that the model does not have is a mistake, and no violation.
func TestCheckUnknownMethod(t *testing.T) {
	t.Parallel()
	for _, o := range []*Operation{{Method: "frobnicate"}, {Method: "write"}} {
		if _, err := Check(context.Background(), Register(nil), []*Operation{o}); err == nil {
			t.Errorf("%v has no error", o)
		}
	}
}

// write and read are operations of a register.
func write(v int64, call, end int64) *Operation {
	return &Operation{Method: "write", Arguments: []Value{v}, Call: call, Return: end}
}

func read(v int64, call, end int64) *Operation {
	return &Operation{Method: "read", Result: v, Call: call, Return: end}
}

// A write that changes nothing where it could be placed may be needed later.
func TestWriteOfTheSameValue(t *testing.T) {
	t.Parallel()
	ops := []*Operation{write(1, 0, 1), write(1, 0, 9), write(2, 2, 3), read(2, 4, 5), read(1, 6, 7)}
	r, err := Check(context.Background(), Register(nil), ops)
	if err != nil || r.Verdict != Linearizable {
		t.Errorf("%v, %v", r.Verdict, err)
	}
}

// Unfinished operations that are alike do not multiply the positions.
func TestUnfinishedAlike(t *testing.T) {
	t.Parallel()
	var ops []*Operation
	for i := range 100 {
		ops = append(ops, &Operation{Method: "write", Arguments: []Value{int64(i % 2)}, Unfinished: true})
	}
	ops = append(ops, &Operation{Method: "read", Result: int64(2), Call: 1, Return: 2})
	r, err := Check(context.Background(), Register(nil), ops)
	if err != nil || r.Verdict != Violated || r.Positions > 3000 {
		t.Errorf("%v after %d positions, %v", r.Verdict, r.Positions, err)
	}
}

// States are shown as what they mean.
func TestDescribe(t *testing.T) {
	t.Parallel()
	element := func(v Value) *Operation { return &Operation{Method: "push", Arguments: []Value{v}} }
	for _, tt := range []struct {
		model Model
		ops   []*Operation
		want  string
	}{
		{
			Queue(), []*Operation{element(int64(1)), element("a;:"), element(nil), element(true), element(1.5)},
			"[1 a;: nil true 1.5]",
		},
		{Stack(), []*Operation{element(int64(1)), element(int64(2))}, "[2 1]"},
		{Lock(), []*Operation{{Method: "lock"}}, "locked"},
		{Set(), nil, "not in the set"},
		{Register("x"), nil, `"x"`},
		{Counter(3), []*Operation{{Method: "inc"}}, "4"},
	} {
		state := tt.model.Init()
		for _, o := range tt.ops {
			state, _ = tt.model.Step(state, o)
		}
		if got := tt.model.(Describing).Describe(state); got != tt.want {
			t.Errorf("%s, not %s", got, tt.want)
		}
	}
}
