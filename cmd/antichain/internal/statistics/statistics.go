// Package statistics computes the size of a trace: its tasks and events, its height and width, and
// its global states.
package statistics

import (
	"context"
	"fmt"
	"io"
	"math/big"
	"text/tabwriter"

	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/internal/poset"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// Numbers is the output of stats --json. Width and Slices are nil if only their bounds are known.
type Numbers struct {
	Trace   string   `json:"trace"`
	Tasks   int      `json:"tasks"`
	Events  int      `json:"events"`
	Actions int      `json:"actions"` // events, with a joint action as one
	Joint   int      `json:"joint"`   // joint actions
	Causes  int      `json:"causes"`
	Height  int      `json:"height"`
	Width   *int     `json:"width"`
	Slices  *big.Int `json:"slices"`

	WidthBounds  []int      `json:"width_bounds,omitempty"`
	SlicesBounds []*big.Int `json:"slices_bounds,omitempty"`
}

// Count computes the numbers of a net. The limits apply to each number that is hard to compute.
func Count(ctx context.Context, net *san.Net, each limits.Limits) *Numbers {
	p := poset.New(net)
	n := &Numbers{Tasks: net.Tasks(), Events: net.Events(), Actions: net.Actions(), Height: p.Height()}
	for a := range net.Order() {
		sides := net.Sides(a)
		if len(sides) > 1 {
			n.Joint++
		}
		for _, s := range sides {
			n.Causes += len(net.Causes(s))
		}
	}
	within(ctx, each, func(ctx context.Context) {
		if low, high := p.Width(ctx); low == high {
			n.Width = &low
		} else {
			n.WidthBounds = []int{low, high}
		}
	})
	within(ctx, each, func(ctx context.Context) {
		if slices := p.Ideals(ctx); slices.Exact() {
			n.Slices = slices.Min
		} else {
			n.SlicesBounds = []*big.Int{slices.Min, slices.Max}
		}
	})
	return n
}

// within calls f with a context that ends with the limits for one number.
func within(ctx context.Context, each limits.Limits, f func(context.Context)) {
	ctx, stop := each.Bound(ctx)
	defer stop()
	f(ctx)
}

// WriteText prints the numbers as a table.
func (n *Numbers) WriteText(w io.Writer) error {
	var width, slices string
	if n.Width != nil {
		width = fmt.Sprint(*n.Width)
	} else {
		width = fmt.Sprintf("at least %d, at most %d", n.WidthBounds[0], n.WidthBounds[1])
	}
	if n.Slices != nil {
		slices = wording.Digits(n.Slices)
	} else {
		slices = fmt.Sprintf("at least %s, at most %s", wording.Digits(n.SlicesBounds[0]),
			wording.Digits(n.SlicesBounds[1]))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, line := range []struct {
		name  string
		value any
	}{
		{"trace", event.Printable(n.Trace)}, {"tasks", n.Tasks}, {"events", n.Events}, {"joint actions", n.Joint},
		{"causes", n.Causes},
		{"height", n.Height}, {"width", width}, {"slices", slices},
	} {
		fmt.Fprintf(t, "%s\t%v\n", line.name, line.value)
	}
	return t.Flush()
}
