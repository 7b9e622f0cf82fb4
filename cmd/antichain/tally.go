package main

import (
	"context"
	"math/big"

	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/pflag"
)

// tallyFlags ask for more than one violation.
type tallyFlags struct {
	all   bool // --all
	count bool // --count
}

func (f *tallyFlags) register(flags *pflag.FlagSet) {
	flags.BoolVar(&f.all, "all", false, "show all violations, grouped by where the goroutines stand, with the first one of each group")
	flags.BoolVar(&f.count, "count", false, "count the violations: pairs of a global state and goroutines for the TIVs")
}

// given reports whether violations are to be counted.
func (f *tallyFlags) given() bool { return f.all || f.count }

// words returns the flags again.
func (f *tallyFlags) words() []string {
	var words []string
	if f.all {
		words = append(words, "--all")
	}
	if f.count {
		words = append(words, "--count")
	}
	return words
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
