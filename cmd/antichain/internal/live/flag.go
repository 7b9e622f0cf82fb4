package live

import (
	"fmt"
	"io"

	"github.com/spf13/pflag"
)

// Settings say how a program is checked while it runs.
type Settings struct {
	Flag
	KeepGoing  bool      // it goes on after a violation
	Postpone   bool      // what cannot be checked on-the-fly is checked in the end
	AtTerminal bool      // a user is at the terminal, though the streams do not show it
	Notes      io.Writer `json:"-"` // for how to reach a halted program; nil is standard error
}

// Flag is the value of --live.
type Flag struct {
	On bool // the program is checked while it runs
	// it is halted also when a violation of a built-in property is predicted, and not only when
	// that happens
	Predicted bool
}

// Register adds the flag, which needs no value.
func (f *Flag) Register(flags *pflag.FlagSet, usage string) {
	flags.Var(f, "live", usage)
	flags.Lookup("live").NoOptDefVal = "observed"
}

// The values of the flag.
var flagValues = map[string]Flag{"observed": {On: true}, "predicted": {On: true, Predicted: true}, "true": {On: true}, "false": {}}

// Set sets the flag.
func (f *Flag) Set(text string) error {
	value, ok := flagValues[text]
	if !ok {
		return fmt.Errorf("%q is neither observed nor predicted", text)
	}
	*f = value
	return nil
}

// String is the value as it is set.
func (f *Flag) String() string {
	switch {
	case f.Predicted:
		return "predicted"
	case f.On:
		return "observed"
	}
	return ""
}

// Type is the name of the value in the help: none, since the usage shows how it is given.
func (f *Flag) Type() string { return "" }
