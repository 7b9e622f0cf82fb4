package onthefly

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/antichain-go/antichain/tracer/event"
)

// largeEvents is a source of events of a MiB without end.
type largeEvents struct{ read int }

func (s *largeEvents) Header() (*event.Header, error) {
	return &event.Header{Version: 1, Tasks: []string{"main"}}, nil
}

func (s *largeEvents) Next(e *event.Event) error {
	s.read++
	*e = event.Event{Task: "main", Set: []event.Binding{{Name: "x", Value: event.StringValue(strings.Repeat("x", 1<<20))}}}
	return nil
}

func (s *largeEvents) Pos() string { return "" }

// TestFeedIsBounded looks how much is read ahead when nobody takes it, and while it is taken.
func TestFeedIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		s := &largeEvents{}
		f := newFeed(ctx, s)
		const ahead = maxAhead>>20 + 1
		for taken := range 100 {
			synctest.Wait()
			if s.read < taken+1 || s.read > taken+ahead {
				t.Fatalf("%d events were read when %d were taken", s.read, taken)
			}
			f.reuse(<-f.events)
		}
		if n := len(f.spare); n > 0 {
			t.Errorf("the memory of %d large events is kept", n)
		}
	})
}
