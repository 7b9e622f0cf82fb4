package causality

import (
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// A goroutine belongs to the test that it is in, or that its starter was in: also if that has
// ended, or has gone on to another test since.
func TestTaskBelongsToTest(t *testing.T) {
	order := New(Options{Watch: op.Discard, Keep: func(*event.Event) error { return nil }})
	begin := func(ctx uint64, name string) *ring.Record {
		padded := make([]byte, ring.PayloadPerSlot)
		copy(padded, name)
		return &ring.Record{Kind: ring.KindTest, Ctx: ctx, Payload: padded}
	}
	goOn := func(ctx uint64, name string) *ring.Record {
		r := begin(ctx, name)
		r.Arg = ring.TestContinued
		return r
	}
	start := func(by, ctx uint64) *ring.Record { return &ring.Record{Kind: ring.KindGo, Ctx: by, Addr: ctx} }
	for _, r := range []*ring.Record{
		start(1, 2), // before all tests
		begin(1, op.OutsideTests), start(1, 3),
		start(1, 4), begin(4, "TestA"), start(4, 5),
		start(4, 6), begin(6, "TestA/ä\xff"), start(6, 7), {Kind: ring.KindEnd, Ctx: 6},
		{Kind: ring.KindEnd, Ctx: 4}, start(5, 8), start(7, 9),
		begin(1, "ExampleB"), start(1, 10), begin(1, op.OutsideTests), start(1, 11), start(10, 12),
		start(1, 13), begin(13, "TestLong"), goOn(13, "/and"), goOn(13, "/on"), start(13, 14),
	} {
		if err := order.Feed(r); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		op.OutsideTests, "", op.OutsideTests, "TestA", "TestA", "TestA/ä", "TestA/ä", "TestA", "TestA/ä",
		"ExampleB", op.OutsideTests, "ExampleB", "TestLong/and/on", "TestLong/and/on",
	}
	check := func() {
		t.Helper()
		for task, want := range want {
			if got := order.Task(op.Task(task)).Test; got != want {
				t.Errorf("task %d is in %q, not %q", task, got, want)
			}
		}
	}
	check()
	order.Unwatch() // names stay
	check()
}
