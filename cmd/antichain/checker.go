package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// checker checks properties on nets and reports on each.
type checker struct {
	out, err   io.Writer // reports, mistakes
	json       bool
	options    tlcheck.Options
	properties []*spec.Property
	functions  named
	style      report.Style
	prefix     string // in front of each verdict
	tallyFlags

	exit.Outcomes
}

// fail reports a mistake and goes on.
func (c *checker) fail(err error) {
	c.Failed = true
	fmt.Fprintln(c.err, "antichain:", err)
}

// reading checks what was read.
func (c *checker) reading(ctx context.Context, r *input.Reading) {
	var unread *limits.UnreadError
	switch {
	case errors.As(r.Err, &unread):
		c.refuse(r.Name, r.Err.Error())
		return
	case r.Err != nil:
		c.fail(r.Err)
	}
	switch {
	case r.Net == nil:
	case r.Useless != "":
		c.refuse(r.Name, r.Useless)
	default:
		c.trace(ctx, r.Name, r.Net)
	}
}

// trace checks all properties on the net of one trace.
func (c *checker) trace(ctx context.Context, name string, net *san.Net) {
	for _, p := range c.properties {
		checking := terminal.Working(c.err, "checking "+event.Printable(p.Name))
		result, err := tlcheck.Check(ctx, net, p, checking.Watched(c.options))
		checking.Done()
		if err != nil {
			c.fail(err)
			continue
		}
		result.Covered += limits.Remedy(result.Stopped)
		v := &report.Violation{Net: net, Property: p, Result: result}
		if err := c.tally(ctx, v); err != nil {
			c.fail(err)
		}
		if err := c.report(name, v); err != nil {
			c.fail(err)
		}
	}
}

// sparse reports whether a sparse trace with that header is enough for all properties.
func (c *checker) sparse(h *event.Header) bool {
	for _, p := range c.properties {
		p, err := tlcheck.Resolve(h, p)
		if err != nil || c.tallyFlags.given() || tlcheck.Sparse(h, p, c.options.Logic) != nil {
			return false
		}
	}
	return true
}

// refuse gives every property the verdict unknown and says why.
func (c *checker) refuse(name, why string) {
	for _, p := range c.properties {
		v := &report.Violation{Property: p, Result: &tlcheck.Result{Property: p, Covered: why}}
		if err := c.report(name, v); err != nil {
			c.fail(err)
		}
	}
}

// sayUndefined says where expressions of a property could not be evaluated.
func sayUndefined(w io.Writer, prefix string, p *spec.Property, troubles []lsl.Trouble) {
	for _, t := range troubles {
		fmt.Fprintf(w, "antichain: %s%s:%d:%d: in %s, %s is undefined in %s: %s\n", prefix, event.Printable(p.File),
			t.Pos.Line, t.Pos.Col, p.Name, event.Printable(beginning(t.Expr)), report.Plural(t.Count, "local state"), event.Printable(t.Reason))
	}
}

// longExpression is more of an expression than helps to find it.
const longExpression = 80

// beginning cuts a long expression.
func beginning(expr string) string {
	for i := range expr {
		if i >= longExpression {
			return expr[:i] + "…"
		}
	}
	return expr
}

// report prints the verdict on one property.
func (c *checker) report(trace string, v *report.Violation) error {
	r := v.Result
	c.Note(r.Verdict)
	c.tallied(v)
	sayUndefined(c.err, c.prefix, v.Property, r.Troubles)
	if c.json {
		return report.WriteJSON(c.out, v.Object(trace))
	}
	return c.inWords(v)
}

// inWords prints the verdict as text.
func (c *checker) inWords(v *report.Violation) error {
	head := fmt.Sprintf("%s%s: %s\n", c.prefix, v.Property.Name, c.style.Verdict(v.Result))
	if caveat := v.Caveat(); caveat != "" {
		head += fmt.Sprintf("    Mind: %s.\n", event.Printable(caveat))
	}
	if _, err := io.WriteString(c.out, head); err != nil || v.Result.Verdict != tlcheck.Violated {
		return err
	}
	write := v.Write
	if v.All != nil && len(v.All.Groups) > 0 {
		write = v.WriteAll
	}
	if err := write(c.out, c.style); err != nil {
		return err
	}
	_, err := fmt.Fprintln(c.out)
	return err
}

// tally finds all violations of a property that has been checked, if that is asked for.
func (c *checker) tally(ctx context.Context, v *report.Violation) error {
	if !c.tallyFlags.given() || v.Result.Verdict != tlcheck.Violated {
		return nil
	}
	find := tlcheck.Count
	if c.all {
		find = tlcheck.All
	}
	counting := terminal.Working(c.err, "counting violations of "+event.Printable(v.Property.Name))
	all, err := find(ctx, v.Net, v.Property, counting.Watched(c.options))
	counting.Done()
	if err != nil {
		return err
	}
	all.Covered += limits.Remedy(all.Stopped)
	if all.Stopped != nil && all.Number.Min.Sign() == 0 {
		all.Number.Min.SetInt64(1) // the witness
	}
	v.All, v.Grouped = all, c.all
	return nil
}

// tallied says of a property that is not violated how many violations it has, if that is
// asked for.
func (c *checker) tallied(v *report.Violation) {
	if !c.tallyFlags.given() || v.Result.Verdict == tlcheck.Violated {
		return
	}
	v.All, v.Grouped = &tlcheck.Violations{Number: tlcheck.Number{Min: new(big.Int)}}, c.all
	if v.Result.Verdict == tlcheck.Holds {
		v.All.Number.Max = new(big.Int)
	}
}
