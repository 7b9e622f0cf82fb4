// Package rule is what the rules of package builtin have in common, and what a rule of another
// module is written with. A rule is a value, as an analyzer of go/analysis is:
//
//	var Rule = &rule.Rule{
//		Name:  "relock",
//		Doc:   "reports mutexes that are locked again and again",
//		Kinds: []op.Kind{op.Lock},
//		New:   func() rule.Detector { return new(detector) },
//	}
//
//	checker := builtin.NewChecker(stuck.Rule, relock.Rule)
package rule

import "github.com/antichain-go/antichain/tracer/op"

// Property is the name of a property, and of the rule that looks for its violations.
type Property string

// Rule describes how violations of a property are found.
type Rule struct {
	Name          Property
	Doc           string    // a sentence: "reports …"
	Kinds         []op.Kind // the operations that its detectors receive
	NeedsAccesses bool      // to memory, which are recorded only on demand
	New           func() Detector
}

// A Detector looks for violations in one run. It may also implement Prompt, Dependent, Suspecting
// and ProgressObserver.
//
// What it keeps should have a bound that does not depend on the length of the run: it compares what
// it finds by places before it keeps it, and forgets objects that are freed. Where a bound drops
// something, a violation may be missed, but none may be made up.
type Detector interface {
	// Op receives the operations of the run. It must not keep o or o.Cases.
	Op(o *op.Op)
	// Findings returns what was found, once, after the last operation, in an order that depends on
	// nothing but the operations. A Count of 0 means 1.
	Findings(names op.Names) []Finding
}

// Prompt is a detector that knows of violations before the run is over.
type Prompt interface {
	Detector
	// Certain returns what was found since the last call and stands however the run continues.
	Certain(names op.Names) []Finding
}

// Dependent is a detector whose findings depend on those of the rules before it.
type Dependent interface {
	Detector
	// After receives the findings of the rules before it, right before Findings is called.
	After(found []Finding)
	// Join returns the findings of all rules without those that others include.
	Join(all []Finding) []Finding
}

// Suspecting is a detector with candidates: findings that are only possible, and nothing by
// themselves, since a correct program may look the same. Another run of the program decides.
type Suspecting interface {
	Detector
	// Candidates returns them, after Findings.
	Candidates(names op.Names) []Finding
}

// Progress says what the tasks of a run can still do.
type Progress interface {
	// CanContinue reports whether some task that is not blocked for ever is left.
	CanContinue(names op.Names) bool
}

// ProgressObserver is a detector that asks for progress.
type ProgressObserver interface {
	Detector
	ObserveProgress(p Progress)
}
