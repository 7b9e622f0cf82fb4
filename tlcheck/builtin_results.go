package tlcheck

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

// BuiltinResults returns the results of built-in properties that were checked on a run: one for
// each finding, in their order, and then one for each property without a finding, in the order of
// checked. names is what the numbers in the findings mean.
//
// unknown says of which properties no verdict can be given, and why: what was recorded does not
// show everything. Of their findings only those that were observed are told, without a verdict.
func BuiltinResults(checked []builtin.Property, findings []builtin.Finding, names op.Names, unknown map[builtin.Property]string) []*Result {
	return BuiltinViolations{}.Results(checked, findings, names, unknown)
}

// BuiltinViolations has the built-in properties of which results have told a finding, for a run
// whose findings are told one after the other: true if that is a violation, false if it is only
// possible.
type BuiltinViolations map[builtin.Property]bool

// Results is BuiltinResults for what was not told before: it leaves out the findings that were, and
// other verdicts on properties that have findings.
func (v BuiltinViolations) Results(checked []builtin.Property, findings []builtin.Finding, names op.Names, unknown map[builtin.Property]string) []*Result {
	var results []*Result
	for i := range findings {
		f := &findings[i]
		r := builtinResult(f.Property, verdictOn(f), unknown)
		if f.Told || r.Verdict == Unknown && f.How != builtin.Observed {
			continue
		}
		r.Finding, r.Names = f, names
		results = append(results, r)
		if r.Verdict != Unknown {
			v.note(f.Property, r.Verdict)
			f.Also = slices.DeleteFunc(f.Also, func(a builtin.Finding) bool { return unknown[a.Property] != "" })
			for i := range f.Also {
				v.note(f.Also[i].Property, verdictOn(&f.Also[i]))
			}
		}
	}
	for _, p := range checked {
		if _, found := v[p]; !found {
			results = append(results, builtinResult(p, Holds, unknown))
		}
	}
	return results
}

func (v BuiltinViolations) note(p builtin.Property, verdict Verdict) {
	v[p] = v[p] || verdict == Violated
}

// Also returns the result for one of the findings that are told with that of a result.
func Also(r *Result, i int) *Result {
	f := &r.Finding.Also[i]
	return &Result{Builtin: f.Property, Verdict: verdictOn(f), Finding: f, Names: r.Names}
}

func verdictOn(f *builtin.Finding) Verdict {
	if f.How == builtin.Possible {
		return Possible
	}
	return Violated
}

// builtinResult returns a result with a verdict, unless none can be given: the property may not
// exist.
func builtinResult(p builtin.Property, v Verdict, unknown map[builtin.Property]string) *Result {
	if _, err := builtin.Parse(string(p)); err != nil {
		return &Result{Builtin: p, Covered: err.Error()}
	}
	if why := unknown[p]; why != "" {
		return &Result{Builtin: p, Covered: why}
	}
	return &Result{Builtin: p, Verdict: v}
}
