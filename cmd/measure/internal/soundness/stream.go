//go:build unix

package soundness

import (
	"context"
	"fmt"
	"io"

	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// recorded is the trace of a run, to be read again.
type recorded struct {
	header *event.Header
	events []*event.Event
	next   int
}

func (r *recorded) Header() (*event.Header, error) { return r.header, nil }

func (r *recorded) Next(e *event.Event) error {
	if r.next == len(r.events) {
		return io.EOF
	}
	*e = *r.events[r.next].Clone()
	r.next++
	return nil
}

func (r *recorded) Pos() string { return fmt.Sprintf("event %d", r.next) }

// stream checks the same properties as ask, on the fly, and compares the verdicts.
func (o *observation) stream(trace *recorded) error {
	pairs := o.asked()
	var properties []*spec.Property
	for _, pair := range pairs {
		property, err := spec.ParseFormula(formula(pair))
		if err != nil {
			return err
		}
		properties = append(properties, property)
	}
	if len(properties) == 0 {
		return nil
	}
	run := onthefly.Check(context.Background(), properties, lsl.L3, trace)
	for range run.Violations() {
	}
	results, err := run.Wait()
	if err != nil {
		return err
	}
	for i, r := range results {
		if _, violated := o.pairs[pairs[i]]; violated != (r.Verdict == tlcheck.Violated) {
			o.streamed = append(o.streamed, pairs[i])
		}
	}
	return nil
}
