// Package satisfiability decides formulas of temporal logic without a model, and prints the answers
// as text, JSON and pictures.
//
// An LTLSolver solves the problems of linear time: whether a formula is satisfiable or valid,
// whether one implies another or is equivalent to it, and whether a word satisfies it. A word
// proves the answer. A CTLSolver looks for a structure that satisfies a formula of branching time,
// and makes a program of it. Both take single questions and those of a batch. A question that
// exhausts its budget gets the answer unknown.
package satisfiability
