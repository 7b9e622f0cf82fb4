package process

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// toldOps writes down the operations of a run, and what they mean.
type toldOps struct {
	lines []string
	names op.Names
	tasks int32
}

func (w *toldOps) Op(o *op.Op) {
	class, _, _ := strings.Cut(w.names.Object(o.Object), " ")
	if o.Kind == op.Free && (class == "atomic" || class == "pool") {
		return // of no operation: these have names if operations are events
	}
	w.tasks = max(w.tasks, int32(o.Task)+1, int32(o.Other)+1)
	at := func(c *clock.Clock) []int32 {
		var all []int32
		for t := range w.tasks {
			all = append(all, c.At(t))
		}
		return all
	}
	plain := *o
	plain.Full, plain.Free, plain.Begin, plain.OtherBegin, plain.Before, plain.OtherBefore = nil, nil, nil, nil, nil,
		nil
	plain.BeforeData, plain.OtherBeforeData = nil, nil
	plain.Data, plain.OtherData = nil, nil
	w.lines = append(w.lines, fmt.Sprintf("%+v %v %v %v %v %v %v %v %v %v %v %v %v %v %v", plain, at(o.Full),
		at(o.Free), at(o.Data), at(o.OtherData), at(o.Begin), at(o.OtherBegin),
		at(o.Before), at(o.OtherBefore), at(o.BeforeData), at(o.OtherBeforeData), w.names.Task(max(o.Task, 0)),
		w.names.Object(o.Object), w.names.Place(o.At), w.names.Place(o.OtherAt)))
}

// The operations that are read from a trace are those of the run, with the same names, numbers and
// clocks.
func TestOperationsOfTrace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newScheduler(t)
		s.run()
		for i := range s.records {
			if r := &s.records[i]; r.Kind != ring.KindHandoff && rapid.Bool().Draw(t, "place") {
				r.PC = [ring.PCs]uint64{uint64(rapid.IntRange(1, 4).Draw(t, "pc")), libraryPC + 7, 9}
			}
		}
		opt := Options{
			Sparse: rapid.Bool().Draw(t, "sparse"), Full: rapid.Bool().Draw(t, "full"),
			Env: rapid.Bool().Draw(t, "env"), Accesses: rapid.Bool().Draw(t, "accesses"), Record: true,
		}
		compareTraced(t, s.records, opt, rapid.Bool().Draw(t, "text"))
	})
}

// compareTraced compares the operations of records with those of the trace that they become.
func compareTraced(t tb, records []ring.Record, opt Options, text bool) {
	t.Helper()
	var in toldOps
	opt.Watch = &in
	p := newProcess(t, testTable(), opt)
	in.names = p
	var events []*event.Event
	keep := func(e *event.Event) error {
		events = append(events, e.Clone())
		return nil
	}
	for i := range records {
		if err := p.Feed(&records[i], keep); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Finish(keep); err != nil {
		t.Fatal(err)
	}
	var trace bytes.Buffer
	var w event.Writer
	if text {
		w = event.NewTextWriter(&trace, p.Header())
	} else {
		w = event.NewBinaryWriter(&trace, p.Header())
	}
	for _, e := range events {
		if err := w.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := event.Open(&trace, "trace")
	if err != nil {
		t.Fatal(err)
	}
	h, err := r.Header()
	if err != nil {
		t.Fatal(err)
	}
	var out toldOps
	ops := NewOperations(h, &out)
	out.names = ops
	for e := new(event.Event); ; {
		if err := r.Next(e); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		ops.Add(e)
	}
	ops.Finish()
	if wrong := ops.Wrong(); (wrong == "") != (p.Stats().Corrupt == 0) {
		t.Fatalf("wrong: %q, in the run: %q", wrong, p.Stats().First)
	}
	if !slices.Equal(in.lines, out.lines) {
		t.Fatalf("operations of the run (-) and of its trace (+):\n%s", cmp.Diff(in.lines, out.lines))
	}
}

// A trace says of an element that is sent on a channel whether it is that of all sends before:
// otherwise each record would be a new one.
func TestElementsOfTrace(t *testing.T) {
	const a, b = 200, 300
	send := func(channel, element uint64) ring.Record {
		return rec(ring.KindSend, 1, channel, 0, ring.OpSelect|element<<ring.OpShift)
	}
	p := newProcess(t, testTable(), Options{Watch: op.Discard, Record: true})
	made := func(channel uint64) ring.Record { return rec(ring.KindMakeChan, 1, channel, 1) }
	scribbled := send(b, 9)
	scribbled.Ctx = 0
	var got []uint64
	for _, r := range []ring.Record{
		made(a), made(b), scribbled, send(a, 7), send(b, 9), send(a, 7), send(a, 8), send(a, 8), send(b, 9), send(a, 7),
		send(b, 0), send(b, 9),
		made(a), send(a, 8), send(a, 8), // another channel at the address
		send(400, 3), send(400, 4), // its maker was not seen
	} {
		before := r
		if err := p.Feed(&r, func(e *event.Event) error {
			if e.Record != nil && e.Record.Kind == ring.KindSend {
				got = append(got, e.Record.Arg>>ring.OpShift)
				if e.Record.Arg&ring.OpMask != ring.OpSelect {
					t.Errorf("%v", e.Record)
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if r.Arg != before.Arg {
			t.Errorf("%v has become %v", before, r)
		}
	}
	if want := []uint64{9, 1, 1, 1, 0, 0, 1, 0, 0, 1, 1, 1, 1, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
