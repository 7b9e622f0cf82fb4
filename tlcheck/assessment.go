package tlcheck

// Assessment is a result together with what is known of it beyond the run that it was judged on.
// The result stays as it was judged.
type Assessment struct {
	*Result

	// Violations has all violations of a property of a specification, where they were asked for
	// (All, Count); else it is nil.
	Violations *Violations

	// Confirmation is what came of the attempts to make the finding happen, nil if there were none.
	Confirmation *Confirmation

	// Occurrence says which of several runs show the evidence, nil if there was one run.
	Occurrence *Occurrence

	// Known says why the evidence is no news, in the words of the list of what is known. It is ""
	// for news.
	Known string

	// Remedy says what would help where Covered says why not everything is certain; "" if nothing
	// would.
	Remedy string
}

// Assessment returns an assessment of the result that adds nothing to it.
func (r *Result) Assessment() *Assessment { return &Assessment{Result: r} }

// Assessment returns a.
func (a *Assessment) Assessment() *Assessment { return a }

// IsNews reports whether the result is to be reported, and counts: its evidence is not Known.
func (a *Assessment) IsNews() bool { return a.Known == "" }

// Coverage is Covered, with the remedy.
func (a *Assessment) Coverage() string { return a.Covered + a.Remedy }

// Also returns the assessment of one of the findings that are reported with that of the result.
func (a *Assessment) Also(i int) *Assessment {
	return &Assessment{Result: Also(a.Result, i), Known: a.Known}
}
