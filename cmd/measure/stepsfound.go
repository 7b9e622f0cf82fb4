//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/steps"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
)

// foundRow is a formula, whose steps from the initial state of a system are asked for one after the
// other.
type foundRow struct {
	system  string
	open    func(dir string) (func() (kripke.System, error), error) // reads what is needed, once
	formula string
	options steps.Options
}

const (
	dekkerBoth = "F (P0.at.m2 & P1.at.n2)"
	dekkerGoal = "F (P0.at.m2 & P1.at.n2) & F P0.at.m8"
)

var foundRows = []foundRow{
	{"Dekker", dekker, dekkerBoth, steps.Options{}},
	{"Dekker", dekker, dekkerGoal, steps.Options{}},
	{"Dekker", dekker, dekkerGoal, steps.Options{Mode: steps.Minimal}},
	{"Dekker", dekker, dekkerGoal, steps.Options{Mode: steps.Maximal}},
	{"Dekker", dekker, dekkerGoal, steps.Options{Mode: steps.LiteralMin}},
	{"Dekker", dekker, dekkerGoal, steps.Options{Mode: steps.Minimal, AllPaths: true, Limit: 14}},
	{"Dekker", dekker, dekkerGoal, steps.Options{Mode: steps.Minimal, Memoryless: true, Limit: 14}},
	{"independent 20×50", slicesOf(workload.Independent), "F (w0:(a) & w19:(c))", steps.Options{Mode: steps.Minimal}},
	{"independent 20×50", slicesOf(workload.Independent), "F (w0:(a) & w9:(b) & w19:(c))", steps.Options{}},
	{"independent 20×50", slicesOf(workload.Independent), "F (w0:(a) & X F w19:(c))", steps.Options{Mode: steps.Minimal}},
	{"independent 20×50", slicesOf(workload.Independent), "F w0:(a)", steps.Options{Mode: steps.Maximal}},
	{"ring 20×50", slicesOf(workload.Ring), "F (w0:(a) & w19:(b))", steps.Options{Mode: steps.Minimal}},
	{"ring 20×50", slicesOf(workload.Ring), "F (w0:(a) & X F w19:(c))", steps.Options{Mode: steps.Minimal}},
	{"ring 20×50", slicesOf(workload.Ring), "!w0:(c) U w19:(c)", steps.Options{Mode: steps.Minimal}},
}

// foundLimit is the most states of a step where a row says nothing else.
const foundLimit = 2000

// foundTime is how long steps are asked for.
const foundTime = time.Second

func dekker(dir string) (func() (kripke.System, error), error) {
	path := filepath.Join(dir, "examples/programs/dekker.gcl")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	file, err := gcl.Parse(path, string(text))
	return func() (kripke.System, error) { return gcl.New(file, nil) }, err
}

func slicesOf(p workload.Pattern) func(string) (func() (kripke.System, error), error) {
	return func(string) (func() (kripke.System, error), error) {
		net, err := workload.Config{Pattern: p, Variant: workload.Violated, Tasks: 20, Events: 50, Seed: 1}.Net()
		return func() (kripke.System, error) { return tracemodel.New(net), nil }, err
	}
}

func foundTable(dir string, count int) error {
	fmt.Printf("Steps from the initial state, one after the other until there are no more or %v is over, again and again on a new system.\n"+
		"The independent run has 51²⁰ slices, which is 1.4e34.\n\n", foundTime)
	t := table{"system", "formula", "steps", "first one, ms", "its states", "found", "steps/s"}.start()
	flush(t)
	for _, r := range foundRows {
		cells, err := r.measure(dir, count)
		if err != nil {
			return fmt.Errorf("%s, %s: %w", r.system, r.formula, err)
		}
		t.add(cells...)
		flush(t)
	}
	return nil
}

// measure asks at least count times for all steps, and so often that it takes its time.
func (r foundRow) measure(dir string, count int) ([]string, error) {
	if r.options.Limit == 0 {
		r.options.Limit = foundLimit
	}
	begin, err := r.open(dir)
	if err != nil {
		return nil, err
	}
	f, err := temporal.Parse("formula", r.formula, temporal.FiniteLTL)
	if err != nil {
		return nil, err
	}
	var first []float64
	var one finding
	found, took := 0, 0.0
	for n := 0; n < count || took < foundTime.Seconds(); n++ {
		if one, err = r.find(begin, f); err != nil {
			return nil, err
		}
		first = append(first, one.first)
		found, took = found+one.steps, took+one.seconds
	}
	all := fmt.Sprint(one.steps)
	if !one.all {
		all = "> " + all
	}
	return []string{r.system, "`" + r.formula + "`", r.kind(), number(1000 * median(first)), fmt.Sprint(one.states), all, number(float64(found) / took)}, nil
}

// kind says which steps are asked for.
func (r foundRow) kind() string {
	kind := r.options.Mode.String()
	if r.options.AllPaths {
		kind += ", all paths"
	}
	if r.options.Memoryless {
		kind += ", memoryless"
	}
	if r.options.Limit != foundLimit {
		kind += fmt.Sprintf(", at most %d states", r.options.Limit)
	}
	return kind
}

// finding is what came out of one search.
type finding struct {
	first, seconds float64 // until the first step, and until the end
	states         int     // of the first step
	steps          int
	all            bool // there are no more
}

// find asks for steps until there are no more, or the time is over. That there is none is an error.
func (r foundRow) find(begin func() (kripke.System, error), f *temporal.Formula) (result finding, err error) {
	started := time.Now()
	sys, err := begin()
	if err != nil {
		return result, err
	}
	s, err := steps.New(sys, f, sys.Initial()[0], r.options)
	if err != nil {
		return result, err
	}
	defer s.Close()
	ctx, cancel := context.WithTimeout(context.Background(), foundTime)
	defer cancel()
	for {
		step, err := s.Next(ctx)
		result.seconds = time.Since(started).Seconds()
		switch {
		case result.steps > 0 && errors.Is(err, context.DeadlineExceeded):
			return result, nil
		case err != nil:
			return result, err
		case step == nil && result.steps == 0:
			return result, errors.New("there is no step")
		case step == nil:
			result.all = true
			return result, nil
		}
		if result.steps++; result.steps == 1 {
			result.first, result.states = result.seconds, len(step.States)
		}
	}
}
