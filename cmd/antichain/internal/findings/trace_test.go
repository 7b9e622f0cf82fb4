package findings

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/ingest/std"
)

// A log gets operations only if there is a property to check on them.
func TestOperationsInVain(t *testing.T) {
	for _, on := range []Flag{nil, {builtin.Race}} {
		r := std.NewReader(strings.NewReader("T0|w(x)|1\nT1|w(x)|2\n"), "log", std.Options{})
		w := WatchTrace(t.Context(), r, Wanted{On: on, Named: true}, specfile.Functions{})
		tr, err := santest.Collect(w)
		if err != nil {
			t.Fatal(err)
		}
		actions, operations := 0, 0
		for _, e := range tr.Events {
			switch {
			case e.IsAction():
				actions++
			case e.Record != nil:
				operations++
			}
		}
		if wanted := len(on) > 0; actions != 2 || (operations > 0) != wanted || w.Checked() != wanted {
			t.Errorf("%v: %d actions, %d operations, checked: %v", on, actions, operations, w.Checked())
		}
	}
}
