//go:build unix

package main

import (
	"context"
	"time"

	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// question is what a row asks of a run, whose answer is not known beforehand.
type question string

// The questions: what the first violation is, what the last one is, how many there are, and how
// many with goroutines at the same places.
const (
	firstViolation question = "first"
	lastViolation  question = "last"
	howMany        question = "count"
	allViolations  question = "all"
)

// answer is "unknown" also where there may be a better witness than the one that was found, or
// bounds are all that is known.
func (q question) answer(net *san.Net, prop *spec.Property, limit time.Duration) (verdict, covered string, err error) {
	options := tlcheck.Options{Time: limit, Last: q == lastViolation}
	switch q {
	case howMany:
		return counted(tlcheck.Count(context.Background(), net, prop, options))
	case allViolations:
		return counted(tlcheck.All(context.Background(), net, prop, options))
	}
	r, err := tlcheck.Check(context.Background(), net, prop, options)
	if err != nil || r.Covered != "" {
		return tlcheck.Unknown.String(), "", err
	}
	return r.Verdict.String(), "", nil
}

func counted(all *tlcheck.Violations, err error) (verdict, covered string, _ error) {
	if err != nil || !all.Number.Exact() {
		return tlcheck.Unknown.String(), "the number is not exact", err
	}
	return "counted", "", nil
}

// questionRows returns rows of properties that once had no verdict, or took a time quadratic in the
// tasks.
func questionRows(seeds int, limit time.Duration) []checkRow {
	var rows []checkRow
	violated := []workload.Variant{workload.Violated}
	both := []workload.Variant{workload.Holds, workload.Violated}
	for _, size := range []struct {
		tasks, events int
		patterns      []workload.Pattern
		variants      []workload.Variant
		question      question
		target        target
		formulas      []string
	}{
		{20, 50, workload.Patterns(), violated, firstViolation, target{seconds: 0.1}, []string{
			"exists t (t:(a) until t:(b))", "exists t2 (t1:(a) and t2:(b))", "exists t (forall u (t:(a) or u:(b)))", "always exists t (t:(a) until t:(b))",
		}},
		{30_000, 10, []workload.Pattern{workload.Independent}, violated, firstViolation, target{seconds: 2}, []string{
			"exists t (t:(a))", "exists t (t:(not a))", "sometime exists t (t:(c))",
		}},
		{10_000, 10, []workload.Pattern{workload.ForkJoin}, violated, firstViolation, target{seconds: 1}, []string{
			"not (t1:(a) and t2:(c)) if t1 == caller(t2)", "not (t1:(a) and t2:(c)) if t1 != caller(t2)", "t1:(a) -> not (t2:(b) until t3:(c)) if t1 == caller(t2) and t1 == caller(t3)",
		}},
		{250, 200, workload.Patterns(), both, firstViolation, target{seconds: 10}, []string{
			"t1:(a) -> ((t2:(b) and t3:(c)) until t1:(d))", "t1:(a) -> (t2:(b) until (t3:(c) and t1:(d)))", "t1:(a) -> not (t2:(b) until (t3:(c) and t1:(d)))",
			"not (t1:(a) until (t2:(b) and t3:(c)))", "t1:(a) -> not ((t2:(b) and t3:(c)) until t1:(d))", "not ((t2:(b) and t3:(c)) until t1:(d))",
			"t1:(a) -> not (t2:(b) until (t3:(c) and t2:(d)))", "t1:(a) -> not (t2:(b) until (t3:(c) and t1:(d))) if t1 != t2 and t2 != t3",
			"not (t1:(a) and next (t2:(b) and t3:(c)))", "t1:(a) -> not next^5 (t2:(b) and t3:(c))",
		}},
		{250, 50, workload.Patterns(), violated, lastViolation, target{seconds: 10}, []string{"not (t1:(a) and t2:(b) and t3:(c))"}},
		{250, 200, workload.Patterns(), violated, howMany, target{seconds: 10}, []string{
			"not (t1:(a) and t2:(b) and t3:(c))", "t1:(a) -> (t2:(b) or t3:(c)) if t2 != t3",
		}},
		{250, 200, workload.Patterns(), violated, allViolations, target{seconds: 10}, []string{
			"not (t1:(a) and t2:(b) and t3:(c))", "t1:(a) -> (t2:(b) or t3:(c)) if t2 != t3",
		}},
	} {
		for _, text := range size.formulas {
			for _, p := range size.patterns {
				for _, v := range size.variants {
					c := workload.Config{Pattern: p, Variant: v, Tasks: size.tasks, Events: size.events}
					rows = append(rows, checkRow{title: string(size.question) + ": " + text, target: size.target,
						job: job{Config: c, Formula: text, Seeds: min(seeds, 3), Limit: limit, Question: size.question}})
				}
			}
		}
	}
	return rows
}
