package reorder

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// keptPrefix is a prefix that is asked again when the history has forgotten what it is made of.
type keptPrefix struct {
	*Prefix
	last []op.Place
}

// What is found with a section that comes last is true of a correct order, also where little is
// remembered or not all conflicts are reported, and is not found without.
func TestReversed(t *testing.T) {
	found, missed := 0, 0
	enough := func() bool { return testing.Short() || found > 0 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		r := Execute(t, DrawProgram(t))
		reached := r.Reached()
		h := New()
		if rapid.IntRange(0, 3).Draw(t, "small") == 0 {
			h = newHistory(rapid.IntRange(4, 20).Draw(t, "size"))
		}
		told := r.Ops
		if room := rapid.IntRange(0, 4).Draw(t, "room"); room > 0 {
			shadow := &Shadow{Room: room}
			told = func(i int) []op.Op { return shadow.Ops(t, r, i) }
		}
		var kept []keptPrefix
		for now := range r.Events {
			for _, o := range told(now) {
				h.Op(&o)
			}
			for before := range now {
				if r.Events[now].Task == r.Events[before].Task || r.Events[now].IsAccess() != r.Events[before].IsAccess() {
					continue
				}
				points := []Point{pointBefore(r, before), pointBefore(r, now)}
				if h.Prefix(points...) != nil {
					continue
				}
				real := false
				r.Cuts(func(c Cut) { real = real || r.AtPoints(c, before, now) && reached[r.Bits(c)] })
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
	if !enough() {
		t.Error("nothing was found")
	}
}

// accesses is a run of three tasks, each with one section of a lock: the first reads in it, the
// other two write. A write hides what was before it.
func accesses(tell func(...op.Op)) (first, last Point) {
	started := new(clock.Clock).With(0, 3)
	for k := range int32(3) {
		tell(op.Op{Kind: op.Go, Task: 0, K: k + 1, Other: op.Task(k + 1)})
	}
	section := func(t op.Task, o op.Op) {
		o.Task, o.Data, o.Moment, o.Want = t, started, 1, op.Write
		tell(op.Op{Kind: op.Lock, Task: t, K: 1, Object: 1, Data: started}, o, op.Op{Kind: op.Unlock, Task: t, K: 2, Object: 1, Data: started})
	}
	section(1, op.Op{})
	section(2, op.Op{Kind: op.Conflict, Other: 1, Access: op.Access{Sectioned: true, OtherMoment: 1, OtherWant: op.Read}})
	section(3, op.Op{Kind: op.Conflict, Other: 2, Access: op.Access{Sectioned: true, OtherMoment: 1, OtherWant: op.Write}})
	return Point{Task: 1, Done: 1, Data: started}, Point{Task: 3, Done: 2, Data: started}
}

// A write that is left out stands for what it hides.
func TestLeftOutWrite(t *testing.T) {
	for _, told := range []bool{false, true} {
		h := New()
		first, last := accesses(func(ops ...op.Op) {
			for _, o := range ops {
				if told || o.Other != 1 || o.Kind != op.Conflict {
					h.Op(&o)
				}
			}
		})
		if p := h.AnyPrefix(first, last); (p != nil) == told {
			t.Errorf("told of the read: %v, prefix: %v", told, p)
		}
	}
}

// A section that begins before a task writes over what was accessed may have that access. It
// comes last only in orders without that write.
func TestOverwrite(t *testing.T) {
	for _, c := range []struct {
		name   string
		before bool    // the section begins before the write
		passes op.Kind // what the writer does before the section begins
		in     bool    // the order has the write
		many   bool    // other clashes are reported behind the write: more than are remembered
		found  bool
	}{
		{"written before the section, in the same moment as later", false, op.None, true, false, false},
		{"written before the section", false, op.Send, true, false, true},
		{"written before the section, by who waits since", false, op.Block, true, true, true},
		{"written before the section, by who has ended", false, op.End, true, true, true},
		{"written before the section, in the same moment as later, and much since", false, op.None, true, true, false},
		{"written behind the section's begin", true, op.Send, true, false, false},
		{"written behind the section's begin, and much since", true, op.Send, true, true, false},
		{"written behind the section's begin, and left out", true, op.Send, false, false, true},
	} {
		h := New()
		started := new(clock.Clock).With(0, 3)
		tell := func(o op.Op) {
			o.Data = started
			h.Op(&o)
		}
		for k := range int32(3) {
			tell(op.Op{Kind: op.Go, Task: 0, K: k + 1, Other: op.Task(k + 1)})
		}
		writes := func() {
			tell(op.Op{Kind: op.Send, Task: 2, K: 1, Object: 9})
			tell(op.Op{Kind: op.Overwrite, Task: 2, Want: op.Write, Access: op.Access{Moment: 1}})
			for moment := range int32(maxClashes) {
				if c.many {
					tell(op.Op{Kind: op.Conflict, Task: 4, Other: 5, Want: op.Write, Access: op.Access{
						Moment: moment, OtherMoment: moment, OtherWant: op.Write, Sectioned: true,
					}})
				}
			}
			if c.passes != op.None {
				tell(op.Op{Kind: c.passes, Task: 2, K: 2, Object: 9})
			}
		}
		if !c.before {
			writes()
		}
		tell(op.Op{Kind: op.Lock, Task: 1, K: 1, Object: 1})
		tell(op.Op{Kind: op.Unlock, Task: 1, K: 2, Object: 1})
		if c.before {
			writes()
		}
		tell(op.Op{Kind: op.Lock, Task: 3, K: 1, Object: 1})
		tell(op.Op{Kind: op.Unlock, Task: 3, K: 2, Object: 1})
		knows := started
		if c.in {
			knows = knows.With(2, 2)
		}
		p := h.AnyPrefix(Point{Task: 1, Done: 1, Data: started}, Point{Task: 3, Done: 2, Data: knows})
		if (p != nil) != c.found {
			t.Errorf("%s: %v", c.name, p)
		}
	}
}
