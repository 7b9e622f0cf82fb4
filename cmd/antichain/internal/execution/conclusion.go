package execution

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/reports"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

// Conclusion is the outcome of a traced program.
type Conclusion struct {
	exit.Outcomes      // of all that was asked
	Code          int  // the program's own exit code, 128+n for a signal
	Checked       bool // a specification was checked
	Builtins      findings.Summary
	Overdue       bool // the program was ended for running too long
	Hung          bool // it was ended since it hung
	Passed        Passed

	Reversals []*Reversal // of the run, as many as the plan wants
	InVain    bool        // the run did not get to the first step of the plan's Reversed
	Kept      int         // steps of the schedule that the run was to keep, of those that it did

	// steps of a steered schedule, and goroutines
	Steps, Goroutines int
	// what the run has noted of its operations, if the plan's strategy learns from that
	Noted []ring.Note `json:"-"`

	Names op.Names `json:"-"` // of the operations of the run

	Vain []*tlcheck.Assessment `json:"-"` // candidates that were tried and did not happen

	Reports *reports.Collection // what was reported, if that is wanted
}

// HasChecked reports whether anything was checked.
func (c *Conclusion) HasChecked() bool { return c.Checked || len(c.Builtins.On) > 0 }

// Include adds another outcome, except for the exit code and built-in properties.
func (c *Conclusion) Include(other *Conclusion) {
	c.Checked = c.Checked || other.Checked
	c.Outcomes.Include(other.Outcomes)
	c.Reports.Include(other.Reports)
}

// exitCode returns the exit code of run and test, and whose it is.
func (c *Conclusion) exitCode(program string) (code int, why string) {
	code, why = c.CodeBeside(c.Code)
	switch {
	case why != "":
		return code, "antichain's: " + why
	case code != exit.Holds, !c.HasChecked():
		return code, program + "'s own"
	case c.Reports.HasKnown():
		return exit.Holds, program + "'s own, and no violation is new"
	case !c.Checked:
		return exit.Holds, program + "'s own, and no built-in property is violated"
	}
	return exit.Holds, program + "'s own, and every property holds"
}

// Conclude prints whose the exit code is as the last line.
func (c *Conclusion) Conclude(stderr io.Writer, program string, scope Scope) error {
	if !c.HasChecked() && !c.Failed { // what went wrong was said
		fmt.Fprintln(stderr, "antichain: nothing was checked:", scope.whyUnchecked())
	}
	code, why := c.exitCode(program)
	switch left := scope.unexamined(); {
	case code == exit.Holds && c.HasChecked() && left != "":
		fmt.Fprintln(stderr, "antichain: not checked:", left)
	case c.Code != 0 && !c.HasViolation() && scope.Yields != 0: // else its report says so
		fmt.Fprintf(stderr, "antichain: to repeat this schedule: --yields %d\n", scope.Yields)
	}
	fmt.Fprintf(stderr, "antichain: exit code %d is %s\n", code, why)
	if code == exit.Holds {
		return nil
	}
	return exit.Code(code)
}

// IsNotable reports whether a run is worth a report.
func (c *Conclusion) IsNotable() bool {
	return c.HasViolation() || c.Fails()
}

// Fails reports whether a run went wrong, with or without a violation.
func (c *Conclusion) Fails() bool { return c.Code != 0 || c.Failed || c.Bug }

// Scope is what was to be checked, in which runs.
type Scope struct {
	Builtins       []builtin.Property
	Specifications []specfile.Specification
	Silent         []string // packages whose accesses to memory are not recorded, if others are
	CanExplore     bool     // and did not
	// of the only run, 0 if there were several or nothing decides where goroutines let others go
	// first
	Yields uint64
}

// unexamined says what was not checked that a flag would add, and names the flag; "" if there is
// none.
func (s Scope) unexamined() string {
	var parts []string
	// leak takes a specification
	off := findings.Without(findings.Known, slices.Concat(s.Builtins, []builtin.Property{builtin.Leak}))
	switch {
	case len(findings.Without(off, findings.Expensive)) > 0:
		parts = append(parts, "other built-in properties (add --builtin all)")
	case len(off) > 0:
		parts = append(parts, strings.Join(findings.Names(off), ", ")+" (add --builtin all)")
	}
	if len(s.Silent) > 0 {
		parts = append(parts, "accesses to memory in "+packageNames(s.Silent)+" (add --race-in all)")
	}
	if s.CanExplore {
		parts = append(parts, "other schedules (add --explore 50)")
	}
	return strings.Join(parts, "; ")
}

// packageNames names some packages, or says how many there are.
func packageNames(packages []string) string {
	const most = 3
	if len(packages) <= most {
		return strings.Join(packages, ", ")
	}
	return fmt.Sprintf("%s and %d other packages", strings.Join(packages[:most-1], ", "), len(packages)-most+1)
}

// whyUnchecked says why nothing was checked.
func (s Scope) whyUnchecked() string {
	reason := "there is no .tl file beside the package, no --spec and no -e was given, and --builtin is none"
	if len(s.Builtins) > 0 {
		reason = "go test ran no test binary; are there _test.go files?"
	}
	for _, given := range s.Specifications {
		if len(specfile.Properties(given.Parsed)) > 0 {
			return "go test ran no test binary of a package with a specification; are there _test.go files?"
		}
		if given.Given() && len(s.Builtins) == 0 {
			reason = "no specification has a property"
		}
	}
	return reason
}
