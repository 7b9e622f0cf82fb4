package process

import (
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// A goroutine is found by its name as long as it runs, also one that has done nothing yet.
func TestGoroutine(t *testing.T) {
	p := newProcess(t, testTable(), Options{})
	for _, r := range []ring.Record{goRec(1, 2), goRec(1, 300), goRec(300, 301), enterRec(2),
		rec(ring.KindEnd, 2, 0, 0)} {
		if err := p.Feed(&r, discard); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]uint64{"main": 1, "main.1": 0, "main.2": 300, "main.2.1": 301, "main.3": 0,
		"": 0} {
		if got := p.Goroutine(name); got != want {
			t.Errorf("%q is goroutine %d, not %d", name, got, want)
		}
	}
}
