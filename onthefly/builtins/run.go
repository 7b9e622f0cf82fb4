package builtins

import (
	"maps"
	"slices"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// Run checks the built-in properties of a run, of one program or of several. Programs share no
// goroutines and no memory, so each has a checker of its own. The zero Run checks nothing.
type Run[Key comparable] struct {
	Config // of the checkers, before the first program

	programs []source[Key] // in the order in which they began
	of       map[Key]*Checker
}

// source is one of the programs.
type source[Key comparable] struct {
	key     Key
	name    string // in reports; "" if the run has no others
	header  *event.Header
	checker *Checker
}

// Enter adds a program under a new key. origin is the name of its source in findings, empty if the
// run has no other programs.
func (r *Run[Key]) Enter(key Key, origin string, h *event.Header) {
	if len(r.Properties) == 0 {
		return
	}
	k := New(h, r.Config)
	if why := h.Untraced(); why != "" {
		k.Lose(why)
	}
	r.add(source[Key]{key, programName(origin, h), h, k})
}

// programName returns the name of a program in reports. Several programs of a run may differ only
// in their origin.
func programName(origin string, h *event.Header) string {
	if origin == "" || h.Program == "" {
		return origin
	}
	return h.Program + " (" + origin + ")"
}

func (r *Run[Key]) add(s source[Key]) {
	if r.of == nil {
		r.of = map[Key]*Checker{}
	}
	r.programs = append(r.programs, s)
	r.of[s.key] = s.checker
}

// Add reads an event of a program.
func (r *Run[Key]) Add(key Key, e *event.Event) {
	if k := r.of[key]; k != nil {
		k.Add(e)
	}
}

// Lose is Checker.Lose for all programs.
func (r *Run[Key]) Lose(why string) {
	for _, p := range r.programs {
		p.checker.Lose(why)
	}
}

// Certain is Checker.Certain for all programs.
func (r *Run[Key]) Certain() []*tlcheck.Result {
	var all []*tlcheck.Result
	for _, p := range r.programs {
		for _, result := range p.checker.Certain() {
			result.Program = p.name
			all = append(all, result)
		}
	}
	return all
}

// Results is Checker.Results for all programs: the findings of each and, for a property without
// one, the least certain verdict.
func (r *Run[Key]) Results(cut string) []*tlcheck.Result {
	var all, rest []*tlcheck.Result
	found := map[builtin.Property]bool{}
	for _, p := range r.programs {
		for _, result := range p.checker.Results(cut) {
			if result.Finding != nil {
				result.Program = p.name
				all = append(all, result)
			} else {
				rest = append(rest, result)
			}
		}
		maps.Copy(found, p.checker.state.violated)
	}
	return append(all, leastCertain(rest, found)...)
}

// leastCertain returns one result for each property without findings.
func leastCertain(results []*tlcheck.Result, found map[builtin.Property]bool) []*tlcheck.Result {
	var least []*tlcheck.Result
	for _, result := range results {
		if _, ok := found[result.Builtin]; ok {
			continue
		}
		i := slices.IndexFunc(least, func(known *tlcheck.Result) bool { return known.Builtin == result.Builtin })
		switch {
		case i < 0:
			least = append(least, result)
		case result.Verdict == tlcheck.Unknown:
			least[i] = result
		}
	}
	return least
}

// Bytes is Checker.Bytes for all programs.
func (r *Run[Key]) Bytes() int {
	n := 0
	for _, p := range r.programs {
		n += p.checker.Bytes()
	}
	return n
}

// Snapshot writes the run, which continues, or reads it into a new one of the same configuration.
// It writes nothing if nothing is checked.
func (r *Run[Key]) Snapshot(c *snapshot.Codec, key func(*Key)) {
	if len(r.Properties) == 0 {
		return
	}
	programs := r.programs
	snapshot.Slice(c, &programs, func(s *source[Key]) {
		key(&s.key)
		c.String(&s.name)
		if c.Header(&s.header); c.Err() != nil {
			return
		}
		if c.Reading() {
			s.checker = New(s.header, r.Config)
		}
		if s.checker.Snapshot(c); c.Reading() {
			r.add(*s)
		}
	})
}
