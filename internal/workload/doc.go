// Package workload generates the nets and formulas for benchmarks of checks.
//
// A net has any size, and depends only on the seed. In it every formula of a list either holds or
// is violated only in slices that the run did not pass.
//
// In both cases a check has all the work to do. If a formula holds, no early witness ends the
// check; if it is violated, the recorded order does not show it. The reason is the order of phases
// that all tasks go through. An atom a is true only while a task is in the hot phase of its half of
// the tasks, c only in the late phase, and b throughout the hot phases:
//
//	holds     start │ hot, even │ hot, odd │ middle │ late │ hot, even │ … │ end
//	violated  start │ late │ hot, even │ hot, odd │ middle │ end
//
// In a net in which all formulas hold, a barrier separates the phases. It is made of the pattern's
// own means. Then a comes before b and c, everywhere, and no task is in c while another one is in
// a. In a violated net the barriers are missing. Its recorded order is one that they would have
// allowed, with c before a, but other orders are not.
//
// Independent tasks and fork/join trees cannot have barriers. There the formulas that hold are
// those about one task, or are omitted (see Formula.Text).
//
// In every task each atom is true in a tenth to a half of the local states, in rows of random
// length. Tasks also exchange messages within the phases that are not hot.
//
// There is a specification for synthesis, too (MutualExclusion).
package workload
