package kafkaservice

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/logging"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/cmd/antichain/internal/spans"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
	"github.com/antichain-go/antichain/tracer/ingest/record"
	"github.com/rs/zerolog"
)

// reporter reports on the runs of all partitions, which have a goroutine each.
type reporter struct {
	monitor *monitor.Monitor
	outbox  *kafka.Outbox // nil without topics
	topic   string        // for verdicts; "" prints them
	dead    string        // for unreadable records; "" drops them
	shared  bool          // other members may continue unsaved runs

	metrics verdictMetrics

	log        zerolog.Logger
	violations logging.Throttle // of log lines about each
	failures   logging.Throttle
	rejections logging.Throttle

	mu        sync.Mutex
	err       error           // of the standard output
	undefined map[string]bool // expressions that were logged as undefined
}

// partitionReporter reports on the runs of a partition, and counts the verdicts. The counts are in
// the partition's state, so a verdict that the next owner repeats counts once.
type partitionReporter struct {
	*reporter
	said map[string]int64 // by verdict
}

var _ runs.Reporter = (*partitionReporter)(nil)

// Result implements runs.Reporter.
func (o *partitionReporter) Result(r *runs.Run, result *tlcheck.Result) {
	if result.Verdict == tlcheck.Violated && result.Property != nil {
		if err := tlcheck.ExplainViolation(o.monitor.Checking, result, o.monitor.Options); err != nil {
			o.Failed(r, err)
			return
		}
	}
	o.report(r, result)
}

// logUndefined logs the expressions that could not be evaluated, each once, since other runs have
// the same ones.
func (o *reporter) logUndefined(r *runs.Run, troubles []lsl.EvalError) {
	for _, t := range troubles {
		if o.undefined[t.Expr] {
			continue
		}
		o.undefined[t.Expr] = true
		o.log.Warn().Str("run", logging.Shorten(r.ID())).Str("expression", logging.Shorten(t.Expr)).Str("why",
			logging.Shorten(t.Reason)).Msg("an expression of the specification is undefined")
	}
}

// Over implements runs.Reporter.
func (o *partitionReporter) Over(r *runs.Run, net *san.Net, late []*spec.Property, cut tlcheck.Truncation) {
	for _, p := range late {
		result, err := tlcheck.Check(o.monitor.Checking, net, p, o.monitor.Options)
		if o.givenUp() {
			return
		}
		if err != nil {
			o.Failed(r, err)
			continue
		}
		result.Truncate(cut)
		o.report(r, result)
	}
}

// givenUp reports whether the grace of a member was over before the check was. Then the result is
// not saved, and the next owner of the partition checks the run from its beginning.
func (o *reporter) givenUp() bool {
	var memory *budget.MemoryError
	return o.shared && o.monitor.Checking.Err() != nil && !errors.As(context.Cause(o.monitor.Checking), &memory)
}

// Failed implements runs.Reporter.
func (o *partitionReporter) Failed(r *runs.Run, err error) {
	text := withFlags(err).Error()
	v := &verdict{ID: verdictID(r.ID(), "", nil), Run: r.ID(),
		Object: &report.Object{Trace: r.ID(), Verdict: verdictError}, Error: &text}
	o.said[verdictError]++
	o.metrics.observe(r, "", verdictError, time.Now())
	o.failures.Line(o.log.Error()).Str("run", logging.Shorten(r.ID())).Str("error", logging.Shorten(text)).Str("id",
		v.ID).Msg("run failed")
	var bug *runs.Bug
	if errors.As(err, &bug) {
		o.log.Error().Str("run", logging.Shorten(r.ID())).Str("stack",
			bug.Stack).Msg("this is a bug in antichain: please report it with this line and, if you can share it, the record: " + exit.IssuesURL)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.monitor.Failed = true
	switch {
	case o.topic != "":
		o.send(v)
	case o.monitor.JSON:
		o.print(v)
	default:
		o.notePrintError(fmt.Fprintf(o.monitor.Stdout, "%s: error: %s\n", r.Printable(), event.Printable(text)))
	}
}

// Rejected implements runs.Reporter.
func (o *reporter) Rejected(rec *record.Record, err error) {
	err = withFlags(err)
	line := o.rejections.Line(o.log.Warn()).Str("at", rec.At).Str("run", logging.Shorten(rec.Run)).Str("error",
		logging.Shorten(err.Error()))
	if o.dead != "" {
		line.Str("sent_to", o.dead)
	}
	line.Msg("record rejected")
	o.mu.Lock()
	o.monitor.Failed = true
	o.mu.Unlock()
	if o.dead == "" {
		return
	}
	sendDeadLetter(o.outbox, o.dead, rec, err)
}

// report reports the verdict on a property.
func (o *partitionReporter) report(r *runs.Run, result *tlcheck.Result) {
	found := o.monitor.Assess(result)
	v := newVerdict(r.ID(), found)
	o.said[found.Verdict.String()]++
	o.metrics.observe(r, found.Name(), found.Verdict.String(), time.Now())
	if found.Verdict == tlcheck.Violated && found.IsNews() {
		o.violations.Line(o.log.Warn()).Str("run", logging.Shorten(r.ID())).Str("property", found.Name()).Str("id",
			v.ID).Msg("violation found")
		o.monitor.Alerts.Add(v.line())
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.logUndefined(r, found.EvalErrors)
	m := o.monitor
	m.NoteResult(r.ID(), found)
	o.notePrintError(0, m.Reports.Add(r.ID(), found, m.Style))
	switch {
	case o.topic != "":
		o.send(v)
	case m.JSON:
		o.print(v)
	case found.IsNews():
		m.Prefix = r.Printable() + ": "
		o.notePrintError(0, m.WriteText(found))
	}
}

func (o *reporter) print(v *verdict) {
	o.notePrintError(0, report.WriteObject(o.monitor.Stdout, v.object()))
}

// notePrintError records the first error of the standard output.
func (o *reporter) notePrintError(_ int, err error) {
	if o.err == nil {
		o.err = err
	}
}

// logHeldBack logs the number of lines that were held back.
func (o *reporter) logHeldBack() {
	violations, failures, rejections := o.violations.Drain(), o.failures.Drain(), o.rejections.Drain()
	if violations+failures+rejections > 0 {
		o.log.Info().Int("violations", violations).Int("failures", failures).Int("rejections",
			rejections).Msg("lines held back at the end")
	}
}

// send sends a verdict to its topic.
func (o *reporter) send(v *verdict) {
	line := v.line()
	if len(line) > maxVerdict {
		line = v.short().line()
	}
	o.outbox.Put(o.topic, v.ID, line, nil)
}

// flush waits until all verdicts have arrived.
func (o *reporter) flush(ctx context.Context) error {
	o.mu.Lock()
	err := o.err
	o.mu.Unlock()
	if err != nil || o.outbox == nil {
		return err
	}
	return o.outbox.Flush(ctx)
}

// flags translates remedies of the packages that read records into flags of the command.
var flags = strings.NewReplacer(
	record.RemedyLate, "raise --late",
	runs.RemedyMemory, "raise --run-memory",
	runs.RemedySpans, "messages of spans need --format otlp",
	spans.RemedyTrace, "leave --format out",
)

// withFlags adds the flags that help to an error about a record or a run.
func withFlags(err error) error {
	var remedied *event.Error
	if !errors.As(err, &remedied) {
		return err
	}
	flagged := *remedied
	flagged.Remedy = flags.Replace(remedied.Remedy)
	return &flagged
}
