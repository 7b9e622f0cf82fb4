package check

import (
	"github.com/spf13/pflag"
)

// ViolationFlags say how many violations are reported.
type ViolationFlags struct {
	All   bool // --all
	Count bool // --count
}

func (f *ViolationFlags) Register(flags *pflag.FlagSet) {
	flags.BoolVar(&f.All, "all", false, "show all violations, grouped by where the goroutines stand, with the first one of each group")
	flags.BoolVar(&f.Count, "count", false, "count the violations: pairs of a global state and an assignment of goroutines to the task variables")
}

// Given reports whether violations are to be counted.
func (f *ViolationFlags) Given() bool { return f.All || f.Count }

// Words returns the flags again.
func (f *ViolationFlags) Words() []string {
	var words []string
	if f.All {
		words = append(words, "--all")
	}
	if f.Count {
		words = append(words, "--count")
	}
	return words
}
