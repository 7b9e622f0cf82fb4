package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"sync"

	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/onthefly/runs"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
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
	monitor *monitor
	outbox  *kafka.Outbox // nil if nothing goes to topics
	topic   string        // of the verdicts; "" if they are printed
	dead    string        // of the records that cannot be read; "" if nobody wants them

	mu         sync.Mutex
	violations int64
	err        error // of the standard output
}

var _ runs.Reporter = (*verdicts)(nil)

// Violated implements runs.Reporter.
func (o *verdicts) Violated(r *runs.Run, net *san.Net, v *onthefly.Violation) {
	result, err := tlcheck.Found(o.monitor.ctx, net, v.Property, v.Actions, v.TIVA, o.monitor.options)
	if err != nil {
		o.Failed(r, err)
		return
	}
	o.mu.Lock()
	o.violations++
	o.mu.Unlock()
	o.tell(r, &report.Violation{Net: net, Property: v.Property, Result: result})
}

// Settled implements runs.Reporter.
func (o *verdicts) Settled(r *runs.Run, net *san.Net, s onthefly.Settled) {
	if s.Violation != nil {
		o.Violated(r, net, s.Violation)
		return
	}
	result := &tlcheck.Result{Property: s.Property, Verdict: s.Verdict, Covered: s.Covered}
	o.tell(r, &report.Violation{Net: net, Property: s.Property, Result: result})
}

// Over implements runs.Reporter.
func (o *verdicts) Over(r *runs.Run, net *san.Net, late []*spec.Property, cut onthefly.Cut) {
	for _, p := range late {
		result, err := tlcheck.Check(o.monitor.ctx, net, p, o.monitor.options)
		if err != nil {
			o.Failed(r, err)
			continue
		}
		result.Covered += remedy(result.Stopped)
		switch {
		case result.Verdict == tlcheck.Violated && cut != "":
			result = &tlcheck.Result{Property: p, Covered: cut.Undecided()}
		case result.Verdict == tlcheck.Holds:
			result.Covered = cut.SoFar()
		}
		o.tell(r, &report.Violation{Net: net, Property: p, Result: result})
	}
}

// Failed implements runs.Reporter.
func (o *verdicts) Failed(r *runs.Run, err error) {
	text := err.Error()
	v := &verdict{ID: verdictID(r.ID(), "", nil), Run: r.ID(), Object: &report.Object{Trace: r.ID(), Verdict: "error"}, Error: &text}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.monitor.failed = true
	switch {
	case o.topic != "":
		o.put(v)
	case o.monitor.json:
		o.print(v)
	default:
		fmt.Fprintf(o.monitor.err, "antichain: %s: %v\n", r.Printable(), err)
	}
}

// Rejected implements runs.Reporter.
func (o *verdicts) Rejected(rec *record.Record, err error) {
	if o.dead == "" {
		return
	}
	o.outbox.Put(o.dead, rec.Run, rec.Value, reasons(rec, err))
}

// reasons are the headers of a dead letter: its own, why it is one, and where it was.
func reasons(rec *record.Record, err error) []record.Header {
	return append(rec.Headers(), record.Header{Key: "antichain-reason", Value: []byte(err.Error())}, record.Header{Key: "antichain-at", Value: []byte(rec.At)})
}

// tell says what has become of a property.
func (o *verdicts) tell(r *runs.Run, told *report.Violation) {
	o.mu.Lock()
	defer o.mu.Unlock()
	m := o.monitor
	m.note(told.Result.Verdict)
	if o.topic == "" && !m.json {
		m.prefix = r.Printable() + ": "
		if err := m.inWords(told); err != nil && o.err == nil {
			o.err = err
		}
		return
	}
	v := &verdict{Run: r.ID(), Object: told.Object(r.ID())}
	if w := v.Witness; w != nil && len(w.Schedule) > 0 {
		v.Event = &w.Schedule[len(w.Schedule)-1]
	}
	v.ID = verdictID(r.ID(), told.Property.Name, v.Event)
	if o.topic != "" {
		o.put(v)
	} else {
		o.print(v)
	}
}

func (o *verdicts) print(v *verdict) {
	if err := report.WriteJSON(o.monitor.out, v); err != nil && o.err == nil {
		o.err = err
	}
}

func (o *verdicts) put(v *verdict) {
	var line bytes.Buffer
	if err := report.WriteJSON(&line, v); err != nil {
		panic(err) // it can be written
	}
	o.outbox.Put(o.topic, v.ID, bytes.TrimSpace(line.Bytes()), nil)
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
