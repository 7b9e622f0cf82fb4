package models

import (
	"errors"
	"fmt"
	"testing"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
	"github.com/antichain-go/antichain/tracer/event"
)

// independent returns a run of goroutines that do not wait for each other, with so many events
// each.
func independent(t *testing.T, tasks, events int) *Model {
	t.Helper()
	h := &event.Header{}
	for i := range tasks {
		h.Tasks = append(h.Tasks, fmt.Sprint("t", i))
	}
	b, err := san.NewBuilder(h)
	if err != nil {
		t.Fatal(err)
	}
	for range events {
		for _, task := range h.Tasks {
			if err := b.Add(&event.Event{Task: task, Op: "work"}, ""); err != nil {
				t.Fatal(err)
			}
		}
	}
	net, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return &Model{Name: "run", Run: tracemodel.New(net)}
}

// TestRunSpace has runs of each size, and checks when states are visited because their sets have
// too many parts.
func TestRunSpace(t *testing.T) {
	tests := []struct {
		name          string
		tasks, events int
		sets, visit   bool
	}{
		{"small", 2, 10, false, false},
		{"medium", 3, 50, true, true},
		{"large", 8, 20, true, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := independent(t, test.tasks, test.events)
			space, err := m.RunSpace(t.Context(), kripke.Unfair)
			if err != nil || (space != nil) != test.sets {
				t.Fatalf("%v, %v, want sets: %v", space, err, test.sets)
			}
			if again, err := m.RunSpace(t.Context(), kripke.Unfair); again != space || err != nil {
				t.Errorf("another space: %v", err)
			}
			if got := space.VisitInstead(fmt.Errorf("too much: %w", &slices.IntervalsError{})); got != test.visit {
				t.Errorf("visit instead: %v, want %v", got, test.visit)
			}
			if space.VisitInstead(errors.New("wrong")) || space.VisitInstead(nil) {
				t.Error("the states are visited for another reason")
			}
		})
	}
	if space, err := (&Model{Text: []byte(structure)}).RunSpace(t.Context(), kripke.Unfair); space != nil ||
		err != nil {
		t.Errorf("a structure has the space %v, %v", space, err)
	}
}
