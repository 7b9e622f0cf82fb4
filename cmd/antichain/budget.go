package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/spf13/pflag"
)

// defaultMemory suffices for nets of tens of millions of events, and leaves something of
// most machines.
const defaultMemory = 4 << 30

// budgetFlags are the flags that say when to give up.
type budgetFlags struct {
	timeout time.Duration // --timeout
	memory  size          // --memory, for the whole process
}

// register adds the flags; what the timeout bounds depends on the verb.
func (f *budgetFlags) register(flags *pflag.FlagSet, timeout time.Duration, what string) {
	flags.DurationVar(&f.timeout, "timeout", timeout, "give up on "+what+" after this `DURATION`, 0 is never")
	f.memory = defaultMemory
	flags.Var(&f.memory, "memory", "give up when antichain holds more memory than this `SIZE`, like 512M or 2GiB; 0 is never. Itself it takes some 10M")
}

// validate finds mistakes, and makes the limit of memory known to the garbage collector.
func (f *budgetFlags) validate() error {
	if f.timeout < 0 {
		return fmt.Errorf("--timeout %v: must not be negative", f.timeout)
	}
	budget.LimitGarbage(int64(f.memory))
	return nil
}

// bound returns a context that ends when a part of the work, such as reading a trace, has
// used up its budget.
func (f *budgetFlags) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := budget.WithMemory(ctx, int64(f.memory))
	if f.timeout <= 0 {
		return ctx, stop
	}
	ctx, cancel := context.WithTimeoutCause(ctx, f.timeout, tlcheck.ErrTime)
	return ctx, func() { cancel(); stop() }
}

// size is a flag for a number of bytes.
type size int64

func (s *size) Set(text string) error {
	n, err := budget.Parse(text)
	*s = size(n)
	return err
}

func (s *size) String() string { return budget.Format(int64(*s)) }
func (s *size) Type() string   { return "SIZE" }

// unreadError says that a budget ran out before a trace was read to its end.
type unreadError struct {
	events int // read
	cause  error
}

func (e *unreadError) Error() string {
	return fmt.Sprintf("%v after %s of the trace%s", e.cause, report.Plural(e.events, "event"), remedy(e.cause))
}

func (e *unreadError) Unwrap() error { return e.cause }

// remedy says which flag allows more, if one does.
func remedy(stopped error) string {
	var unread *unreadError
	var memory *budget.MemoryError
	switch {
	case errors.As(stopped, &unread): // it has said so
	case errors.As(stopped, &memory):
		return "; --memory allows more"
	case errors.Is(stopped, tlcheck.ErrTime):
		return "; --timeout allows more"
	}
	return ""
}
