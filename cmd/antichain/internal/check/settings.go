package check

import (
	"io"

	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
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
