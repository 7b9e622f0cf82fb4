package tlcheck

import (
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

// BuiltinResults returns the results of built-in properties that were checked on a run: one for each finding, in their order, and
// then one for each property that is not violated, in the order of checked. names is what the numbers in the findings
// mean.
//
// unknown says of which properties no verdict can be given, and why: what was recorded does not show everything. Of their
// findings only those that were observed are told, without a verdict.
func BuiltinResults(checked []builtin.Property, findings []builtin.Finding, names op.Names, unknown map[builtin.Property]string) []*Result {
	var results []*Result
	violated := map[builtin.Property]bool{}
	for i := range findings {
		f := &findings[i]
		r := builtinResult(f.Property, Violated, unknown)
		if r.Verdict == Unknown && f.How != builtin.Observed {
			continue
		}
		r.Finding, r.Names = f, names
		results = append(results, r)
		violated[f.Property] = violated[f.Property] || r.Verdict == Violated
	}
	for _, p := range checked {
		if !violated[p] {
			results = append(results, builtinResult(p, Holds, unknown))
		}
	}
	return results
}

// builtinResult returns a result with a verdict, unless none can be given.
func builtinResult(p builtin.Property, v Verdict, unknown map[builtin.Property]string) *Result {
	if why := unknown[p]; why != "" {
		return &Result{Builtin: p, Covered: why}
	}
	return &Result{Builtin: p, Verdict: v}
}
