package main

import (
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
