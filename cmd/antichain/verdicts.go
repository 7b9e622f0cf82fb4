package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/onthefly/runs"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// verdict is what is said of a property of a run, or of a run that is broken: a line of JSON on the standard output,
// the value of a record in a topic.
type verdict struct {
	ID    string      `json:"id"`
	Run   string      `json:"run"`
	Event *report.Ref `json:"event,omitempty"` // the last one of those that lead to a violation
	*report.Object
	Error *string `json:"error,omitempty"` // what is wrong with the run; there is no property then

	// LeftOut is what is left out since the verdict is too long for a record.
	LeftOut string `json:"left_out,omitempty"`
}

// verdictID is the same whenever the same is said again, by whomever.
func verdictID(run, property string, event *report.Ref) string {
	text := strconv.Quote(run) + strconv.Quote(property)
	if event != nil {
		text += strconv.Quote(event.Task) + strconv.FormatInt(event.K, 10)
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// verdicts takes what is said of the runs of all partitions, which have a goroutine each.
type verdicts struct {
	monitor *monitor.Monitor
	outbox  *kafka.Outbox // nil if nothing goes to topics
	topic   string        // of the verdicts; "" if they are printed
	dead    string        // of the records that cannot be read; "" if nobody wants them
	shared  bool          // others go on with what is not saved

	told told

	log        zerolog.Logger
	violations throttle // of the lines about each
	failures   throttle
	rejections throttle

	mu        sync.Mutex
	err       error           // of the standard output
	undefined map[string]bool // expressions of which it was said that they were
}

// verdictError is what is said of a run that is broken.
const verdictError = "error"

var _ runs.Reporter = (*verdicts)(nil)

// Violated implements runs.Reporter.
func (o *verdicts) Violated(r *runs.Run, net *san.Net, v *onthefly.Violation) {
	result, err := tlcheck.ExplainViolation(o.monitor.Checking, net, v.Property, v.Actions, v.TIVA, o.monitor.Options)
	if err != nil {
		o.Failed(r, err)
		return
	}
	o.tell(r, &report.Violation{Net: net, Property: v.Property, Result: result})
}

// Settled implements runs.Reporter.
func (o *verdicts) Settled(r *runs.Run, net *san.Net, s onthefly.FinalVerdict) {
	if s.Violation != nil {
		o.Violated(r, net, s.Violation)
		return
	}
	result := &tlcheck.Result{Property: s.Property, Verdict: s.Verdict, Covered: s.Covered}
	if c := r.Checker(); c != nil {
		result.EvalErrors = c.Log().EvalErrors()
	}
	o.tell(r, &report.Violation{Net: net, Property: s.Property, Result: result})
}

// sayUndefined says which expressions could not be evaluated, each once: other runs have the same ones.
func (o *verdicts) sayUndefined(r *runs.Run, undefined []lsl.EvalError) {
	for _, t := range undefined {
		if o.undefined[t.Expr] {
			continue
		}
		o.undefined[t.Expr] = true
		o.log.Warn().Str("run", logged(r.ID())).Str("expression", logged(t.Expr)).Str("why", logged(t.Reason)).Msg("an expression of the specification is undefined")
	}
}

// Over implements runs.Reporter.
func (o *verdicts) Over(r *runs.Run, net *san.Net, late []*spec.Property, cut onthefly.Truncation) {
	for _, p := range late {
		result, err := tlcheck.Check(o.monitor.Checking, net, p, o.monitor.Options)
		if o.givenUp() {
			return
		}
		if err != nil {
			o.Failed(r, err)
			continue
		}
		result.Covered += limits.Remedy(result.Stopped)
		switch {
		case result.Verdict == tlcheck.Violated && cut != "":
			result = &tlcheck.Result{Property: p, Covered: cut.Undecided()}
		case result.Verdict == tlcheck.Holds:
			result.Covered = cut.SoFar()
		}
		o.tell(r, &report.Violation{Net: net, Property: p, Result: result})
	}
}

// givenUp reports whether checking has ended since the grace of a member is over. Then nobody saves what comes of it, and who
// goes on with the run checks it from the beginning.
func (o *verdicts) givenUp() bool {
	var memory *budget.MemoryError
	return o.shared && o.monitor.Checking.Err() != nil && !errors.As(context.Cause(o.monitor.Checking), &memory)
}

// Failed implements runs.Reporter.
func (o *verdicts) Failed(r *runs.Run, err error) {
	text := err.Error()
	v := &verdict{ID: verdictID(r.ID(), "", nil), Run: r.ID(), Object: &report.Object{Trace: r.ID(), Verdict: verdictError}, Error: &text}
	o.told.say(r, "", verdictError, time.Now())
	o.failures.line(o.log.Error()).Str("run", logged(r.ID())).Str("error", logged(text)).Str("id", v.ID).Msg("run failed")
	var bug *runs.Bug
	if errors.As(err, &bug) {
		o.log.Error().Str("run", logged(r.ID())).Str("stack", bug.Stack).Msg("this is a bug in antichain: please report it with this line and, if you can share it, the record: " + exit.IssuesURL)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.monitor.Failed = true
	switch {
	case o.topic != "":
		o.put(v)
	case o.monitor.JSON:
		o.print(v)
	default:
		o.printed(fmt.Fprintf(o.monitor.Stdout, "%s: error: %s\n", r.Printable(), event.Printable(text)))
	}
}

// Rejected implements runs.Reporter.
func (o *verdicts) Rejected(rec *record.Record, err error) {
	line := o.rejections.line(o.log.Warn()).Str("at", rec.At).Str("run", logged(rec.Run)).Str("error", logged(err.Error()))
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
	bury(o.outbox, o.dead, rec, err)
}

// What is put into a topic fits into a record of a MiB with all that belongs to it: brokers accept that without being told
// otherwise, and a monitor that cannot say something can never go on.
const (
	maxLetter  = 512 << 10 // value of a dead letter
	maxWord    = 4 << 10   // header, or key, of one; text in a verdict that is too long
	maxForeign = 64 << 10  // headers of one that others have given it
	maxVerdict = 768 << 10 // verdict
	maxMessage = 768 << 10 // message of spans
)

// bury sends a dead letter: a record with its headers, why it is one, and where it was. Of what is very long it has the
// beginning, and how long it was.
func bury(to *kafka.Outbox, topic string, rec *record.Record, err error) {
	headers, value := letterHeaders(rec, err), rec.Value
	if len(value) > maxLetter {
		headers = append(headers, record.Header{Key: sizeHeader, Value: strconv.AppendInt(nil, int64(len(value)), 10)})
		value = value[:maxLetter]
	}
	to.Put(topic, rec.Run[:min(len(rec.Run), maxWord)], value, headers)
}

// Names of headers of dead letters.
const (
	reasonHeader = "antichain-reason"
	atHeader     = "antichain-at"
	sizeHeader   = "antichain-size"
)

// letterHeaders returns the headers of a dead letter. Those of others that have no room are left out, and those of a letter that was
// sent again.
func letterHeaders(rec *record.Record, err error) []record.Header {
	headers, room := rec.Headers(), maxForeign
	for _, h := range rec.Other {
		if room -= len(h.Key) + min(len(h.Value), maxWord); room < 0 {
			break
		}
		if h.Key != reasonHeader && h.Key != atHeader && h.Key != sizeHeader {
			headers = append(headers, h)
		}
	}
	headers = append(headers, record.Header{Key: reasonHeader, Value: []byte(err.Error())}, record.Header{Key: atHeader, Value: []byte(rec.At)})
	for i := range headers {
		headers[i].Value = headers[i].Value[:min(len(headers[i].Value), maxWord)]
	}
	return headers
}

// tell says what has become of a property.
func (o *verdicts) tell(r *runs.Run, told *report.Violation) {
	v := &verdict{Run: r.ID(), Object: told.Object(r.ID())}
	if w := v.Witness; w != nil && len(w.Schedule) > 0 {
		v.Event = &w.Schedule[len(w.Schedule)-1]
	}
	v.ID = verdictID(r.ID(), told.Property.Name, v.Event)
	o.told.say(r, told.Property.Name, told.Result.Verdict.String(), time.Now())
	if told.Result.Verdict == tlcheck.Violated {
		o.violations.line(o.log.Warn()).Str("run", logged(r.ID())).Str("property", told.Property.Name).Str("id", v.ID).Msg("violation found")
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sayUndefined(r, told.Result.EvalErrors)
	m := o.monitor
	m.Note(told.Result.Verdict)
	switch {
	case o.topic != "":
		o.put(v)
	case m.JSON:
		o.print(v)
	default:
		m.Prefix = r.Printable() + ": "
		o.printed(0, m.WriteText(told))
	}
}

func (o *verdicts) print(v *verdict) { o.printed(0, report.WriteJSON(o.monitor.Stdout, v)) }

// printed keeps the first error of the standard output.
func (o *verdicts) printed(_ int, err error) {
	if o.err == nil {
		o.err = err
	}
}

// heldBack says how many lines were, at the end.
func (o *verdicts) heldBack() {
	violations, failures, rejections := o.violations.rest(), o.failures.rest(), o.rejections.rest()
	if violations+failures+rejections > 0 {
		o.log.Info().Int("violations", violations).Int("failures", failures).Int("rejections", rejections).Msg("lines held back at the end")
	}
}

func (o *verdicts) put(v *verdict) {
	line := v.line()
	if len(line) > maxVerdict {
		line = v.short().line()
	}
	o.outbox.Put(o.topic, v.ID, line, nil)
}

func (v *verdict) line() []byte {
	var line bytes.Buffer
	if err := report.WriteJSON(&line, v); err != nil {
		panic(err) // it can be written
	}
	return bytes.TrimSpace(line.Bytes())
}

// short returns the verdict without what grows with the run, and with the beginnings of texts: the names of tasks in them can
// be of any length.
func (v *verdict) short() *verdict {
	short, object := *v, *v.Object
	short.Object = &object
	short.LeftOut = "the rest of long texts"
	object.Reason, object.Covered, object.Caveat = nil, beginningOf(object.Covered), beginningOf(object.Caveat)
	if w := object.Witness; w != nil {
		short.LeftOut = fmt.Sprintf("the schedule of %d events, the slice, the reason and %s", len(w.Schedule), short.LeftOut)
		object.Witness = &report.Witness{TIVA: map[string]string{}, Forgotten: w.Forgotten}
		for tiv, task := range w.TIVA {
			object.Witness.TIVA[tiv] = beginningOf(task)
		}
	}
	if e := v.Event; e != nil {
		short.Event = &report.Ref{Task: beginningOf(e.Task), K: e.K}
	}
	if v.Error != nil {
		text := beginningOf(*v.Error)
		short.Error = &text
	}
	return &short
}

// beginningOf returns the beginning of a text that is very long.
func beginningOf(text string) string {
	if len(text) <= maxWord {
		return text
	}
	return strings.ToValidUTF8(text[:maxWord], "") + "…"
}

// flush waits until all that was said has arrived.
func (o *verdicts) flush(ctx context.Context) error {
	o.mu.Lock()
	err := o.err
	o.mu.Unlock()
	if err != nil || o.outbox == nil {
		return err
	}
	return o.outbox.Flush(ctx)
}
