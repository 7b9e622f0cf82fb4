// Package known knows which findings have been accepted: those in a baseline, and those that a
// comment in the program's source makes antichain ignore.
//
// A baseline is a file of findings by fingerprint (report.Fingerprint), each with the reason why it
// is left as it is:
//
//	known:
//	  - fingerprint: 5d1f0c0de7a1b2c3d4e5f60718293a4b
//	    property: deadlock
//	    finding: main.1 waits for a.mu, which main.2 holds
//	    reason: the second lock goes away with issue 12
//	    expires: 2027-03-31
package known

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/strictyaml"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/report"
	"go.yaml.in/yaml/v3"
)

// Baseline is a set of known findings.
type Baseline struct {
	Known []Entry `yaml:"known"`
}

// Entry is one known finding.
type Entry struct {
	Fingerprint string `yaml:"fingerprint"`
	Property    string `yaml:"property"`
	Finding     string `yaml:"finding"`           // in a sentence, for people
	Reason      string `yaml:"reason"`            // why it is left as it is
	Expires     string `yaml:"expires,omitempty"` // its last day, as 2027-03-31; "" for none
}

// ReadBaseline reads a baseline. An error names the line that is wrong.
func ReadBaseline(path string) (*Baseline, error) {
	text, err := strictyaml.Read(path)
	if err != nil {
		return nil, err
	}
	b, err := parseBaseline(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return b, nil
}

// parseBaseline reads a baseline in YAML. It rejects entries without a reason, repeated
// fingerprints and invalid dates.
func parseBaseline(text []byte) (*Baseline, error) {
	b := new(Baseline)
	if err := strictyaml.Decode(text, b); err != nil {
		return nil, fmt.Errorf("%w (--write-baseline makes such a file)", err)
	}
	seen := map[string]bool{}
	for i, e := range b.Known {
		switch {
		case !fingerprint.MatchString(e.Fingerprint):
			return nil, fmt.Errorf("entry %d: %q is no fingerprint, which has 32 hexadecimal digits", i+1, e.Fingerprint)
		case seen[e.Fingerprint]:
			return nil, fmt.Errorf("entry %d: its fingerprint is that of another entry: leave one of them out", i+1)
		case e.Reason == "":
			return nil, fmt.Errorf("entry %d: it has no reason: say why the finding is accepted", i+1)
		}
		if _, err := e.last(); err != nil {
			return nil, fmt.Errorf("entry %d: expires: %q is no day: write it as 2027-03-31", i+1, e.Expires)
		}
		seen[e.Fingerprint] = true
	}
	return b, nil
}

var fingerprint = regexp.MustCompile(`^[0-9a-f]{32}$`)

// last returns the end of the last day on which the entry is valid.
func (e *Entry) last() (time.Time, error) {
	if e.Expires == "" {
		return time.Time{}, nil
	}
	day, err := time.ParseInLocation(time.DateOnly, e.Expires, time.Local)
	return day.AddDate(0, 0, 1), err
}

// hasExpired reports whether the entry is not valid any more.
func (e *Entry) hasExpired(now time.Time) bool {
	end, err := e.last()
	return e.Expires != "" && err == nil && !now.Before(end)
}

// Reasons returns, by fingerprint, why findings are known at a time.
func (b *Baseline) Reasons(now time.Time) map[string]string {
	reasons := map[string]string{}
	for _, e := range b.Known {
		if !e.hasExpired(now) {
			reasons[e.Fingerprint] = e.Reason
		}
	}
	return reasons
}

// Update returns a baseline of the findings. Entries of b keep their reasons, and lose an expiry
// date that has passed; b may be nil. New entries get the given reason.
//
// Entries of b without a finding are kept, too, unless all was checked and their properties have a
// verdict everywhere.
func (b *Baseline) Update(found []*report.Account, all bool, reason string, now time.Time) *Baseline {
	old := map[string]Entry{}
	if b != nil {
		for _, e := range b.Known {
			old[e.Fingerprint] = e
		}
	}
	next, seen := new(Baseline), map[string]bool{}
	for _, a := range found {
		for _, one := range evidence(a) {
			if seen[one.Fingerprint] {
				continue
			}
			seen[one.Fingerprint] = true
			e, isOld := old[one.Fingerprint]
			if isOld && e.hasExpired(now) {
				e.Expires = ""
			}
			if !isOld {
				e = Entry{Fingerprint: one.Fingerprint, Property: one.Property, Finding: one.Sentence, Reason: reason}
			}
			next.Known = append(next.Known, e)
		}
	}
	if b != nil {
		judged := judgedProperties(found)
		for _, e := range b.Known {
			if !seen[e.Fingerprint] && !(all && judged[e.Property]) {
				next.Known = append(next.Known, e)
			}
		}
	}
	return next
}

// judgedProperties returns the properties that have a verdict in each of their accounts. An entry
// need not name its property, so "" is judged if nothing is unknown.
func judgedProperties(found []*report.Account) map[string]bool {
	judged := map[string]bool{"": true}
	for _, a := range found {
		for i := range a.Also {
			judged[a.Also[i].Property] = true
		}
		judged[a.Property] = true
	}
	for _, a := range found {
		if a.Verdict == tlcheck.Unknown.String() {
			judged[a.Property], judged[""] = false, false
		}
	}
	return judged
}

// evidence returns an account and those reported together with it, if they have evidence and
// neither a comment nor an excluded package makes them ignored.
func evidence(a *report.Account) (all []*report.Account) {
	if a.Fingerprint == "" || IsIgnored(a.Known) || IsExcluded(a.Known) {
		return nil
	}
	all = append(all, a)
	for i := range a.Also {
		all = append(all, &a.Also[i])
	}
	return all
}

// Text returns the file.
func (b *Baseline) Text() ([]byte, error) {
	text := bytes.NewBufferString("# Known findings, for --baseline. Say in \"reason\"; \"expires: 2027-03-31\" limits it.\n")
	encoder := yaml.NewEncoder(text)
	encoder.SetIndent(2)
	err := encoder.Encode(b)
	return text.Bytes(), errors.Join(err, encoder.Close())
}

// Summary returns text about a baseline and the findings: how many findings are known or ignored,
// which entries are gone or have expired; "" if there are none of these. An entry is gone only if
// all was checked and its property has a verdict everywhere.
func (b *Baseline) Summary(found []*report.Account, all bool, now time.Time) string {
	seen, judged := map[string]bool{}, judgedProperties(found)
	known, ignored, excluded := 0, 0, 0
	for _, a := range found {
		switch {
		case IsIgnored(a.Known):
			ignored++
		case IsExcluded(a.Known):
			excluded++
		case a.Known != "":
			known++
		}
		for _, one := range evidence(a) {
			seen[one.Fingerprint] = true
		}
	}
	text := ""
	if known > 0 {
		text += fmt.Sprintf("antichain: suppressed: %s of the baseline\n", wording.Plural(known, "known finding"))
	}
	if ignored > 0 {
		text += fmt.Sprintf("antichain: ignored, as comments in the source say: %s\n", wording.Plural(ignored, "finding"))
	}
	if excluded > 0 {
		text += fmt.Sprintf("antichain: in excluded packages: %s\n", wording.Plural(excluded, "finding"))
	}
	if b == nil {
		return text
	}
	for _, e := range b.Known {
		switch {
		case e.hasExpired(now):
			text += fmt.Sprintf("antichain: the baseline's entry %.8s expired on %s (%s: %s)\n", e.Fingerprint, e.Expires, e.Property, e.Finding)
		case !seen[e.Fingerprint] && all && judged[e.Property]:
			text += fmt.Sprintf("antichain: gone since the baseline: %s: %s (%.8s)\n", e.Property, e.Finding, e.Fingerprint)
		}
	}
	return text
}
