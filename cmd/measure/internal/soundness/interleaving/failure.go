package interleaving

import (
	"errors"

	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/program"
)

// Reason is why a program fails.
type Reason string

// Reasons.
const (
	SendClosed      Reason = "send on closed channel"
	CloseClosed     Reason = "close of closed channel"
	NegativeCounter Reason = "negative WaitGroup counter"
	Reuse           Reason = "WaitGroup is reused before previous Wait has returned"
	UnlockUnlocked  Reason = "unlock of unlocked lock"
)

// Failure is a statement at which a program can fail.
type Failure struct {
	Reason Reason
	At     *program.Stmt
}

// fail notes a failure. Behind it there is nothing, unless the program recovers.
func (m *machine) fail(why Reason, at *program.Stmt) { m.failures[Failure{why, at}] = true }

// refuse says that what the program does cannot be told from the documentation of Go, or is a data
// race.
func (m *machine) refuse(why string) {
	if m.bad == nil {
		m.bad = errors.New(why)
	}
}
