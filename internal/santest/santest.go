// Package santest generates random valid traces for tests of code that reads nets.
package santest

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// Source makes decisions; *rand.Rand is one, for many cases at little cost.
type Source interface {
	Intn(n int) int // in [0,n)
}

// Rapid returns a source whose decisions rapid records and shrinks towards 0.
func Rapid(t *rapid.T) Source { return rapidSource{t} }

type rapidSource struct{ t *rapid.T }

func (s rapidSource) Intn(n int) int { return rapid.IntRange(0, n-1).Draw(s.t, "n") }

// Config describes traces. In percentages, 0 means the default and a negative number never.
type Config struct {
	Tasks  int // greatest number of initial tasks; default 3
	Spawns int // greatest number of created tasks; default 3
	Steps  int // greatest number of actions; default 12

	// percentages of actions with some; defaults 40, 40, 30, 20, 3
	Frames, Values, Causes, Joints, Ends int

	Functions []string // default f, g
	// of set and global; default x, y, r, r.x: the last two name one field in two ways
	Variables []string
	Shared    []string // default z, r.y; a trace declares some of them
	// some sides of joint actions lack "with", and may precede the side that names them
	OneSided bool
}

func (c Config) withDefaults() Config {
	for _, d := range []struct {
		v    *int
		deft int
	}{{&c.Tasks, 3}, {&c.Spawns, 3}, {&c.Steps, 12}, {&c.Frames, 40}, {&c.Values, 40}, {&c.Causes, 30}, {&c.Joints, 20},
		{&c.Ends, 3}} {
		if *d.v == 0 {
			*d.v = d.deft
		}
	}
	if c.Functions == nil {
		c.Functions = []string{"f", "g"}
	}
	if c.Variables == nil {
		c.Variables = []string{"x", "y", "r", "r.x"}
	}
	if c.Shared == nil {
		c.Shared = []string{"z", "r.y"}
	}
	return c
}

// Trace is a trace in memory.
type Trace struct {
	Header *event.Header
	Events []*event.Event
}

// Generate returns a valid trace in an order that a run could have recorded.
func Generate(src Source, c Config) Trace {
	g := &generator{src: src, c: c.withDefaults()}
	g.header()
	for n := src.Intn(g.c.Steps + 1); n > 0; n-- {
		live := g.live()
		if len(live) == 0 {
			break
		}
		if len(live) > 1 && g.chance(g.c.Joints) {
			g.joint(live)
		} else {
			g.emit(g.event(live[src.Intn(len(live))]))
		}
	}
	return Trace{g.h, g.events}
}

// Shuffle returns the trace in another order of arrival, which preserves the order of each task.
func (tr Trace) Shuffle(src Source) Trace {
	byTask := make(map[string][]*event.Event)
	var tasks []string
	for _, e := range tr.Events {
		if byTask[e.Task] == nil {
			tasks = append(tasks, e.Task)
		}
		byTask[e.Task] = append(byTask[e.Task], e)
	}
	shuffled := Trace{Header: tr.Header}
	for len(tasks) > 0 {
		i := src.Intn(len(tasks))
		es := byTask[tasks[i]]
		shuffled.Events = append(shuffled.Events, es[0])
		if byTask[tasks[i]] = es[1:]; len(es) == 1 {
			tasks = append(tasks[:i], tasks[i+1:]...)
		}
	}
	return shuffled
}

// Build builds the net of the trace; positions are "event n", from 1.
func (tr Trace) Build() (*san.Net, error) {
	b, err := san.NewBuilder(tr.Header)
	if err != nil {
		return nil, err
	}
	for i, e := range tr.Events {
		if err := b.Add(e, fmt.Sprintf("event %d", i+1)); err != nil {
			return nil, err
		}
	}
	return b.Finish()
}

// MustBuild is Build for valid traces.
func (tr Trace) MustBuild() *san.Net {
	n, err := tr.Build()
	if err != nil {
		panic(fmt.Sprintf("santest: a generated trace is not valid: %v\n%s", err, tr))
	}
	return n
}

// String returns one event a line.
func (tr Trace) String() string {
	s := fmt.Sprintf("tasks %v\n", tr.Header.Tasks)
	for _, e := range tr.Events {
		s += fmt.Sprintf("%+v\n", *e)
	}
	return s
}
