//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/steps"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
)

// longJob is the name under which the command calls itself, with the name of a system: so the
// memory is that of one step.
const longJob = "long-job"

// longStates is how many states a long step has, those of the systems also the first one.
const longStates = 100_000

// longRow is a system with a maximal step of many states.
type longRow struct {
	name    string
	open    func() (kripke.System, error)
	formula string
	states  int
}

var longRows = []longRow{
	{"a program that counts", counter, "G x >= 0", longStates},
	{"a run of 2 tasks, 50,000 events each", longRun(2), "F w0:(a)", longStates + 1},
	{"a run of 20 tasks, 5,000 events each", longRun(20), "F w0:(a)", longStates + 1},
}

// counter is a program with a single path.
func counter() (kripke.System, error) {
	file, err := gcl.Parse("counter", fmt.Sprintf(`declare x : [0..%[1]d];
initially x = 0;
process P
  L0 : if (x < %[1]d) { x := x + 1; goto L0; }
end`, longStates-1))
	if err != nil {
		return nil, err
	}
	return gcl.New(file, nil)
}

// longRun returns a run of independent tasks.
func longRun(tasks int) func() (kripke.System, error) {
	return func() (kripke.System, error) {
		net, err := workload.Config{Variant: workload.Violated, Tasks: tasks, Events: longStates / tasks, Seed: 1}.Net()
		if err != nil {
			return nil, err
		}
		return tracemodel.New(net), nil
	}
}

// longResult is what a child prints.
type longResult struct {
	Seconds     float64
	Before, MiB float64 // most memory, without the search and with it
	Known       int     // states that the system has numbered
}

// longTable measures a long maximal step in a process of its own.
func longTable(_ string, count int) error {
	fmt.Print("A maximal step of 100,000 states, the first one that is found, in a process of its own.\n\n")
	t := table{"system", "formula", "s", "states met", "most MiB", "before the search", "bytes a state of the step"}.start()
	flush(t)
	for _, r := range longRows {
		var took, before, most []float64
		var one longResult
		for range count {
			var err error
			if one, err = r.inChild(); err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			took, before, most = append(took, one.Seconds), append(before, one.Before), append(most, one.MiB)
		}
		each := (median(most) - median(before)) * (1 << 20) / float64(r.states)
		t.add(r.name, "`"+r.formula+"`", number(median(took)), fmt.Sprint(one.Known), number(median(most)), number(median(before)), number(each))
		flush(t)
	}
	return nil
}

// inChild runs the row in a child process.
func (r longRow) inChild() (result longResult, err error) {
	self, err := os.Executable()
	if err != nil {
		return result, err
	}
	cmd := exec.Command(self, longJob, r.name)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return result, fmt.Errorf("%w\n%s", err, &stderr)
	}
	return result, json.Unmarshal(out, &result)
}

// runLong is the child.
func runLong(args []string, out io.Writer) error {
	for _, r := range longRows {
		if len(args) == 1 && args[0] == r.name {
			result, err := r.measure()
			return errors.Join(err, json.NewEncoder(out).Encode(result))
		}
	}
	return fmt.Errorf("%s has one argument, the name of a system", longJob)
}

// measure finds the step.
func (r longRow) measure() (result longResult, err error) {
	sys, err := r.open()
	if err != nil {
		return result, err
	}
	f, err := temporal.Parse("formula", r.formula, temporal.FiniteLTL)
	if err != nil {
		return result, err
	}
	result.Before = ownPeak()
	begin := time.Now()
	s, err := steps.New(sys, f, sys.Initial()[0], steps.Options{Mode: steps.Maximal, Limit: r.states})
	if err != nil {
		return result, err
	}
	defer s.Close()
	step, err := s.Next(context.Background())
	if err != nil {
		return result, err
	}
	if step == nil || len(step.States) != r.states || step.Cycle >= 0 {
		return result, fmt.Errorf("no step of %d states, but %v", r.states, step)
	}
	result.Seconds, result.MiB, result.Known = time.Since(begin).Seconds(), ownPeak(), sys.States()
	return result, nil
}
