package runs

import (
	"cmp"
	"maps"
	stdslices "slices"

	"github.com/antichain-go/antichain/internal/snapshot"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/onthefly/builtins"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// program is a source of a run with what is known of its operations. Sources share no goroutines and no memory.
type program struct {
	header  *event.Header
	checker *builtins.Checker
}

// add takes an operation, unless nobody asks for it.
func (p *program) add(e *event.Event) {
	if p != nil {
		p.checker.Add(e)
	}
}

// watch begins with the operations of a source, if built-in properties are checked.
func (rs *Runs) watch(r *Run, rec *record.Record, h *event.Header) error {
	if len(rs.config.Builtins.Properties) == 0 {
		return nil
	}
	checker, err := builtins.New(h, rs.config.Builtins)
	if err != nil {
		return err
	}
	if why := h.Untraced(); why != "" {
		checker.Lose(why)
	}
	if r.programs == nil {
		r.programs = map[string]*program{}
	}
	r.programs[rec.Source] = &program{h, checker}
	return nil
}

// builtinResults returns the results for built-in properties, now that the run is over.
func (r *Run) builtinResults(cut onthefly.Truncation) []*tlcheck.Result {
	why := ""
	if cut != "" {
		why = cut.Undecided()
	}
	var all [][]*tlcheck.Result
	for _, source := range stdslices.Sorted(maps.Keys(r.programs)) {
		all = append(all, r.programs[source].checker.Results(why))
	}
	return builtins.Merge(all...)
}

// snapshotPrograms writes or reads the programs of a run.
func (rs *Runs) snapshotPrograms(snap *snapshot.Codec, r *Run) {
	if len(rs.config.Builtins.Properties) == 0 {
		return // and the snapshot is as it was without
	}
	snapshot.Map(snap, &r.programs, cmp.Compare, snap.String, func(p **program) {
		snapshot.Pointer(snap, p, func(p *program) {
			if snap.Header(&p.header); snap.Err() != nil {
				return
			}
			if snap.Reading() {
				var err error
				if p.checker, err = builtins.New(p.header, rs.config.Builtins); err != nil {
					snap.Fail("%v", err)
					return
				}
			}
			p.checker.Snapshot(snap)
		})
	})
}
