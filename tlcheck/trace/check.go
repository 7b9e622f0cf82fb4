package trace

import (
	"cmp"
	"context"
	"errors"
	"io"

	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest"
)

// Options say how a trace is read and checked. With the zero Options its format is found out, and nothing but the default
// of tlcheck.Options bounds the check.
type Options struct {
	Name  string         // of the trace, in the positions of errors; "" is "trace"
	Run   string         // the id of the run, of an input that has several
	Input ingest.Options // the format, and its limits

	// Check says how each property is checked. Its limits of time and memory are also those of reading.
	Check tlcheck.Options
}

// Check checks all properties of a specification on a trace, and returns the results in the order of the properties.
//
// An error says why the trace cannot be read: an *event.Error or a *san.Error where something is wrong with it, an
// *ingest.RunError if it has not the one run that is wanted, a *ReadStoppedError if a limit, or the end of the context,
// stopped the reading. Then there are no results. Errors of properties are those of CheckRun.
func Check(ctx context.Context, r io.Reader, specification *spec.File, o Options) ([]*tlcheck.Result, error) {
	net, err := open(ctx, r, o)
	if err != nil {
		return nil, err
	}
	return checkNet(ctx, net, specification, o.Check)
}

// open returns the net of the run that is wanted.
func open(ctx context.Context, r io.Reader, o Options) (*san.Net, error) {
	ctx, stop := budget.Bound(ctx, o.Check.Time, o.Check.Memory)
	defer stop()
	name := cmp.Or(o.Name, "trace")
	runs, err := ingest.Open(ctx, r, name, o.Input)
	if err != nil {
		return nil, readError(ctx, err, 0)
	}
	run, err := ingest.Choose(runs, o.Run, name)
	if err != nil {
		return nil, err
	}
	return ReadNet(ctx, run)
}

// CheckRun is Check for one run of an input, or another reader.
//
// A property that names what the trace has not recorded, or that the trace cannot decide, has no result. It is part of the
// error, a join of a *spec.Error or a *tlcheck.UnsupportedError for each. Every property of a trace that does not show all
// synchronisation (event.Header.Untraced) is Unknown.
func CheckRun(ctx context.Context, run event.Reader, specification *spec.File, o tlcheck.Options) ([]*tlcheck.Result, error) {
	reading, stop := budget.Bound(ctx, o.Time, o.Memory)
	net, err := ReadNet(reading, run)
	stop()
	if err != nil {
		return nil, err
	}
	return checkNet(ctx, net, specification, o)
}

// checkNet checks all properties that the trace can decide.
func checkNet(ctx context.Context, net *san.Net, specification *spec.File, o tlcheck.Options) ([]*tlcheck.Result, error) {
	var results []*tlcheck.Result
	var refused []error
	for _, p := range specification.Properties {
		if why := net.Header().Untraced(); why != "" {
			results = append(results, &tlcheck.Result{Property: p, Net: net, Covered: why})
			continue
		}
		result, err := tlcheck.Check(ctx, net, p, o)
		if err != nil {
			refused = append(refused, err)
			continue
		}
		results = append(results, result)
	}
	return results, errors.Join(refused...)
}
