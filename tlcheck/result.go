package tlcheck

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/op"
)

// Verdict says whether a property holds for a run. The zero value is Unknown.
type Verdict uint8

// The verdicts. Holds: the formula of the property is false in no (slice, TIVA), or what the
// built-in property excludes was not found. Violated: the result has evidence. Unknown: neither is
// certain, for a reason that the result gives. Possible, of built-in properties only: it has
// evidence, which assumes what is not known of the program.
const (
	Unknown Verdict = iota
	Holds
	Violated
	Possible
)

// String returns "unknown", "holds", "violated" or "possible".
func (v Verdict) String() string {
	switch v {
	case Holds:
		return "holds"
	case Violated:
		return "violated"
	case Possible:
		return "possible"
	}
	return "unknown"
}

// Result is the verdict on one property of a run, with its evidence. Package report prints it. What
// is known of it besides is an Assessment.
type Result struct {
	Property *spec.Property   // of a specification, as its author wrote it; nil if the property is a built-in one
	Builtin  builtin.Property // else ""
	Verdict  Verdict

	Witness *Witness // the evidence of a violated property of a specification; else it is nil
	Net     *san.Net // of the run, which it speaks of; nil if nothing is known of that

	// The evidence of a violated built-in property; else it is nil. Of a property of verdict
	// Unknown it is what was observed, and may not be a violation.
	Finding *builtin.Finding
	Names   op.Names // what its numbers mean
	// Of one result for stuck: the waits that others may still end; nil if there are none.
	Open *builtin.Open
	// that it is about, if the run may have several: their goroutines and objects may have the same
	// names
	Program string

	// Covered says what is certain although not everything is. For an Unknown it is why, and how
	// much was searched. For a Violated it says that there may be a smaller witness, or a larger
	// one if Options.Last. For a Holds it is the part of the run that the verdict is about. Else it
	// is empty.
	Covered string

	// Vacuous says why a property that holds could not have been violated by the run; see the
	// function of that name. Else it is empty.
	Vacuous string

	// Stopped says what stopped the check, else it is nil: ErrTime, an ErrMemory, an
	// *slices.IntervalsError, or the cause of the end of its context.
	Stopped error

	// EvalErrors are the places where expressions were undefined because they could not
	// be evaluated (a division by zero, a missing field, …).
	EvalErrors []lsl.EvalError

	compiled *formula.Formula // the formula, of a property of a specification that was checked
}

// Name is what the property is called. One of a specification may have no name: then it is its
// formula.
func (r *Result) Name() string {
	switch {
	case r.Property == nil:
		return string(r.Builtin)
	case r.Property.Name == "":
		return spec.FormatProperty(r.Property)
	}
	return r.Property.Name
}

// How says how the evidence is known, of a result that has some: a Finding or a Witness. A slice is
// only predicted if the order of the events was not observed.
func (r *Result) How() builtin.Certainty {
	switch {
	case r.Finding != nil:
		return r.Finding.How
	case r.Witness != nil && r.Witness.Happened:
		return builtin.Observed
	case r.Witness != nil && r.Witness.Open != "":
		return builtin.Reordered
	}
	return builtin.Predicted
}

// Witness is a slice and a TIVA in which a property is false: of all those the one with the
// fewest actions (the most, if Options.Last), then the first TIVA, then the first index vector.
type Witness struct {
	TIVA      []Binding
	Slice     slices.Ideal
	Schedule  []san.Action // a feasible order that ends in Slice, with few task switches
	Happened  bool         // the run is known to have passed through Slice
	Unseen    bool         // the order of the events was not observed, so Happened is not known
	Reordered bool         // critical sections that came before are left out of Slice
	Open      string       // if they are, why events may see something else without them; "" if they cannot
	History   *History     // of operations, in Schedule; nil for other formulas
	Reason    *Explanation // why the formula is false there; what took too long to find out is left out
}

// Binding says which task a TIV stands for.
type Binding struct {
	TIV  string
	Task san.Task
}

// BuiltinResults returns the results of built-in properties that were checked on a run: one for
// each finding, in their order, and then one for each property without a finding, in the order of
// checked. names is what the numbers in the findings mean.
//
// unknown says why no verdict can be given on some properties: what was recorded does not show
// everything. Of their findings only those that were observed are reported, without a verdict.
func BuiltinResults(
	checked []builtin.Property, findings []builtin.Finding, names op.Names, unknown map[builtin.Property]string,
) []*Result {
	return BuiltinViolations{}.Results(checked, findings, names, unknown)
}

// BuiltinViolations has the built-in properties that already have a result with a finding, for a
// run whose findings are reported one by one: true if that is a violation, false if it is only
// possible.
type BuiltinViolations map[builtin.Property]bool

// Results is BuiltinResults for what was not reported before: it leaves out the findings that were,
// and other verdicts on properties that have findings.
func (v BuiltinViolations) Results(
	checked []builtin.Property, findings []builtin.Finding, names op.Names, unknown map[builtin.Property]string,
) []*Result {
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
			f.Also = stdslices.DeleteFunc(f.Also, func(a builtin.Finding) bool { return unknown[a.Property] != "" })
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

// NoteOpen notes the waits that others may still end in the first result that is for stuck.
func NoteOpen(results []*Result, open *builtin.Open) {
	for _, r := range results {
		if r.Builtin == builtin.Stuck && r.Verdict != Unknown {
			r.Open = open
			return
		}
	}
}

func (v BuiltinViolations) note(p builtin.Property, verdict Verdict) {
	v[p] = v[p] || verdict == Violated
}

// Also returns the result for one of the findings that are reported with that of a result.
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
