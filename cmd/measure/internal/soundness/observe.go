//go:build unix

package soundness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/interleaving"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/internal/tracer/process"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// patience is how long a program may run. It takes a few milliseconds, unless it waits for a timer
// that never fires.
const patience = 2 * time.Second

// checked are the built-in properties that the model of a program decides.
var checked = []builtin.Property{builtin.Deadlock, builtin.Stuck, builtin.Closed, builtin.WaitGroup, builtin.Unlock}

// observation is what antichain says about a program after one run.
type observation struct {
	places   []interleaving.Place         // that the run has been in
	pairs    map[interleaving.Pair]string // that it has predicted or observed, with how that is known
	temporal []interleaving.Pair          // on which a temporal property has another verdict
	streamed []interleaving.Pair          // that have another verdict while the events come in
	lost     []interleaving.Pair          // that are predicted in the order of the run's sections, and not without it
	kept     int                          // pairs that are predicted in that order, beside other orders
	findings []builtin.Finding
	names    op.Names
}

// observe runs a program of a batch and asks antichain about each pair of places.
func (b *batch) observe(ctx context.Context, p *built) (*observation, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	var builder, kept *san.Builder // of what is asked about, and in the order of the run's sections
	var free *process.FreeOrder
	trace := new(recorded)
	o := &observation{pairs: make(map[interleaving.Pair]string)}
	checker, err := builtin.New(checked...)
	if err != nil {
		return nil, err
	}
	run, err := launch.Start(ctx, launch.Config{
		Binary: b.binary, Args: []string{p.number}, Stdin: null, Stdout: null, Stderr: null, Table: b.table, Root: b.dir,
		Watch: checker, Accesses: b.orders.accesses, Record: b.orders.locks,
		Header: func(h *event.Header) (err error) {
			trace.header = h
			if b.orders.locks {
				free, err = process.NewFreeOrder(h, func(e *event.Event) error {
					e.After = append(e.After, e.Seen...)
					return builder.Add(e, e.Task)
				})
				if err != nil {
					return err
				}
				if kept, err = san.NewBuilder(h); err != nil {
					return err
				}
				h = free.Header()
			}
			builder, err = san.NewBuilder(h)
			return err
		},
		Event: func(e *event.Event) error {
			o.note(e)
			if b.orders.locks {
				if e.IsAction() {
					if err := kept.Add(e, e.Task); err != nil {
						return err
					}
				}
				return free.Add(e)
			}
			trace.events = append(trace.events, e.Clone())
			return builder.Add(e, e.Task)
		},
	})
	if err != nil {
		return nil, err
	}
	ended, err := run.Wait()
	switch {
	case err != nil:
		return nil, err
	case !ended.Complete || ended.Missing > 0 || builder == nil:
		return nil, errors.New("the trace is not complete")
	}
	if b.orders.locks {
		if err := free.Finish(); err != nil {
			return nil, err
		}
	}
	o.names = run.Names()
	o.findings = checker.Findings(o.names)
	net, err := builder.Finish()
	if err != nil {
		return nil, err
	}
	open := ""
	if b.orders.locks {
		open = free.Open()
	}
	switch err := o.ask(net, b.orders.locks, open); {
	case err != nil || b.orders.accesses:
		return o, err
	case b.orders.locks:
		return o, o.compare(kept)
	}
	return o, o.stream(trace)
}

// note keeps the place that an event enters.
func (o *observation) note(e *event.Event) {
	number, ok := strings.CutPrefix(e.Enter, "at_")
	if !ok {
		return
	}
	var place interleaving.Place
	if _, err := fmt.Sscan(number, &place.Mark); err != nil {
		return
	}
	for _, set := range e.Set {
		if set.Name == "x" {
			place.Value = int(set.Value.Int())
		}
	}
	o.places = append(o.places, place)
}

// asked are the pairs of places that the run was in.
func (o *observation) asked() []interleaving.Pair {
	var all []interleaving.Pair
	for i, a := range o.places {
		for _, b := range o.places[:i] {
			all = append(all, interleaving.NewPair(a, b))
		}
	}
	return all
}

// ask checks two properties for each pair of places: that no global state has it, and that from the
// beginning none ever will.
func (o *observation) ask(net *san.Net, locks bool, open string) error {
	for _, pair := range o.asked() {
		result, err := check(net, formula(pair), locks, open)
		if err != nil {
			return err
		}
		if result.Verdict == tlcheck.Violated {
			o.pairs[pair] = result.How().String()
		}
		later, err := check(net, "initially: henceforth "+formula(pair), locks, open)
		if err != nil {
			return err
		}
		if later.Verdict != result.Verdict {
			o.temporal = append(o.temporal, pair)
		}
	}
	return nil
}

// compare finds the pairs that the order of the run's sections shows, which is one of those that
// were asked about.
func (o *observation) compare(kept *san.Builder) error {
	net, err := kept.Finish()
	if err != nil {
		return err
	}
	for _, pair := range o.asked() {
		result, err := check(net, formula(pair), false, "")
		if err != nil {
			return err
		}
		if result.Verdict != tlcheck.Violated {
			continue
		}
		o.kept++
		if o.pairs[pair] == "" {
			o.lost = append(o.lost, pair)
		}
	}
	return nil
}

// check decides a property of a run, over other orders of critical sections too if the net has been
// recorded for that. What is open is why others may read something else there.
func check(net *san.Net, formula string, locks bool, open string) (*tlcheck.Result, error) {
	property, err := spec.ParseFormula(formula)
	if err == nil && locks {
		property, err = tlcheck.Reorderable(property)
	}
	if err != nil {
		return nil, err
	}
	result, err := tlcheck.Check(context.Background(), net, property, tlcheck.Options{Sections: locks, Open: open})
	if err == nil && result.Verdict == tlcheck.Unknown {
		err = fmt.Errorf("%s: unknown: %s", formula, result.Covered)
	}
	return result, err
}

// formula is false where goroutines are in both places.
func formula(p interleaving.Pair) string {
	return fmt.Sprintf("not (t1:(in.at_%d and x == %d) and t2:(in.at_%d and x == %d))", p[0].Mark, p[0].Value, p[1].Mark, p[1].Value)
}
