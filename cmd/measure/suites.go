//go:build unix

package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// way is how a suite is run.
type way struct {
	name string
	test []string // stands in for "go test"
	env  []string // besides what there is
}

// The first way is what the others are compared to. With another executable of antichain there are
// its ways, too.
func (b *bench) ways(other string) []way {
	antichain := b.executable()
	ways := []way{
		{name: "plain", test: []string{"go", "test"}},
		{name: "--builtin none", test: []string{antichain, "test", "--builtin", "none"}},
		{name: "antichain", test: []string{antichain, "test"}},
		{name: "--builtin all", test: []string{antichain, "test", "--builtin", "all"}},
		// By default it sleeps for a second at the end of each test binary, which users wait for,
		// but which says nothing about its cost.
		{name: "-race", test: []string{"go", "test", "-race"}, env: []string{"GORACE=atexit_sleep_ms=0"}},
		{name: "-race, asleep", test: []string{"go", "test", "-race"}},
		// Without the flag, built-in properties give goroutines that outlive the tests a second.
		// That says nothing about the cost.
		{name: "--linger 0s", test: []string{antichain, "test", "--linger", "0s"}},
	}
	if other == "" {
		return ways
	}
	for _, w := range ways[1:4] {
		ways = append(ways, way{name: w.name + ", other", test: append([]string{other}, w.test[1:]...)})
	}
	return ways
}

// suites runs test suites of real modules in several ways. It is an error if tests pass in one way
// and fail in another, unless the list of suites says why, if something is reported that the list
// does not judge, and if there is no verdict.
func suites(args []string) error {
	flags := selecting("suites", "suites whose names match this `pattern`")
	ways := flags.String("ways", "", "run them plain, and otherwise only in ways whose names match this `pattern`")
	reports := flags.String("reports", "", "`directory` for what antichain says of each suite, with the reports to be judged; nowhere if it is not given")
	executable := flags.String("antichain", "", "use the executable in this `file`; default one that is built")
	against := flags.String("against", "", "also in the ways of the executable in this `file`")
	instead := flags.String("module", "", "take this `MODULE@VERSION` instead of the version in the list")
	if err := flags.parse(args); err != nil {
		return err
	}
	onlyWays, err := regexp.Compile(*ways)
	if err != nil {
		return err
	}
	if *against != "" {
		if *against, err = filepath.Abs(*against); err != nil {
			return err
		}
	}
	b, err := suiteBench(*executable)
	if err != nil {
		return err
	}
	defer b.remove()
	list, err := readSuites(filepath.Join(b.root, ".ci/suites.txt"))
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(s suite) bool { return !flags.pattern.MatchString(s.name) })
	takeModule(list, *instead)
	chosen := b.ways(*against)
	chosen = append(chosen[:1], slices.DeleteFunc(chosen[1:], func(w way) bool { return !onlyWays.MatchString(w.name) })...)
	return b.suites(list, chosen, *flags.count, *reports)
}

// suiteBench is a bench that has this executable of antichain, or builds one if the name is empty.
func suiteBench(executable string) (*bench, error) {
	if executable == "" {
		return newBench()
	}
	b, err := newDir()
	if err == nil {
		b.antichain, err = filepath.Abs(executable)
	}
	return b, err
}

// takeModule lets the suites of a module be those of another version of it.
func takeModule(list []suite, instead string) {
	path, _, _ := strings.Cut(instead, "@")
	for i := range list {
		if of, _, _ := strings.Cut(list[i].module, "@"); of == path {
			list[i].module = instead
		}
	}
}

// suites prints the table, a line for each suite and way, and then what is to be said about the
// suites.
func (b *bench) suites(list []suite, ways []way, count int, reports string) error {
	fmt.Printf("Medians of %d, interleaved.\n\n", count)
	t := table{"suite", "run", "tests", "seconds", "/ plain", "CPU seconds", "/ plain", "MiB", "MiB, antichain", "reports", isTrue, isMeant, isFalse, notJudged}.start()
	flush(t)
	var notes []string
	failed := false
	for i := range list {
		s := &list[i]
		m, err := b.measureSuite(s, ways, count)
		if err != nil {
			notes, failed = append(notes, fmt.Sprintf("%s: FAILED: %v", s.name, err)), true
			continue
		}
		if err := m.saveReports(reports); err != nil {
			return err
		}
		m.rows(t)
		flush(t)
		if s.cut != "" {
			notes = append(notes, fmt.Sprintf("%s: cut by %s: %s", s.name, strings.Join(s.flags, " "), s.cut))
		}
		said, unexplained := m.differences()
		unjudged := m.unjudged()
		notes = slices.Concat(notes, said, unjudged)
		failed = failed || unexplained || len(unjudged) > 0
	}
	fmt.Printf("\n%s\n", strings.Join(notes, "\n"))
	if failed {
		return errors.New("there are results without a reason")
	}
	return nil
}

// measuredSuite is what the runs of a suite showed, by way.
type measuredSuite struct {
	*suite
	ways []way
	runs [][]suiteRun
}

func (b *bench) measureSuite(s *suite, ways []way, count int) (*measuredSuite, error) {
	dir := b.path("suite")
	if err := errors.Join(os.RemoveAll(dir), s.fetch(dir)); err != nil {
		return nil, err
	}
	for _, w := range ways {
		if err := s.build(dir, w); err != nil {
			return nil, err
		}
	}
	m := &measuredSuite{s, ways, make([][]suiteRun, len(ways))}
	for range count {
		for i, w := range ways {
			r, err := s.run(dir, w)
			if err != nil {
				return nil, err
			}
			m.runs[i] = append(m.runs[i], r)
		}
	}
	return m, nil
}

// of is the median over the runs in one way.
func (m *measuredSuite) of(way int, get func(*suiteRun) float64) float64 {
	var all []float64
	for i := range m.runs[way] {
		all = append(all, get(&m.runs[way][i]))
	}
	return median(all)
}

func (m *measuredSuite) rows(t *tableText) {
	wall := func(r *suiteRun) float64 { return r.seconds }
	cpu := func(r *suiteRun) float64 { return r.usage.cpu }
	for i, w := range m.ways {
		name := m.name
		if i > 0 {
			name = ""
		}
		cells := []string{name, w.name, fmt.Sprint(len(m.runs[i][0].results)),
			seconds(m.of(i, wall)), ratio(m.of(i, wall), m.of(0, wall)),
			seconds(m.of(i, cpu)), ratio(m.of(i, cpu), m.of(0, cpu)),
			number(m.of(i, func(r *suiteRun) float64 { return r.usage.memory })),
			number(m.of(i, func(r *suiteRun) float64 { return r.usage.antichain })),
			number(m.of(i, func(r *suiteRun) float64 { return float64(len(r.reports())) }))}
		for _, v := range verdicts {
			cells = append(cells, number(m.of(i, func(r *suiteRun) float64 { return float64(m.judge(r)[v]) })))
		}
		t.add(cells...)
	}
}

// saveReports writes what antichain said in the first run of each way.
func (m *measuredSuite) saveReports(dir string) error {
	for i, w := range m.ways {
		if r := &m.runs[i][0]; dir != "" && r.said != "" {
			name := strings.NewReplacer("/", "-", " ", "").Replace(m.name+" "+w.name) + ".txt"
			if err := errors.Join(os.MkdirAll(dir, 0o777), os.WriteFile(filepath.Join(dir, name), []byte(r.said), 0o666)); err != nil {
				return err
			}
		}
	}
	return nil
}

// differences says which tests fail in some way, or have a result that they never have plain, and
// whether there is one of the latter without a reason.
func (m *measuredSuite) differences() (notes []string, unexplained bool) {
	names := map[string]bool{}
	for _, runs := range m.runs {
		for _, r := range runs {
			for name := range r.results {
				names[name] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		differs, fails := false, false
		var said []string
		for i, w := range m.ways {
			results := m.results(i, name)
			said = append(said, w.name+" "+tally(results))
			for result := range results {
				differs = differs || m.results(0, name)[result] == 0
				fails = fails || result == "fail"
			}
		}
		if !differs && !fails {
			continue
		}
		_, test, _ := strings.Cut(name, " ")
		reason := m.exceptionFor(test)
		if reason == "" && differs {
			reason, unexplained = "WITHOUT A REASON", true
		}
		notes = append(notes, fmt.Sprintf("%s: %s: %s: %s", m.name, name, strings.Join(said, ", "), cmp.Or(reason, "it does so plain")))
	}
	return notes, unexplained
}

// results counts the results of a test in one way.
func (m *measuredSuite) results(way int, name string) map[string]int {
	counts := map[string]int{}
	for _, r := range m.runs[way] {
		if result := r.results[name]; result != "" {
			counts[result]++
		} else {
			counts["no result"]++
		}
	}
	return counts
}

// tally is "pass 4, fail 1".
func tally(counts map[string]int) string {
	var words []string
	for _, result := range slices.Sorted(maps.Keys(counts)) {
		words = append(words, fmt.Sprintf("%s %d", result, counts[result]))
	}
	return strings.Join(words, ", ")
}
