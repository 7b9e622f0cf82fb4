// Package prompt is the dialogue with a person about a program that was halted, at a violation
// or because the person wanted it. It offers what FS98 §4.7 lists: to inspect variables,
// locations and slices, to change variables, to let the program go on with the same specification
// and history or with another one and none, and to end it.
//
// The dialogue is about two things. One is a slice, a global state that some order of the run's
// events passes through; the person steps from slice to slice, and the program has nothing to do with
// that. The other is the program as it stands now, whose goroutines and package variables can be
// looked at.
package prompt
