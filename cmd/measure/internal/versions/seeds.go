//go:build unix

package versions

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// steeredSeeds is how many steered schedules are tried, each twice.
const steeredSeeds = 20

// seeds runs an example that can come to a deadlock under steered schedules: each seed twice, which
// must go the same way. How many seeds come to the deadlock is told, and at least one does.
func seeds(ctx context.Context, s *site) (*outcome, error) {
	c := new(check)
	deadlocked := 0
	for seed := 1; seed <= steeredSeeds; seed++ {
		first, err := s.steered(ctx, seed)
		if err != nil {
			return nil, err
		}
		second, err := s.steered(ctx, seed)
		if err != nil {
			return nil, err
		}
		c.expect(fmt.Sprintf("seed %d", seed), second.commandResult, second.differsFrom(first))
		if first.observed {
			deadlocked++
		}
	}
	o := c.outcome()
	o.Says += fmt.Sprintf(", %d deadlock", deadlocked)
	if deadlocked == 0 {
		o.OK = false
		o.Details += "no seed comes to the deadlock\n"
	}
	return o, nil
}

// A steeredRun is a run under a steered schedule.
type steeredRun struct {
	*commandResult
	verdicts string
	events   string // in their order
	observed bool   // that the deadlock happened
}

func (s *site) steered(ctx context.Context, seed int) (*steeredRun, error) {
	trace := s.path("seed.jsonl")
	if err := os.RemoveAll(trace); err != nil {
		return nil, err
	}
	r, err := execute(ctx, s.linked, s.root, s.executable, "run", "--json", "--seed", strconv.Itoa(seed), "-o", trace, "./examples/bank")
	if err != nil {
		return nil, err
	}
	run := &steeredRun{commandResult: r}
	if text, err := os.ReadFile(trace); err == nil {
		run.events = string(text)
	}
	verdicts, err := verdictsOf(r.err)
	if err != nil {
		return nil, err
	}
	run.verdicts = notHolding(verdicts)
	run.observed = verdicts["deadlock"].How == "observed"
	return run, nil
}

// differsFrom says how a run differs from another one of the same seed, "" if it does not.
func (s *steeredRun) differsFrom(first *steeredRun) string {
	switch {
	case s.events == "" || first.events == "":
		return "there is no trace"
	case s.verdicts != "deadlock":
		return fmt.Sprintf("violated: %q, want the deadlock", s.verdicts)
	case s.verdicts != first.verdicts || s.observed != first.observed:
		return fmt.Sprintf("violated: %q (happened: %v), and %q (%v) at first", s.verdicts, s.observed, first.verdicts, first.observed)
	case s.events != first.events:
		return "another schedule: " + firstDifference(first.events, s.events)
	}
	return ""
}

// firstDifference is the first line in which texts differ.
func firstDifference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return fmt.Sprintf("line %d is %s, and was %s", i+1, bs[i], as[i])
		}
	}
	return fmt.Sprintf("%d lines, and were %d", len(bs), len(as))
}
