package check

import (
	"io"

	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/spf13/pflag"
)

// Settings say how properties are checked, and how that is reported.
type Settings struct {
	Options tlcheck.Options
	ViolationFlags
	Strict     bool // a property that is vacuous counts as one whose verdict is unknown
	JSON       bool
	Style      report.Style
	NamesTests bool // Style.Again is for go test, and is to name the tests that findings are of
}

// Checker returns a checker of the properties in specification files.
func (s Settings) Checker(files []*spec.File, stdout, stderr io.Writer) *Checker {
	return &Checker{
		Settings: s, Stdout: stdout, Stderr: stderr,
		Properties: specfile.Properties(files), Functions: specfile.FunctionsOf(files),
	}
}

// ViolationFlags say how many violations are reported.
type ViolationFlags struct {
	All   bool // --all
	Count bool // --count
}

func (f *ViolationFlags) Register(flags *pflag.FlagSet) {
	flags.BoolVar(&f.All, "all", false, "show all violations, grouped by the places of the goroutines, with the first one of each group")
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
