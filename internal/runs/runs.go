// Package runs checks many runs at once, whose records arrive in one partition of a stream.
//
//	all := runs.New(config, reporter)
//	all.Take(record, time.Now()) // each record; reports at once
//	all.Tick(time.Now())         // now and then: runs without records are over
//
// The way from a record to results:
//
//	record ──► sources of its run ──► events ──► checker of its run ──► Reporter
//	           each record once,                 the first violation of a property
//	           in the order of its source        at once, the rest when the run is over
//
// Reports depend on the records, in the order of the partition. They depend on time in two places
// only: a run without records for a while is over, and records that others wait for have to arrive
// in time. So a process that continues from a snapshot reports the same verdicts, and may repeat
// some.
package runs

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	stdslices "slices"
	"time"

	"github.com/antichain-go/antichain/onthefly/builtins"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// Config lists the properties to check, and the limits.
type Config struct {
	Properties []*spec.Property
	Builtins   builtins.Config // none without properties
	Logic      lsl.Logic
	Limits     Limits

	// Split sorts the properties for a run with that header: those that are checked while it is
	// running, those that are checked when it is over, and those that cannot be checked, with the
	// reason.
	Split func(*event.Header) (open, late []*spec.Property, refused []*tlcheck.Result)

	// Lives, unless nil, is called with true when a run begins here, and with false when it is over
	// or has another owner.
	Lives func(run string, live bool)

	// PastBytes, unless nil, returns how much memory there is for what is remembered of runs that
	// are over.
	PastBytes func() int
}

// pastBytes returns how much memory there is for runs that are over.
func (c *Config) pastBytes() int {
	if c.PastBytes == nil {
		return maxPastBytes
	}
	return min(c.PastBytes(), maxPastBytes)
}

func (c *Config) lives(run string, live bool) {
	if c.Lives != nil {
		c.Lives(run, live)
	}
}

// Limits of one run. 0 is no limit.
type Limits struct {
	Memory int           // bytes, roughly
	Late   time.Duration // how long records and events wait for others
	Idle   time.Duration // how long a run stays open without a record
	Lines  event.Limits
}

// Remedies in the errors for a Reporter; record.RemedyLate is another one.
const (
	RemedyMemory = "allow a run more memory"          // Limits.Memory
	RemedySpans  = "messages of spans are no records" // they must be decoded as spans
)

// Reporter receives the results, in the goroutine that calls Take or Tick. Nets are valid during a
// call.
type Reporter interface {
	// Result receives the result for a property that is checked on-the-fly: at its first violation,
	// or when the run is over. For built-in properties it receives the findings of a run when that
	// is over. Without a net, the result says why the property is not checked. A violation is not
	// explained (tlcheck.ExplainViolation).
	Result(run *Run, result *tlcheck.Result)
	// Over receives a finished run whose late properties are now to be checked.
	Over(run *Run, net *san.Net, late []*spec.Property, cut tlcheck.Truncation)
	// Failed receives the error of a run. No further reports about it follow.
	Failed(run *Run, err error)
	// Rejected receives a record that cannot be read.
	Rejected(r *record.Record, err error)
}

// Stats are numbers about the runs.
type Stats struct {
	Live    int // now
	Bytes   int // memory of all of them, roughly
	Largest int // memory of the largest

	Past, PastBytes int // runs that are over and remembered, and their memory, roughly
	Counts
}

// Counts are numbers that only grow, even if the runs change their owner.
type Counts struct {
	Records, Events int64 // read
	Repeated        int64 // records that had come before
	Ignored         int64 // records of failed runs
	Dropped         int64 // records that cannot be read
	Ended, Failed   int64 // runs
}

// numbers are the counts, in the order of snapshots.
func (c *Counts) numbers() [7]*int64 {
	return [...]*int64{&c.Records, &c.Events, &c.Repeated, &c.Ignored, &c.Dropped, &c.Ended, &c.Failed}
}

// Plus returns the sums.
func (c Counts) Plus(d Counts) Counts {
	for i, n := range d.numbers() {
		*c.numbers()[i] += *n
	}
	return c
}

// Minus returns the differences.
func (c Counts) Minus(d Counts) Counts {
	for i, n := range d.numbers() {
		*c.numbers()[i] -= *n
	}
	return c
}

// Runs are the runs of a partition. It is not safe for concurrent use.
type Runs struct {
	config Config
	to     Reporter
	reader *event.PartReader
	event  event.Event
	ready  []*record.Record // room for those that a record makes readable
	live   map[string]*Run
	past   past
	stats  Stats
}

// maxID bounds the id of a run, which is in all its messages.
const maxID = 4 << 10

// New returns no runs.
func New(c Config, to Reporter) *Runs {
	return &Runs{config: c, to: to, reader: event.NewPartReader(c.Limits.Lines), live: map[string]*Run{},
		past: past{of: map[string]string{}}}
}

// Take takes the next record of the partition.
func (rs *Runs) Take(rec *record.Record, now time.Time) {
	rs.stats.Records++
	if rec.Run == "" {
		rs.reject(rec, &event.Error{Pos: rec.At, Reason: "record without a key",
			Remedy: "the key must be the id of the run"})
		return
	}
	if len(rec.Run) > maxID {
		rs.reject(rec, &event.Error{Pos: rec.At,
			Reason: fmt.Sprintf("a key of %d bytes, more than %d", len(rec.Run), maxID),
			Remedy: "give runs shorter ids"})
		return
	}
	r := rs.live[rec.Run]
	if r == nil {
		if was, over := rs.past.of[rec.Run]; over {
			rs.takeRepeated(was, rec)
			return
		}
		r = &Run{id: rec.Run, builtins: builtins.Run[string]{Config: rs.config.Builtins}}
		rs.live[rec.Run] = r
		rs.config.lives(r.id, true)
	}
	r.last, r.written = now.UnixNano(), rec.Time
	if bug := Guard(func() { rs.take(r, rec) }); bug != nil {
		rs.fail(r, rec, bug)
	}
	r.written = time.Time{}
}

// take takes a record of a run.
func (rs *Runs) take(r *Run, rec *record.Record) {
	repeated := r.sources.Seen(rec)
	ready, err := r.sources.Take(rs.ready[:0], rec, r.last)
	rs.ready = ready
	defer clear(ready) // the records must not be retained
	if err = cmp.Or(rec.Bad, err); err != nil {
		rs.fail(r, rec, err)
		return
	}
	if repeated {
		rs.stats.Repeated++
	}
	for _, rec := range ready {
		err := rs.read(r, rec)
		if err == nil {
			// after each, since the result must not depend on which ones come together
			err = r.step(rs)
		}
		if err != nil {
			rs.fail(r, rec, err)
			return
		}
	}
	rs.settle(r, rec)
}

// takeRepeated takes a record of a run that is over.
func (rs *Runs) takeRepeated(was string, rec *record.Record) {
	if was == failed {
		rs.stats.Ignored++
		return
	}
	sources, _ := record.RecallSources(was)
	if !sources.Seen(rec) {
		rs.reject(rec, &event.Error{Pos: rec.At, Reason: fmt.Sprintf("run %q is over", rec.Run),
			Remedy: "give each run its own name, count all of its sources, or raise the time after which a run " +
				"without records is over"})
		return
	}
	if err := sources.Differs(rec); err != nil {
		rs.reject(rec, err)
		return
	}
	rs.stats.Repeated++
}

func (rs *Runs) reject(rec *record.Record, err error) {
	rs.stats.Dropped++
	rs.to.Rejected(rec, err)
}

// settle finishes a run after a record, if it is over or too large.
func (rs *Runs) settle(r *Run, rec *record.Record) {
	r.noteWaiting(r.last)
	if err := rs.fits(r); err != nil {
		rs.fail(r, rec, err)
		return
	}
	if r.over() {
		rs.close(r, "")
	}
}

// fits returns an error if a run exceeds its memory limit.
func (rs *Runs) fits(r *Run) error {
	limit := rs.config.Limits.Memory
	if size := r.size(); limit > 0 && size > limit {
		return r.tooLarge(size, limit)
	}
	return nil
}

// Tick ends runs that are over, or have waited for too long. It reports whether there were some.
func (rs *Runs) Tick(now time.Time) bool {
	before := len(rs.live)
	for _, id := range stdslices.Sorted(maps.Keys(rs.live)) {
		r := rs.live[id]
		if bug := Guard(func() { rs.tick(r, now) }); bug != nil {
			rs.fail(r, nil, bug)
		}
	}
	return len(rs.live) < before
}

// tick ends a run that is over, or has waited for too long.
func (rs *Runs) tick(r *Run, now time.Time) {
	r.progress(now.UnixNano())
	quiet := time.Duration(now.UnixNano() - r.last)
	late := now.Add(-rs.config.Limits.Late).UnixNano()
	switch {
	case rs.config.Limits.Late > 0 && r.sources.Missing(late) != nil:
		rs.fail(r, nil, r.sources.Missing(late))
	case rs.config.Limits.Late > 0 && r.waitingSince != 0 && r.waitingSince < late:
		rs.fail(r, nil, r.checker.PendingError())
	case r.ended() && quiet > rs.config.Limits.Late:
		rs.close(r, "")
	case rs.config.Limits.Idle > 0 && quiet > rs.config.Limits.Idle:
		rs.close(r, r.idle(rs.config.Limits.Idle))
	}
}

// fail ends a run that is broken. rec is the record that shows it, nil if none does.
func (rs *Runs) fail(r *Run, rec *record.Record, err error) {
	rs.stats.Failed++
	if rec != nil {
		rs.reject(rec, err)
	}
	rs.to.Failed(r, err)
	_ = Guard(r.drop) // dropping may reveal a further bug
	rs.remember(r, true)
}

// close ends a run in order, or as cut says. If records still wait for one that has not come the
// run is broken: they would be dropped silently, and could be all that there is of a run.
func (rs *Runs) close(r *Run, cut tlcheck.Truncation) {
	if err := r.sources.Missing(math.MaxInt64); err != nil {
		rs.fail(r, nil, err)
		return
	}
	if cut == "" && r.cut == "" && r.checker != nil {
		if err := r.checker.PendingError(); err != nil { // no source is left that could send it
			rs.fail(r, nil, err)
			return
		}
	}
	rs.stats.Ended++
	if err := r.close(rs, cut); err != nil {
		rs.fail(r, nil, err)
		return
	}
	rs.remember(r, false)
}

// remember remembers that a run is over.
func (rs *Runs) remember(r *Run, broken bool) {
	delete(rs.live, r.id)
	rs.config.lives(r.id, false)
	was := failed
	if !broken {
		was = string(r.sources.AppendRead(nil))
	}
	rs.past.add(r.id, was)
	rs.past.keepWithin(rs.config.pastBytes())
}

// Stats returns the numbers so far.
func (rs *Runs) Stats() Stats {
	s := rs.stats
	s.Live, s.Past, s.PastBytes = len(rs.live), len(rs.past.of), rs.past.bytes
	for _, r := range rs.live {
		size := r.size()
		s.Bytes += size
		s.Largest = max(s.Largest, size)
	}
	return s
}

// Close ends all runs, as cut says if not all of their sources have ended.
func (rs *Runs) Close(cut tlcheck.Truncation) {
	for _, id := range stdslices.Sorted(maps.Keys(rs.live)) {
		r, how := rs.live[id], cut
		if r.ended() {
			how = ""
		}
		if bug := Guard(func() { rs.close(r, how) }); bug != nil {
			rs.fail(r, nil, bug)
		}
	}
}

// Drop ends all runs without reports: another owner continues them.
func (rs *Runs) Drop() {
	for _, r := range rs.live {
		r.drop()
		rs.config.lives(r.id, false)
	}
	clear(rs.live)
}
