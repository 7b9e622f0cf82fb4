package reports

import "github.com/antichain-go/antichain/tlcheck/report"

// evidence returns what violates a property, may do so, or is known to do so, each with what is
// told with it.
func (c *Collection) evidence() (all []*report.Account) {
	for _, a := range c.Accounts {
		if a.Fingerprint == "" || a.Verdict == "unknown" {
			continue
		}
		all = append(all, a)
		for i := range a.Also {
			all = append(all, &a.Also[i])
		}
	}
	return all
}

// unknown returns the accounts without a verdict.
func (c *Collection) unknown() (all []*report.Account) {
	for _, a := range c.Accounts {
		if a.Verdict == "unknown" {
			all = append(all, a)
		}
	}
	return all
}

// sentenceOf says what is wrong, and how that is known.
func sentenceOf(a *report.Account) string {
	text := a.Sentence
	if !a.Builtin {
		text = a.Property + " is violated: " + a.Sentence
	}
	text += " (" + a.How
	if a.Confirmation != "" {
		text += "; " + a.Confirmation
	}
	return text + ")"
}
