//go:build unix

package versions

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// readme runs the README's first command.
func readme(ctx context.Context, s *site) (*outcome, error) {
	r, err := s.traced(ctx, "run", "./examples/ringbuffer")
	if err != nil {
		return nil, err
	}
	c := new(check)
	c.expect("antichain run ./examples/ringbuffer", r, differsFromReadme(r))
	return c.outcome(), nil
}

// readmeByOther runs it with an antichain that the newest release of the other minor version has
// built.
func readmeByOther(ctx context.Context, s *site) (*outcome, error) {
	v, ok := newest(s.all, other(s.builder.Minor))
	if !ok {
		return nil, fmt.Errorf("there is no release go1.%d", other(s.builder.Minor))
	}
	executable, err := s.antichain(ctx, v.String(), releaseOf(v).environ(s.workspace.env))
	if err != nil {
		return nil, err
	}
	built := *s
	built.executable = executable
	return readme(ctx, &built)
}

// differsFromReadme says how a report on the ring buffer differs from what it is to be, "" if it
// does not.
func differsFromReadme(r *commandResult) string {
	switch {
	case r.code != 1:
		return fmt.Sprintf("exit code %d, want 1", r.code)
	case !slices.Contains(strings.Split(r.err, "\n"), "same_element: violated"):
		return `nothing says "same_element: violated"`
	case !slices.Contains(strings.Split(r.err, "\n"), "exclusive_append: holds"):
		return `nothing says "exclusive_append: holds"`
	}
	return unknowns(r)
}

// unknownForm is how a report says that there is no verdict.
var unknownForm = regexp.MustCompile(`(?m)^\S.*: unknown\b.*|"verdict":"unknown".*`)

// unknowns tells the first verdict that is unknown, "" if none is.
func unknowns(r *commandResult) string {
	return unknownForm.FindString(r.err)
}

// A verdictLine is what antichain run --json says of a property.
type verdictLine struct {
	Property, Builtin, Verdict string
	How                        string
}

// verdictsOf reads the lines of a report, by property.
func verdictsOf(report string) (map[string]verdictLine, error) {
	verdicts := make(map[string]verdictLine)
	for line := range strings.Lines(report) {
		if !strings.HasPrefix(line, `{"trace":`) {
			continue
		}
		var v verdictLine
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			return nil, fmt.Errorf("%w in %s", err, line)
		}
		name := v.Property + v.Builtin
		if old, ok := verdicts[name]; !ok || old.Verdict == "holds" {
			verdicts[name] = v
		}
	}
	return verdicts, nil
}

// notHolding are the names of properties that do not hold, with their verdicts if these are
// unknown.
func notHolding(verdicts map[string]verdictLine) string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(verdicts)) {
		switch verdicts[name].Verdict {
		case "holds":
		case "violated":
			names = append(names, name)
		default:
			names = append(names, name+" "+verdicts[name].Verdict)
		}
	}
	return strings.Join(names, " ")
}
