package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/shiviz"
	"github.com/spf13/pflag"
)

// shivizFormat is what --format calls the logs of ShiViz.
const shivizFormat = "shiviz"

// inputFlags are the flags that say what traces look like.
type inputFlags struct {
	format       string // --format: "" for the forms of traces, which are told apart by looking
	shivizRegexp string // --shiviz-regexp
}

func (f *inputFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.format, "format", "", "read another `FORMAT` than traces: shiviz, a log whose events carry vector clocks")
	flags.StringVar(&f.shivizRegexp, "shiviz-regexp", "", "regular `EXPRESSION` for an event of the log, with groups host, clock and event; if not given it is guessed")
}

// validate finds what is wrong with the flags.
func (f *inputFlags) validate() error {
	if f.format != "" && f.format != shivizFormat {
		return fmt.Errorf("--format %s: the format is %s, or not given for traces", f.format, shivizFormat)
	}
	if f.shivizRegexp != "" && f.format == "" {
		return errors.New("--shiviz-regexp is about logs: add --format shiviz")
	}
	_, err := f.openLog(nil, "")
	return err
}

// openLog returns a reader of a log.
func (f *inputFlags) openLog(r io.Reader, name string) (event.Reader, error) {
	log, err := shiviz.NewReader(r, name, shiviz.Options{Expression: f.shivizRegexp})
	if err != nil {
		return nil, fmt.Errorf("--shiviz-regexp: %w", err)
	}
	return log, nil
}

// words returns the flags again.
func (f *inputFlags) words() []string {
	var words []string
	if f.format != "" {
		words = append(words, "--format", f.format)
	}
	if f.shivizRegexp != "" {
		words = append(words, "--shiviz-regexp", f.shivizRegexp)
	}
	return words
}
