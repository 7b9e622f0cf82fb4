//go:build unix

// Package racetests runs the race detector's own tests, which come with Go, under antichain. The
// name of a test says whether it has a race: that of each TestRace must be reported, and nothing in
// a TestNoRace.
package racetests

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
)

// settings are the command line.
type settings struct {
	toolchains []string
	only       *regexp.Regexp
	tries      int  // of a test with a race, until that is reported
	repeats    int  // of a test without one
	detector   bool // go test -race judges the tests, too
	parallel   int
	dir        string // of the tests, instead of those that come with Go
}

func parse(args []string) (*settings, error) {
	s := &settings{only: regexp.MustCompile("")}
	flags := flag.NewFlagSet("racetests", flag.ContinueOnError)
	toolchains := flags.String("toolchains", "local", "the tests of these `toolchains`, names for GOTOOLCHAIN with commas between them")
	flags.TextVar(s.only, "run", s.only, "only the tests whose names match this `pattern`")
	flags.IntVar(&s.tries, "tries", 10, "how often a test with a race is run at most until that is reported")
	flags.IntVar(&s.repeats, "repeats", 3, "how often a test without a race is run")
	flags.BoolVar(&s.detector, "race", true, "also run them with go test -race, which needs cgo")
	flags.IntVar(&s.parallel, "p", 2*runtime.GOMAXPROCS(0), "tests that run at the same time")
	flags.StringVar(&s.dir, "dir", "", "the tests in this `directory` instead of those that come with Go")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 || s.tries < 1 || s.repeats < 1 || s.parallel < 1 {
		return nil, errors.New("no arguments follow the flags, and -tries, -repeats and -p are at least 1")
	}
	s.toolchains = strings.Split(*toolchains, ",")
	return s, nil
}

// Run makes the tables and prints them. A test that is judged otherwise than its name says, without
// a reason, is an error.
func Run(args []string, w io.Writer) error {
	s, err := parse(args)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	reasons, err := parseReasons(reasonsText)
	if err != nil {
		return err
	}
	var errs []error
	for _, toolchain := range s.toolchains {
		b, err := s.board(ctx, toolchain)
		if err != nil {
			return fmt.Errorf("GOTOOLCHAIN=%s: %w", toolchain, err)
		}
		b.write(w, reasons)
		errs = append(errs, b.check(reasons))
	}
	return errors.Join(errs...)
}

// board runs the tests of a toolchain.
func (s *settings) board(ctx context.Context, toolchain string) (*board, error) {
	temp, err := os.MkdirTemp("", "racetests-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	suite, err := s.build(ctx, toolchain, temp)
	if err != nil {
		return nil, err
	}
	names, err := suite.names(ctx)
	if err != nil {
		return nil, err
	}
	b := &board{release: suite.release, detector: s.detector, leftOut: suite.leftOut}
	for _, name := range names {
		if s.only.MatchString(name) {
			b.rows = append(b.rows, &row{name: name})
		}
	}
	return b, s.each(ctx, b.rows, suite.judge)
}

// each judges rows, some at the same time.
func (s *settings) each(ctx context.Context, rows []*row, judge func(context.Context, *settings, *row) error) error {
	slots := make(chan bool, s.parallel)
	errs := make(chan error, len(rows))
	for _, r := range rows {
		slots <- true
		go func() {
			defer func() { <-slots }()
			if err := judge(ctx, s, r); err != nil {
				errs <- fmt.Errorf("%s: %w", r.name, err)
				return
			}
			errs <- nil
		}()
	}
	var all []error
	for range rows {
		all = append(all, <-errs)
	}
	return errors.Join(all...)
}

// testsOf are the files of the tests in a directory.
func testsOf(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("no tests in %s", dir)
	}
	return files, err
}
