// Package prompt is the dialogue with a person about a halted program.
//
// A program is halted at a violation or because the person asked for it. The dialogue offers what
// Frey and Schlingloff 1998, §4.7, list: to inspect variables, locations and slices, to change
// variables, to continue the program with the same specification and history or with another
// specification and no history, and to end it.
//
// The dialogue is about two things. One is a slice, a global state that some order of the run's
// events passes through. The person steps from slice to slice, which does not affect the program.
// The other is the present state of the program, whose goroutines and package variables can be
// inspected.
package prompt
