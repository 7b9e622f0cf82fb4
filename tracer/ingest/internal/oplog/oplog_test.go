package oplog_test

import (
	"fmt"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/process"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/internal/oplog"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// conflicts lists conflicting accesses by the names of their tasks and places.
type conflicts struct {
	names op.Names
	found []string
}

func (c *conflicts) Op(o *op.Op) {
	if o.Kind == op.Conflict {
		c.found = append(c.found, fmt.Sprintf("%s %s, %s %s",
			c.names.Task(o.Other).Name, c.names.Place(o.OtherAt).At, c.names.Task(o.Task).Name, c.names.Place(o.At).At))
	}
}

// operate reads the operations of a log.
func operate(t *testing.T, l *oplog.Log) []string {
	t.Helper()
	var c conflicts
	operations := process.NewOperations(&event.Header{Operations: &event.Operations{Accesses: true, Env: true}}, &c)
	c.names = operations
	for e := new(event.Event); l.Next(e); e = new(event.Event) {
		operations.Add(e)
	}
	operations.Finish()
	if wrong := operations.Wrong(); wrong != "" {
		t.Error(wrong)
	}
	return c.found
}

// Operations of two tasks are ordered by start and join, and not otherwise.
func TestOrder(t *testing.T) {
	l := oplog.New("log")
	first, second, third := l.NewTask("first"), l.NewTask("second"), l.NewTask("third")
	l.Begin(first)
	x := l.NewAddress()
	l.Access(first, x, true, l.At("a:1"))
	l.Start(first, second, 0, l.At("a:2"))
	l.Access(second, x, true, l.At("a:3"))
	l.End(second)
	l.Begin(third)
	l.Join(third, second, l.At("a:4"))
	l.Access(third, x, true, l.At("a:5"))
	l.Access(first, x, false, l.At(""))
	want := []string{"second a:3, first log", "third a:5, first log"}
	if d := cmp.Diff(want, operate(t, l)); d != "" {
		t.Error(d)
	}
}

// Each place has an address of its own, and is described once, before it is used.
func TestPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := oplog.New("log")
		places, described := map[string]uint64{}, map[uint64]string{}
		for range rapid.IntRange(0, 30).Draw(t, "n") {
			place := rapid.StringN(1, 2, -1).Draw(t, "place")
			pc := l.At(place)
			for e := new(event.Event); l.Next(e); {
				if _, twice := described[e.Code.PC]; twice {
					t.Fatalf("%d is described twice", e.Code.PC)
				}
				described[e.Code.PC] = e.Code.Calls[0].At
			}
			if before, ok := places[place]; described[pc] != place || ok && before != pc {
				t.Fatalf("%q at %d, which is %q, and before at %d", place, pc, described[pc], before)
			}
			places[place] = pc
		}
	})
}
