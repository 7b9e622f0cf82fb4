// Package monitor checks properties on runs that are still running, and reports each verdict as
// soon as it is certain.
package monitor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"syscall"

	"github.com/antichain-go/antichain/cmd/antichain/internal/alert"
	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/onthefly/builtins"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/stream"
)

// Monitor checks the properties on all runs.
type Monitor struct {
	check.Checker
	Reading   context.Context // ends at an interrupt, or when the memory is used up
	Checking  context.Context // ends a moment later
	Builtins  builtins.Config // empty without built-in properties
	KeepGoing bool
	Postpone  bool
	Named     bool // there may be several runs
	Alerts    *alert.Alerts
}

// Fail reports an error of a source or a run.
func (m *Monitor) Fail(err error) {
	var code exit.Code
	if errors.As(err, &code) {
		return // it was reported already
	}
	var broken *stream.BrokenError
	if !errors.As(err, &broken) {
		m.ReportError(err)
		return
	}
	var read *event.Error
	if errors.As(err, &read) {
		cut := *read
		switch cut.Remedy {
		case event.RemedyCut:
			cut.Remedy = "its tasks are cut off"
		case stream.RemedyName:
			cut.Remedy = "its tasks are cut off; --follow-name goes on with what has its name now"
		}
		err = &cut
	}
	fmt.Fprintln(m.Stderr, "antichain:", err)
	m.Unknown = true // further input is unknown
}

// ReportVerdict reports a verdict on a run.
func (m *Monitor) ReportVerdict(name string, r *tlcheck.Result) {
	m.ReportAssessment(name, m.Assess(r))
}

// ReportAssessment reports a verdict on a run that has been assessed.
func (m *Monitor) ReportAssessment(name string, a *tlcheck.Assessment) {
	m.Prefix = ""
	if m.Named {
		m.Prefix = event.Printable(name) + ": "
	}
	if err := m.Report(traceName(name), a); err != nil {
		m.ReportError(err)
	}
	if m.Alerts != nil && a.Verdict == tlcheck.Violated && a.IsNews() {
		var violation bytes.Buffer
		if err := report.WriteJSON(&violation, traceName(name), a, m.Style.Source); err != nil {
			m.ReportError(err)
			return
		}
		m.Alerts.Add(violation.Bytes())
	}
}

// traceName returns the name of a run in reports and in the ledger.
func traceName(name string) string {
	if name == input.Stdin {
		return "-"
	}
	return name
}

// recordQuestions records the properties to judge on a run.
func (m *Monitor) recordQuestions(name string) {
	m.AskAll(traceName(name))
	m.AskBuiltins(traceName(name), m.Builtins.Judged())
}

// Refuse gives every property the verdict unknown on a run, with the reason.
func (m *Monitor) Refuse(name, why string) {
	for _, p := range m.Properties {
		m.ReportVerdict(name, &tlcheck.Result{Property: p, Covered: why})
	}
	for _, p := range m.Builtins.Judged() {
		m.ReportVerdict(name, &tlcheck.Result{Builtin: p, Covered: why})
	}
}

// Suits returns an error if there is nothing to check, or a property can be checked on no run.
func (m *Monitor) Suits() error {
	if len(m.Functions.MustFinish) > 0 && !slices.Contains(m.Builtins.Properties, builtin.Leak) {
		fmt.Fprintln(m.Stderr, "antichain: warning: must_finish has no effect without --builtin leak")
	}
	if len(m.Properties)+len(m.Builtins.Properties) == 0 {
		return errors.New("nothing to check: the specification has no property; name built-in properties with --builtin")
	}
	return findings.Flag(m.Builtins.Properties).Suits(m.Functions)
}

// Admit rejects properties that cannot be checked on-the-fly, before anything is read. shared are
// the shared variables known so far.
func (m *Monitor) Admit(shared []string) error {
	if m.Postpone {
		return nil
	}
	var refused []error
	for _, p := range m.Properties {
		if err := m.Admits(p, shared); err != nil {
			refused = append(refused, err)
		}
	}
	return errors.Join(refused...)
}

// Admits is tlcheck.Monitorable with this verb's remedy.
func (m *Monitor) Admits(p *spec.Property, shared []string) error {
	err := tlcheck.Monitorable(p, m.Options.Logic, shared)
	var refused *tlcheck.UnsupportedError
	if errors.As(err, &refused) {
		refused.Remedy = "with --defer it is checked when the run is over"
	}
	return err
}

// ErrDetached is the cut of a run whose program continues unobserved.
var ErrDetached = errors.New("left to itself")

// SignalError reports that a signal has ended the run.
type SignalError struct{ syscall.Signal }

func (e *SignalError) Error() string { return fmt.Sprintf("ended by a signal (%v)", e.Signal) }
