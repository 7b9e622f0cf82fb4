package tlcheck

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tracer/event"
)

// The sweep of many tracks finds what that of few does.
func TestSweepOfMany(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := santest.Generate(santest.Rapid(t), santest.Config{Steps: 25, Tasks: 4}).MustBuild()
		lat := slices.NewLattice(net)
		var none slices.Budget
		for range 5 {
			var tracks []track
			for task := range san.Task(net.Tasks()) {
				if rapid.IntRange(0, 3).Draw(t, "left out") > 0 {
					tracks = append(tracks, track{task, drawSpans(t, net, task)})
				}
			}
			from := lat.Bottom()
			if net.Events() > 0 && rapid.Bool().Draw(t, "inside") {
				task := san.Task(rapid.IntRange(0, net.Tasks()-1).Draw(t, "task"))
				if n := net.Len(task); n > 0 {
					from = lat.Down(san.Action{Task: task, K: int32(rapid.IntRange(1, n).Draw(t, "k"))})
				}
			}
			one, ok, _ := least(none, lat, tracks, from)
			same(t, "least")(one, ok, nil)(leastOfMany(none, lat, tracks, from))
			to := lat.Top()
			if from.Size() > 0 {
				to = from
			}
			one, ok, _ = greatest(none, lat, tracks, to)
			same(t, "greatest")(one, ok, nil)(greatestOfMany(none, lat, tracks, to))
		}
	})
}

func drawSpans(t *rapid.T, net *san.Net, task san.Task) []span {
	var spans []span
	first := uncreated
	if net.Initial(task) {
		first = 0
	}
	for k := first; k <= net.Len(task); k++ {
		if n := len(spans); rapid.Bool().Draw(t, "in") {
			if n > 0 && spans[n-1].to == k-1 {
				spans[n-1].to = k
			} else {
				spans = append(spans, span{k, k})
			}
		}
	}
	return spans
}

func same(t *rapid.T, what string) func(slices.Ideal, bool, error) func(slices.Ideal, bool, error) {
	return func(one slices.Ideal, ok bool, _ error) func(slices.Ideal, bool, error) {
		return func(other slices.Ideal, alsoOK bool, _ error) {
			if ok != alsoOK || ok && !one.Equal(other) {
				t.Fatalf("%s: %v (%v), of many %v (%v)", what, one, ok, other, alsoOK)
			}
		}
	}
}

// askedContext counts how often it is asked whether it has ended.
type askedContext struct {
	context.Context
	asked int
}

func (c *askedContext) Err() error {
	c.asked++
	return nil
}

// Many tracks are swept, which is the only way of the two that looks at its budget, and few are
// compared in pairs.
func TestManyTracksAreSwept(t *testing.T) {
	h := &event.Header{Version: 1}
	for i := range manyTracks {
		h.Tasks = append(h.Tasks, fmt.Sprint("w", i))
	}
	b, err := san.NewBuilder(h)
	if err != nil {
		t.Fatal(err)
	}
	var tracks []track
	for i, task := range h.Tasks {
		for range 2 {
			if err := b.Add(&event.Event{Task: task}, "here"); err != nil {
				t.Fatal(err)
			}
		}
		tracks = append(tracks, track{san.Task(i), []span{{1, 1}}})
	}
	lat := slices.NewLattice(b.Net())
	for _, swept := range []bool{false, true} {
		n := manyTracks - 1
		if swept {
			n = manyTracks
		}
		ctx := &askedContext{Context: t.Context()}
		lo, ok, err := least(slices.Budget{Context: ctx}, lat, tracks[:n], lat.Bottom())
		if !ok || err != nil || lo.Size() != n || (ctx.asked > 0) != swept {
			t.Errorf("least of %d: %d actions, %v, %v, asked %d times", n, lo.Size(), ok, err, ctx.asked)
		}
		ctx.asked = 0
		hi, ok, err := greatest(slices.Budget{Context: ctx}, lat, tracks[:n], lat.Top())
		if !ok || err != nil || hi.Size() != 2*manyTracks-n || (ctx.asked > 0) != swept {
			t.Errorf("greatest of %d: %d actions, %v, %v, asked %d times", n, hi.Size(), ok, err, ctx.asked)
		}
	}
}
