//go:build unix

package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// hangPart is a part of what is measured of the watch for goroutines that wait for ever.
type hangPart struct {
	name    string
	measure func(*bench, *selection) error
}

var hangParts = []hangPart{
	{"beside", (*bench).hangsBeside},
	{"suites", (*bench).hangsInSuites},
	{"cost", (*bench).costOfWatch},
}

// hangs measures after which time goroutines that wait for ever are reported beside a busy server,
// what is reported while test suites run, and what the watch costs.
func hangs(args []string) error {
	flags := selecting("hangs", "kernels, suites and ways whose names match this `pattern`")
	part := flags.String("part", "", "only the `part` of that name: beside, suites or cost")
	executable := flags.String("antichain", "", "use the executable in this `file`; default one that is built")
	if err := flags.parse(args); err != nil {
		return err
	}
	isWanted := func(p hangPart) bool { return *part == "" || *part == p.name }
	if !slices.ContainsFunc(hangParts, isWanted) {
		return fmt.Errorf("there is no part %s", *part)
	}
	b, err := hangBench(*executable)
	if err != nil {
		return err
	}
	defer b.remove()
	for _, p := range hangParts {
		if isWanted(p) {
			fmt.Printf("Part %s\n\n", p.name)
			if err := p.measure(b, flags); err != nil {
				return err
			}
		}
	}
	return nil
}

// hangBench is a bench that has this executable of antichain, or builds one if the name is empty.
func hangBench(executable string) (*bench, error) {
	if executable == "" {
		return newCommandBench()
	}
	return suiteBench(executable)
}

// hangsAre is the beginning of the lines above what is reported while a program runs.
const hangsAre = "antichain: goroutines wait for ever"

// hangsInSuites counts what is reported while test suites run.
func (b *bench) hangsInSuites(flags *selection) error {
	list, err := readSuites(filepath.Join(b.root, ".ci/suites.txt"))
	if err != nil {
		return err
	}
	w := way{name: "antichain", test: []string{b.executable(), "test"}}
	t := table{"suite", "tests", "seconds", "reports while it ran"}.start()
	flush(t)
	var said []string
	for i := range list {
		s := &list[i]
		if !flags.pattern.MatchString(s.name) {
			continue
		}
		m, err := b.measureSuite(s, []way{w}, 1)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		r := &m.runs[0][0]
		found := whileRunning(r.said)
		for _, f := range found {
			said = append(said, s.name+": "+f)
		}
		t.add(s.name, fmt.Sprint(len(r.results)), seconds(r.seconds), fmt.Sprint(len(found)))
		flush(t)
	}
	fmt.Printf("\n%s\n", strings.Join(said, "\n"))
	return nil
}

// hangFinding is a line of a report with the goroutines that wait for ever, and not why.
var hangFinding = regexp.MustCompile(`^    \S`)

// whileRunning returns the findings that were reported while a program ran.
func whileRunning(said string) (found []string) {
	inside := false
	for line := range strings.Lines(said) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, hangsAre):
			inside = true
		case !strings.HasPrefix(line, "    "):
			inside = false
		case inside && hangFinding.MatchString(line):
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

// executable is that of antichain.
func (b *bench) executable() string { return cmp.Or(b.antichain, b.path("antichain")) }

var errNoHangs = errors.New("nothing was measured: -run matches no name")
