//go:build unix

package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"golang.org/x/sync/errgroup"

	"github.com/antichain-go/antichain/tlcheck/report"
)

// A program is one row of a scoreboard.
type program struct {
	name, class string
	source      []byte       // of a fixed kernel
	expects     *expectation // nil: nothing may be reported

	run func(context.Context) ([]*report.BuiltinObject, error) // traced
	// untraced says who waits at the end of an untraced run, and whether the profile calls a
	// goroutine leaked; nil: it has no profile.
	untraced func(context.Context) ([]report.PartyObject, bool, error)
}

// A score is what the runs of a program have shown.
type score struct {
	*program
	runs, named int            // traced runs, and those of which a report named the bug
	first       bool           // the first one did
	how         map[string]int // the findings that are of the bug, by how they are known
	extras      map[extra]*report.BuiltinObject
	failures    []string // runs that were not checked, and why

	// untraced runs at whose end the bug's goroutines wait, and those in whose profile any is
	// leaked
	happened, profiled int
}

// play scores programs, some at the same time, and tells of each that is done.
func play(ctx context.Context, programs []*program, runs, parallel int, done func(*program)) []*score {
	scores := make([]*score, len(programs))
	var players errgroup.Group
	players.SetLimit(parallel)
	for i, p := range programs {
		players.Go(func() error {
			scores[i] = p.score(ctx, runs)
			done(p)
			return nil
		})
	}
	_ = players.Wait() // failures are in the scores
	return scores
}

// score runs a program so many times.
func (p *program) score(ctx context.Context, runs int) *score {
	s := &score{program: p, runs: runs, how: make(map[string]int), extras: make(map[extra]*report.BuiltinObject)}
	for i := range runs {
		found, err := p.run(ctx)
		if err != nil {
			s.failures = append(s.failures, fmt.Sprintf("run %d: %v", i+1, err))
		}
		if s.add(found) {
			s.named++
			s.first = s.first || i == 0
		}
		if p.untraced == nil {
			continue
		}
		waiting, leaked, err := p.untraced(ctx)
		if err != nil {
			s.failures = append(s.failures, fmt.Sprintf("untraced run %d: %v", i+1, err))
		}
		s.profiled += count(leaked)
		s.happened += count(p.expects.among(waiting))
	}
	return s
}

// add adds what one run has found and reports whether it names the bug.
func (s *score) add(found []*report.BuiltinObject) bool {
	for _, f := range found {
		if s.expects != nil && s.expects.ofBug(f) {
			s.how[f.How]++
		} else {
			s.extras[extraOf(s.name, f)] = f
		}
	}
	return s.expects != nil && s.expects.named(found)
}

// write prints a scoreboard, its totals and what is to be judged.
func write(w io.Writer, title string, scores []*score, judged map[extra]verdict) {
	fmt.Fprintf(w, "%s\n\n", title)
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "kernel\tclass\tbug named\tin runs\tfirst\thappens untraced\tprofile\tother reports\thow")
	for _, s := range scores {
		fmt.Fprintln(t, s.row(judged))
	}
	t.Flush()
	fmt.Fprintf(w, "\n%s\n\n", totals(scores, judged))
	for _, s := range scores {
		s.explain(w, judged)
	}
	fmt.Fprintln(w)
}

// row is the score's row.
func (s *score) row(judged map[extra]verdict) string {
	cells := []string{s.name, s.class, "-", "-", "-", "-", "-", s.extraCell(judged), s.howCell()}
	if s.expects != nil {
		cells[2], cells[3], cells[4] = yes(s.named > 0), fmt.Sprintf("%d/%d", s.named, s.runs), yes(s.first)
	}
	if s.untraced != nil {
		cells[5], cells[6] = fmt.Sprintf("%d/%d", s.happened, s.runs), fmt.Sprintf("%d/%d", s.profiled, s.runs)
	}
	return strings.Join(cells, "\t")
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// extraCell counts the reports that do not name the bug.
func (s *score) extraCell(judged map[extra]verdict) string {
	if len(s.extras) == 0 {
		return "-"
	}
	right, wrong, open := s.judge(judged)
	return fmt.Sprintf("%d true, %d false, %d to judge", right, wrong, open)
}

// judge counts different reports that do not name the bug.
func (s *score) judge(judged map[extra]verdict) (right, wrong, open int) {
	for e := range s.extras {
		switch v, ok := judged[e]; {
		case !ok:
			open++
		case v.right:
			right++
		default:
			wrong++
		}
	}
	return right, wrong, open
}

// howCell says how the findings of the bug are known, and how often.
func (s *score) howCell() string {
	var cells []string
	for _, how := range slices.Sorted(maps.Keys(s.how)) {
		cells = append(cells, fmt.Sprintf("%d %s", s.how[how], how))
	}
	return strings.Join(cells, ", ")
}

// totals are the sums of a board.
func totals(scores []*score, judged map[extra]verdict) string {
	var kernels, named, first, always, profiled, profiledFirst, right, wrong, open, failed int
	for _, s := range scores {
		r, f, o := s.judge(judged)
		right, wrong, open, failed = right+r, wrong+f, open+o, failed+len(s.failures)
		if s.expects == nil {
			continue
		}
		kernels++
		named += count(s.named > 0)
		first += count(s.first)
		always += count(s.named == s.runs)
		profiled += count(s.profiled > 0)
		profiledFirst += s.profiled
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d programs", len(scores))
	if kernels > 0 {
		runs := cmp.Or(scores[0].runs, 1)
		fmt.Fprintf(&b, "; bug named in one of %d runs: %d of %d, in the first: %d, in all: %d; profile: %d, on average of one run %.1f",
			runs, named, kernels, first, always, profiled, float64(profiledFirst)/float64(runs))
	}
	fmt.Fprintf(&b, "; other reports: %d true, %d false, %d to judge (false until judged); runs not checked: %d", right, wrong, open, failed)
	return b.String()
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// explain prints the reports of a program that do not name its bug, and the runs that failed.
func (s *score) explain(w io.Writer, judged map[extra]verdict) {
	for _, e := range slices.SortedFunc(maps.Keys(s.extras), compareExtras) {
		says := "to judge"
		if v, ok := judged[e]; ok {
			says = fmt.Sprintf("%t: %s", v.right, v.reason)
		}
		f := s.extras[e]
		fmt.Fprintf(w, "%s %s %s (%s): %s\n    %s\n", e.program, e.property, e.places, f.How, says, f.Text)
	}
	for _, failure := range s.failures {
		fmt.Fprintf(w, "%s %s\n", s.name, failure)
	}
}
