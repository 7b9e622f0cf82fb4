package monitor

import (
	"github.com/antichain-go/antichain/onthefly/builtins"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tracer/event"
)

// program is a source of a run with what is known of its operations.
type program struct {
	header  *event.Header
	checker *builtins.Checker // nil if there is none, which was reported
}

// Enter begins with a source.
func (r *Run) Enter(h *event.Header) { r.checkerOf(h) }

// Operation takes an operation of the source with that header.
func (r *Run) Operation(from *event.Header, e *event.Event) {
	if k := r.checkerOf(from); k != nil {
		k.Add(e)
	}
}

// checkerOf returns the checker of the built-in properties of a source, nil if there is none.
func (r *Run) checkerOf(from *event.Header) *builtins.Checker {
	if len(r.Monitor.Builtins.Properties) == 0 {
		return nil
	}
	for i := range r.programs {
		if r.programs[i].header == from {
			return r.programs[i].checker
		}
	}
	k, err := builtins.New(from, r.Monitor.Builtins)
	if err != nil {
		r.Monitor.ReportError(err)
		k = nil
	}
	r.programs = append(r.programs, program{from, k})
	return k
}

// builtinResults returns the results for built-in properties, now that the run is over, with cut for why if its end is not known.
func (r *Run) builtinResults(cut error) []*tlcheck.Result {
	why := ""
	if cut != nil {
		why = CutOf(cut).Undecided()
	}
	var all [][]*tlcheck.Result
	for _, p := range r.programs {
		if p.checker != nil {
			all = append(all, p.checker.Results(why))
		}
	}
	return builtins.Merge(all...)
}

// loseBuiltins reports that the built-in properties have no verdict.
func (r *Run) loseBuiltins(why string) {
	var all [][]*tlcheck.Result
	for _, p := range r.programs {
		if p.checker != nil {
			p.checker.Lose(why)
			all = append(all, p.checker.Results(why))
		}
	}
	for _, result := range builtins.Merge(all...) {
		r.Monitor.ReportVerdict(r.name, result)
	}
}
