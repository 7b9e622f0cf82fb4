// Package exit defines the exit codes of all verbs, and combines those of several properties and traces.
package exit

import (
	"fmt"

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

// Outcomes collects what came of several properties or traces.
type Outcomes struct{ Violated, Failed, Unknown, Vacuous bool }

// Note takes a verdict into account. That it is Vacuous, and must not be, others say.
func (o *Outcomes) Note(v tlcheck.Verdict) {
	switch v {
	case tlcheck.Violated:
		o.Violated = true
	case tlcheck.Unknown:
		o.Unknown = true
	}
}

// Code returns the exit code: 1 if any property is violated, else 2, else 3 if a verdict is unknown or vacuous, else 0.
func (o Outcomes) Code() int {
	switch {
	case o.Violated:
		return Violated
	case o.Failed:
		return Error
	case o.Unknown, o.Vacuous:
		return Unknown
	}
	return Holds
}

// Err returns the code as an error, nil for 0.
func (o Outcomes) Err() error {
	if c := o.Code(); c != Holds {
		return Code(c)
	}
	return nil
}
