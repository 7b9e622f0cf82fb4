package reorder

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/locktest"
	"github.com/antichain-go/antichain/tracer/op"
)

// keptPrefix is a prefix that is asked again when the history has forgotten what it is made of.
type keptPrefix struct {
	*Prefix
	last []op.Place
}

// What is found with a section that comes last is true of a correct order, also where little is remembered, and is not found without.
func TestReversed(t *testing.T) {
	found, missed := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r := locktest.Execute(t, locktest.Draw(t))
		reached := r.Reached()
		h := New()
		if rapid.IntRange(0, 3).Draw(t, "small") == 0 {
			h = newHistory(rapid.IntRange(4, 20).Draw(t, "size"))
		}
		var kept []keptPrefix
		for now := range r.Events {
			tell(h, r, now)
			for before := range now {
				if r.Events[now].Task == r.Events[before].Task || r.Events[now].IsAccess() != r.Events[before].IsAccess() {
					continue
				}
				points := []Point{pointBefore(r, before), pointBefore(r, now)}
				if h.Prefix(points...) != nil {
					continue
				}
				real := false
				r.Cuts(func(c locktest.Cut) { real = real || r.AtPoints(c, before, now) && reached[r.Bits(c)] })
				p := h.AnyPrefix(points...)
				switch {
				case p == nil && real:
					missed++
				case p == nil:
				case !real:
					t.Fatalf("%v\n%v and %v: no order leads there", r.Program, r.Events[before], r.Events[now])
				case p.Verify() != nil:
					t.Fatalf("%v\n%v and %v: %v", r.Program, r.Events[before], r.Events[now], p.Verify())
				case !p.Reverses():
					t.Fatalf("%v\n%v and %v: nothing is reversed", r.Program, r.Events[before], r.Events[now])
				default:
					found++
					kept = append(kept, keptPrefix{p, p.Last()})
				}
			}
		}
		for _, task := range h.list {
			for len(task.begun.all()) > 0 {
				task.begun.pop()
			}
		}
		for _, k := range kept {
			if last := k.Last(); !slices.Equal(last, k.last) {
				t.Fatalf("%v\nthe sections that come last began at %v, now at %v", r.Program, k.last, last)
			}
		}
	})
	t.Logf("%d found, %d missed", found, missed)
	if found == 0 && !testing.Short() {
		t.Error("nothing was found")
	}
}
