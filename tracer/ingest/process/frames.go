package process

import (
	"fmt"
	"slices"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ring"
	"github.com/antichain-go/antichain/tracer/site"
)

// place is a site with the function's name turned into a number.
type place struct {
	*site.Site
	fn   int32
	vars []site.Var
}

// frame is a traced function that has been entered and not left.
type frame struct {
	fn    int32
	name  string
	token uint64 // the same on entry and exit
}

// compileSites checks that what the sites produce are valid events.
func compileSites(table *site.Table) ([]place, error) {
	functions := map[string]int32{}
	places := make([]place, len(table.Sites))
	for i := range table.Sites {
		s := &table.Sites[i]
		fn, ok := functions[s.Func]
		if !ok {
			fn = int32(len(functions))
			functions[s.Func] = fn
		}
		places[i] = place{s, fn, s.Vars}
		if err := checkSite(table, s); err != nil {
			return nil, fmt.Errorf("site %d (%s): %w: the site table does not belong to this version, build the program again", i, s.At, err)
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

// place returns the site of a record, and nil if it is none of that kind.
func (p *Process) place(rec *ring.Record, kind site.Kind) *place {
	if rec.Addr >= uint64(len(p.sites)) {
		p.corrupt(rec, "at an unknown site")
		return nil
	}
	s := &p.sites[rec.Addr]
	if s.Kind != kind {
		if s.Kind != site.None {
			p.corrupt(rec, "at a site of another kind")
		}
		return nil
	}
	return s
}

// atSite reads what a function or statement recorded.
func (p *Process) atSite(g *goroutine, rec *ring.Record) {
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
	if !p.isTask(g) {
		p.corrupt(rec, "by a goroutine that nobody started, and the trace has no task \""+envName+"\"")
		return
	}
	if kind == site.Exit && !p.unwindTo(g, s, rec) {
		return
	}
	p.ev.Reset()
	p.ev.At = s.At
	switch kind {
	case site.Enter:
		p.ev.Enter = s.Func
		g.frames = append(g.frames, frame{s.fn, s.Func, rec.Aux})
	case site.Exit:
		p.ev.Exit = s.Func
		g.frames = g.frames[:len(g.frames)-1]
		switch rec.Arg {
		case ring.ExitPanic:
			p.ev.Op = "panic"
		case ring.ExitGoexit:
			p.ev.Op = "goexit"
		}
	}
	p.bind(rec, s)
	p.keep(g)
}

// unwindTo writes the exits of the frames above the one that rec leaves, which had no
// chance to record theirs. It reports false if that frame was never entered.
func (p *Process) unwindTo(g *goroutine, s *place, rec *ring.Record) bool {
	at := -1
	for i := len(g.frames) - 1; i >= 0; i-- {
		f := &g.frames[i]
		if f.fn != s.fn {
			continue
		}
		if at < 0 {
			at = i
		}
		if f.token == rec.Aux { // of a recursive function, the one that is meant
			at = i
			break
		}
	}
	if at < 0 {
		p.corrupt(rec, "leaves a function that was not entered")
		return false
	}
	p.closeFrames(g, at+1)
	return true
}

// closeFrames writes exits until n frames are left.
func (p *Process) closeFrames(g *goroutine, n int) {
	for len(g.frames) > n {
		top := len(g.frames) - 1
		p.ev.Reset()
		p.ev.Exit = g.frames[top].name
		g.frames = g.frames[:top]
		p.keep(g)
	}
}

// bind puts the values of a record where its site says.
func (p *Process) bind(rec *ring.Record, s *place) {
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
			p.ev.Set = append(p.ev.Set, b)
		case site.Global:
			p.ev.Global = append(p.ev.Global, b)
		case site.Shared:
			p.ev.Write = append(p.ev.Write, b)
		}
	}
}

// values yields the values of a record by their places in s.vars, the zero Value for
// one that was not visible. Of a payload that makes no sense it yields what came
// before.
func (p *Process) values(rec *ring.Record, s *place) func(yield func(int, event.Value) bool) {
	return func(yield func(int, event.Value) bool) {
		b := rec.Payload
		for i, v := range s.vars {
			if len(b) == 0 {
				p.corrupt(rec, "has fewer values than its site at "+s.At)
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
					p.corrupt(rec, "at "+s.At+": "+err.Error())
					return
				}
			default:
				p.corrupt(rec, "at "+s.At+": value neither present nor absent")
				return
			}
			if v.Name != "" && !yield(i, value) {
				return
			}
		}
	}
}
