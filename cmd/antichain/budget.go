package main

import (
	"fmt"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/spf13/pflag"
)

// budgetFlags are the flags that say when to give up.
type budgetFlags struct{ limits.Limits }

// register adds the flags; what the timeout bounds depends on the verb.
func (f *budgetFlags) register(flags *pflag.FlagSet, timeout time.Duration, what string) {
	flags.DurationVar(&f.Timeout, "timeout", timeout, "give up on "+what+" after this `DURATION`; 0 means never")
	f.Memory = limits.DefaultMemory
	flags.Var(&f.Memory, "memory", "give up when antichain holds more memory than this `SIZE`, like 512M or 2GiB; 0 means never. antichain itself takes some 10M")
}

// validate finds mistakes, and makes the limit of memory known to the garbage collector.
func (f *budgetFlags) validate() error {
	if f.Timeout < 0 {
		return fmt.Errorf("--timeout %v: must not be negative", f.Timeout)
	}
	budget.LimitGarbage(int64(f.Memory))
	return nil
}
