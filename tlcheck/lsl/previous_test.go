package lsl_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tracer/event"
)

// memory is what a task knows of its variables, written down event by event.
type memory struct {
	frames []map[string]event.Value
	left   bool // the innermost function was left by the last event
	own    map[string]event.Value
}

func (m *memory) clone() *memory {
	c := &memory{left: m.left, own: map[string]event.Value{}}
	for name, v := range m.own {
		c.own[name] = v
	}
	for _, f := range m.frames {
		g := map[string]event.Value{}
		for name, v := range f {
			g[name] = v
		}
		c.frames = append(c.frames, g)
	}
	return c
}

// follow returns the memory after an event, and whether the event changed a variable.
func (m *memory) follow(e *event.Event) (after *memory, changed bool) {
	after = m.clone()
	if after.left {
		after.frames = after.frames[:len(after.frames)-1]
	}
	if e.Enter != "" {
		after.frames = append(after.frames, map[string]event.Value{})
	}
	after.left = e.Exit != ""
	bind := func(to map[string]event.Value, bs []event.Binding) {
		for _, b := range bs {
			was, ok := to[b.Name]
			changed = changed || !ok || !was.Equal(b.Value)
		}
		for _, b := range bs {
			to[b.Name] = b.Value
		}
	}
	inner := after.own
	if n := len(after.frames); n > 0 {
		inner = after.frames[n-1]
	}
	bind(inner, e.Set)
	bind(after.own, e.Global)
	return after, changed
}

// x is the value of x, if it is visible.
func (m *memory) x() (event.Value, bool) {
	for i := len(m.frames) - 1; i >= 0; i-- {
		if v, ok := m.frames[i]["x"]; ok {
			return v, true
		}
	}
	v, ok := m.own["x"]
	return v, ok
}

// TestPreviousAgainstMemory compares prev with what was written down of each state.
func TestPreviousAgainstMemory(t *testing.T) {
	less, same := local(t, "prev(x) < x"), local(t, "prev(x) == x")
	seen := map[lsl.Truth]int{}
	enough := func() bool { return seen[lsl.True] > 0 && seen[lsl.False] > 0 && seen[lsl.Undefined] > 0 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		trace := santest.Generate(santest.Rapid(t), santest.Config{Steps: 25, Values: 70,
			Variables: []string{"x", "y"}, Shared: []string{"unused"}})
		net := trace.MustBuild()
		for task := range san.Task(net.Tasks()) {
			w := net.Walk(task)
			now, then := &memory{own: map[string]event.Value{}}, (*memory)(nil)
			formulas := []*lsl.Formula{lsl.Compile(net, less, lsl.L3), lsl.Compile(net, same, lsl.L3)}
			compare := func() {
				want := []lsl.Truth{lsl.Undefined, lsl.Undefined}
				if v, ok := now.x(); ok && then != nil {
					if was, ok := then.x(); ok {
						want = []lsl.Truth{lsl.TruthOf(was.Int() < v.Int()), lsl.TruthOf(was.Int() == v.Int())}
					}
				}
				for i, f := range formulas {
					if got := f.Eval(w.State(), nil); got != want[i] {
						t.Fatalf("formula %d in state %d of %s is %v, want %v\n%v", i, w.State().K(), net.Name(task),
							got, want[i], trace)
					}
					seen[want[i]]++
				}
			}
			compare()
			for _, e := range trace.Events {
				if e.Task != net.Name(task) {
					continue
				}
				before := now
				after, changed := now.follow(e)
				if now = after; changed {
					then = before
				}
				if !w.Next() {
					t.Fatalf("%s has no state after its event %d", net.Name(task), w.State().K())
				}
				compare()
			}
		}
	})
	if !enough() {
		t.Errorf("only these values were compared: %v", seen)
	}
}
