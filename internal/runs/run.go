package runs

import (
	"context"
	"fmt"
	"io"
	stdslices "slices"
	"time"

	"github.com/antichain-go/antichain/internal/runs/run"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/onthefly/builtins"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// Run is a run in progress.
type Run struct {
	id             string
	sources        record.Sources
	header         *event.Header // of the first source, nil before it
	joined         *run.Run[string]
	checker        *onthefly.Checker  // nil before the header
	open           []*spec.Property   // that it checks
	lateProperties []*spec.Property   // checked when the run is over
	noMoreSources  bool               // no further source comes
	cut            tlcheck.Truncation // a source broke off
	last           int64              // when the last record came, in nanoseconds
	waitingSince   int64              // since when events have waited for others; 0 if none do
	oldest         event.Ref          // of these, at the last progress; zero before that
	events         int                // read so far
	weighed        int                // at the last measurement of the size
	bytes          int                // the size at that time
	builtins       builtins.Run[string]
	written        time.Time // time stamp of the record in hand; zero between records
}

// NewRun returns a run without records, for reporters. Such a run is checked as a whole when it is
// over.
func NewRun(id string) *Run { return &Run{id: id} }

// ID returns the id of the run.
func (r *Run) ID() string { return r.id }

// Printable returns its id for output to a terminal.
func (r *Run) Printable() string { return event.Printable(r.id) }

// Written returns the time stamp of the record that causes the present report. It is zero if the
// passing of time does.
func (r *Run) Written() time.Time { return r.written }

// read reads the next record of a source.
func (rs *Runs) read(r *Run, rec *record.Record) error {
	h, err := rs.reader.Open(rec.Value, rec.At)
	if err != nil {
		return err
	}
	if err := rs.enter(r, rec, h); err != nil {
		return err
	}
	if h != nil || rec.Sources > 0 {
		if err := r.expect(rec); err != nil {
			return err
		}
	}
	if h != nil {
		r.enterBuiltins(rec, h)
	}
	for {
		e := &rs.event
		err := rs.reader.Next(e)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		rs.stats.Events++
		if r.events++; r.events%checkedEvents == 0 {
			if err := rs.fits(r); err != nil {
				return err
			}
		}
		if !e.IsAction() {
			r.builtins.Add(rec.Source, e)
			continue
		}
		r.joined.Took(rec.Source, e)
		if err := r.checker.AddFrom(e, rs.reader); err != nil {
			return err
		}
	}
	if rec.End != 0 {
		r.leave(rec)
	}
	return nil
}

// checkedEvents is the number of events of a record after which the run's size is checked: few
// bytes can decompress to millions of events.
const checkedEvents = 1 << 12

// enter begins a source if its record has a header.
func (rs *Runs) enter(r *Run, rec *record.Record, h *event.Header) error {
	switch {
	case h == nil && (rec.Seq == 1 || r.checker == nil):
		if len(rec.Value) == 0 && rec.End != 0 {
			return fault(rec, "send a header before the end", "source %q has no header", rec.Source)
		}
		return fault(rec, "the first record of a source begins with a header line; "+RemedySpans, "no header")
	case h == nil:
		return nil
	case rec.Seq > 1:
		return fault(rec, "only the first record of a source has one", "a header in record %d of source %q", rec.Seq,
			rec.Source)
	case h.Run != "" && h.Run != r.id:
		return fault(rec, "the key of a record is the id of its run", "the header is of run %q, the key is %q", h.Run,
			r.id)
	case r.checker == nil:
		return rs.begin(r, rec, h)
	}
	if err := r.joined.Admits(h, rec.At, r.checker.Creates); err != nil {
		return err
	}
	for _, e := range r.joined.Join(h) {
		if err := r.checker.Add(e, rec.At); err != nil {
			return err
		}
	}
	r.joined.Enter(rec.Source, h)
	return nil
}

// expect notes the number of sources of the run. When all have come no other can join.
func (r *Run) expect(rec *record.Record) error {
	if rec.Sources > 0 {
		if err := r.joined.Expect(rec.Sources, rec.At); err != nil {
			return err
		}
	}
	if r.joined.All() && r.joined.Env() != "" {
		r.checker.End(r.joined.Env())
	}
	return nil
}

// enterBuiltins checks the built-in properties of a source. The id of the source distinguishes it
// from other sources, unless it is known to be the only one.
func (r *Run) enterBuiltins(rec *record.Record, h *event.Header) {
	origin := rec.Source
	if _, sources := r.joined.Missing(); sources == 1 || r.joined.Env() == "" {
		origin = ""
	}
	r.builtins.Enter(rec.Source, origin, h)
}

func fault(rec *record.Record, remedy, format string, args ...any) error {
	return &event.Error{Pos: rec.At, Reason: fmt.Sprintf(format, args...), Remedy: remedy}
}

// begin makes the checker of a run.
func (rs *Runs) begin(r *Run, rec *record.Record, h *event.Header) error {
	if h.Run == "" {
		named := *h
		named.Run = r.id
		h = &named
	}
	open, late, refused := rs.config.Split(h)
	joined, header := run.New[string](h, true)
	checker, err := onthefly.New(header, open, rs.config.Logic)
	if err != nil {
		return err
	}
	for _, result := range refused {
		rs.to.Result(r, result)
	}
	r.header, r.joined, r.checker, r.open, r.lateProperties = h, joined, checker, open, late
	r.checker.Inline()
	if len(late) > 0 {
		r.checker.Remember()
	}
	r.joined.Enter(rec.Source, h)
	return nil
}

// leave ends the tasks of a source, or leaves them cut off.
func (r *Run) leave(rec *record.Record) {
	tasks := r.joined.Leave(rec.Source)
	r.noMoreSources = r.noMoreSources || rec.End&record.EndRun != 0
	if rec.End&record.EndCut != 0 {
		r.cut = "cut off"
		return
	}
	for _, t := range tasks {
		r.checker.End(t)
	}
}

// ended reports whether all expected records have come.
func (r *Run) ended() bool {
	if r.joined == nil {
		return false
	}
	missing, _ := r.joined.Missing()
	return missing == 0 && r.joined.Sources() == 0 && (r.sources.None() || r.sources.Ended())
}

// over reports whether the run has ended and no other source can join.
func (r *Run) over() bool { return r.joined != nil && (r.noMoreSources || r.joined.All()) && r.ended() }

// idle explains why a run without recent records is cut off.
func (r *Run) idle(quiet time.Duration) tlcheck.Truncation {
	why := fmt.Sprintf("cut off: no record came for %v", quiet)
	if r.joined == nil {
		return tlcheck.Truncation(why)
	}
	if missing, of := r.joined.Missing(); missing > 0 {
		why += fmt.Sprintf(", and none of %d of its %d sources", missing, of)
	}
	return tlcheck.Truncation(why)
}

// step reports violations. It cannot be stopped, and so does not fail.
func (r *Run) step(rs *Runs) error {
	if r.checker == nil {
		return nil
	}
	found, err := r.checker.Step(context.Background())
	for _, v := range found {
		rs.to.Result(r, v.Result(r.checker.Net()))
		r.open = stdslices.DeleteFunc(stdslices.Clone(r.open), func(p *spec.Property) bool { return p == v.Property })
	}
	for _, result := range r.builtins.Certain() {
		rs.to.Result(r, result)
	}
	return err
}

// noteWaiting records since when events have waited for other events.
func (r *Run) noteWaiting(now int64) {
	switch {
	case r.checker == nil || r.checker.Waiting() == 0:
		r.waitingSince, r.oldest = 0, event.Ref{}
	case r.waitingSince == 0:
		r.waitingSince = now
	}
}

// progress notes that time passes. If the event that has waited for longest no longer waits, the
// clock restarts for the next one: in a healthy run some event may be waiting at any moment.
func (r *Run) progress(now int64) {
	if r.checker == nil || r.checker.Waiting() == 0 {
		return
	}
	oldest := r.checker.Oldest()
	if r.oldest.K > 0 && oldest != r.oldest {
		r.waitingSince = now
	}
	r.oldest = oldest
}

// size returns roughly how much memory the run takes, in bytes. It is measured again after an
// eighth more events.
func (r *Run) size() int {
	const itself = 2000
	if r.checker != nil && (r.weighed == 0 || r.events > r.weighed+r.weighed/8+16) {
		r.weighed, r.bytes = r.events, r.checker.Bytes()+r.builtins.Bytes()
	}
	return itself + r.bytes + r.sources.Bytes()
}

func (r *Run) tooLarge(size, limit int) error {
	reason := fmt.Sprintf("run %q takes %d bytes of memory, more than %d", r.id, size, limit)
	if r.checker != nil {
		if retained := r.checker.Retention(); retained.Events > 0 {
			reason += ". " + retained.String()
		}
	}
	return &event.Error{Pos: "run " + r.id, Reason: reason, Remedy: RemedyMemory}
}

// close reports the verdicts on the properties without a violation.
func (r *Run) close(rs *Runs, cut tlcheck.Truncation) error {
	if r.checker == nil {
		return nil
	}
	if r.cut != "" {
		cut = r.cut
	}
	if r.joined.Env() != "" && (cut == "" || r.over()) {
		r.checker.End(r.joined.Env()) // no other source joins
	}
	if err := r.step(rs); err != nil {
		return err
	}
	settled, net, err := r.checker.Settle(context.Background(), cut)
	if err != nil {
		return err
	}
	for _, result := range settled {
		rs.to.Result(r, result)
	}
	for _, result := range r.builtins.Results(cut.Undecided()) {
		rs.to.Result(r, result)
	}
	rs.to.Over(r, net, r.lateProperties, cut)
	return nil
}

// drop abandons a run.
func (r *Run) drop() {
	if r.checker != nil {
		r.checker.Drop()
	}
}
