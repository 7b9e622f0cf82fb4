package exit

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck"
)

// TestLedger compares a ledger with the list of all questions and answers.
func TestLedger(t *testing.T) {
	type entry struct {
		Question
		answers []Answer
	}
	rapid.Check(t, func(t *rapid.T) {
		var l Ledger
		var all []*entry
		for range rapid.IntRange(0, 30).Draw(t, "steps") {
			q := Question{fmt.Sprint("run", rapid.IntRange(1, 2).Draw(t, "run")), fmt.Sprint("p", rapid.IntRange(1, 3).Draw(t, "property"))}
			if rapid.Bool().Draw(t, "asked") {
				l.Ask(q.Run, q.Property)
				all = append(all, &entry{Question: q})
				continue
			}
			a := Answer{Verdict: tlcheck.Verdict(rapid.IntRange(0, 3).Draw(t, "verdict")), Builtin: rapid.Bool().Draw(t, "built-in")}
			l.Answer(q.Run, q.Property, a)
			// The first entry without an answer gets it, else any.
			at := slices.IndexFunc(all, func(e *entry) bool { return e.Question == q && len(e.answers) == 0 })
			if at < 0 {
				at = len(all)
				all = append(all, &entry{Question: q})
			}
			all[at].answers = append(all[at].answers, a)
		}
		var want Outcomes
		open := map[Question]bool{}
		for _, e := range all {
			for _, a := range e.answers {
				want.Note(a)
			}
			open[e.Question] = open[e.Question] || len(e.answers) == 0
		}
		if l.Outcomes != want {
			t.Fatalf("%+v, want %+v", l.Outcomes, want)
		}
		got := l.Open()
		for q, isOpen := range open {
			if slices.Contains(got, q) != isOpen {
				t.Fatalf("%v is open: %v, want %v", q, !isOpen, isOpen)
			}
		}
	})
}

// A question is answered by the verdict on its property, on its run.
func TestOpen(t *testing.T) {
	var l Ledger
	for _, run := range []string{"b", "a"} {
		l.Ask(run, "p")
		l.Ask(run, "deadlock")
	}
	l.Answer("a", "p", Answer{Verdict: tlcheck.Holds})
	l.Answer("c", "p", Answer{Verdict: tlcheck.Holds})
	want := []Question{{"a", "deadlock"}, {"b", "deadlock"}, {"b", "p"}}
	if got := l.Open(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
