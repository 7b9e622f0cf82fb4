package exit

import (
	"cmp"
	"slices"
)

// Question is one thing that a command is to judge: a property of a specification, or a built-in
// one, on a run.
type Question struct{ Run, Property string }

// Ledger lists what a command is to judge, and derives its exit code from the verdicts. Every
// question that is asked needs an answer, whatever stops the command. One without an answer is a
// bug of antichain. The zero value has no questions.
//
// Answered questions are folded into the outcomes, so a command that judges runs without end keeps
// only the open ones.
type Ledger struct {
	Outcomes

	// open counts the questions without an answer. A run that is checked twice under one name asks
	// twice.
	open map[Question]int
}

// Ask adds a question.
func (l *Ledger) Ask(run, property string) {
	if l.open == nil {
		l.open = map[Question]int{}
	}
	l.open[Question{run, property}]++
}

// Answer takes the verdict on a question. A question has several answers if there are several
// findings.
func (l *Ledger) Answer(run, property string, a Answer) {
	l.Note(a)
	q := Question{run, property}
	if n := l.open[q]; n > 1 {
		l.open[q] = n - 1
	} else {
		delete(l.open, q)
	}
}

// Open returns the questions that have no answer, ordered by run and property.
func (l *Ledger) Open() []Question {
	var open []Question
	for q := range l.open {
		open = append(open, q)
	}
	slices.SortFunc(open, func(a, b Question) int {
		return cmp.Or(cmp.Compare(a.Run, b.Run), cmp.Compare(a.Property, b.Property))
	})
	return open
}
