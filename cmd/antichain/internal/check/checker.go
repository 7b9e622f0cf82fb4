// Package check checks properties on the nets of runs and reports each verdict as text or JSON.
package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// Checker checks properties on nets and reports on each.
type Checker struct {
	Stdout, Stderr io.Writer // reports, mistakes
	JSON           bool
	Options        tlcheck.Options
	Properties     []*spec.Property
	Functions      specfile.Functions
	Style          report.Style
	Prefix         string // in front of each verdict
	Counting

	exit.Outcomes
}

// ReportError reports a mistake and goes on.
func (c *Checker) ReportError(err error) {
	c.Failed = true
	fmt.Fprintln(c.Stderr, "antichain:", err)
}

// CheckReading checks what was read.
func (c *Checker) CheckReading(ctx context.Context, r *input.Reading) {
	var unread *limits.UnreadError
	switch {
	case errors.As(r.Err, &unread):
		c.Refuse(r.Name, r.Err.Error())
		return
	case r.Err != nil:
		c.ReportError(r.Err)
	}
	switch {
	case r.Net == nil:
	case r.Useless != "":
		c.Refuse(r.Name, r.Useless)
	default:
		c.CheckNet(ctx, r.Name, r.Net)
	}
}

// CheckNet checks all properties on the net of one trace.
func (c *Checker) CheckNet(ctx context.Context, name string, net *san.Net) {
	for _, p := range c.Properties {
		checking := terminal.Working(c.Stderr, "checking "+event.Printable(p.Name))
		result, err := tlcheck.Check(ctx, net, p, checking.Watched(c.Options))
		checking.Done()
		if err != nil {
			c.ReportError(err)
			continue
		}
		result.Covered += limits.Remedy(result.Stopped)
		v := &report.Violation{Net: net, Property: p, Result: result}
		if err := c.CountViolations(ctx, v); err != nil {
			c.ReportError(err)
		}
		if err := c.Report(name, v); err != nil {
			c.ReportError(err)
		}
	}
}

// Sparse reports whether a sparse trace with that header is enough for all properties.
func (c *Checker) Sparse(h *event.Header) bool {
	for _, p := range c.Properties {
		p, err := tlcheck.Resolve(h, p)
		if err != nil || c.Counting.Given() || tlcheck.Sparse(h, p, c.Options.Logic) != nil {
			return false
		}
	}
	return true
}

// Refuse gives every property the verdict unknown and says why.
func (c *Checker) Refuse(name, why string) {
	for _, p := range c.Properties {
		v := &report.Violation{Property: p, Result: &tlcheck.Result{Property: p, Covered: why}}
		if err := c.Report(name, v); err != nil {
			c.ReportError(err)
		}
	}
}

// ReportUndefined says where expressions of a property could not be evaluated.
func ReportUndefined(w io.Writer, prefix string, p *spec.Property, troubles []lsl.EvalError) {
	for _, t := range troubles {
		fmt.Fprintf(w, "antichain: %s%s:%d:%d: in %s, %s is undefined in %s: %s\n", prefix, event.Printable(p.File),
			t.Pos.Line, t.Pos.Col, p.Name, event.Printable(report.Excerpt(t.Expr)), report.Plural(t.Count, "local state"), event.Printable(t.Reason))
	}
}

// Report prints the verdict on one property.
func (c *Checker) Report(trace string, v *report.Violation) error {
	r := v.Result
	c.Note(r.Verdict)
	c.tallied(v)
	ReportUndefined(c.Stderr, c.Prefix, v.Property, r.EvalErrors)
	if c.JSON {
		return report.WriteJSON(c.Stdout, v.Object(trace))
	}
	return c.WriteText(v)
}

// WriteText prints the verdict as text.
func (c *Checker) WriteText(v *report.Violation) error {
	head := fmt.Sprintf("%s%s: %s\n", c.Prefix, v.Property.Name, c.Style.Verdict(v.Result))
	if caveat := v.Caveat(); caveat != "" {
		head += fmt.Sprintf("    Mind: %s.\n", event.Printable(caveat))
	}
	if _, err := io.WriteString(c.Stdout, head); err != nil || v.Result.Verdict != tlcheck.Violated {
		return err
	}
	write := v.Write
	if v.All != nil && len(v.All.Groups) > 0 {
		write = v.WriteAll
	}
	if err := write(c.Stdout, c.Style); err != nil {
		return err
	}
	_, err := fmt.Fprintln(c.Stdout)
	return err
}

// CountViolations finds all violations of a property that has been checked, if that is asked for.
func (c *Checker) CountViolations(ctx context.Context, v *report.Violation) error {
	if !c.Counting.Given() || v.Result.Verdict != tlcheck.Violated {
		return nil
	}
	find := tlcheck.Count
	if c.All {
		find = tlcheck.All
	}
	counting := terminal.Working(c.Stderr, "counting violations of "+event.Printable(v.Property.Name))
	all, err := find(ctx, v.Net, v.Property, counting.Watched(c.Options))
	counting.Done()
	if err != nil {
		return err
	}
	all.Covered += limits.Remedy(all.Stopped)
	if all.Stopped != nil && all.Number.Min.Sign() == 0 {
		all.Number.Min.SetInt64(1) // the witness
	}
	v.All, v.Grouped = all, c.All
	return nil
}

// tallied says of a property that is not violated how many violations it has, if that is
// asked for.
func (c *Checker) tallied(v *report.Violation) {
	if !c.Counting.Given() || v.Result.Verdict == tlcheck.Violated {
		return
	}
	v.All, v.Grouped = &tlcheck.Violations{Number: tlcheck.Number{Min: new(big.Int)}}, c.All
	if v.Result.Verdict == tlcheck.Holds {
		v.All.Number.Max = new(big.Int)
	}
}
