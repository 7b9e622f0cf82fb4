package execution

import (
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// Scope is what was to be checked, in which runs.
type Scope struct {
	Builtins       []builtin.Property
	Specifications []specfile.Specification
	Silent         []string // packages that do not tell their accesses to memory, if these are looked at
	CanExplore     bool     // and did not
	// of the only run, 0 if there were several or nothing decides where goroutines let others go
	// first
	Yields uint64
}

// left says what was not looked at that a flag would add, and which; "" if there is no such flag.
func (s Scope) left() string {
	var parts []string
	// leak takes a specification
	off := findings.Without(findings.Known, slices.Concat(s.Builtins, []builtin.Property{builtin.Leak}))
	switch {
	case len(findings.Without(off, findings.Expensive)) > 0:
		parts = append(parts, "other built-in properties: --builtin all")
	case len(off) > 0:
		parts = append(parts, strings.Join(findings.Names(off), ", ")+": --builtin all")
	}
	if len(s.Silent) > 0 {
		parts = append(parts, "accesses to memory in "+few(s.Silent)+": --race-in all")
	}
	if s.CanExplore {
		parts = append(parts, "other schedules: --explore 50")
	}
	return strings.Join(parts, "; ")
}

// few names some packages, or says how many there are.
func few(packages []string) string {
	const most = 3
	if len(packages) <= most {
		return strings.Join(packages, ", ")
	}
	return fmt.Sprintf("%s and %d other packages", strings.Join(packages[:most-1], ", "), len(packages)-most+1)
}

// unchecked says why nothing was checked.
func (s Scope) unchecked() string {
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
