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

// Options are settings for reading and checking a trace. The zero Options detect the format, and
// bound the check only by the defaults of tlcheck.Options.
type Options struct {
	Name  string         // name of the trace in positions of errors; "" for "trace"
	Run   string         // id of the run, for an input with several
	Input ingest.Options // the format, and its limits

	// Check has the options for the properties. Its limits of time and memory also apply to
	// reading.
	Check tlcheck.Options
}

// Check checks all properties of a specification on a trace, and returns the results in the order
// of the properties.
//
// If the trace cannot be read, there are no results. Then the error is an *event.Error or a
// *san.Error for invalid input, an *ingest.RunError if the input does not have exactly one matching
// run, or a *ReadStoppedError if a limit or the end of the context stopped the reading. Errors of
// properties are those of CheckRun.
func Check(ctx context.Context, r io.Reader, specification *spec.File, o Options) ([]*tlcheck.Result, error) {
	net, err := open(ctx, r, o)
	if err != nil {
		return nil, err
	}
	return checkNet(ctx, net, specification, o.Check)
}

// open returns the net of the selected run.
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
// A property has no result if it names something that the trace has not recorded, or if the trace
// cannot decide it. Then the error, a join, includes a *spec.Error or a *UnsupportedError for it.
// If a trace does not show all synchronisation (event.Header.Untraced), all its properties are
// Unknown.
func CheckRun(ctx context.Context, run event.Reader, specification *spec.File,
	o tlcheck.Options) ([]*tlcheck.Result, error) {
	reading, stop := budget.Bound(ctx, o.Time, o.Memory)
	net, err := ReadNet(reading, run)
	stop()
	if err != nil {
		return nil, err
	}
	return checkNet(ctx, net, specification, o)
}

// checkNet checks all properties that the trace can decide.
func checkNet(ctx context.Context, net *san.Net, specification *spec.File,
	o tlcheck.Options) ([]*tlcheck.Result, error) {
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
