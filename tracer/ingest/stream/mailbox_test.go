package stream

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/event"
)

// Items of several goroutines are taken once, unchanged, and in the order of each of them.
func TestMailboxOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var sent [][]*event.Event
		for p := range rapid.IntRange(1, 3).Draw(t, "posters") {
			var events []*event.Event
			for n := range rapid.IntRange(0, 20).Draw(t, "events") {
				events = append(events, drawEvent(t, fmt.Sprintf("%d.%d", p, n)))
			}
			sent = append(sent, events)
		}
		box := newMailbox()
		left := 0
		for p, events := range sent {
			from := &producer{name: fmt.Sprint(p)}
			left += len(events)
			go func() {
				e := new(event.Event)
				for _, next := range events {
					overwrite(e, next)
					box.post(e.Size(), func(it *item) {
						it.message, it.from = sends, from
						it.event, e = e, it.event
					})
					if e == nil {
						e = new(event.Event)
					}
				}
			}()
		}
		got := map[string][]*event.Event{}
		for left > 0 {
			items, _ := box.take(t.Context())
			for i := range items {
				got[items[i].from.name] = append(got[items[i].from.name], items[i].event.Clone())
				left--
			}
		}
		for p, events := range sent {
			if d := cmp.Diff(text(events), text(got[fmt.Sprint(p)])); d != "" {
				t.Fatalf("poster %d: %s", p, d)
			}
		}
	})
}

// overwrite changes an event as a reader does.
func overwrite(e, next *event.Event) {
	e.Reset()
	e.Task, e.Op, e.TS = next.Task, next.Op, next.TS
	e.Set, e.Global = append(e.Set, next.Set...), append(e.Global, next.Global...)
	e.Write, e.Extra = append(e.Write, next.Write...), append(e.Extra, next.Extra...)
	e.After, e.With = append(e.After, next.After...), append(e.With, next.With...)
}

func drawEvent(t *rapid.T, task string) *event.Event {
	e := &event.Event{Task: task, Op: rapid.SampledFrom([]string{"", "op"}).Draw(t, "op"),
		TS: rapid.Int64Range(0, 3).Draw(t, "ts")}
	bindings := func(label string) []event.Binding {
		var bs []event.Binding
		for n := range rapid.IntRange(0, 3).Draw(t, label) {
			v := event.ListValue([]event.Value{event.StringValue(strings.Repeat("x",
				rapid.SampledFrom([]int{1, 5000}).Draw(t, "length")))})
			bs = append(bs, event.Binding{Name: fmt.Sprint(label, n), Value: v})
		}
		return bs
	}
	e.Set, e.Global, e.Write, e.Extra = bindings("s"), bindings("g"), bindings("w"), bindings("x")
	for n := range rapid.IntRange(0, 2).Draw(t, "after") {
		e.After = append(e.After, event.Ref{Task: "o", K: n + 1})
	}
	for n := range rapid.IntRange(0, 2).Draw(t, "with") {
		e.With = append(e.With, event.Ref{Task: "w", K: n + 1})
	}
	return e
}

func text(events []*event.Event) []string {
	var lines []string
	for _, e := range events {
		var b strings.Builder
		w := event.NewTextWriter(&b, &event.Header{Tasks: []string{"a"},
			Shared: []event.Binding{{Name: "w0"}, {Name: "w1"}, {Name: "w2"}}})
		if err := w.Write(e); err != nil {
			b.WriteString(err.Error())
		}
		lines = append(lines, b.String(),
			fmt.Sprintf("%d %d %d %d %d %d", len(e.Set), len(e.Global), len(e.Write), len(e.Extra), len(e.After),
				len(e.With)))
	}
	return lines
}

// A goroutine that posts more than there is room for waits, and returns false when the box is
// closed.
func TestMailboxBounds(t *testing.T) {
	for name, of := range map[string]struct{ bytes, room int }{
		"items": {1, maxItems},
		"bytes": {maxBytes / 4, 4},
	} {
		box := newMailbox()
		posted := make(chan int)
		go func() {
			n := 0
			for box.post(of.bytes, func(it *item) { it.message = sends }) {
				n++
			}
			posted <- n
		}()
		taken := 0
		for range 3 { // the poster cannot be ahead by more than there is room for
			items, ok := box.take(t.Context())
			if !ok || len(items) == 0 && taken == 0 || len(items) > of.room {
				t.Errorf("%s: took %d", name, len(items))
			}
			taken += len(items)
		}
		box.close()
		if n := <-posted; n < taken || n > taken+of.room {
			t.Errorf("%s: %d posted, %d taken", name, n, taken)
		}
	}
}

// Memory that an item took is not held for others: of large events it is given back.
func TestMailboxForgets(t *testing.T) {
	box := newMailbox()
	value := event.StringValue(strings.Repeat("x", heavyEvent))
	large, small := &event.Event{Set: []event.Binding{{Name: "v", Value: value}}}, &event.Event{}
	for _, e := range []*event.Event{large, small} {
		box.post(e.Size(), func(it *item) { it.event = e })
	}
	items, _ := box.take(t.Context())
	box.post(0, func(*item) {})
	if _, ok := box.take(t.Context()); !ok || items[0].event != nil || items[1].event != small {
		t.Errorf("kept %v and %v", items[0].event, items[1].event)
	}
}
