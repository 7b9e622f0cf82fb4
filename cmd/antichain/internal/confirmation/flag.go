package confirmation

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/pflag"
)

// Flag is the value of --confirm.
type Flag struct {
	Given    bool
	Attempts int // for each finding
}

// Register adds the flag, whose value may be left out.
func (f *Flag) Register(flags *pflag.FlagSet) {
	flags.Var(f, "confirm", fmt.Sprintf("run the program again, at most `N` times (%d if only --confirm is given) for each violation that is only predicted, and steer it there", Wanted.Attempts))
	flags.Lookup("confirm").NoOptDefVal = strconv.Itoa(Wanted.Attempts)
}

// Set implements pflag.Value.
func (f *Flag) Set(text string) error {
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		return errors.New("it must be a number")
	case n < 0:
		return errors.New("it must not be negative")
	}
	*f = Flag{Given: true, Attempts: n}
	return nil
}

// String implements pflag.Value.
func (f *Flag) String() string { return strconv.Itoa(f.Attempts) }

// Type implements pflag.Value.
func (f *Flag) Type() string { return "attempts" }

// Extent returns which predictions are confirmed.
func (f *Flag) Extent() Extent {
	wanted := Wanted
	wanted.Attempts = f.Attempts
	return wanted
}
