//go:build unix

package main

import (
	"errors"
	"flag"
	"regexp"
)

// selection is the flags that most parts have: which rows to measure, and how often each.
type selection struct {
	*flag.FlagSet
	only    *string
	count   *int
	short   *bool          // nil without -short
	pattern *regexp.Regexp // of -run, once the flags are parsed
}

// selecting returns the flags of a part. What -run selects is said in what, with `pattern` in it.
func selecting(part, what string) *selection {
	flags := flag.NewFlagSet(part, flag.ContinueOnError)
	return &selection{FlagSet: flags, only: flags.String("run", "", "only the "+what), count: flags.Int("n", 5, "repetitions of each row")}
}

// parse reads the flags, behind which nothing may follow.
func (s *selection) parse(args []string) (err error) {
	if err := s.Parse(args); err != nil {
		return err
	}
	if *s.count < 1 || s.NArg() > 0 {
		return errors.New("-n must be at least 1, and no arguments follow the flags")
	}
	s.pattern, err = regexp.Compile(*s.only)
	return err
}

// canBeShort adds -short, of which what says what it leaves out.
func (s *selection) canBeShort(what string) { s.short = s.Bool("short", false, what) }

// divide is how many times fewer operations there are with -short.
func (s *selection) divide() int {
	if *s.short {
		return 100
	}
	return 1
}
