package process

import (
	"fmt"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tracer/event"
)

// maxHeld bounds the events that wait for initial values of shared variables.
const maxHeld = 1 << 18

// headerState is the header, and the events that wait for it.
type headerState struct {
	h     *event.Header
	ready bool
	// shared variables that lack an initial value, with their index in h.Shared
	missing map[string]int
	held    []*event.Event
}

// HeaderOf returns the header of a trace with the names in a site table. Shared variables have no
// values yet.
func HeaderOf(table *site.Table) *event.Header {
	instrumented := event.Instrumentation(table.Instrumented)
	h := &event.Header{Instrumented: &instrumented}
	for _, c := range table.Consts {
		h.Consts = append(h.Consts, event.Binding{Name: c.Name, Value: scalar(c.Value)})
	}
	for _, name := range table.Shared {
		h.Shared = append(h.Shared, event.Binding{Name: name, Value: event.NullValue()})
	}
	return h
}

// scalar is the value of a site.Const.
func scalar(v any) event.Value {
	switch v := v.(type) {
	case bool:
		return event.BoolValue(v)
	case int64:
		return event.IntValue(v)
	case uint64:
		return event.UintValue(v)
	case float64:
		return event.FloatValue(v)
	case string:
		return event.StringValue(v)
	}
	panic(fmt.Sprintf("site table: a constant is of type %T", v))
}

func (s *headerState) init(table *site.Table, opt Options, tasks []string) error {
	s.h = HeaderOf(table)
	s.h.Version, s.h.Tasks, s.h.Sparse = event.Version, tasks, opt.Sparse && !opt.Full
	if opt.Record {
		s.h.Operations = &event.Operations{Accesses: opt.Accesses, Env: opt.Env}
		if opt.Accesses {
			s.h.Operations.Hidden = opt.Hidden
		}
	}
	s.h.Run, s.h.Program, s.h.Host, s.h.Start = opt.Run, opt.Program, opt.Host, opt.Start
	s.missing = map[string]int{}
	for i, name := range table.Shared {
		if _, twice := s.missing[name]; twice {
			return fmt.Errorf("site table: shared variable %s twice", name)
		}
		s.missing[name] = i
	}
	s.ready = len(s.missing) == 0
	return nil
}

// sharedInit reads the initial values of the shared variables of a package.
func (p *Process) sharedInit(rec *ring.Record) {
	s := p.place(rec, site.SharedInit)
	if s == nil || p.header.ready {
		return
	}
	for i, v := range p.values(rec, s) {
		name := s.vars[i].Name
		if at, ok := p.header.missing[name]; ok && v.Kind() != event.Invalid {
			p.header.h.Shared[at].Value = v
		}
		delete(p.header.missing, name)
	}
	if len(p.header.missing) == 0 {
		p.openHeader()
	}
}

// holdForHeader keeps an event until the header is complete. If the program has not initialised its
// packages after maxHeld events, the missing values become null, and the trace supports no verdict.
func (p *Process) holdForHeader(e *event.Event) {
	p.header.held = append(p.header.held, e.Clone())
	if len(p.header.held) == maxHeld {
		p.order.Corrupt(&ring.Record{Kind: ring.KindSharedInit},
			"never came: initial values of shared variables are unknown")
		p.openHeader()
	}
}

// openHeader declares the header complete and emits the events that waited for it.
func (p *Process) openHeader() {
	p.header.ready = true
	for _, e := range p.header.held {
		if p.err == nil {
			if e.IsAction() {
				p.stats.Events++
			}
			p.err = p.emit(e)
		}
	}
	p.header.held = nil
}
