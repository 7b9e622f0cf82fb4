package slices_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tracer/event"
)

// independent returns the net of tasks that never meet.
func independent(t testing.TB, tasks, events int) *san.Net {
	h := &event.Header{Version: 1}
	for i := range tasks {
		h.Tasks = append(h.Tasks, fmt.Sprintf("t%d", i))
	}
	b, err := san.NewBuilder(h)
	if err != nil {
		t.Fatal(err)
	}
	for n := range tasks * events {
		if err := b.Add(&event.Event{Task: h.Tasks[n%tasks]}, fmt.Sprint(n)); err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// unbounded is a budget under which no operation is stopped.
var unbounded slices.Budget

// must returns the result of an operation under such a budget.
func must[T any](result T, err error) T {
	if err != nil {
		panic(err)
	}
	return result
}

var errEnough = errors.New("enough")

// ended returns a context that has ended with errEnough.
func ended(parent context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(parent)
	cancel(errEnough)
	return ctx
}

// evens returns for each task of a net the slices in which it has had an even number of events.
func evens(l *slices.Lattice, tasks, events int) []slices.Set {
	even := make([]slices.Set, tasks)
	for u := range even {
		var ivs []slices.Interval
		for k := 0; k <= events; k += 2 {
			ivs = append(ivs, l.Containing(san.Task(u), k, k))
		}
		even[u] = l.Set(ivs...)
	}
	return even
}

func TestIntervals(t *testing.T) {
	const tasks, events = 6, 12
	l := slices.NewLattice(independent(t, tasks, events))
	b := slices.Budget{Context: t.Context(), Intervals: 1000}
	s, err := l.All(), error(nil)
	for _, even := range evens(l, tasks, events) { // 7 intervals a task, 7^6 together
		if s, err = s.Intersect(b, even); err != nil {
			break
		}
	}
	var many *slices.IntervalsError
	if !errors.As(err, &many) || many.Limit != 1000 {
		t.Errorf("stopped by %v", err)
	}
}

// Every operation that can take long is stopped by the end of its context, and says so.
func TestStopped(t *testing.T) {
	const tasks, events = 6, 12
	l := slices.NewLattice(independent(t, tasks, events))
	even := evens(l, tasks, events)
	s, top := even[0], l.Set(slices.Interval{Lo: l.Top(), Hi: l.Top()})
	ranked := must(s.Next(unbounded))
	for name, op := range map[string]func(b slices.Budget) error{
		"intersect":     func(b slices.Budget) error { _, err := s.Intersect(b, s); return err },
		"union":         func(b slices.Budget) error { _, err := s.Union(b, even[1]); return err },
		"minus":         func(b slices.Budget) error { _, err := s.Minus(b, even[1]); return err },
		"complement":    func(b slices.Budget) error { _, err := s.Complement(b); return err },
		"plain":         func(b slices.Budget) error { _, err := ranked.WithoutRanks(b); return err },
		"next":          func(b slices.Budget) error { _, err := s.Next(b); return err },
		"sometime":      func(b slices.Budget) error { _, err := s.Sometime(b); return err },
		"until":         func(b slices.Budget) error { _, err := l.Until(b, even[1], s, l.All()); return err },
		"pieces":        func(b slices.Budget) error { _, err := s.DisjointIntervals(b); return err },
		"next by":       func(b slices.Budget) error { _, err := s.NextBy(b, 0); return err },
		"exists until":  func(b slices.Budget) error { _, err := s.ExistsUntil(b, even[1]); return err },
		"shortest path": func(b slices.Budget) error { _, _, err := s.ShortestPath(b, l.Bottom(), top); return err },
		"reached":       func(b slices.Budget) error { _, err := s.ReachedFrom(b, l.Bottom()); return err },
		"first": func(b slices.Budget) error {
			_, _,
				err := l.LeastCommon(b, l.Bottom(), even[:2])
			return err
		},
		"last": func(b slices.Budget) error {
			_, _,
				err := l.GreatestCommon(b, l.Top(), even[:2])
			return err
		},
		"subset": func(b slices.Budget) error { _, _, err := s.SubsetOf(b, even[1]); return err },
		"equal":  func(b slices.Budget) error { _, err := s.Equal(b, even[1]); return err },
	} {
		if err := op(slices.Budget{Context: t.Context()}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := op(slices.Budget{Context: ended(t.Context())}); !errors.Is(err, errEnough) {
			t.Errorf("%s goes on: %v", name, err)
		}
	}
	if s, err := s.Intersect(slices.Budget{Context: t.Context()}, even[1]); err != nil || len(s.Intervals()) != 49 {
		t.Errorf("%d intervals, %v", len(s.Intervals()), err)
	}
}
