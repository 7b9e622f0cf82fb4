// Package debug is the temporal debugger of Gunter and Peled, "Temporal Debugging for Concurrent
// Systems", 2002, §4.
//
// The user goes through the states of a transition system, a program or a recorded run. A step is a
// sequence of states that satisfies a formula of temporal logic.
//
// The steps form a stack. Each step begins where the one below it ends. The user can remove the top
// step, or replace it by another way to satisfy its formula, or by a step for another formula.
package debug
