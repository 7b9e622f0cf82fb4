package onthefly

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	*e = event.Event{Task: "main",
		Set: []event.Binding{{Name: "x", Value: event.StringValue(strings.Repeat("x", 1<<20))}}}
	return nil
}

func (s *largeEvents) Pos() string { return "" }

// TestFeedIsBounded checks how much is read ahead, without a consumer and with one.
func TestFeedIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		s := &largeEvents{}
		f := newFeed(ctx, s)
		const ahead = maxAhead>>20 + 1
		var last []arrival
		for taken := 0; taken < 100; taken += len(last) {
			synctest.Wait()
			if s.read < taken+1 || s.read > taken+ahead {
				t.Fatalf("%d events were read when %d were taken", s.read, taken)
			}
			var err error
			if last, err = f.take(ctx, last); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(f.spare); n > 0 {
			t.Errorf("the memory of %d large events is kept", n)
		}
	})
}

// smallEvents is a source of so many events, and an error or the end behind them.
type smallEvents struct {
	n   int
	err error
}

func (s *smallEvents) Header() (*event.Header, error) {
	return &event.Header{Version: 1, Tasks: []string{"main"}}, nil
}

func (s *smallEvents) Next(e *event.Event) error {
	if s.n == 0 {
		return s.err
	}
	s.n--
	*e = event.Event{Task: "main", Op: fmt.Sprint(s.n)}
	return nil
}

func (s *smallEvents) Pos() string { return fmt.Sprint("line ", s.n) }

// Each event comes once, in its place, and an error comes behind them; no version is too large.
func TestFeedInOrder(t *testing.T) {
	broken := errors.New("broken")
	for _, end := range []error{io.EOF, broken} {
		f := newFeed(t.Context(), &smallEvents{n: 10_000, err: end})
		var version []arrival
		var err error
		for left := 10_000; left > 0; {
			if version, err = f.take(t.Context(), version); err != nil || len(version) == 0 ||
				len(version) > versionSize {
				t.Fatalf("%d arrivals, %v", len(version), err)
			}
			for _, a := range version {
				if a.err != nil {
					break
				}
				left--
				if a.event.Op != fmt.Sprint(left) || a.pos != "line "+a.event.Op {
					t.Fatalf("%d left: %q at %q", left, a.event.Op, a.pos)
				}
			}
		}
		if last := version[len(version)-1]; end == broken && last.err == nil {
			version, err = f.take(t.Context(), version)
		}
		if end == broken {
			if err != nil || version[len(version)-1].err != broken {
				t.Errorf("%v, %v", version, err)
			}
			continue
		}
		if version, err = f.take(t.Context(), version); len(version) > 0 || err != nil {
			t.Errorf("behind the end: %v, %v", version, err)
		}
	}
}

// A consumer that waits for an idle source resumes when the context ends.
func TestFeedEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("enough")
		silent := make(chan struct{})
		defer close(silent)
		f := newFeed(ctx, &silentSource{silent})
		go cancel(why)
		if taken, err := f.take(ctx, nil); len(taken) > 0 || err != why {
			t.Errorf("%v, %v", taken, err)
		}
	})
}

// silentSource has a header and no event until it may end.
type silentSource struct{ until chan struct{} }

func (s *silentSource) Header() (*event.Header, error) {
	return &event.Header{Version: 1, Tasks: []string{"main"}}, nil
}

func (s *silentSource) Next(*event.Event) error {
	<-s.until
	return io.EOF
}

func (s *silentSource) Pos() string { return "" }
