package san_test

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// A task whose end is declared (Builder.End) stays in its last local state, and has no further
// events.
func TestBuilderEnd(t *testing.T) {
	b, err := san.NewBuilder(&event.Header{Tasks: []string{"a", "b"}})
	if err != nil {
		t.Fatal(err)
	}
	add := func(e *event.Event) error { return b.Add(e, "here") }
	if err := add(&event.Event{Task: "a", Spawn: "c"}); err != nil {
		t.Fatal(err)
	}
	if err := add(&event.Event{Task: "a", After: []event.Ref{{Task: "b", K: 1}}}); err != nil {
		t.Fatal(err)
	}
	b.End("a")
	b.End("nobody")
	a, _ := b.Net().Lookup("a")
	if b.Net().Ended(a) {
		t.Error("a has ended although an event of it waits")
	}
	if err := add(&event.Event{Task: "b"}); err != nil {
		t.Fatal(err)
	}
	if !b.Net().Ended(a) || b.Net().Len(a) != 2 {
		t.Errorf("a: ended %v, %d events", b.Net().Ended(a), b.Net().Len(a))
	}
	if other, _ := b.Net().Lookup("b"); b.Net().Ended(other) {
		t.Error("b has ended, too")
	}
	if err := add(&event.Event{Task: "b", After: []event.Ref{{Task: "a", K: 3}}}); err == nil ||
		!strings.Contains(err.Error(), "has ended") {
		t.Errorf("a reference behind the end: %v", err)
	}
}

// Creates knows tasks by the events that create them, not by those that mention them.
func TestBuilderCreates(t *testing.T) {
	b, err := san.NewBuilder(&event.Header{Tasks: []string{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []*event.Event{
		{Task: "a", After: []event.Ref{{Task: "mentioned", K: 1}}},
		{Task: "early"},
		{Task: "a", Spawn: "waiting"},
	} {
		if err := b.Add(e, "here"); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]bool{"a": true, "waiting": true, "mentioned": false, "early": false,
		"unknown": false} {
		if got := b.Creates(name); got != want {
			t.Errorf("Creates(%q) = %v", name, got)
		}
	}
}

// PendingError says what events wait for, and does not end the building.
func TestPendingError(t *testing.T) {
	b, err := san.NewBuilder(&event.Header{Tasks: []string{"a", "b"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.PendingError(); err != nil {
		t.Errorf("nothing waits: %v", err)
	}
	if err := b.Add(&event.Event{Task: "a", After: []event.Ref{{Task: "b", K: 1}}}, "file:2"); err != nil {
		t.Fatal(err)
	}
	if err := b.PendingError(); err == nil || !strings.HasPrefix(err.Error(), "file:2: ") ||
		!strings.Contains(err.Error(), `task "b"`) {
		t.Errorf("stuck: %v", err)
	}
	if err := b.Add(&event.Event{Task: "b"}, "file:3"); err != nil {
		t.Fatal(err)
	}
	if err := b.PendingError(); err != nil {
		t.Errorf("nothing waits any more: %v", err)
	}
	if net, err := b.Finish(); err != nil || net.Events() != 2 {
		t.Errorf("finished: %v", err)
	}
}

// After a faulty event it is unknown what the others wait for.
func TestPendingErrorAfterError(t *testing.T) {
	b, err := san.NewBuilder(&event.Header{Tasks: []string{"a", "b"}})
	if err != nil {
		t.Fatal(err)
	}
	b.RequireMutual()
	if err := b.Add(&event.Event{Task: "a"}, "file:2"); err != nil {
		t.Fatal(err)
	}
	mistake := b.Add(&event.Event{Task: "b", With: []event.Ref{{Task: "a", K: 1}}}, "file:3")
	if err := b.PendingError(); mistake == nil || err != mistake {
		t.Errorf("stuck: %v, after %v", err, mistake)
	}
}
