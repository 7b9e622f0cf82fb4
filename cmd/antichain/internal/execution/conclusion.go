package execution

import (
	"fmt"
	"io"
	"slices"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// Conclusion is what came of a traced program.
type Conclusion struct {
	Code                      int  // the program's own exit code, 128+n for a signal
	Checked                   bool // a specification was checked
	Violated, Failed, Unknown bool
	Vacuous                   bool // a property is, and must not be
	Builtins                  findings.Summary
	Bug                       bool // antichain panicked
	Overdue                   bool // the program was ended for running too long
}

// HasChecked reports whether anything was checked.
func (c *Conclusion) HasChecked() bool { return c.Checked || len(c.Builtins.On) > 0 }

// exit returns the exit code of run and test, and whose it is.
func (c *Conclusion) exit(program string) (code int, why string) {
	switch {
	case c.Bug:
		return exit.Bug, "antichain's: it has a bug"
	case c.Violated:
		return exit.Violated, "antichain's: a property is violated"
	case len(c.Builtins.Violated) > 0:
		return exit.Violated, "antichain's: a built-in property is violated"
	case c.Code != 0:
		return c.Code, program + "'s own"
	case c.Failed:
		return exit.Error, "antichain's: something went wrong with the trace"
	case c.Unknown, c.Builtins.IsUnknown():
		return exit.Unknown, "antichain's: a verdict is unknown"
	case c.Vacuous:
		return exit.Unknown, "antichain's: a property is vacuous, and --strict is given"
	case !c.HasChecked():
		return exit.Holds, program + "'s own"
	case !c.Checked:
		return exit.Holds, program + "'s own, and no built-in property is violated"
	}
	return exit.Holds, program + "'s own, and every property holds"
}

// Conclude prints whose the exit code is as the last line. wanted and specs are what was to be checked.
func (c *Conclusion) Conclude(stderr io.Writer, program string, wanted []builtin.Property, specs ...specfile.Specification) error {
	if !c.HasChecked() && !c.Failed { // what went wrong was said
		fmt.Fprintln(stderr, "antichain: nothing was checked:", unchecked(wanted, specs))
	}
	code, why := c.exit(program)
	fmt.Fprintf(stderr, "antichain: exit code %d is %s\n", code, why)
	if code == exit.Holds {
		return nil
	}
	return exit.Code(code)
}

// unchecked says why none of these built-in properties and specifications was checked.
func unchecked(wanted []builtin.Property, specs []specfile.Specification) string {
	reason := "there is no .tl file beside the package, no --spec and no -e was given, and --builtin is none"
	switch {
	case slices.Equal(wanted, []builtin.Property{builtin.Leak}):
		reason = "no specification names a function with must_finish"
	case len(wanted) > 0:
		reason = "go test ran no test binary; are there _test.go files?"
	}
	for _, s := range specs {
		if len(specfile.Properties(s.Parsed)) > 0 {
			return "go test ran no test binary of a package with a specification; are there _test.go files?"
		}
		if s.Given() && len(wanted) == 0 {
			reason = "no specification has a property"
		}
	}
	return reason
}

// IsNotable reports whether a run is worth a report.
func (c *Conclusion) IsNotable() bool {
	return c.HasViolation() || c.Code != 0 || c.Failed || c.Bug
}

// HasViolation reports whether a run violates a property.
func (c *Conclusion) HasViolation() bool {
	return c.Violated || len(c.Builtins.Violated) > 0
}
