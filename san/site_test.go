package san

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/event"
)

// TestSiteOf compares the sites of events with those that are found without a look at the sites
// before.
func TestSiteOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var both [2]*Builder
		for i := range both {
			b, err := NewBuilder(&event.Header{Tasks: []string{"t"}})
			if err != nil {
				t.Fatal(err)
			}
			both[i] = b
		}
		quick, plain := both[0], both[1]
		word := rapid.SampledFrom([]string{"", "a", "b", "main.go:1", "main.go:2", "ab"})
		for range rapid.IntRange(0, 60).Draw(t, "events") {
			e := &event.Event{Op: word.Draw(t, "op"), At: word.Draw(t, "at"), Enter: word.Draw(t, "enter"),
				Exit: word.Draw(t, "exit")}
			n := plain.n
			want := plain.site(site{op: n.str(e.Op), at: n.str(e.At), enter: n.str(e.Enter), exit: n.str(e.Exit)})
			if got := quick.siteOf(e); got != want || quick.n.sites[got] != n.sites[want] {
				t.Fatalf("%+v is at %d, not %d", e, got, want)
			}
		}
	})
}
