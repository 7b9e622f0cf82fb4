package reports

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"

	"github.com/antichain-go/antichain/tlcheck/report"
)

// Case is an account as if a test had checked the property.
type Case struct {
	Account *report.Account
	Name    string // of the property, without spaces, and numbered where there are several
	Result  string // "pass", "fail", "skip" for what does not count, or "error" for what has no verdict
	Message string // why it does not pass, in a line
}

// Cases returns the accounts as cases.
func Cases(accounts []*report.Account) (all []Case) {
	seen := map[string]int{}
	for _, a := range accounts {
		c := Case{Account: a, Name: caseName(a)}
		if n := seen[c.Name]; n > 0 {
			seen[c.Name]++
			c.Name += fmt.Sprintf("#%02d", n)
		} else {
			seen[c.Name] = 1
		}
		c.Result, c.Message = resultOf(a)
		all = append(all, c)
	}
	return all
}

// resultOf says what an account is as the result of a test.
func resultOf(a *report.Account) (result, message string) {
	switch {
	case a.Verdict == "holds":
		return "pass", ""
	case a.Verdict == "unknown":
		return "error", unknownOf(a)
	case a.Known != "":
		return "skip", "known: " + a.Known
	case a.Verdict == "possible":
		return "skip", "possible: " + sentenceOf(a)
	}
	return "fail", sentenceOf(a)
}

// unknownOf says why an account has no verdict.
func unknownOf(a *report.Account) string {
	return "unknown: " + cmp.Or(a.Covered, a.Sentence, "no reason is known")
}

// caseName names a property as tests are named: -e has no name but its formula.
func caseName(a *report.Account) string {
	name := a.Property
	if strings.HasPrefix(name, "-") {
		name = a.Formula
	}
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return '_'
		case r == '/': // of the parts of a test
			return '∕'
		}
		return r
	}, name)
}
