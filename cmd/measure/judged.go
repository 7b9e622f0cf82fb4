//go:build unix

package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// judgement is what somebody found who looked into a report of a built-in property.
type judgement struct {
	report  *regexp.Regexp // what the report says
	verdict string
	reason  string
}

// Verdicts on reports.
const (
	isTrue    = "true"       // it is as the report says, and ought not to be
	isMeant   = "meant"      // it is as the report says, and is meant to be
	isFalse   = "false"      // it cannot be, or is right in any reading
	notJudged = "not judged" // nobody has looked
)

var verdicts = []string{isTrue, isMeant, isFalse, notJudged}

func newJudgement(pattern, verdict, reason string) (judgement, error) {
	if verdict == notJudged || !slices.Contains(verdicts, verdict) {
		return judgement{}, fmt.Errorf("verdict %q is none of true, meant, false", verdict)
	}
	report, err := regexp.Compile("(?s)" + pattern)
	return judgement{report, verdict, reason}, err
}

var (
	reportBegin = regexp.MustCompile(`(?m)^[a-z]+: (violated|unknown) \(`)
	noVerdict   = regexp.MustCompile(`(?m)^built-in properties: unknown: .*`)
	reportEnd   = regexp.MustCompile(`(?m)^(--all tells|Show it again:|antichain: |built-in properties: )`)
)

// reports returns the reports of built-in properties, each as one line.
func (r *suiteRun) reports() []string {
	var all []string
	begins := reportBegin.FindAllStringIndex(r.said, -1)
	for i, begin := range begins {
		end := len(r.said)
		if i+1 < len(begins) {
			end = begins[i+1][0]
		}
		text := r.said[begin[0]:end]
		if end := reportEnd.FindStringIndex(text); end != nil {
			text = text[:end[0]]
		}
		all = append(all, strings.Join(strings.Fields(text), " "))
	}
	return all
}

// verdict returns the verdict on a report.
func (s *suite) verdict(report string) string {
	for _, j := range s.judged {
		if j.report.MatchString(report) {
			return j.verdict
		}
	}
	return notJudged
}

// judge counts the reports of a run by verdict.
func (s *suite) judge(r *suiteRun) map[string]int {
	counts := map[string]int{}
	for _, report := range r.reports() {
		counts[s.verdict(report)]++
	}
	return counts
}

// maxTold is how much of a report that is not judged is told.
const maxTold = 300

// unjudged tells the reports that nobody has judged, those that differ in numbers only once, and
// where antichain has no verdict.
func (m *measuredSuite) unjudged() []string {
	told := map[string]string{}
	tell := func(w way, what, text string) {
		text = text[:min(len(text), maxTold)]
		alike := w.name + what + numbers.ReplaceAllString(text, "N")
		if told[alike] == "" {
			told[alike] = fmt.Sprintf("%s: %s: %s: %s", m.name, w.name, what, text)
		}
	}
	for i, w := range m.ways {
		for j := range m.runs[i] {
			r := &m.runs[i][j]
			for _, report := range r.reports() {
				if m.verdict(report) == notJudged {
					tell(w, "NOT JUDGED", report)
				}
			}
			for _, text := range noVerdict.FindAllString(r.said, -1) {
				tell(w, "NO VERDICT", text)
			}
		}
	}
	return slices.Sorted(maps.Values(told))
}

// numbers matches those of tasks and objects, but not lines of files.
var numbers = regexp.MustCompile(`\b(main(\.\d+)+|[a-z]+ \d+)\b`)
