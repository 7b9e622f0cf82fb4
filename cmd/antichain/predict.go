package main

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"
)

// predictFlag says in which states a specification is checked.
type predictFlag string // --predict

// The values of --predict.
const (
	predictRun   predictFlag = "run"
	predictLocks predictFlag = "locks"
)

func (f *predictFlag) register(flags *pflag.FlagSet) {
	flags.StringVar((*string)(f), "predict", string(predictRun), "check a specification in the states that other orders of the run's events lead to, by `WHICH`: run (critical sections of locks keep their order) or locks (they need not)")
}

// check finds mistakes in the flag, and what it cannot be combined with.
func (f predictFlag) check(how *checkFlags) error {
	switch {
	case f == predictRun:
	case f != predictLocks:
		return fmt.Errorf("--predict %s: the choices are %s and %s", string(f), predictRun, predictLocks)
	case how.ViolationFlags.Given() || how.witness == lastWitness:
		return errors.New("--predict locks cannot be combined with --all, --count or --witness last: only whether there is such a state is known, and the least one")
	}
	return nil
}

// words returns the flag again.
func (f predictFlag) words() []string {
	if f == predictLocks {
		return []string{"--predict", string(f)}
	}
	return nil
}
