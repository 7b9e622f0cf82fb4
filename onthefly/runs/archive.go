package runs

import (
	"cmp"
	stdslices "slices"

	"github.com/antichain-go/antichain/internal/snapshot"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/ingest/run"
)

// Archive writes the runs, which go on, or reads them into none. The properties and the logic have to be the same.
func (rs *Runs) Archive(a *snapshot.Archive) error {
	snapshot.Map(a, &rs.live, cmp.Compare, a.String, func(r **Run) {
		snapshot.Pointer(a, r, func(r *Run) { rs.archiveRun(a, r) })
	})
	snapshot.Slice(a, &rs.oldest, a.String)
	snapshot.Map(a, &rs.over, cmp.Compare, a.String, func(was **ended) {
		snapshot.Pointer(a, was, func(was *ended) {
			a.Bool(&was.failed)
			was.sources.Archive(a)
		})
	})
	if a.Reading() {
		for id := range rs.live {
			rs.config.lives(id, true)
		}
		rs.weighEnded(a)
	}
	rs.stats.archive(a)
	return a.Err()
}

// weighEnded finds out how much memory the runs take that are over and were read.
func (rs *Runs) weighEnded(a *snapshot.Archive) {
	for _, id := range rs.oldest {
		was := rs.over[id]
		if was == nil {
			a.Fail("run %q is over, and not among those that are", id)
			return
		}
		rs.bytes += was.size(id)
	}
}

// archive archives what is counted.
func (s *Stats) archive(a *snapshot.Archive) {
	for _, n := range []*int64{&s.Records, &s.Events, &s.Repeated, &s.Ignored, &s.Dropped, &s.Ended, &s.Failed} {
		snapshot.Int(a, n)
	}
}

func (rs *Runs) archiveRun(a *snapshot.Archive, r *Run) {
	a.String(&r.id)
	r.sources.Archive(a)
	a.Bool(&r.final)
	cut := string(r.cut)
	a.String(&cut)
	r.cut = onthefly.Truncation(cut)
	snapshot.Int(a, &r.last)
	snapshot.Int(a, &r.stuck)
	a.String(&r.oldest.Task)
	snapshot.Int(a, &r.oldest.K)
	snapshot.Int(a, &r.events)
	snapshot.Int(a, &r.weighed)
	snapshot.Int(a, &r.bytes)
	begun := r.checker != nil
	if a.Bool(&begun); !begun || a.Err() != nil {
		return
	}
	if a.Header(&r.header); a.Err() != nil {
		return
	}
	if a.Reading() {
		r.joined, _ = run.New[string](r.header, true)
	}
	run.Archive(a, r.joined, a.String)
	rs.archiveProperties(a, &r.open)
	rs.archiveProperties(a, &r.late)
	var checked []*spec.Property // by the checker, also those that have been violated
	if !a.Reading() {
		checked = r.checker.Properties()
	}
	if rs.archiveProperties(a, &checked); !a.Reading() {
		r.checker.Snapshot(a)
		return
	}
	if a.Err() != nil {
		return
	}
	checker, err := onthefly.Restore(a, checked, rs.config.Logic)
	if err != nil {
		a.Fail("run %q: %v", r.id, err)
		return
	}
	r.checker = checker
	checker.Inline()
}

// archiveProperties archives properties by their numbers in the configuration.
func (rs *Runs) archiveProperties(a *snapshot.Archive, ps *[]*spec.Property) {
	var numbers []int
	for _, p := range *ps {
		numbers = append(numbers, stdslices.Index(rs.config.Properties, p))
	}
	snapshot.Slice(a, &numbers, func(n *int) { snapshot.Int(a, n) })
	if !a.Reading() {
		return
	}
	*ps = nil
	for _, n := range numbers {
		if n < 0 || n >= len(rs.config.Properties) {
			a.Fail("property %d of %d", n, len(rs.config.Properties))
			return
		}
		*ps = append(*ps, rs.config.Properties[n])
	}
}
