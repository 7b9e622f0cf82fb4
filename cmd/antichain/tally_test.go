package main

import (
	"context"
	"io"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// A count that was interrupted at once knows of the violation that the check has found.
func TestTallyInterruptedAtOnce(t *testing.T) {
	net := santest.Read(t, `{"antichain":1,"tasks":["main"]}
{"t":"main","set":{"x":1}}
`)
	prop, err := spec.ParseFormula("not t:(x == 1)")
	if err != nil {
		t.Fatal(err)
	}
	result, err := tlcheck.Check(t.Context(), net, prop, tlcheck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := &check.Checker{Settings: check.Settings{ViolationFlags: check.ViolationFlags{Count: true}}, Stderr: io.Discard}
	all, err := c.CountViolations(ctx, result, 0)
	if err != nil {
		t.Fatal(err)
	}
	if n := all.Number; n.Min.Int64() != 1 || n.Max != nil || all.Stopped == nil {
		t.Errorf("%v to %v violations, stopped by %v", n.Min, n.Max, all.Stopped)
	}
}
