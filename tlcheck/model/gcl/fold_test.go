package gcl_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/internal/gcltest"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// TestFold folds conditions with the values of some fields, and then of all: a condition that is
// worked out is true where its action is possible.
func TestFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys, err := gcl.New(gcltest.File.Draw(t, "program"), nil)
		if err != nil {
			t.Fatal(err)
		}
		actions, fields := sys.Actions(), sys.Fields()
		some := rapid.SliceOfN(rapid.Bool(), len(fields), len(fields)).Draw(t, "known")
		for s := kripke.State(0); int(s) < min(sys.States(), 200); s++ {
			values := sys.Values(nil, s)
			known, all := map[string]int64{}, map[string]int64{}
			for i, f := range fields {
				all[f.Name] = values[i]
				if some[i] {
					known[f.Name] = values[i]
				}
			}
			possible := sys.Enabled(nil, s)
			for i, a := range actions {
				if a.Guard == nil || values[a.Process] != a.From {
					continue
				}
				want := slices.Contains(possible, int32(i))
				part := gcl.Fold(a.Guard, known)
				if b, ok := part.(*gcl.Bool); ok && b.Value != want {
					t.Fatalf("action %d in state %d with %v: %v, want %v", i, s, known, b.Value, want)
				}
				if b, ok := gcl.Fold(part, all).(*gcl.Bool); !ok || b.Value != want {
					t.Fatalf("action %d in state %d with %v and then %v: %v, want %v", i, s, known, all, b, want)
				}
			}
			if _, err := sys.Moves(nil, s); err != nil {
				return // more is known of no state
			}
		}
	})
}
