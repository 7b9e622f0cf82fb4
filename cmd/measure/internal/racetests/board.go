//go:build unix

package racetests

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// outcome is what came out of a test.
type outcome int

const (
	quiet    outcome = iota // it ran, and no race is reported
	reported                // a race is
	skipped                 // it skips itself
	crashed                 // it did not come to its end
)

var outcomeNames = [...]string{quiet: "nothing", reported: "a race", skipped: "skipped", crashed: "crashed"}

func (o outcome) String() string { return outcomeNames[o] }

// verdict is what one of the two says of a test.
type verdict struct {
	outcome outcome
	runs    int
	text    string // of a report
}

// row is a test.
type row struct {
	name                string
	antichain, detector verdict
}

// racy reports whether the test has a race.
func (r *row) racy() bool { return strings.HasPrefix(r.name, "TestRace") }

// right reports whether a verdict is what the name says.
func (r *row) right(v verdict) bool {
	return v.outcome == reported == r.racy() && v.outcome != crashed && v.outcome != skipped
}

// board is the tests of a release.
type board struct {
	release  string
	detector bool
	rows     []*row
	leftOut  []string // files with tests that were not built
}

// write prints the totals, and the tests that are judged otherwise.
func (b *board) write(w io.Writer, reasons map[string]string) {
	racy := b.count((*row).racy)
	fmt.Fprintf(w, "%s: %d tests with a race, %d without\n\n", b.release, racy, len(b.rows)-racy)
	if len(b.leftOut) > 0 {
		fmt.Fprintf(w, "Left out, since they import internal packages of Go: %s\n\n", strings.Join(b.leftOut, ", "))
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "\tright\traces missed\tfalse races\tskipped\tcrashed")
	b.totals(t, "antichain", func(r *row) verdict { return r.antichain })
	if b.detector {
		b.totals(t, "go test -race", func(r *row) verdict { return r.detector })
	}
	t.Flush()
	fmt.Fprintln(w)
	t = tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	header := false
	for _, r := range b.rows {
		if r.right(r.antichain) && (!b.detector || r.right(r.detector)) {
			continue
		}
		if !header {
			fmt.Fprintln(t, "test\tantichain\tgo test -race\twhy")
			header = true
		}
		theirs := "-"
		if b.detector {
			theirs = r.detector.outcome.String()
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", r.name, r.antichain.outcome, theirs, reasons[r.name])
	}
	t.Flush()
	fmt.Fprintln(w)
}

func (b *board) totals(w io.Writer, name string, of func(*row) verdict) {
	has := func(o outcome, racy bool) func(*row) bool {
		return func(r *row) bool { return of(r).outcome == o && r.racy() == racy }
	}
	either := func(o outcome) int { return b.count(has(o, true)) + b.count(has(o, false)) }
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\n", name, b.count(func(r *row) bool { return r.right(of(r)) }),
		b.count(has(quiet, true)), b.count(has(reported, false)), either(skipped), either(crashed))
}

func (b *board) count(is func(*row) bool) int {
	n := 0
	for _, r := range b.rows {
		if is(r) {
			n++
		}
	}
	return n
}

// check returns an error for each test that is judged otherwise than its name says, and of which it
// is not said why.
func (b *board) check(reasons map[string]string) error {
	var errs []error
	for _, r := range b.rows {
		if !r.right(r.antichain) && reasons[r.name] == "" {
			errs = append(errs, fmt.Errorf("%s, %s: %s after %d runs\n%s", b.release, r.name, r.antichain.outcome, r.antichain.runs, r.antichain.text))
		}
	}
	return errors.Join(errs...)
}

// reasonsText says why tests are judged otherwise than their names say.
//
//go:embed reasons.txt
var reasonsText string

// parseReasons returns the reasons by name. A line has a test, and behind a space why.
func parseReasons(text string) (map[string]string, error) {
	reasons := make(map[string]string)
	for line := range strings.Lines(text) {
		name, why, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || reasons[name] != "" {
			return nil, fmt.Errorf("reasons.txt: %q is not a test, which comes once, and a reason", line)
		}
		reasons[name] = why
	}
	return reasons, nil
}
