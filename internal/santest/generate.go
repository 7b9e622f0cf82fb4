package santest

import (
	"fmt"
	"slices"

	"github.com/antichain-go/antichain/tracer/event"
)

// generator is a random run under construction.
type generator struct {
	src    Source
	c      Config
	h      *event.Header
	tasks  []*task // created tasks
	spawns int
	events []*event.Event
}

type task struct {
	name  string
	n     int      // number of events
	stack []string // functions that the task has not left
	ended bool
}

func (g *generator) chance(percent int) bool { return percent > 0 && g.src.Intn(100) >= 100-percent }

func (g *generator) pick(names []string) string { return names[g.src.Intn(len(names))] }

func (g *generator) header() {
	g.h = &event.Header{Version: 1}
	for i := range 1 + g.src.Intn(g.c.Tasks) {
		name := string(rune('a' + i))
		g.h.Tasks = append(g.h.Tasks, name)
		g.tasks = append(g.tasks, &task{name: name})
	}
	for _, v := range g.c.Shared {
		if g.chance(70) {
			g.h.Shared = append(g.h.Shared, event.Binding{Name: v, Value: g.value(v)})
		}
	}
	if g.chance(30) {
		g.h.Consts = append(g.h.Consts, event.Binding{Name: "N", Value: event.IntValue(int64(g.src.Intn(4)))})
	}
}

func (g *generator) live() []*task {
	return slices.DeleteFunc(slices.Clone(g.tasks), func(t *task) bool { return t.ended })
}

// event draws the next event of t; emit adds it to the trace.
func (g *generator) event(t *task) *event.Event {
	e := &event.Event{Task: t.name}
	if g.chance(g.c.Frames) {
		g.frame(t, e)
	}
	if g.spawns < g.c.Spawns && g.chance(20) {
		g.spawns++
		e.Spawn = fmt.Sprintf("p%d", g.spawns)
	}
	if g.chance(g.c.Values) {
		g.values(e)
	}
	if g.chance(g.c.Causes) {
		g.causes(e)
	}
	if g.chance(30) {
		e.Op, e.Obj = g.pick([]string{"send", "lock", "load"}), g.pick([]string{"chan 1", "mu"})
		e.At = fmt.Sprintf("main.go:%d", 1+g.src.Intn(9))
	}
	if g.chance(g.c.Ends) {
		e.Op, t.ended = "end", true
	}
	return e
}

// frame makes e enter or exit a function.
func (g *generator) frame(t *task, e *event.Event) {
	if len(t.stack) > 0 && g.src.Intn(2) == 0 {
		e.Exit = t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		return
	}
	e.Enter = g.pick(g.c.Functions)
	t.stack = append(t.stack, e.Enter)
}

func (g *generator) values(e *event.Event) {
	for range 1 + g.src.Intn(2) {
		v := g.pick(g.c.Variables)
		if has(e.Set, v) || has(e.Global, v) {
			continue
		}
		b := event.Binding{Name: v, Value: g.value(v)}
		if g.src.Intn(2) == 0 {
			e.Set = append(e.Set, b)
		} else {
			e.Global = append(e.Global, b)
		}
	}
	if len(g.h.Shared) > 0 && g.chance(50) {
		v := g.h.Shared[g.src.Intn(len(g.h.Shared))].Name
		e.Write = append(e.Write, event.Binding{Name: v, Value: g.value(v)})
	}
}

func has(bs []event.Binding, name string) bool {
	return slices.ContainsFunc(bs, func(b event.Binding) bool { return b.Name == name })
}

func (g *generator) value(name string) event.Value {
	i := event.IntValue(int64(g.src.Intn(3)))
	if name == "r" {
		return event.ObjectValue([]event.Binding{{Name: "x", Value: i}})
	}
	return i
}

// causes orders e after earlier events.
func (g *generator) causes(e *event.Event) {
	for range 1 + g.src.Intn(2) {
		if t := g.tasks[g.src.Intn(len(g.tasks))]; t.n > 0 {
			e.After = append(e.After, event.Ref{Task: t.name, K: 1 + g.src.Intn(t.n)})
		}
	}
}

// emit appends an event and creates the tasks it spawns.
func (g *generator) emit(es ...*event.Event) {
	for _, e := range es {
		for _, t := range g.tasks {
			if t.name == e.Task {
				t.n++
			}
		}
		g.events = append(g.events, e)
	}
	for _, e := range es {
		if e.Spawn != "" {
			g.tasks = append(g.tasks, &task{name: e.Spawn})
		}
	}
}

// joint emits a joint action of two or more live tasks.
func (g *generator) joint(live []*task) {
	first := g.src.Intn(len(live))
	size := 2
	for size < min(4, len(live)) && g.chance(30) {
		size++
	}
	var es []*event.Event
	var refs []event.Ref
	for i := range size {
		t := live[(first+i)%len(live)]
		es = append(es, g.event(t))
		refs = append(refs, event.Ref{Task: t.name, K: t.n + 1})
	}
	for i, e := range es {
		e.With = append(e.With, refs[(i+1)%size]) // in a ring, whose closure has all sides
	}
	if g.c.OneSided && g.chance(50) {
		g.oneSided(es, refs)
	}
	g.emit(es...)
}

// oneSided removes "with" from some sides, which makes a reader believe early that others are
// complete.
func (g *generator) oneSided(es []*event.Event, refs []event.Ref) {
	last := len(es) - 1
	switch {
	case last > 1 && g.chance(50): // the last one names a joint action that is complete without it
		es[last-1].With = refs[:1]
		es[last].With = refs[:1]
	default: // the first one names no other, and a chain leads to it
		for i := range es {
			es[i].With = nil
			if i > 0 {
				es[i].With = refs[i-1 : i]
			}
		}
	}
}
