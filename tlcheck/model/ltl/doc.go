// Package ltl decides formulas of linear temporal logic over finite words. Package tableau decides them over infinite words.
//
//	formula, err := temporal.Parse("formula", "F (a & X b)", temporal.FiniteLTL)
//	word, sat, err := ltl.Sat(ctx, formula)
//	holds, err := ltl.Holds(ctx, formula, ltl.Word{{"a"}, {"b"}})
//
// The logic and the translation to automata are those of E. Gunter and D. Peled, Temporal
// Debugging for Concurrent Systems (2002), sections 2 and 3. Their text has slips that change
// answers; what is done instead is said where it is done. [Holds] is the semantics, line by
// line. [Sat] returns a shortest word that satisfies a formula. [New] makes an automaton that is
// built as far as it is used, for products with systems: its states are the obligations that a
// beginning of a word leaves for the rest. [Literal] makes the automaton as it is printed, [Subsets]
// a deterministic one.
//
// # Words
//
// A letter is a valuation of the atoms, a word a finite sequence of letters. Only [Holds]
// reads the empty word; everything else is about words of at least one letter, in which every
// formula is evaluated in some state. So N false says "here is the last state", and GF f and FG f
// say the same: f in the last state.
//
// # Terms
//
// All but Holds and Literal work on terms: formulas in negation normal form, hash-consed, with
// conjunctions and disjunctions of any number of members. Making a term simplifies it, by
// equivalences over words that are not empty.
package ltl
