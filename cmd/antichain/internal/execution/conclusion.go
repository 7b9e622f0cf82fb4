package execution

import (
	"fmt"
	"io"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/reports"
)

// Conclusion is what came of a traced program.
type Conclusion struct {
	exit.Outcomes      // of all that was asked
	Code          int  // the program's own exit code, 128+n for a signal
	Checked       bool // a specification was checked
	Builtins      findings.Summary
	Overdue       bool // the program was ended for running too long

	Reports *reports.Collection // what was reported, if that is wanted
}

// HasChecked reports whether anything was checked.
func (c *Conclusion) HasChecked() bool { return c.Checked || len(c.Builtins.On) > 0 }

// Include adds what came of something else, but for the exit code and built-in properties.
func (c *Conclusion) Include(other *Conclusion) {
	c.Checked = c.Checked || other.Checked
	c.Outcomes.Include(other.Outcomes)
	c.Reports.Include(other.Reports)
}

// exit returns the exit code of run and test, and whose it is.
func (c *Conclusion) exit(program string) (code int, why string) {
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
		fmt.Fprintln(stderr, "antichain: nothing was checked:", scope.unchecked())
	}
	code, why := c.exit(program)
	switch left := scope.left(); {
	case code == exit.Holds && c.HasChecked() && left != "":
		fmt.Fprintln(stderr, "antichain: not looked at:", left)
	case c.Code != 0 && !c.HasViolation() && scope.Yields != 0: // with a violation, its report says so
		fmt.Fprintf(stderr, "antichain: --yields %d lets goroutines go first where they did in this run\n", scope.Yields)
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
