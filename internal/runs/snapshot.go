package runs

import (
	"cmp"
	stdslices "slices"

	"github.com/antichain-go/antichain/internal/runs/run"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// Snapshot writes the runs, which continue, or reads them into an empty Runs. The properties and
// the logic have to be the same.
func (rs *Runs) Snapshot(snap *snapshot.Codec) error {
	snapshot.Map(snap, &rs.live, cmp.Compare, snap.String, func(r **Run) {
		snapshot.Pointer(snap, r, func(r *Run) {
			if snap.Reading() {
				r.builtins.Config = rs.config.Builtins
			}
			rs.snapshotRun(snap, r)
		})
	})
	rs.past.snapshot(snap)
	if snap.Reading() {
		for id := range rs.live {
			rs.config.lives(id, true)
		}
	}
	rs.stats.Snapshot(snap)
	return snap.Err()
}

// Snapshot writes or reads the counts.
func (s *Stats) Snapshot(snap *snapshot.Codec) {
	for _, n := range s.numbers() {
		snapshot.Int(snap, n)
	}
}

func (rs *Runs) snapshotRun(snap *snapshot.Codec, r *Run) {
	snap.String(&r.id)
	r.sources.Snapshot(snap)
	snap.Bool(&r.noMoreSources)
	cut := string(r.cut)
	snap.String(&cut)
	r.cut = tlcheck.Truncation(cut)
	snapshot.Int(snap, &r.last)
	snapshot.Int(snap, &r.waitingSince)
	snap.String(&r.oldest.Task)
	snapshot.Int(snap, &r.oldest.K)
	snapshot.Int(snap, &r.events)
	snapshot.Int(snap, &r.weighed)
	snapshot.Int(snap, &r.bytes)
	begun := r.checker != nil
	if snap.Bool(&begun); !begun || snap.Err() != nil {
		return
	}
	if snap.Header(&r.header); snap.Err() != nil {
		return
	}
	if snap.Reading() {
		r.joined, _ = run.New[string](r.header, true)
	}
	run.Snapshot(snap, r.joined, snap.String)
	rs.snapshotProperties(snap, &r.open)
	rs.snapshotProperties(snap, &r.lateProperties)
	var checked []*spec.Property // by the checker, including those that have been violated
	if !snap.Reading() {
		checked = r.checker.Properties()
	}
	if rs.snapshotProperties(snap, &checked); !snap.Reading() {
		r.checker.Snapshot(snap)
		r.builtins.Snapshot(snap, snap.String)
		return
	}
	if snap.Err() != nil {
		return
	}
	checker, err := onthefly.Restore(snap, checked, rs.config.Logic)
	if err != nil {
		snap.Fail("run %q: %v", r.id, err)
		return
	}
	r.checker = checker
	checker.Inline()
	r.builtins.Snapshot(snap, snap.String)
}

// snapshotProperties writes or restores properties by their numbers in the configuration.
func (rs *Runs) snapshotProperties(snap *snapshot.Codec, ps *[]*spec.Property) {
	var numbers []int
	for _, p := range *ps {
		numbers = append(numbers, stdslices.Index(rs.config.Properties, p))
	}
	snapshot.Slice(snap, &numbers, func(n *int) { snapshot.Int(snap, n) })
	if !snap.Reading() {
		return
	}
	*ps = nil
	for _, n := range numbers {
		if n < 0 || n >= len(rs.config.Properties) {
			snap.Fail("property %d of %d", n, len(rs.config.Properties))
			return
		}
		*ps = append(*ps, rs.config.Properties[n])
	}
}
