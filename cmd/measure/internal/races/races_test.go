//go:build unix

package races

import (
	"slices"
	"strings"
	"testing"
)

// Each kind of race is one, and what a witness needs is missed if it is not there.
func TestWitness(t *testing.T) {
	s := settings{seed: 7}
	for k := unordered; int(k) < len(kindNames); k++ {
		r, err := generate(s.rng(k, 0), k, 300)
		if err != nil {
			t.Error(err)
			continue
		}
		for name, witness := range map[string][]int{
			"is not the whole way": r.withoutLast(r.lines[r.second].thread),
			"goes too far":         append(slices.Clone(r.witness), r.first),
			"is the log":           upTo(r.second),
			"starts with a line of a thread that is not there": append([]int{len(r.lines) - 8}, r.witness...),
		} {
			if x := (race{r.lines, r.first, r.second, witness}); x.verify() == nil {
				t.Errorf("%v: a witness that %s leads to the race", k, name)
			}
		}
	}
}

// withoutLast returns the witness without the last line of a thread.
func (r *race) withoutLast(thread int) []int {
	witness := slices.Clone(r.witness)
	for i := len(witness) - 1; ; i-- {
		if r.lines[witness[i]].thread == thread {
			return slices.Delete(witness, i, i+1)
		}
	}
}

func upTo(n int) []int {
	var all []int
	for i := range n {
		all = append(all, i)
	}
	return all
}

// An execution keeps what threads, locks and memory demand.
func TestExecution(t *testing.T) {
	for want, lines := range map[string][]line{
		"is held":                           {{word: acquires, operand: "m"}, {word: acquires, operand: "m"}},
		"is not held":                       {{word: releases, operand: "m"}},
		"is not the next one of its thread": {{thread: 1, word: writes, operand: "x"}},
		"waits for the end":                 {{word: joins, operand: "T1"}},
	} {
		r := race{lines: append(lines, line{word: writes, operand: "x"}), witness: upTo(len(lines))}
		if err := r.verify(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %s", err, want)
		}
	}
	lines := []line{
		{word: forks, operand: "T1"}, {word: writes, operand: "x"}, {thread: 1, word: reads, operand: "x"},
		{thread: 1, word: writes, operand: "y"}, {word: writes, operand: "y"},
	}
	r := race{lines, 3, 4, upTo(3)}
	if err := r.verify(); err != nil {
		t.Error(err)
	}
	if r.witness = []int{0, 2}; r.verify() == nil {
		t.Error("a read sees what was not written")
	}
	r = race{lines, 2, 4, []int{0, 1}}
	if r.verify() == nil {
		t.Error("accesses of different variables conflict")
	}
}

// What is injected is found, by whom it can be, and nothing else is reported.
func TestFound(t *testing.T) {
	s := settings{seed: 3, logs: 10, lines: 300}
	for k, want := range map[kind][ways]int{
		none:      {0, 0},
		unordered: {10, 10},
		behind:    {0, 10},
		chained:   {0, 10},
		covered:   {0, 10},
		far:       {0, 10},
	} {
		r, err := s.row(k)
		if err != nil {
			t.Fatal(err)
		}
		if r.found != want || len(r.wrong) > 0 {
			t.Errorf("%v: found %v, not %v; %q", k, r.found, want, r.wrong)
		}
	}
}

// What is no race is counted.
func TestWrong(t *testing.T) {
	o, err := judge("T0|fork(T1)|1\nT0|w(x)|2\nT1|w(x)|3\n", happensBefore)
	if err != nil {
		t.Fatal(err)
	}
	if o.found || len(o.wrong) != 1 {
		t.Errorf("%+v", o)
	}
}

func TestParse(t *testing.T) {
	for _, args := range []string{"-logs 0", "-lines 10", "-rounds -1", "more"} {
		if _, err := parse(strings.Fields(args)); err == nil {
			t.Error(args)
		}
	}
	var out strings.Builder
	if err := Run(strings.Fields("-logs 1 -lines 100 -rounds 0"), &out); err != nil || strings.Count(out.String(), "\n|") != 2+len(kindNames) {
		t.Error(err, out.String())
	}
}
