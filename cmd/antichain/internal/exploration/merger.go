package exploration

import (
	"cmp"
	"maps"
	"slices"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// merger merges the results of several runs: into one for each property of a specification, for
// each finding, and for each built-in property without findings. Each is reported as in the first
// run with the best evidence.
type merger struct {
	all   map[resultKey]*merged
	order []resultKey // in which they came
	runs  int         // so far
	// tried has the outcomes of confirming findings, also of those that do not lead a report, and
	// of candidates
	tried map[resultKey]*tlcheck.Confirmation
	// the key of the finding as which a prediction has happened, by the key of the prediction, if
	// the two differ
	happened map[resultKey]resultKey
}

// resultKey distinguishes results that are reported separately.
type resultKey struct {
	property string
	finding  builtin.Key // the zero value without one
}

// merged is what the runs so far say of a key.
type merged struct {
	result    *tlcheck.Assessment // the best one
	run       *run                // that it is of
	shown     map[int]bool        // the runs that show it, by their numbers
	observed  int                 // of these, in which it happened
	confirmed bool                // it was tried in one of them

	restsOn *execution.EarlyFiring // without which that run does not show it; nil for none
}

func newMerger() *merger {
	return &merger{
		all: make(map[resultKey]*merged), tried: make(map[resultKey]*tlcheck.Confirmation),
		happened: make(map[resultKey]resultKey),
	}
}

// key returns the key of a result, or of what has happened that it predicts.
func (m *merger) key(r *tlcheck.Result) resultKey {
	k := keyOf(r)
	if to, ok := m.happened[k]; ok {
		return to
	}
	return k
}

func keyOf(r *tlcheck.Result) resultKey {
	switch {
	case r.Finding != nil:
		return resultKey{finding: r.Finding.BugKey(r.Names)}
	case r.Property != nil:
		return resultKey{property: r.Name() + "\n" + spec.FormatProperty(r.Property)}
	}
	return resultKey{property: string(r.Builtin)}
}

// attemptOf returns the known outcome of confirming a result, and whether it need not be tried: it
// was, or the violation has happened anyway.
func (m *merger) attemptOf(r *tlcheck.Result) (*tlcheck.Confirmation, bool) {
	k := m.key(r)
	outcome, known := m.tried[k], m.all[k]
	return outcome, outcome != nil || known != nil && known.observed > 0
}

// add takes the results of a run, and reports whether some of them are violations that are better
// known now. Of a steered schedule an unknown verdict says nothing.
func (m *merger) add(r *run, steered bool) (isNew bool) {
	m.runs++
	for _, result := range r.results {
		if steered && result.Verdict == tlcheck.Unknown {
			continue
		}
		isNew = m.addResult(result, r) || isNew
	}
	return isNew
}

// addVain takes candidates that were tried and did not happen.
func (m *merger) addVain(candidates []*tlcheck.Assessment) {
	for _, a := range candidates {
		m.tried[keyOf(a.Result)] = a.Confirmation
	}
}

// addResult takes one result.
func (m *merger) addResult(r *tlcheck.Assessment, of *run) (isNew bool) {
	m.notePrediction(r.Result)
	k := m.key(r.Result)
	known := m.all[k]
	if known == nil {
		known = &merged{shown: make(map[int]bool)}
		m.all[k] = known
		m.order = append(m.order, k)
	}
	if r.Verdict == tlcheck.Violated || r.Verdict == tlcheck.Possible {
		known.shown[m.runs] = true
		if r.How() == builtin.Observed {
			known.observed++
			m.foldInto(k, r.Result)
		}
	}
	for i, c := range r.Siblings {
		if also := keyOf(tlcheck.Also(r.Result, i)); c != nil && m.tried[also] == nil {
			m.tried[also] = c
		}
	}
	if r.Confirmation != nil && !known.confirmed {
		known.confirmed = true
		if m.tried[k] == nil {
			m.tried[k] = r.Confirmation
		}
		if known.observed == 0 {
			known.result = nil // a prediction that was tried says more than one that was not
		}
	}
	if known.result != nil && grade(r.Result) <= grade(known.result.Result) {
		return false
	}
	known.result, known.run = r, of
	return r.Verdict == tlcheck.Violated
}

// notePrediction notes that a prediction is of what has happened already.
func (m *merger) notePrediction(r *tlcheck.Result) {
	if r.Finding == nil || r.How() == builtin.Observed {
		return
	}
	k := keyOf(r)
	for _, when := range m.order {
		if known := m.all[when]; k != when && known.observed > 0 && foretells(r, when, known.result.Result) {
			m.happened[k] = when
		}
	}
}

// foldInto merges predictions into the finding with key k, as which they have happened now.
func (m *merger) foldInto(k resultKey, happened *tlcheck.Result) {
	known := m.all[k]
	m.order = slices.DeleteFunc(m.order, func(other resultKey) bool {
		predicted := m.all[other]
		if other == k || predicted.observed > 0 || predicted.result == nil ||
			!foretells(predicted.result.Result, k, happened) {
			return false
		}
		m.happened[other] = k
		maps.Copy(known.shown, predicted.shown)
		delete(m.all, other)
		return true
	})
}

// foretells reports whether a result predicts a finding that has happened, whose key is k.
func foretells(r *tlcheck.Result, k resultKey, happened *tlcheck.Result) bool {
	f := r.Finding
	switch {
	case f == nil:
		return false
	case f.Fails.At != 0:
		return resultKey{finding: f.HappenedKey(r.Names)} == k
	}
	return happened.Finding != nil && builtin.Foretells(f, r.Names, happened.Finding, happened.Names)
}

// grade ranks results by what they show: best a violation, by how well it is known; then a possible
// one; then an unknown verdict, which another run may have shown to be a violation; last one that
// holds where it could have been violated.
func grade(r *tlcheck.Result) int {
	switch r.Verdict {
	case tlcheck.Violated:
		return 4 + int(builtin.Possible-r.How())
	case tlcheck.Possible:
		return 3
	case tlcheck.Unknown:
		return 2
	}
	if r.Vacuous == "" {
		return 1
	}
	return 0
}

// results returns the results after that many runs: those of specifications in the order in which
// they came, and those of built-in properties in the usual order. Results with evidence say which
// runs show it. If namesTests is set, the commands that repeat these runs name the tests.
func (m *merger) results(runs int, namesTests bool) (specified, builtins []*tlcheck.Assessment) {
	found := make(map[builtin.Property]bool)
	for _, k := range m.order {
		known := m.all[k]
		r := known.reported(runs, namesTests)
		if r.Property != nil {
			specified = append(specified, r)
			continue
		}
		builtins = append(builtins, r)
		found[r.Builtin] = found[r.Builtin] || len(known.shown) > 0
		for i := range known.alsoShown() {
			found[r.Finding.Also[i].Property] = true
		}
	}
	builtins = slices.DeleteFunc(builtins, func(r *tlcheck.Assessment) bool { return r.Finding == nil && found[r.Builtin] })
	slices.SortStableFunc(builtins, func(a, b *tlcheck.Assessment) int {
		return cmp.Or(noFinding(a)-noFinding(b), rank(a)-rank(b), int(a.How())-int(b.How()))
	})
	return specified, builtins
}

// alsoShown returns the findings that are reported together with the result.
func (m *merged) alsoShown() []builtin.Finding {
	if len(m.shown) == 0 || m.result.Finding == nil {
		return nil
	}
	return m.result.Finding.Also
}

func noFinding(r *tlcheck.Assessment) int {
	if r.Finding == nil {
		return 1
	}
	return 0
}

func rank(r *tlcheck.Assessment) int { return slices.Index(builtin.Properties, r.Builtin) }

// reported returns the best result, with the number of runs that show it.
func (m *merged) reported(runs int, namesTests bool) *tlcheck.Assessment {
	r := *m.result
	if len(m.shown) == 0 {
		return &r
	}
	plan := m.run.plan
	o := &tlcheck.Occurrence{
		Runs: runs, Showing: len(m.shown), Observed: m.observed,
		Seed: plan.Seed, Yields: plan.Yields, Run: m.run.name(),
	}
	if plan.Reversed != nil {
		o.Reversed = plan.Reversed.Steps()
		namesTests = false // by itself a test has other goroutines than those of the schedule
	}
	o.Again = findings.RerunCommand(plan.RunAgain(), namesTests, []*tlcheck.Assessment{&r})
	if m.restsOn != nil {
		o.RestsOn = m.restsOn.String()
	}
	r.Occurrence = o
	return &r
}
