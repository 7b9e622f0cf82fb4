package process

import (
	"fmt"
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/causality"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tracer/event"
)

// tracedSite is a site whose function is numbered.
type tracedSite struct {
	*site.Site
	fn   int32
	vars []site.Var
}

// compileSites checks that the sites produce valid events.
func compileSites(table *site.Table) ([]tracedSite, error) {
	functions := map[string]int32{}
	places := make([]tracedSite, len(table.Sites))
	for i := range table.Sites {
		s := &table.Sites[i]
		fn, ok := functions[s.Func]
		if !ok {
			fn = int32(len(functions))
			functions[s.Func] = fn
		}
		places[i] = tracedSite{s, fn, s.Vars}
		if err := checkSite(table, s); err != nil {
			return nil, fmt.Errorf("site %d (%s): %w: the site table does not belong to this version, build the "+
				"program again", i, s.At, err)
		}
	}
	return places, nil
}

func checkSite(table *site.Table, s *site.Site) error {
	switch s.Kind {
	case site.None, site.Stmt, site.SharedInit:
	case site.Enter, site.Exit:
		if s.Func == "" {
			return fmt.Errorf("%s of no function", s.Kind)
		}
	default:
		return fmt.Errorf("unknown kind %q", s.Kind)
	}
	own, written := map[string]bool{}, map[string]bool{}
	for _, v := range s.Vars {
		seen := own
		switch {
		case v.Name == "" || s.Kind == site.None:
			continue
		case v.Scope == site.Shared:
			seen = written
			if !slices.Contains(table.Shared, v.Name) {
				return fmt.Errorf("variable %s is not declared as shared", v.Name)
			}
		case v.Scope != site.Frame && v.Scope != site.Global:
			return fmt.Errorf("variable %s has the unknown scope %q", v.Name, v.Scope)
		}
		if seen[v.Name] {
			return fmt.Errorf("variable %s twice", v.Name)
		}
		seen[v.Name] = true
	}
	return nil
}

// tracedSite returns the site of a record, nil if it is no site of that kind.
func (p *Process) place(rec *ring.Record, kind site.Kind) *tracedSite {
	if rec.Addr >= uint64(len(p.sites)) {
		p.order.Corrupt(rec, "at an unknown site")
		return nil
	}
	s := &p.sites[rec.Addr]
	if s.Kind != kind {
		if s.Kind != site.None {
			p.order.Corrupt(rec, "at a site of another kind")
		}
		return nil
	}
	return s
}

// atSite processes the record of a function or statement.
func (p *Process) atSite(rec *ring.Record) {
	kind := site.Stmt
	switch rec.Kind {
	case ring.KindEnter:
		kind = site.Enter
	case ring.KindExit:
		kind = site.Exit
	}
	s := p.place(rec, kind)
	if s == nil {
		return
	}
	if !p.order.MakeTask(rec.Ctx) {
		p.order.Corrupt(rec, "by a goroutine that the program did not start, and the trace has no task \""+
			event.EnvTask+"\"")
		return
	}
	if kind == site.Exit && !p.order.Unwind(rec.Ctx, s.fn, rec.Aux) {
		p.order.Corrupt(rec, "leaves a function that was not entered")
		return
	}
	e := p.order.Event()
	e.At = s.At
	p.bind(e, rec, s)
	switch kind {
	case site.Enter:
		e.Enter = s.Func
		p.order.Enter(rec.Ctx, causality.Frame{Function: s.fn, Name: s.Func, Token: rec.Aux})
	case site.Exit:
		e.Exit = s.Func
		switch rec.Arg {
		case ring.ExitPanic:
			e.Op = "panic"
		case ring.ExitGoexit:
			e.Op = "goexit"
		}
		p.order.Leave(rec.Ctx)
	default:
		p.order.Keep(rec.Ctx)
	}
}

// bind stores the values of a record where its site says.
func (p *Process) bind(e *event.Event, rec *ring.Record, s *tracedSite) {
	if rec.Payload == nil && rec.Kind == ring.KindExit {
		return // left by a panic: there are no results
	}
	for i, v := range p.values(rec, s) {
		if v.Kind() == event.Invalid {
			continue
		}
		b := event.Binding{Name: s.vars[i].Name, Value: v}
		switch s.vars[i].Scope {
		case site.Frame:
			e.Set = append(e.Set, b)
		case site.Global:
			e.Global = append(e.Global, b)
		case site.Shared:
			e.Write = append(e.Write, b)
		}
	}
}

// values yields the values of a record by their index in s.vars, the zero Value for one that was
// not visible. If the payload makes no sense, it stops there.
func (p *Process) values(rec *ring.Record, s *tracedSite) func(yield func(int, event.Value) bool) {
	return func(yield func(int, event.Value) bool) {
		b := rec.Payload
		for i, v := range s.vars {
			if len(b) == 0 {
				p.order.Corrupt(rec, "has fewer values than its site at "+s.At)
				return
			}
			present := b[0]
			b = b[1:]
			var value event.Value
			switch present {
			case 0:
			case 1:
				var err error
				value, b, err = event.DecodeValue(b, event.Limits{})
				if err != nil {
					p.order.Corrupt(rec, "at "+s.At+": "+err.Error())
					return
				}
			default:
				p.order.Corrupt(rec, "at "+s.At+": value neither present nor absent")
				return
			}
			if v.Name != "" && !yield(i, value) {
				return
			}
		}
	}
}
