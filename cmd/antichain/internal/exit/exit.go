// Package exit defines the exit codes of all verbs, and combines those of several properties and
// traces.
package exit

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"

	"github.com/antichain-go/antichain/tlcheck"
)

// The exit codes of every verb.
const (
	Holds    = 0
	Violated = 1
	Error    = 2
	Unknown  = 3
	Bug      = 4
)

// IssuesURL is where bugs are reported.
const IssuesURL = "https://github.com/antichain-go/antichain/issues"

// Code is an error that only carries the exit code: everything has been said.
type Code int

func (c Code) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// Answer is the verdict on a question.
type Answer struct {
	Verdict tlcheck.Verdict
	Builtin bool // the question was about a built-in property
	Vacuous bool // the property could not have been violated, and must not be vacuous
}

// Outcomes sums up the answers of a command, and what else went wrong.
type Outcomes struct {
	Violated        bool // a property of a specification is
	BuiltinViolated bool // a built-in property is
	Failed          bool // an input or a report could not be read or written
	Unknown         bool // some verdict is
	Vacuous         bool // some property is, and must not be
	Bug             bool // antichain has panicked, or has left a question without an answer
}

// Note takes an answer into account.
func (o *Outcomes) Note(a Answer) {
	switch a.Verdict {
	case tlcheck.Violated:
		o.Violated = o.Violated || !a.Builtin
		o.BuiltinViolated = o.BuiltinViolated || a.Builtin
	case tlcheck.Unknown:
		o.Unknown = true
	}
	o.Vacuous = o.Vacuous || a.Vacuous
}

// Include adds other outcomes.
func (o *Outcomes) Include(other Outcomes) {
	o.Violated = o.Violated || other.Violated
	o.BuiltinViolated = o.BuiltinViolated || other.BuiltinViolated
	o.Failed = o.Failed || other.Failed
	o.Unknown = o.Unknown || other.Unknown
	o.Vacuous = o.Vacuous || other.Vacuous
	o.Bug = o.Bug || other.Bug
}

// HasViolation reports whether a property is violated.
func (o Outcomes) HasViolation() bool { return o.Violated || o.BuiltinViolated }

// CodeBeside returns the exit code of a command that ran a program, and why: 4 for a bug, else 1 if
// any property is violated, else the program's own code unless that is 0, else 2 for an error, else
// 3 if a verdict is unknown or vacuous, else 0.
//
// why is "" for the program's own code.
func (o Outcomes) CodeBeside(own int) (code int, why string) {
	switch {
	case o.Bug:
		return Bug, "it has a bug"
	case o.Violated:
		return Violated, "a property is violated"
	case o.BuiltinViolated:
		return Violated, "a built-in property is violated"
	case own != 0:
		return own, ""
	case o.Failed:
		return Error, "something went wrong with the trace"
	case o.Unknown:
		return Unknown, "a verdict is unknown"
	case o.Vacuous:
		return Unknown, "a property is vacuous, and --strict is given"
	}
	return Holds, ""
}

// Code returns the exit code of a command without a program.
func (o Outcomes) Code() int {
	code, _ := o.CodeBeside(0)
	return code
}

// Err returns the code as an error, nil for 0.
func (o Outcomes) Err() error {
	if c := o.Code(); c != Holds {
		return Code(c)
	}
	return nil
}

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

// StatusOf returns the exit code of a process, 128+n if signal n ended it.
func StatusOf(s *os.ProcessState) int {
	if status, ok := s.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return s.ExitCode()
}

// CodeOf returns the exit code of a command that has run, and ended with this error.
func CodeOf(err error) (int, error) {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return 0, err
	}
	return StatusOf(exit.ProcessState), nil
}
