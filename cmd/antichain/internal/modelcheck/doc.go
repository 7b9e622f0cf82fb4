// Package modelcheck checks formulas of temporal logic on models and prints the results as text and
// as JSON.
//
// A Checker is for linear time (NewLTL) or branching time (NewCTL); its verdicts have
// counterexamples and witnesses. A StepFinder looks for sequences of states that satisfy a formula
// over finite words. Both take single questions and those of a batch. A question that runs out of
// its budget gets the answer unknown.
package modelcheck
