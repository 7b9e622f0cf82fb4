// Package ltl decides formulas of linear temporal logic over finite words. Package tableau decides
// them over infinite words.
//
//	formula, err := temporal.Parse("formula", "F (a & X b)", temporal.FiniteLTL)
//	word, sat, err := ltl.Sat(ctx, formula)
//	holds, err := ltl.Holds(ctx, formula, ltl.Word{{"a"}, {"b"}})
//
// The logic and the translation to automata are those of Gunter and Peled, "Temporal Debugging for
// Concurrent Systems", 2002, §2 and §3. Their text has slips that change answers; each
// correction is described where it is made. [Holds] is the semantics, line by line. [Sat] returns a
// shortest word that satisfies a formula. [New] makes an automaton on demand, for products with
// systems: its states are the obligations of a prefix on the rest of the word. [Literal] makes the
// automaton as it is printed, [Subsets] a deterministic one.
//
// # Words
//
// A letter is a valuation of the atoms, and a word a finite sequence of letters. Only [Holds] reads
// the empty word. All other functions are about words of at least one letter, in which every
// formula is evaluated in some state. There N false means "this is the last state", and GF f and FG
// f are equivalent: f in the last state.
//
// # Terms
//
// All but Holds and Literal use terms: formulas in negation normal form, hash-consed, with
// conjunctions and disjunctions of any number of members. Making a term simplifies it, by
// equivalences over nonempty words.
package ltl
