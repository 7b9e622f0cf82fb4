// Package tltest checks in a Go test what the code under test does, by a specification:
//
//	r := tltest.NewRecorder()
//	r.Task("a").Enter("write") // where the code does it
//	tltest.Check(t, "property exclusive: not (t:(in.write) and u:(in.write)) if t != u", r)
//
// Check looks at every order of the recorded events that respects what orders them, and not only at
// the one in which they were recorded. The events of one task stay in the order of the calls.
// Those of different tasks have no order, but for this:
//
//   - a task that Go starts comes after Go;
//   - a Receive comes after the Send whose message it takes, in the order of the Sends;
//   - a Lock comes after the last Unlock of the same lock;
//   - the next event of a task comes after the events that After has.
//
// Behind Exit a task is still in the function, which it has just left, until its next event.
//
// The Recorder does not see how the code synchronises by itself. What these calls leave out is
// unordered, which can show states that the code never reaches.
package tltest

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tlcheck/trace"
	"github.com/antichain-go/antichain/tracer/event"
)

// Check checks all properties of a specification on what was recorded so far. Each one that does
// not hold fails the test, with the text that the command antichain prints. So does a mistake in
// the specification or in what was recorded.
func Check(t testing.TB, specification string, r *Recorder) {
	t.Helper()
	file, err := spec.Parse("specification", specification)
	if err != nil {
		t.Fatal(err)
	}
	run, err := r.snapshot()
	if err == nil {
		events := *run
		err = firstInvalid(&events)
	}
	if err != nil {
		t.Fatal(err)
	}
	results, err := trace.CheckRun(t.Context(), run, file, tlcheck.Options{})
	for _, result := range results {
		if result.Verdict == tlcheck.Holds {
			continue
		}
		var text strings.Builder
		_ = report.WriteText(&text, result, report.Style{}) // a Builder has no errors
		t.Errorf("%s", strings.TrimRight(text.String(), "\n"))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// firstInvalid returns the error of the first event that is invalid in a trace, nil if all are
// valid.
func firstInvalid(events event.Reader) error {
	header, err := events.Header()
	if err != nil {
		return err
	}
	if len(header.Tasks) == 0 {
		return errors.New("nothing was recorded")
	}
	w := event.NewTextWriter(io.Discard, header)
	var e event.Event
	for events.Next(&e) == nil {
		if err := w.Write(&e); err != nil {
			return &event.Error{Pos: events.Pos(), Reason: err.Error()}
		}
	}
	return w.Close()
}
