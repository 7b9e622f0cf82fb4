// Package debug is the temporal debugger (E. Gunter and D. Peled, Temporal Debugging for Concurrent Systems, 2002): a
// dialogue in which a person goes through the states of a transition system, a program or a recorded run, by steps that satisfy
// formulas of temporal logic.
//
// The steps are on a stack. One goes on where the one before ends; the last one can be replaced, by another
// way to satisfy its formula or by one for another formula, and be removed.
package debug
